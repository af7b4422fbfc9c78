package verdict_test

import (
	"context"
	"math"
	"testing"

	"github.com/moiety-go/moiety/internal/agree"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/internal/verdict"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// Two rings are no one group, and two moons are not the two heaps that clouds make of them:
// groups of a shape are not found, and nobody is sure of what is claimed instead.
func TestGroupsOfAShapeAreNotSure(t *testing.T) {
	rings := func(u float64, second bool) (x, y float64) {
		radius := 1.
		if second {
			radius = 2.5
		}
		return radius * math.Cos(2*math.Pi*u), radius * math.Sin(2*math.Pi*u)
	}
	moons := func(u float64, second bool) (x, y float64) {
		if second {
			return 1 - math.Cos(math.Pi*u), .5 - math.Sin(math.Pi*u)
		}
		return math.Cos(math.Pi * u), math.Sin(math.Pi * u)
	}
	for name, law := range map[string]func(u float64, second bool) (x, y float64){"rings": rings, "moons": moons} {
		for _, n := range []int{600, 2000} {
			if testing.Short() && n > 600 {
				continue
			}
			for seed := range uint64(2) {
				r, rows := stream.New(seed, "test/shapes"), sparse.Rows{Dim: 2}
				truth, own := make([]int, n), make([]int32, n)
				for i := range n {
					truth[i] = r.IntN(2)
					x, y := law(r.Float64(), truth[i] == 1)
					rows.Dense = append(rows.Dense, x+.08*r.NormFloat64(), y+.08*r.NormFloat64())
				}
				v, err := verdict.Measured(context.Background(), pass.NewLocal(rows, 0), verdict.Settings{Seed: 1})
				if err != nil {
					t.Fatal(err)
				}
				if v.Found != nil {
					v.Found.Place(pass.Block{Rows: rows}, own)
				}
				found := make([]int, n)
				for i, g := range own {
					found[i] = int(g)
				}
				ari, err := agree.ARI(found, truth)
				if err != nil {
					t.Fatal(err)
				}
				t.Logf("%s, %d, seed %d: %d groups %v, ARI %.2f, sure: %v", name, n, seed, v.Groups, v.Range, ari, v.Sure)
				if v.Sure && ari < .9 {
					t.Errorf("%s, %d records, seed %d: %d groups, ARI %.2f, sure: %s", name, n, seed, v.Groups, ari, v.Reason)
				}
			}
		}
	}
}
