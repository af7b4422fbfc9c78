package enough

import (
	"fmt"
	"os"
	"testing"

	"github.com/moiety-go/moiety/agree"
	"github.com/moiety-go/moiety/assign"
	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/family/bernoulli"
	"github.com/moiety-go/moiety/family/singletopic"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/refine"
	"github.com/moiety-go/moiety/synth"
)

// setting is a kind of records of known difficulty.
type setting struct {
	name string
	f    family.Family
	k    int
	draw func(seed uint64) synth.Set
}

func presences(n, k int) setting {
	return setting{fmt.Sprintf("Fig. 4.1, k=%d, n=%d", k, n), bernoulli.New(bernoulli.Options{}), k, func(seed uint64) synth.Set {
		return synth.ExponentialBernoulli(seed, n, 99, k, synth.UniformWeights)
	}}
}

func documents(t *testing.T, n, words int) setting {
	f, err := singletopic.New(singletopic.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return setting{fmt.Sprintf("Table 5.1, %d words, n=%d", words, n), f, 8, func(seed uint64) synth.Set {
		return synth.HierarchicalTopics(seed, n, words, 0.1)
	}}
}

// outcome is what the light said and what the fit then was.
type outcome struct {
	*Report
	oracle, fit float64 // ARI of the true parameters and of the fit
}

func (o outcome) gap() float64 { return o.oracle - o.fit }

// try judges one data set and fits it as a user would.
func (s setting) try(t *testing.T, seed uint64) outcome {
	set := s.draw(seed)
	run := pass.NewLocal(set.Rows, 0)
	r, err := Judge(t.Context(), s.f, run, s.k, Options{})
	if err != nil {
		t.Fatalf("%s: %v", s.name, err)
	}
	o := outcome{Report: r, oracle: s.score(t, run, set.Truth, set.Labels)}
	whole, err := (&judge{f: s.f, run: run, k: s.k}).fit(t.Context(), run)
	if err != nil {
		return o // nothing came out: an ARI of 0
	}
	em, err := refine.EM(t.Context(), s.f, run, whole.params, refine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	o.fit = s.score(t, run, em.Params, set.Labels)
	return o
}

func (s setting) score(t *testing.T, run pass.Runner, p mixture.Params, labels []int) float64 {
	a, err := assign.All(t.Context(), s.f, p, run, run.Len())
	if err != nil {
		t.Fatal(err)
	}
	v, err := agree.ARI(a.Labels(), labels)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// What the colours promise of the loss against the true parameters, and in
// which share of the cases.
const (
	nearOracle = 0.05
	farOracle  = 0.10
	promise    = 0.9
)

// TestCalibration is the origin of the thresholds. Under -short it looks at one
// setting of each colour; the whole table is long.
func TestCalibration(t *testing.T) {
	settings, seeds := []setting{presences(100, 12), presences(1000, 12), presences(10_000, 4)}, uint64(2)
	if !testing.Short() {
		settings, seeds = nil, 5
		for _, k := range []int{4, 12, 24} {
			for _, n := range []int{100, 300, 1000, 3000, 10_000, 30_000} {
				settings = append(settings, presences(n, k))
			}
		}
		for _, words := range []int{10, 30, 100} {
			for _, n := range []int{100, 400, 2000, 10_000} {
				settings = append(settings, documents(t, n, words))
			}
		}
	}
	var cases, kept [3]int
	for _, s := range settings {
		for seed := uint64(1); seed <= seeds; seed++ {
			o := s.try(t, seed)
			if os.Getenv("CAL") != "" {
				fmt.Printf("%-30s %d %-6v agreement %.3f noise/signal %.3f visible %d/%d oracle %.3f fit %.3f gap %.3f\n", s.name, seed, o.Light, o.Agreement, o.Noise/o.Signal, o.Visible, o.Groups, o.oracle, o.fit, o.gap())
			}
			cases[o.Light]++
			if o.Light == Green && o.gap() <= nearOracle || o.Light == Red && o.gap() > farOracle {
				kept[o.Light]++
			}
		}
	}
	t.Logf("red %d of %d kept the promise, green %d of %d, amber %d", kept[Red], cases[Red], kept[Green], cases[Green], cases[Amber])
	for _, l := range []Light{Red, Amber, Green} {
		if cases[l] == 0 {
			t.Errorf("no case is %v", l)
		}
		if l != Amber && float64(kept[l]) < promise*float64(cases[l]) {
			t.Errorf("%v kept its promise in %d of %d cases only", l, kept[l], cases[l])
		}
	}
}
