package fit_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/synth"
	"github.com/moiety-go/moiety/internal/verdict"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/pass/passtest"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"
)

// judgedJourneys are records whose number of groups nobody gives: groups of codes, of
// answers, of measurements, of counts, of genotypes, of mixed columns and of documents, and one population of answers.
func judgedJourneys() map[string]journey {
	all := journeys()
	answers := all["categorical"]
	parts := answers
	parts.rows = survey(answers.vocab, func(q, z int) float64 { return .05 + .9*float64((q+z)%3/2) })
	out := map[string]journey{}
	for name, j := range map[string]journey{
		"codes": all["bernoulli"], "answers": parts, "answers of one population": answers, "measurements": all["gaussian"],
		"counts": all["poisson"], "genotypes": all["binomial"], "mixed columns": all["mixed"],
		"documents": all["single-topic"], "documents that mix topics": all["lda"],
	} {
		var some []int
		for i := 0; i < joinedRecords; i += 15 {
			some = append(some, i)
		}
		j.rows, j.s = j.rows.Pick(some), fit.Settings{Double: true}
		if strings.HasSuffix(name, "topics") {
			j.rows = synth.LDADocuments(3, 500, j.rows.Dim, joinedGroups, .5, .1, 100).Rows
		}
		if strings.HasPrefix(name, "documents") {
			j.vocab = &vocab.Vocab{Names: j.vocab.Names, System: vocab.Text}
		}
		if name == "genotypes" { // the model of which is chosen by their code system
			j.s.Spec.Model = "binomial"
		}
		if name == "answers of one population" {
			j.s.Sooner = 8 // 500 of them are looked at
		}
		out[name] = j
	}
	return out
}

// The number of groups, its range and evidence, the groups and the tree over them are
// those of one machine that judges by sums, at 3 and 10 uneven sites, one of them
// empty; every site has the same bits.
func TestJoinedVerdict(t *testing.T) {
	numtest.NotShort(t)
	for name, j := range judgedJourneys() {
		t.Run(name, func(t *testing.T) {
			want, err := fit.Tree(t.Context(), j.data(pass.NewLocal(j.rows, 2)), j.s)
			if err != nil {
				t.Fatal(err)
			}
			if groups := want.Verdict.Groups > 1; groups != !strings.Contains(name, "one") {
				t.Fatalf("one machine claims %d groups", want.Verdict.Groups)
			}
			sites := uneven(j.rows.N())
			delete(sites, "1 site")
			if j.kind == record.Categorical {
				delete(sites, "10 sites")
			}
			for name, ends := range sites {
				outs := make([]*fit.Outcome, len(ends))
				err := passtest.SplitAt(j.rows, nil, ends, 1).Each(t.Context(), func(ctx context.Context, place int, r pass.Runner) error {
					first := r.Can().First
					got, err := fit.Tree(ctx, j.data(r), j.s)
					if err != nil {
						return err
					}
					outs[place] = got
					return samePlaced(got, want, first, 1e-6)
				})
				if err != nil {
					t.Errorf("%s: %v", name, err)
					continue
				}
				for place, o := range outs {
					sameClaim(t, name, place, o.Verdict, want.Verdict)
					if far := farthest(o.Model.Params, outs[0].Model.Params); far != 0 {
						t.Errorf("%s, site %d: parameters are off by %g from those of site 0", name, place, far)
					}
					if far := farthest(o.Model.Params, want.Model.Params); !(far <= 1e-9) {
						t.Errorf("%s, site %d: parameters are off by %g from those of one machine", name, place, far)
					}
					if o.Tree == nil { // topics that documents mix
						continue
					}
					for i, n := range o.Tree.Nodes {
						if n.N != want.Tree.Nodes[i].N || n.Split != nil && !n.IsLeaf() && numtest.Off(n.Split.Stability, want.Tree.Nodes[i].Split.Stability, 1e-9) {
							t.Errorf("%s, site %d: node %d of %d records, %+v; one machine has %d, %+v", name, place, i, n.N, n.Split, want.Tree.Nodes[i].N, want.Tree.Nodes[i].Split)
						}
					}
				}
			}
		})
	}
}

// sameClaim compares what is reported.
func sameClaim(t *testing.T, name string, place int, got, want *verdict.Verdict) {
	t.Helper()
	words := func(v *verdict.Verdict) string {
		return fmt.Sprintf("%d groups of %v, sure %v, %+v, again %v, %s; %s %v", v.Groups, v.Range, v.Sure, v.Evidence, v.Repeat, v.Continuum, v.Reason, v.Against)
	}
	if got, want := words(got), words(want); got != want {
		t.Errorf("%s, site %d claims\n%s\none machine\n%s", name, place, got, want)
	}
}

// Models that are not those of their kind are refused over sites with a word that says
// so, as are symbols too many to count what follows what, and more leaves than the records show.
func TestJoinedVerdictRefuses(t *testing.T) {
	numtest.NotShort(t)
	all := journeys()
	walks, codes := all["hmm"], all["bernoulli"]
	walks.rows.Dim, walks.vocab = 1200, vocab.Numbered(1200)
	codes.rows = codes.rows.Slice(0, 600)
	for _, c := range []struct {
		rows  sparse.Rows
		steps []int
		vocab *vocab.Vocab
		kind  record.Kind
		s     fit.Settings
		want  string
	}{
		{walks.rows, walks.steps, walks.vocab, record.Presence, fit.Settings{}, "1000 at most"},
		{codes.rows, nil, codes.vocab, record.Presence, fit.Settings{Spec: model.Spec{Model: "poisson"}}, ""},
		{codes.rows, nil, codes.vocab, record.Presence, fit.Settings{Tree: fit.TreeShape{Leaves: 40}}, "cut further"},
	} {
		err := passtest.Split(c.rows, c.steps, 3, 1).Each(t.Context(), func(ctx context.Context, _ int, r pass.Runner) error {
			_, err := fit.Tree(ctx, fit.Training{Run: r, Vocab: c.vocab, Kind: c.kind, Sequences: c.steps != nil}, c.s)
			return err
		})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v %+v: %v, want %q", c.kind, c.s, err, c.want)
		}
	}
}
