package moment_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// lengths 0 to 4 and longer, so that no estimator may divide by zero.
var smallBags = [][]float64{
	{0, 0, 0}, {1, 0, 0}, {1, 0, 1}, {0, 2, 0}, {1, 1, 1}, {3, 0, 0}, {0, 4, 0}, {5, 2, 1}, {2, 2, 9},
}

// bagTwin adds up the tuples of different word places of every document, each
// document's table divided by its number of tuples and weighted.
func bagTwin(table [][]float64, weigh func(t float64) [3]float64) (m1 []float64, m2 *mat.Dense, m3 []float64) {
	const d = 3
	m1, m2, m3 = make([]float64, d), mat.NewDense(d, d, nil), make([]float64, d*d*d)
	var total [3]float64
	for _, row := range table {
		var words []int
		for h, v := range row {
			for range int(v) {
				words = append(words, h)
			}
		}
		t := float64(len(words))
		w := weigh(t) // weight of the document's mean over its tuples
		tuples := [3]float64{t, t * (t - 1), t * (t - 1) * (t - 2)}
		for q := range 3 {
			if tuples[q] > 0 {
				total[q] += w[q]
			}
		}
		for a, x := range words {
			m1[x] += w[0] / tuples[0]
			for b, y := range words {
				if b == a {
					continue
				}
				m2.Set(x, y, m2.At(x, y)+w[1]/tuples[1])
				for c, z := range words {
					if c != a && c != b {
						m3[(x*d+y)*d+z] += w[2] / tuples[2]
					}
				}
			}
		}
	}
	for i := range m1 {
		m1[i] /= total[0]
	}
	m2.Scale(1/total[1], m2)
	for i := range m3 {
		m3[i] /= total[2]
	}
	return m1, m2, m3
}

func TestDocumentsAgreeWithTwin(t *testing.T) {
	tuples := func(t float64) [3]float64 { return [3]float64{t, t * (t - 1), t * (t - 1) * (t - 2)} }
	const l0 = 4.0
	for name, weigh := range map[moment.Weighting]func(t float64) [3]float64{
		moment.Length: tuples,
		moment.Equal: func(t float64) [3]float64 {
			if t < 3 {
				return [3]float64{}
			}
			return [3]float64{1, 1, 1}
		},
		moment.Saturating: func(t float64) (w [3]float64) {
			for q, n := range tuples(t) {
				if n > 0 {
					w[q] = 1 / (1/n + 1/math.Pow(l0, float64(q+1)))
				}
			}
			return w
		},
	} {
		t.Run(string(name), func(t *testing.T) {
			run := pass.NewLocal(sparse.FromDense(smallBags, 3, false), 2)
			src, err := moment.Documents{Weighting: name, L0: l0}.Source(context.Background(), run, 2)
			if err != nil {
				t.Fatal(err)
			}
			checkBag(t, src, smallBags, weigh)
		})
	}
}

func checkBag(t *testing.T, src *moment.Sampled, table [][]float64, weigh func(t float64) [3]float64) {
	t.Helper()
	ctx := context.Background()
	m1, m2, m3 := bagTwin(table, weigh)
	got, err := src.First(ctx)
	if err != nil {
		t.Fatal(err)
	}
	eye := mat.NewDense(3, 3, []float64{1, 0, 0, 0, 1, 0, 0, 0, 1})
	p, err := src.Project(ctx, eye, moment.Second|moment.Core)
	if err != nil {
		t.Fatal(err)
	}
	for a := range 3 {
		near(t, "M1", got[a], m1[a])
		for b := range 3 {
			near(t, "M2", p.Second.At(a, b), m2.At(a, b))
			for c := range 3 {
				near(t, "M3", p.Core.At(a, b, c), m3[(a*3+b)*3+c])
			}
		}
	}
}

// Three words of documents that have no more leave nothing to chance.
func TestThreeWordsOfShortDocuments(t *testing.T) {
	short := smallBags[:6]
	run := pass.NewLocal(sparse.FromDense(short, 3, false), 1)
	src, err := moment.Documents{Weighting: moment.ThreeWords}.Source(context.Background(), run, 2)
	if err != nil {
		t.Fatal(err)
	}
	checkBag(t, src, short, func(t float64) [3]float64 { return [3]float64{t, t * (t - 1), t * (t - 1) * (t - 2)} })
}

// Over many copies of one document the three words meet its own moments, and
// the draw depends neither on workers nor on where a block begins.
func TestThreeWordsMean(t *testing.T) {
	const n, d = 2*pass.BlockRecords + 17, 3
	b := sparse.NewBuilder(d, false)
	for range n {
		if err := b.Add([]uint32{0, 1, 2}, []float32{4, 2, 2}); err != nil {
			t.Fatal(err)
		}
	}
	rows := b.Rows()
	ctx := context.Background()
	first := func(workers int) []float64 {
		src, err := moment.Documents{Weighting: moment.ThreeWords, Seed: 5}.Source(context.Background(), pass.NewLocal(rows, workers), 2)
		if err != nil {
			t.Fatal(err)
		}
		m1, err := src.First(ctx)
		if err != nil {
			t.Fatal(err)
		}
		c, err := src.Counts(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if c.Length3 != 6*n {
			t.Fatalf("%v triples of places, want 6 a document", c.Length3/n)
		}
		return m1
	}
	one := first(1)
	const sampling = 0.013 // about four standard errors of a share of 1/2 over 3n words
	for h, want := range []float64{.5, .25, .25} {
		if numtest.Off(one[h], want, sampling) {
			t.Errorf("share of word %d is %v, want %v", h+1, one[h], want)
		}
	}
	for h, v := range first(8) {
		if v != one[h] {
			t.Errorf("word %d: %v with 8 workers, %v with one", h+1, v, one[h])
		}
	}
	if _, err := (moment.Documents{Weighting: "heavy"}).Source(context.Background(), pass.NewLocal(rows, 1), 2); err == nil {
		t.Error("unknown weights were accepted")
	}
}

func TestDocumentsNeedWholeCounts(t *testing.T) {
	run := pass.NewLocal(sparse.FromDense([][]float64{{1, 2}, {.5, 3}}, 2, false), 1)
	_, err := moment.Documents{}.Source(context.Background(), run, 1)
	var bad *moment.ValueError
	if !errors.As(err, &bad) || bad.Record != 1 || bad.Feature != 0 {
		t.Errorf("half a word was counted: %v", err)
	}
}
