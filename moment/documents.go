package moment

import (
	"context"
	"fmt"
	"math"

	"github.com/moiety-go/moiety/pass"
)

// Weighting names how much each document counts in the moments of bags of
// words. Every weighting averages the same unbiased estimators of single
// documents; they differ in variance only.
type Weighting string

// Weightings.
const (
	// Saturating lets a document of t words weigh 1/(1/l + 1/L0^q) in moment q,
	// with l = t(t−1)…: short documents count by length, long ones alike. It is
	// the default: near the best of the others on every kind of corpus.
	Saturating Weighting = "saturating"
	// Length lets a document weigh by its number of word tuples: [T] Thm 3.2.1.
	Length Weighting = "length"
	// Equal lets all documents weigh alike, after Zou et al. (2013), in
	// [T] Remark 3.2.3. Documents of fewer than three words do not count.
	Equal Weighting = "equal"
	// ThreeWords keeps three words of each document, drawn at random, after
	// Anandkumar et al. (2012), in [T] Remark 3.2.3: for comparison.
	ThreeWords Weighting = "three-words"
)

// Documents says how moments are made from bags of words. The zero value is
// the recommended way.
type Documents struct {
	Weighting Weighting // "" is Saturating
	L0        float64   // words beyond which weights saturate; 0 means 30
	Seed      uint64    // of the draws of ThreeWords
}

const defaultL0 = 30

// Check reports the first setting that makes no sense.
func (o Documents) Check() error {
	switch o.Weighting {
	case "", Saturating, Length, Equal, ThreeWords:
	default:
		return fmt.Errorf("moment: weights %q of documents: want %s, %s, %s or %s", o.Weighting, Saturating, Length, Equal, ThreeWords)
	}
	if !(o.L0 >= 0) || math.IsInf(o.L0, 0) {
		return fmt.Errorf("moment: weights of documents saturate at %v words: want a number above 0, or 0 for %d", o.L0, defaultL0)
	}
	return nil
}

// Source returns the moments M1, M2, M3 of [T] Thm 3.2.1 of the runner's bags
// of words, with these weights, for a model of k components.
// Values that are no counts are a *ValueError.
func (o Documents) Source(ctx context.Context, run pass.Runner, k int) (*Sampled, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	f := Formula{Law: Factorial(), Weigh: o.weigh()}
	state, own, err := firstPass(ctx, run, &f)
	if err != nil {
		return nil, err
	}
	heads, first := state[:bagHeads], state[bagHeads:]
	survey := Survey{N: first[atN], Entries: heads[0], Squares: heads[1], Sum: first[firstHeads:][:run.Dim()]}
	if survey.N == 0 {
		return nil, &ErrTooFew{"no records"}
	}
	f.Pairs, f.Single = survey.PairsPay(k), survey.singlePays() && !run.Can().Double
	if o.Weighting == ThreeWords {
		return NewSampled(threeWords(run, o.Seed), f, false), nil
	}
	s := NewSampled(run, f, false)
	s.first = first
	if f.Single && own != nil {
		s.kept = &own.weights32
	}
	return s, nil
}

// firstPass adds up what needs no basis; it returns the weights of the own records
// too where these stay in memory.
func firstPass(ctx context.Context, run pass.Runner, f *Formula) ([]float64, *ownWeights, error) {
	sum, can := bagSum{newFirstSum(f, run.Dim())}, run.Can()
	if !can.Kept {
		state, err := pass.RunOne(ctx, run, sum)
		return state, nil, err
	}
	sum.own = newOwnWeights(can.Own)
	states, err := run.Own(ctx, func(b pass.Block) error { return sum.own.see(f, b) }, sum)
	if err != nil {
		return nil, nil, err
	}
	return states[0], sum.own, nil
}

// bagSum is firstSum with the entries and squared entries of rows before it; it
// makes sure that all values count words.
type bagSum struct{ firstSum }

const bagHeads = 2

func (s bagSum) Len() int { return bagHeads + s.firstSum.Len() }

func (s bagSum) Add(state []float64, b pass.Block) error {
	return s.addPanels(state[bagHeads:], b, func(panel pass.Block, whole bool) error {
		for i := range panel.Rows.N() {
			n, err := rowEntries(panel, i, whole)
			if err != nil {
				return err
			}
			state[0] += float64(n)
			state[1] += float64(n) * float64(n)
		}
		return nil
	})
}

// rowEntries returns the number of entries of row i, or a *ValueError unless
// the values are known to be whole.
func rowEntries(b pass.Block, i int, whole bool) (int, error) {
	if whole {
		return b.Rows.Ptr[i+1] - b.Rows.Ptr[i], nil
	}
	return legalRow(b, i)
}

// legalRow returns the number of entries of row i, or a *ValueError.
func legalRow(b pass.Block, i int) (int, error) {
	if b.Rows.IsDense() {
		row := b.Rows.DenseRow(i)
		for h, v := range row {
			if want := legalCount(h, v); want != "" {
				return 0, &ValueError{b.First + i, h, v, want}
			}
		}
		return len(row), nil
	}
	index, value := b.Rows.Row(i)
	for e, v := range value {
		if v >= 0 && v < 1<<30 && v == float32(int32(v)) {
			continue
		}
		h := int(index[e])
		if want := legalCount(h, float64(v)); want != "" {
			return 0, &ValueError{b.First + i, h, float64(v), want}
		}
	}
	return len(index), nil
}

// legalCount says what is wrong with a value that should count words.
func legalCount(_ int, x float64) string {
	if math.IsNaN(x) {
		return "the count is missing; fill it in, or leave out the records or features with missing values"
	}
	if !(x >= 0) || math.IsInf(x, 1) || x != math.Trunc(x) {
		return "words must be counted in whole numbers of 0 or more; give counts, not shares or scores"
	}
	return ""
}

// weigh returns Formula.Weigh of the weighting.
func (o Documents) weigh() func(t float64) (r, u, v float64) {
	switch o.Weighting {
	case Length, ThreeWords:
		return func(float64) (r, u, v float64) { return 1, 1, 1 }
	case Equal:
		return func(t float64) (r, u, v float64) {
			if t < 3 {
				return 0, 0, 0
			}
			return 1 / t, 1 / (t * (t - 1)), 1 / (t * (t - 1) * (t - 2))
		}
	}
	l0 := o.L0
	if l0 == 0 {
		l0 = defaultL0
	}
	return func(t float64) (r, u, v float64) {
		l2 := max(t*(t-1), 0)
		l3 := max(l2*(t-2), 0)
		return 1 / (1 + t/l0), 1 / (1 + l2/(l0*l0)), 1 / (1 + l3/(l0*l0*l0))
	}
}
