package binomial_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/moiety-go/moiety/internal/family/binomial"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// drawn draws n records of d counts out of m trials in groups of different chances, so
// low that no count comes near m.
func drawn(r *rand.Rand, n, d, k, m int) sparse.Rows {
	chance := make([][]float64, k)
	for j := range chance {
		for range d {
			chance[j] = append(chance[j], .02+.25*r.Float64())
		}
	}
	b := sparse.NewBuilder(d, false)
	for range n {
		p := chance[r.IntN(k)]
		var index []uint32
		var value []float32
		for h := range d {
			x := 0
			for range m {
				if r.Float64() < p[h] {
					x++
				}
			}
			if x > 0 {
				index, value = append(index, uint32(h)), append(value, float32(x))
			}
		}
		if err := b.Add(index, value); err != nil {
			panic(err)
		}
	}
	return b.Rows()
}

// TestTrialsByMoments: the number of trials of a mixture comes out where the largest
// count is far from it, and where [L]'s formula for one population is misled by the
// scatter between groups.
func TestTrialsByMoments(t *testing.T) {
	const n, d, m = 6000, 24, 16
	f, err := binomial.New(binomial.Options{ByMoments: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range []int{1, 3} {
		rows := drawn(stream.New(uint64(k), "test/trials"), n, d, k, m)
		src, err := f.Source(t.Context(), pass.NewLocal(rows, 1), k)
		if err != nil {
			t.Fatal(err)
		}
		m1, err := src.First(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		got := binomial.TrialsOf(src)
		plain := onePopulation(rows)
		t.Logf("%d groups: %v trials, largest count %v, as one population %.1f, %d features", k, got, largestCount(rows), plain, len(m1))
		if numtest.Off(got, m, 3) || largestCount(rows) > m-3 {
			t.Errorf("%d groups: %v trials of %d, largest count %v", k, got, m, largestCount(rows))
		}
		if k == 1 && numtest.Off(got, plain, 1) {
			t.Errorf("one group: %v, by the formula of [L] %v", got, plain)
		}
		if k == 3 && math.Abs(plain-m) < 3 {
			t.Errorf("three groups as one: %v trials, near the truth: the test shows nothing", plain)
		}
	}
}

// TestTrialsWithoutLimit: counts that scatter more than any number of trials lets them
// are refused.
func TestTrialsWithoutLimit(t *testing.T) {
	rows := drawn(stream.New(7, "test/trials"), 3000, 12, 4, 30)
	f, err := binomial.New(binomial.Options{ByMoments: true})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Source(t.Context(), pass.NewLocal(rows, 1), 1); err == nil {
		t.Error("four groups taken as one have a number of trials")
	}
}

func largestCount(rows sparse.Rows) float64 {
	most := 0.0
	for i := range rows.N() {
		_, value := rows.Row(i)
		for _, v := range value {
			most = max(most, float64(v))
		}
	}
	return most
}

// onePopulation is m1²/(m1² + m1 − m2) over all features.
func onePopulation(rows sparse.Rows) float64 {
	sum, square := make([]float64, rows.Dim), make([]float64, rows.Dim)
	for i := range rows.N() {
		index, value := rows.Row(i)
		for e, h := range index {
			sum[h] += float64(value[e]) / float64(rows.N())
			square[h] += float64(value[e]*value[e]) / float64(rows.N())
		}
	}
	above, below := 0.0, 0.0
	for h, m1 := range sum {
		above += m1 * m1
		below += m1*m1 + m1 - square[h]
	}
	return above / below
}
