package verdict_test

import (
	"math"
	"testing"

	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/internal/verdict"
	"github.com/moiety-go/moiety/sparse"
)

// panels draws counts of k groups in sets of ten features, each asked for of seven records
// in ten.
func panels(seed uint64, n, k int) sparse.Rows {
	const d, each = 50, 10
	r := stream.New(seed, "test/panels")
	mean := make([]float64, k*d)
	for j := range d {
		base := 1.2 + .5*r.NormFloat64()
		for g := range k {
			mean[g*d+j] = base + boolFloat(k > 1)*.9*r.NormFloat64()
		}
	}
	b := sparse.NewBuilder(d, false)
	for range n {
		g, asked := r.IntN(k), make([]bool, d/each)
		for s := range asked {
			asked[s] = r.Float64() < .7
		}
		var index []uint32
		var value []float32
		for j := range d {
			if v := poissonDraw(r, math.Exp(mean[g*d+j])*gammaDraw(r, 4)); asked[j/each] && v > 0 {
				index, value = append(index, uint32(j)), append(value, float32(v))
			}
		}
		if err := b.Add(index, value); err != nil {
			panic(err)
		}
	}
	return b.Rows()
}

func boolFloat(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// A set of features that was not asked for is no group, and groups are found behind such
// sets.
func TestPanelsThatWereNotAskedFor(t *testing.T) {
	three := counted(t, panels(2, 900, 3), 0)
	if three.Groups != 3 || !doubted(three, verdict.NotAsked) {
		t.Errorf("three groups: %d, %+v", three.Groups, three.Against)
	}
	if testing.Short() {
		return
	}
	one := counted(t, panels(1, 600, 1), 0)
	if one.Groups != 1 || one.Continuum != "sets" {
		t.Errorf("one population: %d groups, %s (%s)", one.Groups, one.Continuum, one.Reason)
	}
}

func doubted(v *verdict.Verdict, code string) bool {
	for _, d := range v.Against {
		if d.Code == code {
			return true
		}
	}
	return false
}

// kindred draws copies of alleles of families of two parents and three children, of k
// populations.
func kindred(seed uint64, n, k int) sparse.Rows {
	const loci = 320
	r := stream.New(seed, "test/kindred")
	p := make([]float64, k*loci)
	for j := range loci {
		old := .15 + .7*r.Float64()
		for g := range k {
			p[g*loci+j] = min(max(old+boolFloat(k > 1)*.15*r.NormFloat64(), .02), .98)
		}
	}
	b := sparse.NewBuilder(loci, false)
	for i := 0; i < n; {
		g := r.IntN(k)
		var parent [4][loci]float32
		for h := range parent {
			for j := range loci {
				parent[h][j] = float32(boolFloat(r.Float64() < p[g*loci+j]))
			}
		}
		for member := 0; member < 5 && i < n; member++ {
			var index []uint32
			var value []float32
			for j := range loci {
				v := parent[0][j] + parent[1][j]
				switch {
				case member == 1:
					v = parent[2][j] + parent[3][j]
				case member > 1:
					v = parent[r.IntN(2)][j] + parent[2+r.IntN(2)][j]
				}
				if v > 0 {
					index, value = append(index, uint32(j)), append(value, v)
				}
			}
			if err := b.Add(index, value); err != nil {
				panic(err)
			}
			i++
		}
	}
	return b.Rows()
}

// Families are no groups: of near kin one counts, and populations are found behind them.
func TestNearKinCountOnce(t *testing.T) {
	one := counted(t, kindred(1, 1000, 1), 2)
	if one.Groups != 1 || !doubted(one, verdict.NearKin) {
		t.Errorf("one population: %d groups, %+v", one.Groups, one.Against)
	}
	three := counted(t, kindred(2, 1000, 3), 2)
	if three.Groups != 3 || three.Records > 500 {
		t.Errorf("three populations: %d groups, %d records", three.Groups, three.Records)
	}
}
