package fit_test

import (
	"context"
	"reflect"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/synth"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"
)

// A view whose rows belong to other records is reported, by its name; views that tell
// of the same groups are not.
func TestAViewThatLies(t *testing.T) {
	set := synth.ExponentialBernoulli(5, 3000, 60, 3, synth.UniformWeights)
	for _, c := range []struct {
		name  string
		lying bool
		views int
		want  string
	}{
		{"three honest views", false, 3, ""},
		{"two honest views", false, 2, ""},
		{"the last of three lies", true, 3, "view-disagrees"},
		{"one of two lies", true, 2, "views-disagree"},
	} {
		if testing.Short() && c.lying != (c.views == 3) {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			rows := set.Rows
			if c.lying {
				rows = mislaid(rows, 60-60/c.views)
			}
			s := fit.Settings{K: 3, Seed: 1, Spec: model.Spec{Model: "multiview"}}
			for v := range c.views {
				s.Spec.Views = append(s.Spec.Views, model.View{Name: "view " + string(rune('a'+v)), From: v * 60 / c.views, To: (v + 1) * 60 / c.views, Spec: model.Spec{Model: "bernoulli"}})
			}
			o, err := fit.Flat(context.Background(), dataOf(rows, record.Presence, 0), s)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, w := range o.Model.Provenance.Warnings {
				if strings.HasPrefix(w.Code, "view") {
					got = append(got, w.Code)
					if c.views == 3 && !strings.Contains(w.Text, "view c") {
						t.Errorf("the wrong view is named: %s", w.Text)
					}
				}
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("warnings %v, want %q", got, c.want)
			}
		})
	}
}

// mislaid gives the features from one on to the record half the list further.
func mislaid(rows sparse.Rows, from int) sparse.Rows {
	out := sparse.Rows{Dim: rows.Dim, Ptr: []int{0}}
	for i := range rows.N() {
		own, _ := rows.Row(i)
		other, _ := rows.Row((i + rows.N()/2) % rows.N())
		for _, h := range own {
			if int(h) < from {
				out.Index = append(out.Index, h)
			}
		}
		for _, h := range other {
			if int(h) >= from {
				out.Index = append(out.Index, h)
			}
		}
		out.Ptr = append(out.Ptr, len(out.Index))
	}
	return out
}

// The model of a view of counts goes by how far they go: a table of alleles, codes and
// words is one of counts as a whole.
func TestModelsOfViews(t *testing.T) {
	b := sparse.NewBuilder(6, false)
	for i := range 40 {
		words := float32(1 + i%5)
		if err := b.Add([]uint32{0, 1, uint32(2 + i%2), 4, 5}, []float32{float32(1 + i%2), 2, 1, words, 1}); err != nil {
			t.Fatal(err)
		}
	}
	data := dataOf(b.Rows(), record.Counts, 1)
	data.Vocab = vocab.New([]string{"rs1", "rs2", "dx1", "dx2", "word1", "word2"})
	o := &fit.Order{Views: []string{"rs*", "dx*", "word*"}}
	o.Fit.K, o.Fit.Spec = 2, model.Spec{Model: "multiview"}
	if err := o.Suits(t.Context(), data); err != nil {
		t.Fatal(err)
	}
	for i, want := range []model.View{
		{Name: "rs*", From: 0, To: 2, Spec: model.Spec{Model: "binomial", Trials: 2}},
		{Name: "dx*", From: 2, To: 4, Spec: model.Spec{Model: "bernoulli"}},
		{Name: "word*", From: 4, To: 6, Spec: model.Spec{Model: "single-topic"}, EmptyMissing: true},
	} {
		if got := o.Fit.Spec.Views[i]; !reflect.DeepEqual(got, want) {
			t.Errorf("view %d is %+v, want %+v", i+1, got, want)
		}
	}
}

// Views that are independent are reported as shared no more often than promised: 5 of 100
// by 5 %, 12 with a chance below 1 in 500.
func TestViewsThatShareNothing(t *testing.T) {
	seeds := numtest.Scale(12, 100, 100)
	most := seeds * 12 / 100
	shown := 0
	for seed := range uint64(seeds) {
		set := synth.ExponentialBernoulli(seed, 120, 20, 2, synth.UniformWeights)
		s := fit.Settings{K: 2, Seed: 1, Spec: model.Spec{Model: "multiview", Views: []model.View{
			{Name: "a", From: 0, To: 10, Spec: model.Spec{Model: "bernoulli"}},
			{Name: "b", From: 10, To: 20, Spec: model.Spec{Model: "bernoulli"}},
		}}}
		o, err := fit.Flat(t.Context(), dataOf(mislaid(set.Rows, 10), record.Presence, 0), s)
		if err != nil {
			t.Fatal(err)
		}
		if len(o.Model.Provenance.Shared) != 2 {
			t.Fatalf("seed %d: %d views were asked", seed, len(o.Model.Provenance.Shared))
		}
		if o.Model.Provenance.Shared[0].Shares() {
			shown++
		}
	}
	if shown > most {
		t.Errorf("%d of %d pairs of independent views are told as sharing groups", shown, seeds)
	}
}
