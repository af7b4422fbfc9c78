// Package topics puts what the moments say of topics on the simplex: what the single
// topic of a document and mixtures of topics share.
package topics

import (
	"fmt"
	"math"

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
func Normalise(m1 []float64, raw mixture.Params) (*mat.Dense, []warn.Warning, error) {
	d, k := raw.Centers.Dims()
	if d != len(m1) || k != len(raw.Weights) {
		return nil, nil, fmt.Errorf("%d×%d centers with %d weights for %d words", d, k, len(raw.Weights), len(m1))
	}
	base, floor := simplex.Clip(make([]float64, d), m1), make([]float64, d)
	for h, v := range base {
		floor[h] = background * ((1-unseen)*v + unseen/float64(d))
	}
	centers, empty := onSimplex(raw.Centers, base, floor)
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
func onSimplex(raw *mat.Dense, base, floor []float64) (centers *mat.Dense, empty []int) {
	d, k := raw.Dims()
	centers = mat.DenseCopyOf(raw)
	sums, tops, totals := make([]float64, k), make([]float64, k), make([]float64, k)
	for h := range d {
		row := centers.RawRowView(h)
		for j, v := range row {
			if v-v != 0 { // infinite or no number
				v, row[j] = 0, 0
			}
			sums[j] += v
			tops[j] = max(tops[j], math.Abs(v))
		}
	}
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
	clear(sums)
	for h := range d {
		row := centers.RawRowView(h)
		for j, v := range row {
			row[j] = max(v/tops[j], 0) // at most one, so that the sum cannot overflow
			sums[j] += row[j]
		}
	}
	for h, least := range floor {
		row := centers.RawRowView(h)
		for j, v := range row {
			row[j] = max(v/sums[j], least)
			totals[j] += row[j]
		}
	}
	for h := range d {
		row := centers.RawRowView(h)
		for j, v := range row {
			row[j] = v / totals[j]
		}
	}
	return centers, empty
}
