package choose

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/internal/synth"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/pass/passtest"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"
)

var ctx = context.Background()

func dataOf(rows sparse.Rows, kind record.Kind, workers int) fit.Training {
	return fit.Training{Run: pass.NewLocal(rows, workers), Vocab: vocab.Numbered(rows.Dim), Kind: kind}
}

func mustGroups(t *testing.T, data fit.Training, s fit.Settings, o Options) *Curve {
	t.Helper()
	c, err := Groups(ctx, data, s, o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// The edge is a lower bound: one of the four is too small for it.
func TestClearGroups(t *testing.T) {
	set := synth.ExponentialBernoulli(1000, 2000, 60, 4, synth.UniformWeights)
	c := mustGroups(t, dataOf(set.Rows, record.Presence, 0), fit.Settings{}, Options{Max: 6})
	if want := (Picks{BIC: 4, AIC: c.Picks.AIC, HeldOut: 4, Length: 4, Edge: 3}); c.Picks != want {
		t.Errorf("picks %+v, want %+v", c.Picks, want)
	}
	const reason = "Records that were kept aside are described better by 4 groups than by any one population."
	if c.Advice != (Advice{4, 4, 4, reason, Clear}) || len(c.Warnings) != 0 {
		t.Errorf("advice %+v, warnings %v", c.Advice, c.Warnings)
	}
	if c.Model != "bernoulli" || c.Records != 2000 || c.Aside != 400 || len(c.Points) != 6 {
		t.Errorf("%s, %d records, %d aside, %d points", c.Model, c.Records, c.Aside, len(c.Points))
	}
	for i, p := range c.Points {
		if p.K != i+1 || numtest.Off(p.BIC, -2*p.LogLikelihood+float64(p.Parameters)*math.Log(2000), 1e-6) {
			t.Errorf("point %+v", p)
		}
	}
	if _, err := json.Marshal(c); err != nil {
		t.Error(err)
	}
}

// The verdict is the advice where its number was tried, and only reported where it
// was not.
func TestVerdictIsTheAdvice(t *testing.T) {
	set := synth.ExponentialBernoulli(1000, 1000, 40, 3, synth.UniformWeights)
	data := dataOf(set.Rows, record.Presence, 0)
	v, err := fit.Judge(ctx, data, fit.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	in, out := mustGroups(t, data, fit.Settings{}, Options{Max: 4}), mustGroups(t, data, fit.Settings{}, Options{Max: 2})
	if v.Groups != 3 || in.Verdict.Groups != 3 || in.Advice.K != 3 || in.Advice.Low != v.Range[0] || in.Advice.High != v.Range[1] {
		t.Errorf("verdict %+v, advice %+v", in.Verdict, in.Advice)
	}
	if out.Verdict.Groups != 3 || out.Advice.K != 2 {
		t.Errorf("at most two groups: verdict %+v, advice %+v", out.Verdict, out.Advice)
	}
}

// Null data have one group, whatever the rule.
func TestNoGroups(t *testing.T) {
	set := synth.Independent(3, 1000, 40)
	c := mustGroups(t, dataOf(set.Rows, record.Presence, 0), fit.Settings{}, Options{Max: 4})
	if c.Picks.BIC != 1 || c.Picks.HeldOut != 1 || c.Picks.Edge != 1 || c.Advice.K != 1 || c.Advice.Confidence != Clear {
		t.Errorf("%+v %+v", c.Picks, c.Advice)
	}
	if want := "No groups: the features do not go together."; c.Advice.Reason != want {
		t.Errorf("reason %q", c.Advice.Reason)
	}
}

func TestFamilies(t *testing.T) {
	topics := topicsByHand(1, 400, 3, 20, 60, zipfTopic)
	counts := synth.PoissonMixture(2, numtest.Scale(800, 1500, 1500), 20, 3, 60)
	real := sparse.Rows{Dim: 6, Dense: make([]float64, 6*900)}
	r := stream.New(1, "choose/test/gaussian")
	for i := range 900 {
		for h := range 6 {
			real.Dense[i*6+h] = r.NormFloat64()
			if h == i%3 {
				real.Dense[i*6+h] += 5
			}
		}
	}
	for _, c := range []struct {
		model string
		rows  sparse.Rows
		kind  record.Kind
	}{
		{"single-topic", topics.Rows, record.Counts},
		{"poisson", counts.Rows, record.Counts},
		{"gaussian", real, record.Real},
	} {
		got := mustGroups(t, dataOf(c.rows, c.kind, 0), fit.Settings{Spec: model.Spec{Model: c.model}}, Options{Max: numtest.Scale(4, 5, 5)})
		if got.Model != c.model || got.Advice.K != 3 || got.Picks.HeldOut < 3 {
			t.Errorf("%s: %+v %+v", c.model, got.Picks, got.Advice)
		}
	}
}

// The levels of a question exclude each other: that is no pattern.
func TestCategorical(t *testing.T) {
	const n, questions, levels = 1200, 8, 3
	r := stream.New(4, "choose/test/categorical")
	b := sparse.NewBuilder(questions*levels, true)
	for i := range n {
		var index []uint32
		for q := range questions {
			level := r.IntN(levels)
			if r.Float64() < .6 {
				level = i % 2
			}
			index = append(index, uint32(q*levels+level))
		}
		if err := b.Add(index, nil); err != nil {
			t.Fatal(err)
		}
	}
	data := dataOf(b.Rows(), record.Categorical, 0)
	for q := range questions {
		data.Vocab.Columns = append(data.Vocab.Columns, vocab.Column{Kind: vocab.Categorical, From: q * levels, To: (q + 1) * levels})
	}
	c := mustGroups(t, data, fit.Settings{}, Options{Max: 4})
	if c.Model != "categorical" || c.Advice.K != 2 || c.Picks.Edge != 2 {
		t.Errorf("%s %+v %+v %v", c.Model, c.Picks, c.Advice, c.Spectrum)
	}
}

func TestSameBitsForAnyWorkers(t *testing.T) {
	set := synth.ExponentialBernoulli(5, numtest.Scale(5000, 9000, 9000), 20, 3, synth.UniformWeights)
	var first *Curve
	for _, w := range numtest.Workers() {
		c := mustGroups(t, dataOf(set.Rows, record.Presence, w), fit.Settings{Workers: w}, Options{Max: 3})
		if first == nil {
			first = c
		} else if !reflect.DeepEqual(first, c) {
			t.Errorf("%d workers give another curve", w)
		}
	}
}

// A stream gives the curve of the same rows in memory up to the order of sums.
func TestStreamed(t *testing.T) {
	set := synth.ExponentialBernoulli(6, numtest.Scale(4500, 5000, 5000), 20, 3, synth.UniformWeights)
	memory := dataOf(set.Rows, record.Presence, 2)
	streamed := memory
	streamed.Run = passtest.Streamed(set.Rows, 2)
	a := mustGroups(t, memory, fit.Settings{}, Options{Max: 4})
	b := mustGroups(t, streamed, fit.Settings{}, Options{Max: 4})
	if a.Picks != b.Picks || a.Advice != b.Advice {
		t.Errorf("in memory %+v, streamed %+v", a.Picks, b.Picks)
	}
	const orderTol = 1e-4 // EM stops a step earlier or later when sums are ordered otherwise
	for i, p := range a.Points {
		if numtest.Off(p.HeldOut, b.Points[i].HeldOut, orderTol*math.Abs(p.HeldOut)) {
			t.Errorf("%d groups: %v, streamed %v", p.K, p.HeldOut, b.Points[i].HeldOut)
		}
	}
}

func TestRefuses(t *testing.T) {
	rows := synth.Independent(1, 50, 5).Rows
	for name, o := range map[string]Options{
		"falling range": {Min: 5, Max: 3}, "negative": {Min: -1}, "all aside": {HeldOut: 1}, "no number": {HeldOut: math.NaN()},
	} {
		if _, err := Groups(ctx, dataOf(rows, record.Presence, 1), fit.Settings{}, o); err == nil {
			t.Errorf("%s accepted", name)
		}
	}
	if _, err := Groups(ctx, dataOf(rows.Slice(0, 0), record.Presence, 1), fit.Settings{}, Options{}); !errors.Is(err, fit.ErrTooLittle) {
		t.Errorf("no records: %v", err)
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := Groups(cancelled, dataOf(rows, record.Presence, 1), fit.Settings{}, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// Few records: nothing held out, a weak word, no failure.
func TestFewRecords(t *testing.T) {
	c := mustGroups(t, dataOf(synth.Independent(1, 40, 6).Rows, record.Presence, 1), fit.Settings{}, Options{})
	if c.Aside != 0 || c.Picks.HeldOut != 0 || len(c.Points) == 0 || !c.warned("none-aside") || c.Advice.Confidence == Clear {
		t.Errorf("%+v", c)
	}
	same := sparse.FromDense(slices.Repeat([][]float64{{1, 0, 1}}, 60), 3, true)
	if _, err := Groups(ctx, dataOf(same, record.Presence, 1), fit.Settings{}, Options{}); !errors.Is(err, fit.ErrTooLittle) {
		t.Errorf("equal records: %v", err)
	}
}

// The rules over six seeds (algorithms, rank: topics of 8 give BIC 8.5, of 6
// give 6.0; Bernoulli of 4 gives BIC 3.8 and held-out 4.0, of 12, of which 10.5
// have more than 30 records here, BIC 9.3 and held-out 12.7).
func TestRulesOverSeeds(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: slow: 24 curves")
	}
	type means struct{ bic, held, length, edge float64 }
	for _, c := range []struct {
		name  string
		model string
		rows  func(seed uint64) sparse.Rows
		lo    means
		hi    means
	}{
		{"bernoulli 4", "bernoulli", func(s uint64) sparse.Rows {
			return synth.ExponentialBernoulli(s, 2000, 99, 4, synth.ExponentialWeights).Rows
		}, means{3.6, 3.8, 3.6, 3.6}, means{4, 4.2, 4.2, 4}},
		{"bernoulli 12", "bernoulli", func(s uint64) sparse.Rows {
			return synth.ExponentialBernoulli(s, 2000, 99, 12, synth.ExponentialWeights).Rows
		}, means{7.8, 10, 8.3, 8}, means{10, 13, 11, 10}},
		{"topics 8", "single-topic", func(s uint64) sparse.Rows {
			return topicsByHand(s, 400, 8, 20, 120, hierTopic).Rows
		}, means{7.6, 7.6, 7, 3}, means{8.6, 10, 8.5, 8}},
		{"topics 6", "single-topic", func(s uint64) sparse.Rows {
			return topicsByHand(s, 1000, 6, 20, 120, zipfTopic).Rows
		}, means{5.8, 5.8, 5.8, 5.5}, means{6.2, 6.8, 6.2, 6.2}},
	} {
		var m means
		for seed := range uint64(6) {
			kind := record.Presence
			if c.model == "single-topic" {
				kind = record.Counts
			}
			p := mustGroups(t, dataOf(c.rows(1000+seed), kind, 0), fit.Settings{Spec: model.Spec{Model: c.model}}, Options{}).Picks
			m.bic += float64(p.BIC) / 6
			m.held += float64(p.HeldOut) / 6
			m.length += float64(p.Length) / 6
			m.edge += float64(p.Edge) / 6
		}
		t.Logf("%s: BIC %.2f, held-out %.2f, description length %.2f, edge %.2f", c.name, m.bic, m.held, m.length, m.edge)
		in := func(v, lo, hi float64) bool { return v >= lo && v <= hi }
		if !in(m.bic, c.lo.bic, c.hi.bic) || !in(m.held, c.lo.held, c.hi.held) || !in(m.length, c.lo.length, c.hi.length) || !in(m.edge, c.lo.edge, c.hi.edge) {
			t.Errorf("%s: outside %+v to %+v", c.name, c.lo, c.hi)
		}
	}
}
