package model_test

import (
	"path/filepath"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/vocab"
)

func example() *model.Model {
	p := mixture.New(mat.NewDense(3, 2, []float64{.1, .9, .5, .5, .2, .3}), []float64{.6, .4})
	v := vocab.New([]string{"a", "b", "c"})
	return &model.Model{Spec: model.Spec{Model: "bernoulli"}, Params: p, Vocab: v, Provenance: model.Provenance{Program: "test", Settings: []byte(`{"k":2}`), Diagnostics: []byte(`{}`)}}
}

func TestSaveLoad(t *testing.T) {
	path := filepath.Join(t.TempDir(), "model")
	m := example()
	if err := m.Save(path); err != nil {
		t.Fatal(err)
	}
	got, err := model.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if !mat.Equal(got.Params.Centers, m.Params.Centers) || got.Params.Weights[1] != .4 || got.Vocab.Names[2] != "c" || string(got.Provenance.Settings) != `{"k":2}` {
		t.Errorf("got %+v", got)
	}
}

// TestEveryFamilyIsMade makes each family of the table for a vocabulary that
// suits it.
func TestEveryFamilyIsMade(t *testing.T) {
	v := vocab.New([]string{"a=1", "a=2", "b=1", "b=2"})
	v.Columns = []vocab.Column{{Name: "a", Kind: vocab.Categorical, From: 0, To: 2}, {Name: "b", Kind: vocab.Categorical, From: 2, To: 4}}
	for _, name := range model.Names() {
		s := model.Spec{Model: name}
		if name == "multiview" {
			s.Views = []model.View{
				{From: 0, To: 2, Spec: model.Spec{Model: "bernoulli"}},
				{From: 2, To: 4, Spec: model.Spec{Model: "poisson"}},
			}
		}
		f, err := s.Family(v)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if f.Info().Name != name {
			t.Errorf("%s is named %s", name, f.Info().Name)
		}
	}
}

func TestUnknownWords(t *testing.T) {
	for _, s := range []model.Spec{
		{Model: "bernouli"},
		{Model: "bernoulli", Moments: "cooked"},
		{Model: "gaussian", Variance: "diagonal"},
		{Model: "hmm", Emission: "gamma"},
		{Model: "lda", Weights: "none"},
		{Model: "lda", Alpha0: -1},
	} {
		if _, err := s.Family(vocab.Numbered(3)); err == nil {
			t.Errorf("%+v: no error", s)
		}
	}
}
