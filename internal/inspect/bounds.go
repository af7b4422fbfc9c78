package inspect

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync"

	"github.com/moiety-go/moiety/decompose"
	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/report"
)

// Bounds are what the papers' theorems promise of the moments of these records, with
// their numbers and what they take for granted. They hold in the worst case and are far above
// the errors met; nothing else rests on them.
type Bounds struct {
	Groups int `json:"groups"` // of the model below: what follows from the gaps is of it
	// Documents says that records are documents, of which [T] Thm 3.2.2 tells. Of presences and
	// counts no paper does: the bounds are then Chebyshev's, with the mean of ‖x‖⁴ and ‖x‖⁶ of
	// these records, and for products of different features.
	Documents bool `json:"documents"`
	// Second and Third bound, with chance .95, how far the moments are from those of
	// endless records; Norm2 and Norm3 are the sizes of those of the model.
	Second float64 `json:"second"`
	Third  float64 `json:"third"`
	Norm2  float64 `json:"norm2"`
	Norm3  float64 `json:"norm3"`
	// SecondOfWords and ThirdOfWords are the bounds of [S] Thm 2.2, whose proof takes all words
	// of all documents as independent; null of other records.
	SecondOfWords report.Number `json:"second_of_words"`
	ThirdOfWords  report.Number `json:"third_of_words"`
	// Gamma is the error of the moments below which [T] Thm 2.2.1 says something, 0 where no
	// feature tells all groups apart; Centers what it says of these records, how far a row of
	// the centers may move, null where it says nothing. AlphaR and AlphaM2 are the two gaps that
	// it goes by, Feature the one that tells the groups apart best.
	Gamma   float64       `json:"gamma"`
	Centers report.Number `json:"centers"`
	Feature string        `json:"feature,omitempty"`
	AlphaR  float64       `json:"alpha_r"`
	AlphaM2 float64       `json:"alpha_m2"`
	// KRank is the largest number of groups of which any are independent, Unique whether
	// it makes the groups the only ones with these moments (Kruskal).
	KRank  int  `json:"k_rank"`
	Unique bool `json:"unique"`
	// Trials is the number of trials of counts by the method of moments ([L]); null where
	// the records are no counts, or scatter more than trials can.
	Trials report.Number `json:"trials"`
}

// Error is how far either moment may be off: the ε of [T] Thm 2.2.1.
func (b *Bounds) Error() float64 { return math.Max(b.Second, b.Third) }

// mostWrong is the chance that a sample bound does not hold.
const mostWrong = 0.05

// Bound adds the bounds to what was inspected.
func (x *Inspected) Bound(ctx context.Context, o fit.Order, k int) error {
	if x.gate.Rounded() > 0 {
		return nil // bounds tell the number of records
	}
	p, err := fit.Prepare(ctx, o, "")
	if err != nil {
		return err
	}
	defer p.Close()
	kind, sequences := p.Kind()
	if sequences || kind != record.Presence && kind != record.Counts && kind != record.Text {
		return errNoBounds
	}
	if k == 0 && x.Verdict != nil {
		k = x.Verdict.Groups
	}
	data := p.Training(o.Read.Workers)
	s := fit.Settings{Seed: 1, Workers: o.Read.Workers}
	if kind != record.Presence {
		s.Spec.Model = fit.Auto(data, true).Splits() // one group a record
	}
	if info, ok := s.Spec.Info(); ok && info.Is(family.WordShare) {
		s.Spec.Weights = string(moment.Length) // as the theorem has them
	}
	path, err := fit.NewPath(ctx, data, s, max(k, 1))
	if err != nil {
		return err
	}
	found, err := path.At(ctx, max(k, 1))
	if errors.Is(err, fit.ErrTooLittle) && k > 1 { // then of all records together
		k = 1
		found, err = path.At(ctx, k)
	}
	if err != nil {
		return err
	}
	b := &Bounds{Groups: max(k, 1), Documents: path.Family().Info().Is(family.WordShare)}
	if err := b.sampled(ctx, data.Run); err != nil {
		return err
	}
	d := decompose.Perturbation(found.Params)
	b.Norm2, b.Norm3, b.Gamma, b.AlphaR, b.AlphaM2 = d.Norm2, d.Norm3, d.Gamma, d.AlphaR, d.AlphaM2
	if rows, ok := d.Rows(b.Error()); ok && kind != record.Presence { // of which the diagonals are not seen
		b.Centers = report.NumberOf(rows)
	}
	if d.Feature >= 0 {
		b.Feature = p.Vocab().Title(d.Feature)
	}
	b.KRank, b.Unique = decompose.Kruskal(found.Params.Centers)
	if kind == record.Counts {
		if b.Trials, err = trials(ctx, data.Run); err != nil {
			return err
		}
	}
	x.Bounds = b
	return nil
}

var errNoBounds = errors.New("bounds are known for documents, presences and counts, not for these records: leave ‹bounds› out")

// totalSum adds up, over records of total t: their number, t(t−1) and t(t−1)(t−2) with
// their squares, the squares and cubes of ‖x‖², and t.
type totalSum struct{}

func (totalSum) Len() int { return 8 }

func (totalSum) Add(state []float64, b pass.Block) error {
	totals := b.Rows.Totals()
	for i, t := range totals {
		v2, v3 := t*(t-1), t*(t-1)*(t-2)
		square := 0.0
		if b.Rows.IsDense() {
			for _, v := range b.Rows.DenseRow(i) {
				square += v * v
			}
		} else {
			index, value := b.Rows.Row(i)
			square = float64(len(index))
			if value != nil {
				square = 0
				for _, v := range value {
					square += float64(v) * float64(v)
				}
			}
		}
		for at, v := range []float64{1, v2, v2 * v2, v3, v3 * v3, square * square, square * square * square, t} {
			state[at] += v
		}
	}
	return nil
}

// sampled sets the bounds on M2 and M3.
func (b *Bounds) sampled(ctx context.Context, run pass.Runner) error {
	s, err := pass.RunOne(ctx, run, totalSum{})
	if err != nil {
		return err
	}
	if !b.Documents { // P(‖mean x⊗x − M2‖ > ε) ≤ E‖x‖⁴/(nε²)
		n := s[0]
		b.Second = math.Sqrt(s[5] / n / n / mostWrong)
		b.Third = math.Sqrt(s[6] / n / n / mostWrong)
		return nil
	}
	longest, err := longest(ctx, run)
	if err != nil {
		return err
	}
	w2, w3 := s[2]/(s[1]*s[1]), s[4]/(s[3]*s[3])
	b.Second, b.Third = decompose.SampleBound(w2, mostWrong), decompose.SampleBound(w3, mostWrong)
	b.SecondOfWords = report.NumberOf(decompose.SampleBoundOfWords(w2, s[7], longest, s[1], mostWrong))
	b.ThirdOfWords = report.NumberOf(decompose.SampleBoundOfWords(w3, s[7], longest*(longest-1), s[3], mostWrong))
	return nil
}

// longest returns the largest total of a record.
func longest(ctx context.Context, run pass.Runner) (most float64, err error) {
	var mu sync.Mutex
	_, err = run.Own(ctx, func(b pass.Block) error {
		here := slices.Max(append(b.Rows.Totals(), 0))
		mu.Lock()
		defer mu.Unlock()
		most = max(most, here)
		return nil
	})
	return most, err
}

// trials is the number of trials of binomial counts by the method of moments ([L]),
// m = m1²/(m1² + m1 − m2) over all features together, none where they scatter at
// least as much as without a limit.
func trials(ctx context.Context, run pass.Runner) (report.Number, error) {
	s, err := pass.RunOne(ctx, run, powerSum{run.Dim()})
	if err != nil {
		return report.Number{}, err
	}
	n, above, below := float64(run.Len()), 0.0, 0.0
	for h := range run.Dim() {
		m1, m2 := s[h]/n, s[run.Dim()+h]/n
		above += m1 * m1
		below += m1*m1 + m1 - m2
	}
	if !(below > 0) {
		return report.Number{}, nil
	}
	return report.NumberOf(above / below), nil
}

// powerSum adds up the values and the squares of every feature.
type powerSum struct{ d int }

func (s powerSum) Len() int { return 2 * s.d }

func (s powerSum) Add(state []float64, b pass.Block) error {
	add := func(h int, v float64) {
		state[h] += v
		state[s.d+h] += v * v
	}
	for i := range b.Rows.N() {
		if b.Rows.IsDense() {
			for h, v := range b.Rows.DenseRow(i) {
				add(h, v)
			}
			continue
		}
		index, value := b.Rows.Row(i)
		for e, h := range index {
			v := 1.0
			if value != nil {
				v = float64(value[e])
			}
			add(int(h), v)
		}
	}
	return nil
}
