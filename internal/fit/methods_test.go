package fit_test

import (
	"context"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/agree"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/synth"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/record"
)

// Every method learns from records, each has its own answer, and --slices all is
// not the default under another name.
func TestMethodsOnRecords(t *testing.T) {
	set := synth.ExponentialBernoulli(4, 4000, 36, 3, synth.UniformWeights)
	data := dataOf(set.Rows, record.Presence, 0)
	type answer struct {
		name string
		p    mixture.Params
	}
	var all []answer
	learn := func(name string, s fit.Settings) {
		s.K, s.Spec.Model, s.Refine, s.Seed = 3, "bernoulli", fit.None, 1
		o, err := fit.Flat(context.Background(), data, s)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		least := .5
		if s.Method == "d-sidiwo" || s.Method == "spectral-clustering" { // parts by their rule, which knows nothing of the model (0124)
			least = .3
		}
		ari, err := agree.ARI(labels(o), set.Labels)
		if err != nil || ari < least {
			t.Errorf("%s: ARI %.3f (%v), want at least %.1f", name, ari, err, least)
		}
		all = append(all, answer{name, o.Model.Params})
	}
	for _, m := range fit.Methods() {
		learn(m.Name, fit.Settings{Method: m.Name})
	}
	learn("sidiwo, all slices", fit.Settings{Method: "sidiwo", Slices: fit.AllSlices})
	for i, a := range all {
		for _, b := range all[:i] {
			if mat.EqualApprox(a.p.Centers, b.p.Centers, 1e-9) {
				t.Errorf("%s and %s give the same centers", a.name, b.name)
			}
		}
	}
}

// The papers' objective reaches the splits of a tree too.
func TestSlicesOfTrees(t *testing.T) {
	set := synth.HierarchicalTopics(2, 300, 60, .1)
	data := dataOf(set.Rows, record.Counts, 0)
	var separation []float64
	for _, slices := range []string{"", fit.AllSlices} {
		o, err := fit.Tree(context.Background(), data, fit.Settings{
			Tree: fit.TreeShape{Leaves: 4, Splitter: "sidiwo", Stability: "off"}, Slices: slices,
			Spec: model.Spec{Model: "single-topic"}, Refine: fit.None, Seed: 1,
		})
		if err != nil {
			t.Fatal(err)
		}
		separation = append(separation, o.Tree.Nodes[0].Split.Separation)
	}
	if separation[0] == separation[1] {
		t.Errorf("the first split is as clear with all slices as with their projections: %v", separation)
	}
	if err := (fit.Settings{K: 2, Method: "svtd", Slices: fit.AllSlices}).Check(); err == nil {
		t.Error("slices of another method were accepted")
	}
}

// Gibbs sampling infers other mixtures than the variational posterior, near them,
// and the same ones every time.
func TestInferenceOfTopics(t *testing.T) {
	set := synth.LDADocuments(3, 400, 60, 3, .5, .1, 40)
	learn := func(inference string, workers int) *fit.Outcome {
		data := dataOf(set.Rows, record.Counts, workers)
		o, err := fit.Flat(context.Background(), data, fit.Settings{K: 3, Spec: model.Spec{Model: "lda", Inference: inference}, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		return o
	}
	plain, gibbs := learn("", 1), learn(model.Gibbs, 1)
	if !mat.Equal(plain.Model.Params.Centers, gibbs.Model.Params.Centers) {
		t.Error("inference changed the topics")
	}
	if slices.Equal(plain.Probability, gibbs.Probability) {
		t.Error("Gibbs sampling changed nothing")
	}
	far := 0.0
	for i, p := range plain.Probability {
		far += float64(max(p-gibbs.Probability[i], gibbs.Probability[i]-p)) / float64(len(plain.Probability))
	}
	if !(far <= .05) {
		t.Errorf("mean difference of the largest share %.3f, want at most .05", far)
	}
	if again := learn(model.Gibbs, 3); !slices.Equal(gibbs.Probability, again.Probability) {
		t.Error("another number of workers, other mixtures")
	}
}

// What divides records says where it cannot.
func TestDividersRefuse(t *testing.T) {
	set := synth.LDADocuments(3, 100, 30, 3, .5, .1, 40)
	for _, m := range []string{"d-sidiwo", "spectral-clustering"} {
		if _, err := fit.Flat(context.Background(), dataOf(set.Rows, record.Counts, 0), fit.Settings{K: 3, Method: m, Spec: model.Spec{Model: "lda"}}); err == nil {
			t.Errorf("%s: a model of mixed records was accepted", m)
		}
	}
}
