package show_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/show"
)

// TestLastTick: the number at the end of an axis is written, however wide.
func TestLastTick(t *testing.T) {
	c := show.LineChart{LogX: true, Series: []show.Series{{Name: "a", X: []float64{1e6, 1e8}, Y: []float64{1, 2}}}}
	var b bytes.Buffer
	if err := show.WriteSVG(&b, c.Scene()); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), ">100 million<") {
		t.Error("the axis ends without its number")
	}
}
