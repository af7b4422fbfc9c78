package inspect

import (
	"math"
	"testing"

	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// The bounds on moments are those of the theorems' letters, record by record: of documents
// [T] Thm 3.2.2 and [S] Thm 2.2, of others Chebyshev's.
func TestSampledByTheLetter(t *testing.T) {
	table := [][]float64{{3, 0, 1}, {1, 1, 0}, {0, 5, 2}, {2, 2, 2}}
	rows := sparse.FromDense(table, 3, false)
	var n, c1, c2, c3, w2, w3, four, six, most float64
	for _, x := range table {
		c, square := 0.0, 0.0
		for _, v := range x {
			c, square = c+v, square+v*v
		}
		n, c1, c2, c3 = n+1, c1+c, c2+c*(c-1), c3+c*(c-1)*(c-2)
		w2, w3 = w2+math.Pow(c*(c-1), 2), w3+math.Pow(c*(c-1)*(c-2), 2)
		four, six, most = four+square*square, six+square*square*square, math.Max(most, c)
	}
	w2, w3 = w2/(c2*c2), w3/(c3*c3)
	log := math.Log(1 / .05)
	docs, others := Bounds{Documents: true}, Bounds{}
	for _, b := range []*Bounds{&docs, &others} {
		if err := b.sampled(t.Context(), pass.NewLocal(rows, 1)); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"[T] 3.2.2, M2", docs.Second, math.Sqrt(w2) + math.Sqrt(2*w2*log)},
		{"[T] 3.2.2, M3", docs.Third, math.Sqrt(w3) + math.Sqrt(2*w3*log)},
		{"[S] 2.2, M2", docs.SecondOfWords.Or(0), math.Sqrt(w2) + math.Sqrt(log)*most*math.Sqrt(c1)/c2},
		{"[S] 2.2, M3", docs.ThirdOfWords.Or(0), math.Sqrt(w3) + math.Sqrt(log)*most*(most-1)*math.Sqrt(c1)/c3},
		{"Chebyshev, M2", others.Second, math.Sqrt(four / n / (n * .05))},
		{"Chebyshev, M3", others.Third, math.Sqrt(six / n / (n * .05))},
	} {
		if numtest.Off(c.got, c.want, 1e-12*c.want) {
			t.Errorf("%s: %v, want %v", c.name, c.got, c.want)
		}
	}
}
