package lda

import (
	"context"
	"math"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/mixture"
)

// crew is the number of cores for loops over all words, 0 or less for all. Between two passes
// over the documents every topic's every word is looked at several times: with 50 topics of
// 100,000 words that takes one core as long as a pass takes sixteen.
type crew int

// Among implements family.Shared.
func (f *Family) Among(workers int) family.Family {
	g := *f
	g.crew = crew(workers)
	return &g
}

// wordBlock is the number of words whose sums are added up before others join them: it is part
// of the result.
const wordBlock = 1 << 13

// each calls do for all of d words, in blocks.
func (c crew) each(d int, do func(block, lo, hi int)) {
	_ = par.Blocks(context.Background(), int(c), d, wordBlock, func(i, lo, hi int) error { // nothing fails
		do(i, lo, hi)
		return nil
	})
}

// sums adds up n numbers of all words: add adds those of words lo to hi to sum, and may change
// what is the words' own.
func (c crew) sums(d, n int, add func(sum []float64, lo, hi int)) []float64 {
	blocks := (d + wordBlock - 1) / wordBlock
	all := make([]float64, max(blocks, 1)*n)
	c.each(d, func(i, lo, hi int) { add(all[i*n:][:n], lo, hi) })
	out := all[:n]
	for i := n; i < len(all); i++ {
		out[i%n] += all[i]
	}
	return out
}

// distributions reports that weights and topics are distributions. Where they are not, others
// tell why.
func (c crew) distributions(p mixture.Params) bool {
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
	sums := c.sums(p.Dim(), p.K(), func(sum []float64, lo, hi int) {
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
