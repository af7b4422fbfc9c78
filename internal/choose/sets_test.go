package choose

import (
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/internal/synth"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/sparse"
)

// topicsByHand draws n documents of one topic each, lengths uniform on lo..hi,
// and topics by a law of the papers' successors (algorithms, generators).
func topicsByHand(seed uint64, n, k, lo, hi int, law func(r *rand.Rand, k int) (*mat.Dense, []float64)) synth.Set {
	r := stream.New(seed, "choose/test")
	m, w := law(r, k)
	d, _ := m.Dims()
	b := sparse.NewBuilder(d, false)
	labels := make([]int, n)
	column := make([][]float64, k)
	for j := range column {
		column[j] = mat.Col(nil, j, m)
	}
	for i := range n {
		labels[i] = family.Pick(r, w)
		words := make([]uint32, lo+r.IntN(hi-lo+1))
		for e := range words {
			words[e] = uint32(family.Pick(r, column[labels[i]]))
		}
		if err := b.Add(words, nil); err != nil {
			panic(err)
		}
	}
	return synth.Set{Rows: b.Rows(), Labels: labels, Truth: mixture.New(m, w)}
}

// hierTopic is the law of hierarchical topics over 100 words: .2 everywhere and
// one more on halves, every second quarter and every second eighth by the
// three bits of the topic's number, times U(.5, 1.5), equal weights.
func hierTopic(r *rand.Rand, k int) (*mat.Dense, []float64) {
	const d = 100
	m, w := mat.NewDense(d, k, nil), make([]float64, k)
	for j := range k {
		w[j] = 1 / float64(k)
		for h := range d {
			v := .2
			for l := range 3 {
				if h*(2<<l)/d%2 == j>>(2-l)&1 {
					v++
				}
			}
			m.Set(h, j, v*(.5+r.Float64()))
		}
	}
	return columnsToOne(m), w
}

// zipfTopic is the law of zipf topics over 1000 words: Gamma(.5)/rank, weights
// U(.2, 1).
func zipfTopic(r *rand.Rand, k int) (*mat.Dense, []float64) {
	const d = 1000
	m, w, sum := mat.NewDense(d, k, nil), make([]float64, k), 0.0
	for j := range k {
		w[j] = .2 + .8*r.Float64()
		sum += w[j]
		for h := range d {
			m.Set(h, j, synth.Gamma(r, .5)/float64(h+1))
		}
	}
	for j := range w {
		w[j] /= sum
	}
	return columnsToOne(m), w
}

func columnsToOne(m *mat.Dense) *mat.Dense {
	d, k := m.Dims()
	for j := range k {
		sum := mat.Sum(m.ColView(j))
		for h := range d {
			m.Set(h, j, m.At(h, j)/sum)
		}
	}
	return m
}
