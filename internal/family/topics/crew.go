package topics

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/internal/spectral"
	"github.com/moiety-go/moiety/mixture"
)

// Crew is the cores for loops over all words; the zero value is one. Between two passes over
// the documents every word of every topic is looked at several times: with 50 topics of
// 100,000 words that takes one core as long as a pass takes sixteen.
type Crew struct{ n int }

// NewCrew returns so many cores, 0 or less for all.
func NewCrew(workers int) Crew { return Crew{par.Workers(workers)} }

// WordBlock is the number of words up to which one core has all of them.
const WordBlock = 1 << 13

// wordBlock is the number of d words whose sums are added up before others join them: it is part
// of the result. Sixteen cores have some blocks each of 100,000 words.
func wordBlock(d int) int {
	if d <= WordBlock {
		return WordBlock
	}
	return WordBlock / 4
}

// Each calls do for all of d words, in blocks.
func (c Crew) Each(d int, do func(lo, hi int)) {
	c.blocks(d, func(_, lo, hi int) { do(lo, hi) })
}

func (c Crew) blocks(d int, do func(i, lo, hi int)) {
	_ = par.Blocks(context.Background(), max(c.n, 1), d, wordBlock(d), func(i, lo, hi int) error { // nothing fails
		do(i, lo, hi)
		return nil
	})
}

// Sums adds up n numbers of all words: add adds those of words lo to hi−1 to sum, and may
// change what is the words' own. It has the same bits for any number of cores.
func (c Crew) Sums(d, n int, add func(sum []float64, lo, hi int)) []float64 {
	size := wordBlock(d)
	all := make([]float64, max((d+size-1)/size, 1)*n)
	c.blocks(d, func(i, lo, hi int) { add(all[i*n:][:n], lo, hi) })
	out := all[:n:n]
	for i, v := range all[n:] {
		out[i%n] += v
	}
	return out
}

// Divide divides the topics, columns of words, by their totals. A topic that has none, without
// words and without a prior, is as it was.
func (c Crew) Divide(words *mat.Dense, total []float64, was *mat.Dense) {
	d, _ := words.Dims()
	c.Each(d, func(lo, hi int) {
		for h := lo; h < hi; h++ {
			row, old := words.RawRowView(h), was.RawRowView(h)
			for j, t := range total {
				if t > 0 {
					row[j] /= t
				} else {
					row[j] = old[j]
				}
			}
		}
	})
}

// Reorder is p.Reorder.
func (c Crew) Reorder(p mixture.Params, order []int) mixture.Params {
	weights := make([]float64, len(order))
	for at, j := range order {
		weights[at] = p.Weights[j]
	}
	p.Centers, p.Weights = spectral.Team(max(c.n, 1)).Columns(p.Centers, order), weights
	return p
}

// Distributions reports that weights and topics are distributions. Where they are not, others
// tell why.
func (c Crew) Distributions(p mixture.Params) bool {
	if p.Centers == nil || p.Centers.IsEmpty() || p.K() != len(p.Weights) {
		return false
	}
	total := 0.0
	for _, w := range p.Weights {
		if !(w >= 0) {
			return false
		}
		total += w
	}
	sums := c.Sums(p.Dim(), p.K(), func(sum []float64, lo, hi int) {
		for h := lo; h < hi; h++ {
			for j, v := range p.Centers.RawRowView(h) {
				if !(v >= 0) {
					v = math.NaN()
				}
				sum[j] += v
			}
		}
	})
	for _, s := range append(sums, total) {
		if !(math.Abs(s-1) < surelyOne) {
			return false
		}
	}
	return true
}

// surelyOne is less than what mixture takes for a sum of one.
const surelyOne = 5e-7
