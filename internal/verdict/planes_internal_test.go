package verdict

import (
	"context"
	"math"
	"testing"

	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// Records of a group that differ along two lines are no more groups.
func TestTwoLinesInsideGroups(t *testing.T) {
	numtest.NotShort(t)
	const n, d, k = 1200, 40, 3
	r := stream.New(1, "test")
	own, load := make([]float64, k*d), make([]float64, 2*d)
	for e := range own {
		own[e] = 1.6*r.NormFloat64() - 1
	}
	for e := range load {
		load[e] = .8 * r.NormFloat64()
	}
	b := sparse.NewBuilder(d, true)
	for i := range n {
		x, y := r.NormFloat64(), r.NormFloat64()
		var row []uint32
		for j := range d {
			if r.Float64() < 1/(1+math.Exp(-own[i%k*d+j]-x*load[j]-y*load[d+j])) {
				row = append(row, uint32(j))
			}
		}
		if err := b.Add(row, nil); err != nil {
			t.Fatal(err)
		}
	}
	v, err := Discrete(context.Background(), pass.NewLocal(b.Rows(), 0), nil, Settings{Seed: 1})
	if err != nil || v.Groups != k || v.Continuum != twoTrends.word() {
		t.Errorf("%+v %v", v, err)
	}
}
