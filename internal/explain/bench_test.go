package explain_test

import (
	"fmt"
	"testing"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/internal/explain"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/synth"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/vocab"
)

func BenchmarkNew(b *testing.B) {
	for _, c := range []struct{ n, d, k int }{{200_000, 696, 16}, {20_000, 20_000, 50}} {
		set := synth.Patients(1, c.n, c.d, c.k, 10)
		v := vocab.Numbered(c.d)
		o := &fit.Outcome{
			Model:       &model.Model{Spec: model.Spec{Model: "bernoulli"}, Params: set.Truth, Vocab: v},
			Probability: make([]float32, c.n),
		}
		for _, l := range set.Labels {
			o.Group = append(o.Group, int32(l))
		}
		d := &dataset.Dataset{Kind: record.Presence, Rows: set.Rows, Vocab: v}
		b.Run(fmt.Sprintf("n=%d,d=%d,k=%d", c.n, c.d, c.k), func(b *testing.B) {
			for b.Loop() {
				if _, err := explain.New(b.Context(), o, d, report.Settings{Health: true}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
