// Package topictree is [T] Table 5.1 and Fig. 5.1: 400 documents on 8 topics
// that form a tree, clustered by all methods on the same draws.
//
// Claim of the paper: the SIDIWO tree reaches ARI .98 ± .01 in 0.4 s; TPM .93,
// SVTD .85, random projections .72 (in 16 minutes), ALS .70, the SVD method .52. Its public code, measured on the same
// generator (100 words, noise U(0,0.1), seeds 0 to 9), reaches .845 / .958 / .989
// at 50 / 100 / 200 words a document, in 0.43 CPU seconds a tree.
//
// Command: go run -C experiments . tree
//
// Ours: docs/results.md, row "tree".
package topictree

import (
	"context"
	"fmt"
	"io"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/experiments/lab"
	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/agree"
	"github.com/moiety-go/moiety/internal/assign"
	"github.com/moiety-go/moiety/internal/family/singletopic"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/refine"
	"github.com/moiety-go/moiety/internal/synth"
	"github.com/moiety-go/moiety/internal/tree"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/show"
)

const (
	documents = 400
	topics    = 8
	noise     = 0.1
	longest   = 200 // words a document
	// referenceSeconds is the CPU time of the papers' own code for one tree.
	referenceSeconds = 0.43
	// fasterBy is how much less time than that code the goal asks for.
	fasterBy = 50
)

// goal is the mean ARI asked of the default tree, and the one aimed at.
type goal struct{ least, aim float64 }

var goals = map[int]goal{50: {.88, .92}, 100: {.975, .985}, 200: {.985, .99}}

// reference ARI of the papers' code, run by us, by words a document: SIDIWO, TPM, ALS, SVTD,
// joint diagonalisation, eigenvectors; the oracle; EM from the truth.
var reference = map[int][8]string{
	50:  {".845", ".661", ".660", ".665", ".728", ".409", ".954", ".934"},
	100: {".958", ".797", ".815", ".821", ".849", ".531", ".998", ".994"},
	200: {".989", ".839", ".825", ".824", ".874", ".670", "1.000", ".999"},
}

// Run prints the tables.
func Run(ctx context.Context, w io.Writer, _ bool) error {
	chart := show.BarChart{Title: "8 hierarchical topics", Subtitle: "mean ARI over ten corpora, with two standard errors", XLabel: "adjusted Rand index"}
	for _, words := range []int{200, 100, 50} {
		c, err := Measure(ctx, words, lab.Seeds(ctx, 0, 10))
		if err != nil {
			return err
		}
		lab.Heading(w, "8 hierarchical topics, %d documents of %d words ([T] Table 5.1), seeds 0 to 9", documents, words)
		c.Table("method").Write(w)
		verdicts(w, words, c)
		chart.Categories = c.Names
		chart.Series = append(chart.Series, lab.Bars(fmt.Sprintf("%d words", words), c.Score))
	}
	if err := lab.Draw(ctx, "tree", chart.Scene()); err != nil {
		return err
	}
	rank(w)
	if err := short(ctx, w); err != nil {
		return err
	}
	return picture(ctx, w)
}

// rank tells how many directions the topics span without their noise: fewer
// than there are topics, so that flat methods of moments live on the noise.
func rank(w io.Writer) {
	var svd mat.SVD
	svd.Factorize(synth.HierarchicalTopics(0, 1, 1, 0).Truth.Centers, mat.SVDNone)
	without := svd.Values(nil)
	svd.Factorize(synth.HierarchicalTopics(0, 1, 1, noise).Truth.Centers, mat.SVDNone)
	with := svd.Values(nil)
	t := lab.NewTable("singular value of the topics", "1", "2", "3", "4", "5", "6", "7", "8")
	for _, s := range []struct {
		name   string
		values []float64
	}{{"without noise", without}, {"with noise U(0,0.1)", with}} {
		row := []any{s.name}
		for _, v := range s.values {
			row = append(row, fmt.Sprintf("%.4f", v/s.values[0]))
		}
		t.Add(row...)
	}
	t.Write(w)
}

// verdicts compares the default tree with the goals.
func verdicts(w io.Writer, words int, c *lab.Contest) {
	g, ours := goals[words], c.Score[0].Mean()
	total := 0.0
	for _, s := range c.Seconds[0] {
		total += s
	}
	fmt.Fprintf(w, "- mean ARI of the default tree %.4f, goal %.3f: %s; aim %.3f: %s\n", ours, g.least, lab.Verdict(ours >= g.least), g.aim, lab.Verdict(ours >= g.aim))
	theirs := referenceSeconds * float64(len(c.Seconds[0]))
	fmt.Fprintf(w, "- the trees of all seeds took %s, the papers' code %s, %.0f times as long; goal %d times: %s\n\n",
		lab.Seconds(total), lab.Seconds(theirs), theirs/total, fasterBy, lab.Verdict(theirs >= fasterBy*total))
}

// Measure lets all methods cluster the same draws.
func Measure(ctx context.Context, words int, seeds []uint64) (*lab.Contest, error) {
	f, err := singletopic.New(singletopic.Options{})
	if err != nil {
		return nil, err
	}
	p := reference[words]
	printed := func(v string) string { // one length of documents, which the thesis does not tell
		if words != longest {
			return ""
		}
		return v
	}
	all := []lab.Contestant[synth.Set]{
		{Name: "default tree of 8", Group: grown(f, tree.Settings{})},
		{Name: "SIDIWO tree ([H] Alg. 2, no EM)", Published: printed(".98"), Reference: p[0], Group: grown(f, tree.Settings{Splitter: tree.Sidiwo, Steps: -1, NoRefine: true})},
		{Name: "SIDIWO tree, EM after each split", Group: grown(f, tree.Settings{Splitter: tree.Sidiwo, Steps: 1, NoRefine: true})},
		{Name: "flat default", Reference: p[4], Group: flat("", fit.None)},
		{Name: "flat default + EM", Group: flat("", fit.EM)},
		{Name: "TPM", Published: printed(".93"), Reference: p[1], Group: flat("tpm", fit.None)},
		{Name: "ALS", Published: printed(".70"), Reference: p[2], Group: flat("als", fit.None)},
		{Name: "SVTD", Published: printed(".85"), Reference: p[3], Group: flat("svtd", fit.None)},
		{Name: "SVD (2012a)", Group: flat("svd", fit.None)},
		{Name: "eigenvectors (2012b)", Published: printed(".52"), Reference: p[5], Group: flat("eigen", fit.None)},
		{Name: "random projections", Published: printed(".72"), Group: flat("random-projections", fit.None)},
		{Name: "EM from the truth", Reference: p[7], Group: fromTruth(f)},
		{Name: "oracle (true parameters)", Reference: p[6], Group: oracle(f)},
	}
	draw := func(seed uint64) synth.Set { return synth.HierarchicalTopics(seed, documents, words, noise) }
	return lab.Meet(ctx, seeds, draw, all, func(set synth.Set, labels []int) (float64, error) {
		return agree.ARI(labels, set.Labels)
	})
}

// grown clusters by a tree of eight leaves on one core.
func grown(f family.Family, s tree.Settings) func(context.Context, synth.Set) ([]int, error) {
	return func(ctx context.Context, set synth.Set) ([]int, error) {
		s.Family, s.Leaves, s.Workers = f, topics, 1
		r, err := tree.Grow(ctx, pass.NewLocal(set.Rows, 0), s)
		if err != nil {
			return nil, err
		}
		return lab.Ints(r.Leaf), nil
	}
}

func flat(method, refine string) func(context.Context, synth.Set) ([]int, error) {
	return func(ctx context.Context, set synth.Set) ([]int, error) {
		o, err := lab.Flat(ctx, lab.Generated(set.Rows, record.Counts), model.Spec{Model: "single-topic"}, topics, method, refine)
		if err != nil {
			return nil, err
		}
		return lab.Ints(o.Group), nil
	}
}

func fromTruth(f family.Family) func(context.Context, synth.Set) ([]int, error) {
	return func(ctx context.Context, set synth.Set) ([]int, error) {
		r, err := refine.EM(ctx, f, pass.NewLocal(set.Rows, 1), set.Truth, refine.Options{})
		if err != nil {
			return nil, err
		}
		return placed(ctx, f, r.Params, set)
	}
}

func oracle(f family.Family) func(context.Context, synth.Set) ([]int, error) {
	return func(ctx context.Context, set synth.Set) ([]int, error) { return placed(ctx, f, set.Truth, set) }
}

func placed(ctx context.Context, f family.Family, p mixture.Params, set synth.Set) ([]int, error) {
	a, err := assign.All(ctx, f, p, pass.NewLocal(set.Rows, 1))
	if err != nil {
		return nil, err
	}
	return a.Labels(), nil
}

// picture is [T] Fig. 5.1 in words: what the nodes of the default tree hold.
func picture(ctx context.Context, w io.Writer) error {
	f, err := singletopic.New(singletopic.Options{})
	if err != nil {
		return err
	}
	set := synth.HierarchicalTopics(0, documents, 200, noise)
	r, err := tree.Grow(ctx, pass.NewLocal(set.Rows, 0), tree.Settings{Family: f, Leaves: topics})
	if err != nil {
		return err
	}
	lab.Heading(w, "The tree of seed 0 ([T] Fig. 5.1): topics inside each node")
	t := lab.NewTable("node", "documents", "documents of topic 1 to 8")
	for i, n := range r.Tree.Nodes {
		under := r.Tree.Under([]int{i})
		var held [topics]int
		for d, leaf := range r.Leaf {
			if under[leaf] == 0 {
				held[set.Labels[d]]++
			}
		}
		t.Add(n.ID, n.N, fmt.Sprint(held))
	}
	t.Write(w)
	return nil
}
