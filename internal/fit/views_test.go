package fit_test

import (
	"context"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/synth"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/sparse"
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
