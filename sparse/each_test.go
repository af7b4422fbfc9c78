package sparse_test

import (
	"fmt"
	"testing"

	"github.com/moiety-go/moiety/sparse"
)

// Each hands over what is stored: all of a dense row, values, and ones of binary rows.
func TestEach(t *testing.T) {
	valued := sparse.Rows{Dim: 4, Ptr: []int{0, 1, 3}, Index: []uint32{2, 0, 3}, Value: []float32{5, 2, 7}}
	binary := valued
	binary.Value = nil
	for name, c := range map[string]struct {
		rows sparse.Rows
		want string
	}{
		"valued": {valued, "0:2 3:7 "},
		"binary": {binary, "0:1 3:1 "},
		"dense":  {sparse.Rows{Dim: 2, Dense: []float64{1, 2, 0, -3}}, "0:0 1:-3 "},
	} {
		got := ""
		c.rows.Each(1, func(h int, x float64) { got += fmt.Sprintf("%d:%g ", h, x) })
		if got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
