package synth

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/sparse"
)

// Set is a generated data set with its truth.
type Set struct {
	Rows   sparse.Rows
	Labels []int          // the component of each record; nil for LDA
	Truth  mixture.Params // the parameters that made the records
	// Theta holds the topic mixture of each document (n×k), for LDA.
	Theta *mat.Dense
}

func sortWords(w []uint32) { slices.Sort(w) }

// hierarchy lists, for runs of words of the 100, the topics that prefer them:
// the matrix of [H] Fig. 1 and [T] Table 5.1.
var hierarchy = []struct {
	from, to int // words, from 1
	topics   []int
}{
	{1, 13, []int{1, 2, 3, 4}},
	{14, 26, []int{1, 3}},
	{27, 39, []int{1, 2}},
	{40, 50, []int{3, 4}},
	{51, 63, []int{5, 6, 7, 8}},
	{64, 76, []int{5, 7}},
	{77, 89, []int{5, 6}},
	{90, 100, []int{7, 8}},
}

// HierarchicalTopics draws the corpus of [T] Table 5.1: n documents of the
// given number of words on 8 topics that form a tree; noise is the width of
// the uniform noise on the topics (0.1 in the papers' code).
func HierarchicalTopics(seed uint64, n, words int, noise float64) Set {
	r := stream.New(seed, "synth/hierarchical-topics")
	m := mat.NewDense(100, 8, nil)
	for h := range 100 {
		for j := range 8 {
			m.Set(h, j, 0.1)
		}
	}
	for _, g := range hierarchy {
		for h := g.from - 1; h < g.to; h++ {
			for _, j := range g.topics {
				m.Set(h, j-1, 0.7)
			}
		}
	}
	for i := range m.RawMatrix().Data {
		m.RawMatrix().Data[i] += noise * r.Float64()
	}
	normaliseColumns(m, 1)
	return topicSet(r, mixture.New(m, Simplex(r, 8)), n, func() int { return words })
}

// topicSet draws documents of one topic each.
func topicSet(r *rand.Rand, truth mixture.Params, n int, length func() int) Set {
	return topicStream(r, truth, length)(n)
}

// topicStream returns a function that draws the next n of them.
func topicStream(r *rand.Rand, truth mixture.Params, length func() int) func(n int) Set {
	topics := columnSamplers(truth.Centers)
	which := newSampler(truth.Weights)
	return func(n int) Set {
		b := newBag(truth.Dim())
		labels := make([]int, n)
		for i := range n {
			labels[i] = which.draw(r)
			for range length() {
				b.word(topics[labels[i]].draw(r))
			}
			b.close()
		}
		return Set{Rows: b.rows, Labels: labels, Truth: truth}
	}
}

func columnSamplers(m *mat.Dense) []*sampler {
	d, k := m.Dims()
	out := make([]*sampler, k)
	column := make([]float64, d)
	for j := range k {
		mat.Col(column, j, m)
		out[j] = newSampler(column)
	}
	return out
}

// PoissonMixture draws the data of [T] Fig. 2.1: d features, k components with
// uniform rates scaled to sum total in each component, uniform weights.
func PoissonMixture(seed uint64, n, d, k int, total float64) Set {
	r := stream.New(seed, "synth/poisson")
	m := mat.NewDense(d, k, nil)
	for i := range m.RawMatrix().Data {
		m.RawMatrix().Data[i] = r.Float64()
	}
	normaliseColumns(m, total)
	truth := mixture.New(m, Simplex(r, k))
	which := newSampler(truth.Weights)
	rows := sparse.Rows{Dim: d, Ptr: []int{0}, Value: []float32{}}
	labels := make([]int, n)
	for i := range n {
		labels[i] = which.draw(r)
		for h := range d {
			if x := Poisson(r, m.At(h, labels[i])); x > 0 {
				rows.Index = append(rows.Index, uint32(h))
				rows.Value = append(rows.Value, float32(x))
			}
		}
		rows.Ptr = append(rows.Ptr, len(rows.Index))
	}
	return Set{Rows: rows, Labels: labels, Truth: truth}
}

// WeightLaw says how mixture weights are drawn.
type WeightLaw int

// Weight laws: the papers' code draws uniform weights, their text says
// exponential ones.
const (
	UniformWeights WeightLaw = iota
	ExponentialWeights
)

// ExponentialBernoulli draws the data of [T] Fig. 4.1: probabilities
// exponential with mean 10 divided by one more than their largest.
func ExponentialBernoulli(seed uint64, n, d, k int, law WeightLaw) Set {
	r := stream.New(seed, "synth/bernoulli")
	w := Simplex(r, k)
	if law == ExponentialWeights {
		for j := range w {
			w[j] = r.ExpFloat64()
		}
		normalise(w)
	}
	m := mat.NewDense(d, k, nil)
	largest := 0.0
	for i := range m.RawMatrix().Data {
		m.RawMatrix().Data[i] = 10 * r.ExpFloat64()
		largest = math.Max(largest, m.RawMatrix().Data[i])
	}
	m.Scale(1/(1+largest), m)
	return bernoulliSet(r, mixture.New(m, w), n)
}

// bernoulliSet draws presences.
func bernoulliSet(r *rand.Rand, truth mixture.Params, n int) Set {
	columns := mat.DenseCopyOf(truth.Centers.T())
	which := newSampler(truth.Weights)
	rows := sparse.Rows{Dim: truth.Dim(), Ptr: []int{0}}
	labels := make([]int, n)
	for i := range n {
		labels[i] = which.draw(r)
		for h, p := range columns.RawRowView(labels[i]) {
			if r.Float64() < p {
				rows.Index = append(rows.Index, uint32(h))
			}
		}
		rows.Ptr = append(rows.Ptr, len(rows.Index))
	}
	return Set{Rows: rows, Labels: labels, Truth: truth}
}

// EstimatorTopics names the two topic laws of the estimator experiments.
type EstimatorTopics int

// Topic laws of MomentDocuments.
const (
	FlatTopics   EstimatorTopics = iota // U(0,1)·500 + 20, to sum 1: [T] Fig. 3.1 as its code draws it
	PeakedTopics                        // Dirichlet(.05)
)

// MomentDocuments draws the data of [T] Fig. 3.1 and its variants: d=100 words,
// 5 topics, lengths uniform on 3..99, or, with heavy tails, log-normal around
// 60 with σ = 1.2 and at least 3.
func MomentDocuments(seed uint64, n int, topics EstimatorTopics, heavy bool) Set {
	const d, k = 100, 5
	r := stream.New(seed, "synth/moment-documents")
	m := mat.NewDense(d, k, nil)
	switch topics {
	case FlatTopics:
		for i := range m.RawMatrix().Data {
			m.RawMatrix().Data[i] = r.Float64()*500 + 20
		}
	case PeakedTopics:
		column, alpha := make([]float64, d), constant(d, .05)
		for j := range k {
			Dirichlet(r, alpha, column)
			m.SetCol(j, column)
		}
	}
	normaliseColumns(m, 1)
	length := func() int { return 3 + r.IntN(97) }
	if heavy {
		length = func() int { return max(3, int(math.Round(math.Exp(math.Log(60)+1.2*r.NormFloat64())))) }
	}
	return topicSet(r, mixture.New(m, Simplex(r, k)), n, length)
}

func constant(n int, v float64) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = v
	}
	return out
}

// LDADocuments draws documents of a mixture of topics each: topics
// Dirichlet(eta), mixtures Dirichlet(alpha0/k), the given number of words.
func LDADocuments(seed uint64, n, d, k int, alpha0, eta float64, words int) Set {
	r := stream.New(seed, "synth/lda")
	m := mat.NewDense(d, k, nil)
	column := make([]float64, d)
	for j := range k {
		Dirichlet(r, constant(d, eta), column)
		m.SetCol(j, column)
	}
	return ldaSet(r, m, n, constant(k, alpha0/float64(k)), func() int { return words })
}

// ldaSet draws documents whose words each come from a topic of the document's
// own mixture.
func ldaSet(r *rand.Rand, topics *mat.Dense, n int, alpha []float64, length func() int) Set {
	return ldaStream(r, topics, alpha, length)(n)
}

// ldaStream returns a function that draws the next n of them.
func ldaStream(r *rand.Rand, topics *mat.Dense, alpha []float64, length func() int) func(n int) Set {
	d, k := topics.Dims()
	samplers := columnSamplers(topics)
	weights := normalise(append([]float64(nil), alpha...))
	truth := mixture.New(topics, weights).With("alpha", mat.NewDense(k, 1, append([]float64(nil), alpha...)))
	return func(n int) Set {
		b := newBag(d)
		theta := mat.NewDense(n, k, nil)
		for i := range n {
			row := theta.RawRowView(i)
			Dirichlet(r, alpha, row)
			which := newSampler(row)
			for range length() {
				b.word(samplers[which.draw(r)].draw(r))
			}
			b.close()
		}
		return Set{Rows: b.rows, Truth: truth, Theta: theta}
	}
}
