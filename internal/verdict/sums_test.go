package verdict_test

import (
	"testing"

	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/internal/verdict"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// Columns that are sums of others add nothing: four groups stay four. A ridge that
// was smaller for large clouds made two large ones the likeliest.
func TestColumnsThatAreSums(t *testing.T) {
	for _, k := range []int{1, 4} {
		r := stream.New(1, "test/sums")
		rows := sparse.Rows{Dim: 7}
		for i := range 300 {
			x := make([]float64, 5, 7)
			for h := range x {
				x[h] = r.NormFloat64()
			}
			if k > 1 {
				x[i%k] += 7
			}
			rows.Dense = append(rows.Dense, append(x, x[0]+x[1], x[2]+x[3]-x[4])...)
		}
		if v := measured(t, pass.NewLocal(rows, 0), 0); v.Groups != k {
			t.Errorf("%d groups with sums of columns: told %d (%s)", k, v.Groups, v.Reason)
		}
	}
}

// Groups that five of thirty columns tell apart, where the others go together: ten
// records a column do not show them, and nobody is sure of one group.
func TestGroupsInFewColumns(t *testing.T) {
	r := stream.New(2, "test/few columns")
	rows := sparse.Rows{Dim: 30}
	for i := range 300 {
		all := .6 * r.NormFloat64()
		for h := range 30 {
			x := r.NormFloat64()
			if h >= 5 {
				x += all
			} else if h == i%5 {
				x += 5
			}
			rows.Dense = append(rows.Dense, x)
		}
	}
	if v := measured(t, pass.NewLocal(rows, 0), 0); v.Groups != 5 && v.Sure {
		t.Errorf("five groups in five of thirty columns: sure of %d (%s)", v.Groups, v.Reason)
	}
}

// Nine records that lie far from all others are too few for a heap, and too far for
// anybody to be sure that there is one group.
func TestFewRecordsFarOff(t *testing.T) {
	for _, seed := range []uint64{9, 12, 14}[:numtest.Scale(1, 3, 3)] { // three of the four of forty that were sure
		r := stream.New(seed, "test/strays")
		rows := sparse.Rows{Dim: 6}
		for i := range 300 {
			for range 6 {
				x := r.NormFloat64()
				if i < 9 {
					x += 3.3
				}
				rows.Dense = append(rows.Dense, x)
			}
		}
		v, err := verdict.Measured(t.Context(), pass.NewLocal(rows, 0), verdict.Settings{Seed: seed})
		if err != nil || v.Sure || v.Range[1] < 2 {
			t.Errorf("seed %d, nine far records: %d groups, range %v, sure %v (%v)", seed, v.Groups, v.Range, v.Sure, err)
		}
	}
}
