package explain_test

import (
	"reflect"
	"testing"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/synth"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/vocab"
)

// TestLargeVocabulary: a report of more words than one core looks at at a time is the same for
// any number of workers, and what is said of a word in a list is what stands in the tables.
func TestLargeVocabulary(t *testing.T) {
	const n, d, k = 300, 9001, 5
	set := synth.Corpus(1, n, d, k, false)
	v := vocab.Numbered(d)
	set.Rows.Dim = d
	for _, name := range []string{"lda", "single-topic"} {
		o := &fit.Outcome{
			Model:       &model.Model{Spec: model.Spec{Model: name}, Params: set.Truth, Vocab: v},
			Probability: make([]float32, n),
		}
		for _, l := range set.Labels {
			o.Group = append(o.Group, int32(l))
		}
		data := &dataset.Dataset{Kind: record.Counts, Rows: set.Rows, Vocab: v}
		for _, s := range []report.Settings{{Workers: 1}, {Workers: 1, Health: true}} {
			want := explained(t, o, data, s)
			for j, row := range want.Table.Centers {
				g := want.Leaf(j)
				for _, list := range [][]report.Feature{g.Typical, g.Frequent, g.Rare} {
					for _, f := range list {
						if f.Name != v.Names[want.Table.Feature(f.Index)] || f.Share != want.Table.Shares[want.Leaves[j]][f.Index] {
							t.Fatalf("%s, group %s: %+v, and in the tables %v", name, g.ID, f, want.Table.Shares[j][f.Index])
						}
					}
				}
				if len(row) != len(want.Table.Names) || len(g.Frequent) == 0 || len(g.Typical) == 0 {
					t.Fatalf("%s, group %s: %d centers, %d features", name, g.ID, len(row), len(g.Frequent))
				}
			}
			for _, s.Workers = range []int{2, 16} {
				if got := explained(t, o, data, s); !reflect.DeepEqual(got, want) {
					t.Errorf("%s: another report with %d workers", name, s.Workers)
				}
			}
		}
	}
}
