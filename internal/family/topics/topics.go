// Package topics puts what the moments say of topics on the simplex: what the single
// topic of a document and mixtures of topics share.
package topics

import (
	"fmt"
	"math"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/simplex"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/warn"
)

const (
	// background is the least probability of a word in a topic, as a share of its
	// probability in all documents: a zero would forbid the topic to every document
	// with the word.
	background = 1e-3
	// unseen is the part of the background that is the same for all words, those
	// that no document holds included.
	unseen = 1e-3
)

// Normalise returns the topics as probabilities of words (algorithms: clip and
// normalise) that leave every word possible in every topic, and a warning for each
// topic that the data hold no words for. m1 are the frequencies of the words in all
// documents.
func (c Crew) Normalise(m1 []float64, raw mixture.Params) (*mat.Dense, []warn.Warning, error) {
	d, k := raw.Centers.Dims()
	if d != len(m1) || k != len(raw.Weights) {
		return nil, nil, fmt.Errorf("%d×%d centers with %d weights for %d words", d, k, len(raw.Weights), len(m1))
	}
	base, floor := simplex.Clip(make([]float64, d), m1), make([]float64, d)
	for h, v := range base {
		floor[h] = background * ((1-unseen)*v + unseen/float64(d))
	}
	centers, empty := c.onSimplex(raw.Centers, base, floor)
	var warnings []warn.Warning
	for _, j := range empty {
		warnings = append(warnings, warn.New(warn.Serious, "empty-topic", "Ask for fewer groups.",
			"The data hold no words for group %d.", j+1))
	}
	return centers, warnings, nil
}

// Weights returns the weights as shares of which none is below least: EM cannot
// revive a topic of weight 0.
func Weights(raw []float64, least float64) []float64 {
	w := simplex.Clip(make([]float64, len(raw)), raw)
	for j := range w {
		w[j] = math.Max(w[j], least)
	}
	return simplex.Clip(w, w)
}

// onSimplex returns the columns on the simplex, negative entries and those that are
// no numbers taken for zero and none below the floor. Columns whose sum is
// negative are turned; those whose sum is zero are empty, and become the base.
func (c Crew) onSimplex(raw *mat.Dense, base, floor []float64) (centers *mat.Dense, empty []int) {
	d, k := raw.Dims()
	centers = mat.NewDense(d, k, nil)
	sums, tops := c.numbers(centers, raw)
	for j, sum := range sums {
		switch {
		case sum == 0:
			empty = append(empty, j)
			centers.SetCol(j, base)
			tops[j] = 1
		case sum < 0:
			tops[j] = -tops[j]
		}
	}
	sums = c.Sums(d, k, func(sums []float64, lo, hi int) {
		for h := lo; h < hi; h++ {
			row := centers.RawRowView(h)
			for j, v := range row {
				row[j] = max(v/tops[j], 0) // at most one, so that the sum cannot overflow
				sums[j] += row[j]
			}
		}
	})
	totals := c.Sums(d, k, func(totals []float64, lo, hi int) {
		for h := lo; h < hi; h++ {
			row, least := centers.RawRowView(h), floor[h]
			for j, v := range row {
				row[j] = max(v/sums[j], least)
				totals[j] += row[j]
			}
		}
	})
	c.Divide(centers, totals, centers)
	return centers, empty
}

// numbers copies the columns of raw, what is no number as zero, and returns their sums and their
// largest entries.
func (c Crew) numbers(to, raw *mat.Dense) (sums, tops []float64) {
	d, k := raw.Dims()
	tops = make([]float64, k)
	var mu sync.Mutex // the largest of all is the same in any order
	sums = c.Sums(d, k, func(sums []float64, lo, hi int) {
		here := make([]float64, k)
		for h := lo; h < hi; h++ {
			row := to.RawRowView(h)
			for j, v := range raw.RawRowView(h) {
				if v-v != 0 { // infinite or no number
					v = 0
				}
				row[j] = v
				sums[j] += v
				here[j] = max(here[j], math.Abs(v))
			}
		}
		mu.Lock()
		defer mu.Unlock()
		for j, v := range here {
			tops[j] = max(tops[j], v)
		}
	})
	return sums, tops
}
