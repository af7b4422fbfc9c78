package verdict

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// people returns genotypes of n individuals of three populations, every second of whom has
// shares of all three where mixed is set.
func people(n, loci int, mixed bool) ([][]float64, mixture.Params) {
	r := stream.New(7, "verdict/test/between")
	p := mixture.New(mat.NewDense(loci, 3, nil), []float64{.4, .3, .3})
	for h := range loci {
		for j := range 3 {
			p.Centers.Set(h, j, 2*(.1+.8*r.Float64()))
		}
	}
	table := make([][]float64, n)
	for i := range table {
		share := make([]float64, 3)
		share[i/2%3] = 1
		if mixed && i%2 == 1 {
			share[0], share[1] = r.Float64()/2, r.Float64()/2
			share[2] = 1 - share[0] - share[1]
		}
		table[i] = make([]float64, loci)
		for h := range loci {
			for range 2 {
				u, j := r.Float64(), 0
				for ; j < 2 && u > share[j]; j++ {
					u -= share[j]
				}
				if r.Float64() < p.Centers.At(h, j)/2 {
					table[i][h]++
				}
			}
		}
	}
	table[0][3] = math.NaN()
	return table, p
}

// The gain is that of the definition, by its words: of all shares in steps of a thousandth the
// likeliest in one half of the loci, and what it says of the other half.
func TestBetweenByItsWords(t *testing.T) {
	const n, loci = 12, 30
	x, p := people(n, loci, true)
	rows := sparse.FromDense(x, loci, false)
	loglik := func(i int, from, to int, chance func(h int) float64) (sum float64) {
		for h := from; h < to; h++ {
			if v := x[i][h]; v == v {
				sum += v*math.Log(chance(h)) + (2-v)*math.Log(1-chance(h))
			}
		}
		return sum
	}
	want := make([]float64, n)
	for i := range n {
		for _, half := range [][4]int{{0, loci / 2, loci / 2, loci}, {loci / 2, loci, 0, loci / 2}} {
			group := func(j int) func(h int) float64 { return func(h int) float64 { return p.Centers.At(h, j) / 2 } }
			first, second := -1, -1
			for j := range 3 {
				if first < 0 || loglik(i, half[0], half[1], group(j)) > loglik(i, half[0], half[1], group(first)) {
					first = j
				}
			}
			for j := range 3 {
				if j != first && (second < 0 || loglik(i, half[0], half[1], group(j)) > loglik(i, half[0], half[1], group(second))) {
					second = j
				}
			}
			mix := func(s float64) func(h int) float64 {
				return func(h int) float64 { return (1-s)*group(first)(h) + s*group(second)(h) }
			}
			best := 0.0
			for step := range 1000 {
				if s := float64(step) / 1000; loglik(i, half[0], half[1], mix(s)) > loglik(i, half[0], half[1], mix(best)) {
					best = s
				}
			}
			want[i] += loglik(i, half[2], half[3], mix(best)) - loglik(i, half[2], half[3], mix(0))
		}
	}
	b := newBetween(p, 2)
	for i := range n {
		if got := b.gain(rows, i); numtest.Off(got, want[i], .05) { // shares are found to 1/256
			t.Errorf("record %d gains %.4f, want %.4f", i, got, want[i])
		}
	}
}

// People of one population each are not said to lie between them; admixed ones are.
func TestBetween(t *testing.T) {
	for _, mixed := range []bool{false, true} {
		table, p := people(240, 150, mixed)
		gain, between, err := Between(t.Context(), pass.NewLocal(sparse.FromDense(table, 150, false), 2), p, 2)
		if err != nil || between != mixed {
			t.Errorf("mixed %v: between %v, gain %.0f ± %.0f (%v)", mixed, between, gain.Nats, gain.Error, err)
		}
	}
}
