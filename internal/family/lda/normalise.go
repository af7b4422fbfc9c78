package lda

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/simplex"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/warn"
)

const (
	// background is the least probability of a word in a settled topic, as a
	// share of its probability in all documents: a zero would forbid the topic
	// to every document with the word.
	background = 1e-3
	// unseen is the part of the background that is the same for all words, those
	// that no document holds included.
	unseen = 1e-3
	// leastShare is the least share of a settled topic in the mean mixture.
	leastShare = 1e-4
)

// Normalise puts the topics on the simplex (algorithms: clip and normalise),
// keeps every word possible in every topic, and makes α = α0·a of the weights a.
func (f *Family) Normalise(ctx context.Context, src moment.Source, raw mixture.Params) (mixture.Params, []warn.Warning, error) {
	m1, err := src.First(ctx)
	if err != nil {
		return mixture.Params{}, nil, err
	}
	d, k := raw.Centers.Dims()
	if d != len(m1) || k != len(raw.Weights) {
		return mixture.Params{}, nil, fmt.Errorf("lda: %d×%d centers with %d weights for %d words", d, k, len(raw.Weights), len(m1))
	}
	alpha0, warnings := f.alpha0Of(src)
	base, floor := simplex.Clip(make([]float64, d), m1), make([]float64, d)
	for h, v := range base {
		floor[h] = background * ((1-unseen)*v + unseen/float64(d))
	}
	centers, empty := normalised(raw.Centers, base, floor)
	for _, j := range empty {
		warnings = append(warnings, warn.New(warn.Serious, "empty-topic", "Ask for fewer groups.",
			"The data hold no words for group %d.", j+1))
	}
	share := simplex.Clip(make([]float64, k), raw.Weights)
	for j := range share {
		share[j] = math.Max(share[j], leastShare)
	}
	simplex.Clip(share, share)
	alpha := mat.NewDense(k, 1, nil)
	for j, a := range share {
		alpha.Set(j, 0, alpha0*a)
	}
	return mixture.New(centers, share).With(Alpha, alpha), warnings, nil
}

// alpha0Of returns the α0 that the moments were corrected with, and what was
// remarked then.
func (f *Family) alpha0Of(src moment.Source) (float64, []warn.Warning) {
	if own, ok := src.(*Source); ok {
		return own.alpha0, append([]warn.Warning(nil), own.warnings...)
	}
	if own, ok := src.(interface{ Alpha0() float64 }); ok {
		return own.Alpha0(), nil
	}
	if f.o.Alpha0 > 0 {
		return f.o.Alpha0, nil
	}
	return aloneAlpha0, []warn.Warning{warn.New(warn.Caution, "alpha0-unknown", "Give alpha0.",
		"These moments do not tell how strongly documents mix topics; alpha0 is taken to be %v.", float64(aloneAlpha0))}
}

// normalised returns the columns on the simplex, negative entries and those that are
// no numbers taken for zero and none below the floor. Columns whose sum is
// negative are turned; those whose sum is zero are empty, and become the base.
func normalised(raw *mat.Dense, base, floor []float64) (centers *mat.Dense, empty []int) {
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
