package verdict

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/sparse"
)

// completions judge explanations of documents by what they predict: half of the
// words of a document tell its topics, the other half is scored (document
// completion, Wallach et al. 2009). The documents are cut into parts, and every
// document is scored by a fit of the parts that it is not in.
//
// Words come in bursts: one that was seen comes again. Every explanation has
// bursts of its own strength in it, so that none is preferred for making up for
// them:
//
//	P(word) = (s·p(word) + how often it was seen) / (s + words seen)
type completions struct {
	*bag
	seen, hidden []float64 // of every entry
	read         []float64 // words seen of every document
	toPredict    float64   // words to be predicted
	parts        [][]int
	train        []*bag // what is in no part but the one of that number
	base         [][]float64
	learned      []float64 // words of each train
	team         team
}

// newCompletions cuts documents into so many parts.
func newCompletions(b *bag, folds int, seed uint64, chance chances) *completions {
	c := &completions{bag: b, seen: make([]float64, len(b.index)), hidden: make([]float64, len(b.index)), read: make([]float64, b.n())}
	for i := range b.n() {
		r := chance.of(i)
		for e := b.ptr[i]; e < b.ptr[i+1]; e++ {
			all := math.Floor(float64(b.value[e]))
			c.seen[e] = heads(r, all)
			c.hidden[e] = all - c.seen[e]
			c.read[i] += c.seen[e]
			c.toPredict += c.hidden[e]
		}
	}
	c.leaveOut(b.partners())
	c.toPredict = b.places.one(c.toPredict)
	c.parts = b.places.partition(b.n(), folds, seed, "verdict/documents")
	for p := range c.parts {
		slices.Sort(c.parts[p])
		train, _ := b.except(c.parts, p)
		c.train, c.base, c.learned = append(c.train, train), append(c.base, train.overall()), append(c.learned, b.places.one(sum(train.size)))
	}
	return c
}

// mostTosses is the number of coins that are tossed one by one: fewer take no longer so.
const mostTosses = 1000

// heads returns how many of n coins show their head.
func heads(r *rand.Rand, n float64) float64 {
	if n > mostTosses {
		return stream.Binomial(r, n, .5)
	}
	up := 0.0
	for range int(n) {
		if r.IntN(2) == 0 {
			up++
		}
	}
	return up
}

// rows returns the records of a bag as others take them.
func (b *bag) rows() sparse.Rows {
	return sparse.Rows{Dim: b.cols, Ptr: b.ptr, Index: b.index, Value: b.value}
}

// explanation is a model of documents: topics, and how a document mixes them.
type explanation struct {
	k     int
	words []float64 // cols×k
	logs  []float64 // of words, where documents have one topic each
	prior []float64 // Dirichlet parameters, or weights of documents of one topic each
	mixes bool
}

// drawn adds to every topic words of all documents, pull of them. Words is how many
// the topics were learned from.
func (f *explanation) drawn(base []float64, pull, words float64) *explanation {
	out := &explanation{k: f.k, prior: f.prior, mixes: f.mixes, words: make([]float64, len(f.words))}
	total := sum(f.prior)
	for e, v := range f.words {
		n := words * f.prior[e%f.k] / total
		out.words[e] = (n*v + pull*base[e/f.k]) / (n + pull)
	}
	return out
}

// smooth keeps every word possible.
func (f *explanation) smooth(base []float64) *explanation {
	const share = .001
	out := &explanation{k: f.k, prior: f.prior, mixes: f.mixes, words: make([]float64, len(f.words))}
	for e, v := range f.words {
		out.words[e] = (1-share)*v + share*base[e/f.k]
	}
	if !f.mixes { // every document asks for them
		out.logs = make([]float64, len(out.words))
		for e, v := range out.words {
			out.logs[e] = math.Log(v)
		}
	}
	return out
}

// mixture sets theta to the topics of a document by the words that were seen.
func (f *explanation) mixture(c *completions, i int, theta, next []float64) {
	if f.mixes {
		f.foldIn(c, i, theta, next)
		return
	}
	for j, w := range f.prior {
		theta[j] = math.Log(w)
	}
	for e := c.ptr[i]; e < c.ptr[i+1]; e++ {
		if n := c.seen[e]; n > 0 {
			for j, l := range f.logs[int(c.index[e])*f.k:][:f.k] {
				theta[j] += n * l
			}
		}
	}
	top := slices.Max(theta)
	total := 0.0
	for j := range theta {
		theta[j] = math.Exp(theta[j] - top)
		total += theta[j]
	}
	for j := range theta {
		theta[j] /= total
	}
}

// foldIn is the fixed point of θ_j ∝ α_j + Σ_w n_w·θ_jφ_wj/Σ_i θ_iφ_wi.
func (f *explanation) foldIn(c *completions, i int, theta, next []float64) {
	const steps, tol = 40, 1e-4
	for j := range theta {
		theta[j] = 1 / float64(f.k)
	}
	for range steps {
		copy(next, f.prior)
		for e := c.ptr[i]; e < c.ptr[i+1]; e++ {
			if c.seen[e] == 0 {
				continue
			}
			row, total := f.words[int(c.index[e])*f.k:][:f.k], 0.0
			for j, v := range row {
				total += theta[j] * v
			}
			share := c.seen[e] / total
			for j, v := range row {
				next[j] += share * theta[j] * v
			}
		}
		total, moved := 0.0, 0.0
		for _, v := range next {
			total += v
		}
		for j, v := range next {
			moved = max(moved, math.Abs(v/total-theta[j]))
			theta[j] = v / total
		}
		if moved < tol {
			return
		}
	}
}

// bursts are the strengths of bursts that are tried: the smaller, the more a word
// that was seen is expected again; 0 means no bursts.
func bursts() []float64 { return []float64{0, 10, 30, 100, 300, 1000, 3000} }

// pulled is the score of topics that are drawn to the words of all documents as far as
// that predicts most: what few documents say of rare words is mostly chance, the more of
// it the more topics there are, and hides that these are there.
func (c *completions) pulled(fits []*explanation) []float64 {
	const first, times, last = 100, 4, 1e5 // words
	var best []float64
	top := math.Inf(-1)
	for pull := float64(first); pull < last; pull *= times {
		drawn := make([]*explanation, len(fits))
		for p, f := range fits {
			drawn[p] = f.drawn(c.base[p], pull, c.learned[p])
		}
		scores := c.score(drawn)
		total := c.places.one(sum(scores))
		if total <= top {
			break
		}
		best, top = scores, total
	}
	return best
}

// score returns what each document kept aside is predicted with, by the fit of the
// parts that it is not in; the strength of bursts is the one that predicts most.
func (c *completions) score(fits []*explanation) []float64 {
	list := bursts()
	out := make([][]float64, len(list))
	for s := range out {
		out[s] = make([]float64, c.n())
	}
	for p, f := range fits {
		f, docs := f.smooth(c.base[p]), c.parts[p]
		c.team.parts(len(docs), len(docs)*f.k*1000, func(lo, hi int) {
			theta, next := make([]float64, f.k), make([]float64, f.k)
			chance := make([]float64, len(list))
			for _, i := range docs[lo:hi] {
				f.mixture(c, i, theta, next)
				c.predict(f, i, theta, list, chance, out)
			}
		})
	}
	best, total := 0, make([]float64, len(out))
	for s, list := range out {
		total[s] = sum(list)
	}
	c.places.add(total)
	for s, v := range total {
		if v >= total[best] {
			best = s
		}
	}
	return out[best]
}

// predict adds the log probabilities of the words of a document that were not seen, for
// every strength of bursts. Probabilities of several words are multiplied, in joint,
// before their logarithm is taken, which is most of the work otherwise.
func (c *completions) predict(f *explanation, i int, theta, list, joint []float64, out [][]float64) {
	const often, least = 8, 1e-100 // words that come more often are no factor; joint stays above least^2
	for s := range joint {
		joint[s] = 1
	}
	for e := c.ptr[i]; e < c.ptr[i+1]; e++ {
		hidden := int(c.hidden[e])
		if hidden == 0 {
			continue
		}
		chance := 0.0
		for j, v := range f.words[int(c.index[e])*f.k:][:f.k] {
			chance += theta[j] * v
		}
		for s, strength := range list {
			v := chance
			if strength > 0 {
				v = (strength*chance + c.seen[e]) / (strength + c.read[i])
			}
			if hidden > often {
				out[s][i] += float64(hidden) * math.Log(v)
				continue
			}
			for range hidden {
				joint[s] *= v
			}
			if joint[s] < least {
				out[s][i] += math.Log(joint[s])
				joint[s] = 1
			}
		}
	}
	for s, v := range joint {
		out[s][i] += math.Log(v)
	}
}

// beyond is how much better a predicts documents than b.
func (s *strand) beyond(a, b []float64) Evidence {
	sums, square := []float64{sum(a) - sum(b), float64(len(a))}, []float64{0}
	s.add(sums)
	for i := range a {
		d := a[i] - b[i] - sums[0]/sums[1]
		square[0] += d * d
	}
	s.add(square)
	return Evidence{sums[0], math.Sqrt(square[0])}
}
