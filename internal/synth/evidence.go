package synth

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/sparse"
)

// HierarchicalBernoulli draws presences of 8 components that form a tree of
// three levels: a base rate per feature and a normal effect per feature and
// branch on the logit, smaller further down. thin is the probability with
// which a presence is kept: 1 keeps all, .35 gives the sparse set.
func HierarchicalBernoulli(seed uint64, n, d int, keep float64) Set {
	const k = 8
	r := stream.New(seed, "synth/hier8")
	m := mat.NewDense(d, k, nil)
	for h := range d {
		base := .05 + .25*r.Float64()
		logit := math.Log(base / (1 - base))
		var effect [3][8]float64
		for l := range effect {
			for b := range 2 << l {
				effect[l][b] = r.NormFloat64() * (1.2 - .25*float64(l))
			}
		}
		for j := range k {
			v := logit
			for l := range effect {
				v += effect[l][j>>(2-l)]
			}
			m.Set(h, j, keep/(1+math.Exp(-v)))
		}
	}
	w := make([]float64, k)
	Dirichlet(r, constant(k, 5), w)
	return bernoulliSet(r, mixture.New(m, w), n)
}

// Independent draws presences without any group: rates uniform on .05 to .5.
func Independent(seed uint64, n, d int) Set {
	r := stream.New(seed, "synth/independent")
	m := mat.NewDense(d, 1, nil)
	for h := range d {
		m.Set(h, 0, .05+.45*r.Float64())
	}
	return bernoulliSet(r, mixture.New(m, []float64{1}), n)
}

// zipf returns the law 1/(rank+shift) over d words.
func zipf(d int, shift float64) []float64 {
	p := make([]float64, d)
	for h := range p {
		p[h] = 1 / (float64(h) + 1 + shift)
	}
	return normalise(p)
}

// ZipfTopics draws d×k topics around a common Zipf law: Dirichlet with
// concentration times that law.
func ZipfTopics(r *rand.Rand, d, k int, concentration float64) *mat.Dense {
	base := zipf(d, 2)
	for h := range base {
		base[h] *= concentration
	}
	m := mat.NewDense(d, k, nil)
	column := make([]float64, d)
	for j := range k {
		Dirichlet(r, base, column)
		m.SetCol(j, column)
	}
	return m
}

// Corpus draws the corpora of the speed measurements: Zipf topics, document
// lengths Poisson with mean 150; mixed documents with alpha0 = 1, or documents
// of a single topic.
func Corpus(seed uint64, n, d, k int, mixed bool) Set {
	return CorpusStream(seed, d, k, 150, mixed)(n)
}

// CorpusStream returns a function that draws the next n documents of an
// endless corpus like Corpus's, of about so many words each: for data that do
// not fit memory.
func CorpusStream(seed uint64, d, k int, words float64, mixed bool) func(n int) Set {
	r := stream.New(seed, "synth/corpus")
	m := ZipfTopics(r, d, k, 300)
	length := func() int { return max(3, Poisson(r, words)) }
	if mixed {
		return ldaStream(r, m, constant(k, 1/float64(k)), length)
	}
	return topicStream(r, mixture.New(m, Simplex(r, k)), length)
}

// Patients draws records of presences like hospital stays: d codes of falling
// frequency, k profiles that raise some codes, about codes presences a record.
// It costs time by presences, not by features, so millions of records are fine.
func Patients(seed uint64, n, d, k int, codes float64) Set {
	return PatientStream(seed, d, k, codes)(n)
}

// PatientStream returns a function that draws the next n patients of an
// endless line like Patients's.
func PatientStream(seed uint64, d, k int, codes float64) func(n int) Set {
	r := stream.New(seed, "synth/patients")
	base := zipf(d, 5)
	m := mat.NewDense(d, k, nil)
	for h := range d {
		for j := range k {
			m.Set(h, j, base[h]*math.Exp(1.5*r.NormFloat64()))
		}
	}
	for j := range k {
		scaleToMean(m, j, codes)
	}
	truth := mixture.New(m, Simplex(r, k))
	which := newSampler(truth.Weights)
	profiles := make([]skipper, k)
	for j := range k {
		profiles[j] = newSkipper(m, j)
	}
	return func(n int) Set {
		rows := sparse.Rows{Dim: d, Ptr: make([]int, 1, n+1)}
		labels := make([]int, n)
		for i := range n {
			labels[i] = which.draw(r)
			rows.Index = profiles[labels[i]].draw(r, rows.Index)
			rows.Ptr = append(rows.Ptr, len(rows.Index))
		}
		return Set{Rows: rows, Labels: labels, Truth: truth}
	}
}

// scaleToMean scales column j so that its sum, with every entry below .95, is
// the given mean number of presences.
func scaleToMean(m *mat.Dense, j int, mean float64) {
	d, _ := m.Dims()
	for range 20 {
		sum := 0.0
		for h := range d {
			sum += m.At(h, j)
		}
		for h := range d {
			m.Set(h, j, math.Min(m.At(h, j)*mean/sum, .95))
		}
	}
}

// A skipper draws independent presences by jumping over absences: features
// are grouped by power-of-two bounds on their probability, a geometric jump
// finds candidates under the bound, and a coin accepts them.
type skipper struct {
	bound    []float64
	features [][]uint32
	p        [][]float64
}

func newSkipper(m *mat.Dense, j int) skipper {
	d, _ := m.Dims()
	var s skipper
	for e := 0; e < 40; e++ {
		hi, lo := math.Ldexp(1, -e), math.Ldexp(1, -e-1)
		var features []uint32
		var p []float64
		for h := range d {
			if v := m.At(h, j); v <= hi && (v > lo || (e == 39 && v > 0)) {
				features, p = append(features, uint32(h)), append(p, v)
			}
		}
		if len(features) > 0 {
			s.bound, s.features, s.p = append(s.bound, math.Min(hi, .999)), append(s.features, features), append(s.p, p)
		}
	}
	return s
}

func (s skipper) draw(r *rand.Rand, dst []uint32) []uint32 {
	from := len(dst)
	for g, bound := range s.bound {
		step := 1 / math.Log1p(-bound)
		for at := -1; ; {
			at += 1 + int(math.Log(1-r.Float64())*step)
			if at >= len(s.features[g]) || at < 0 {
				break
			}
			if r.Float64() < s.p[g][at]/bound {
				dst = append(dst, s.features[g][at])
			}
		}
	}
	sortWords(dst[from:])
	return dst
}
