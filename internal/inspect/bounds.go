package inspect

import (
	"context"
	"errors"
	"math"

	"github.com/moiety-go/moiety/decompose"
	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/report"
)

// Bounds are what the papers' theorems promise of the moments of these records, with
// their numbers. They hold in the worst case and are far above the errors met.
type Bounds struct {
	Groups int `json:"groups"` // that the centers below are of
	// Second and Third bound, with chance .95, how far the moments are from those of
	// endless records; Norm2 and Norm3 are the sizes of the moments themselves.
	Second float64 `json:"second"`
	Third  float64 `json:"third"`
	Norm2  float64 `json:"norm2"`
	Norm3  float64 `json:"norm3"`
	// Factor bounds by how much small errors of the moments grow in a center (null:
	// without limit); AlphaR and AlphaM2 are the two gaps that it goes by, Feature the
	// one that tells the groups apart best.
	Factor  report.Number `json:"factor"`
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

// mostWrong is the chance that a sample bound does not hold.
const mostWrong = 0.05

// Bound adds the bounds to what was inspected: for documents ([T] Thm 3.2.2), and for
// presences and counts as they are, by Chebyshev's inequality.
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
	sums, err := pass.RunOne(ctx, data.Run, totalSum{})
	if err != nil {
		return err
	}
	b := &Bounds{Groups: max(k, 1)}
	d := decompose.Perturbation(found.Params)
	b.Norm2, b.Norm3 = d.Norm2, d.Norm3
	b.Second, b.Third = sampleBounds(sums, d, path.Family().Info().Is(family.WordShare))
	b.AlphaR, b.AlphaM2 = d.AlphaR, d.AlphaM2
	b.Factor = report.NumberOf(d.Factor) // infinite is none
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
// their squares, and the squares and cubes of ‖x‖².
type totalSum struct{}

func (totalSum) Len() int { return 7 }

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
		for at, v := range []float64{1, v2, v2 * v2, v3, v3 * v3, square * square, square * square * square} {
			state[at] += v
		}
	}
	return nil
}

// sampleBounds returns the bounds on M2 and M3.
func sampleBounds(s []float64, d decompose.Sensitivity, documents bool) (second, third float64) {
	n := s[0]
	if documents {
		second = decompose.SampleBound(s[2]/(s[1]*s[1]), d.Norm2, mostWrong)
		third = decompose.SampleBound(s[4]/(s[3]*s[3]), d.Norm3, mostWrong)
	} else { // E‖x⊗x − M2‖² ≤ E‖x‖⁴, over n records
		second = math.Sqrt(s[5] / n / n / mostWrong)
		third = math.Sqrt(s[6] / n / n / mostWrong)
	}
	return second, third
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
