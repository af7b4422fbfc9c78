// Package nips is [T] Fig. 5.2: a tree of eight leaves over NIPS papers, 3000
// most frequent words. The papers' corpus (1987 to 2015, 5811 papers) is not
// here; the one of 1987 to 1999 (1740 papers) is. Fig. 5.3 (Wikipedia pages on
// mathematics) is not public; the blog entries of kos stand in.
//
// Claims of the paper: the leaves read as fields of research; 59 s on a laptop
// (Wikipedia 6 s). The public code takes 47.5 CPU seconds for one split of a
// corpus of the papers' size.
//
// Command: go run -C experiments . nips (needs the data sets nips and kos)
//
// Ours: docs/results.md, rows "nips".
package nips

import (
	"bufio"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/experiments/lab"
	"github.com/moiety-go/moiety/experiments/reference"
	"github.com/moiety-go/moiety/internal/agree"
	"github.com/moiety-go/moiety/internal/encode"
	"github.com/moiety-go/moiety/internal/explain"
	"github.com/moiety-go/moiety/internal/family/singletopic"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/read"
	"github.com/moiety-go/moiety/internal/tree"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/show"
)

const leaves = 8

// Run prints the trees.
func Run(ctx context.Context, w io.Writer, _ bool) error {
	for _, name := range []string{"nips", "kos"} {
		if err := lab.Skipped(w, one(ctx, w, name)); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func one(ctx context.Context, w io.Writer, name string) error {
	data, err := lab.Open(ctx, [][]string{{name, "docword." + name + ".txt.gz"}}, read.Options{}, encode.Settings{Encoding: dataset.Encoding{Vocab: dataset.Amount{Count: 3000}}})
	if err != nil {
		return err
	}
	lab.Heading(w, "%s: %d documents, d=%d, a tree of %d leaves ([T] Fig. 5.2)", name, data.Len(), data.Rows.Dim, leaves)
	fmt.Fprintf(w, "Reading and encoding took %s of CPU.\n\n", lab.Seconds(data.Seconds))
	grown, err := grow(ctx, data, tree.Settings{})
	if err != nil {
		return err
	}
	words(w, data, grown.Tree)
	if err := drawn(ctx, name, data); err != nil {
		return err
	}
	return compared(ctx, w, name, data)
}

// drawn is [T] Fig. 5.2 as the product draws its trees.
func drawn(ctx context.Context, name string, data *lab.Real) error {
	o, err := fit.Tree(ctx, data.Fit(), fit.Settings{Tree: fit.TreeShape{Leaves: leaves}, Spec: model.Spec{Model: "single-topic"}, Workers: 1})
	if err != nil {
		return err
	}
	r, err := explain.New(ctx, o, data.Dataset, report.Settings{Lambda: lab.Lambda})
	if err != nil {
		return err
	}
	return lab.Draw(ctx, name+"-tree", show.Icicle(r))
}

// grow grows a tree of eight leaves on one core.
func grow(ctx context.Context, data *lab.Real, s tree.Settings) (*tree.Result, error) {
	f, err := singletopic.New(singletopic.Options{})
	if err != nil {
		return nil, err
	}
	s.Family, s.Leaves, s.Workers = f, leaves, 1
	return tree.Grow(ctx, pass.NewLocal(data.Rows, 0), s)
}

// words prints the most relevant words of every node.
func words(w io.Writer, data *lab.Real, t *tree.Tree) {
	table := lab.NewTable("node", "documents", "seven most relevant words (λ=0.7)")
	for _, n := range t.Nodes {
		topic := mat.NewDense(data.Rows.Dim, 1, append([]float64(nil), n.Center...))
		table.Add(n.ID, n.N, lab.Joined(lab.Relevant(topic, data.Rows, data.Vocab.Names, 7)[0]))
	}
	table.Write(w)
}

// compared sets the tree beside flat fits and divisive clusterers: coherence of
// the groups' words, and agreement with the sessions where they are known.
func compared(ctx context.Context, w io.Writer, name string, data *lab.Real) error {
	sessions, err := labels(name, data)
	if err != nil {
		return err
	}
	t := lab.NewTable("method", "NPMI, 10 words", "NMI with the session", "CPU")
	add := func(method string, group func() ([]int, error)) error {
		var got []int
		seconds, err := lab.Timed(func() (err error) { got, err = group(); return err })
		if err != nil {
			return err
		}
		npmi, err := lab.NPMI(ctx, data.Runner(1), groupMeans(data, got))
		if err != nil {
			return err
		}
		agreement := "–"
		if sessions != nil {
			nmi, err := agree.NMI(got, sessions)
			if err != nil {
				return err
			}
			agreement = fmt.Sprintf("%.3f", nmi)
		}
		t.Add(method, npmi, agreement, lab.Seconds(seconds))
		return nil
	}
	o := reference.Options{Seed: 1, Starts: 3, Workers: 1}
	for _, m := range []struct {
		name  string
		group func() ([]int, error)
	}{
		{"default tree", func() ([]int, error) {
			r, err := grow(ctx, data, tree.Settings{})
			if err != nil {
				return nil, err
			}
			return lab.Ints(r.Leaf), nil
		}},
		{"SIDIWO tree ([H] Alg. 2, no EM)", func() ([]int, error) {
			r, err := grow(ctx, data, tree.Settings{Splitter: tree.Sidiwo, Steps: -1, NoRefine: true})
			if err != nil {
				return nil, err
			}
			return lab.Ints(r.Leaf), nil
		}},
		{"flat default, 8 groups", func() ([]int, error) {
			r, err := lab.Flat(ctx, data.Fit(), model.Spec{Model: "single-topic"}, leaves, "", fit.EM)
			if err != nil {
				return nil, err
			}
			return lab.Ints(r.Group), nil
		}},
		{"bisecting k-means", func() ([]int, error) {
			r, err := reference.BisectingKMeans(ctx, data.Rows, leaves, o)
			if err != nil {
				return nil, err
			}
			return r.Labels, nil
		}},
		{"k-means, 3 starts", func() ([]int, error) {
			r, err := reference.KMeans(ctx, data.Rows, leaves, o)
			if err != nil {
				return nil, err
			}
			return r.Labels, nil
		}},
	} {
		if err := add(m.name, m.group); err != nil {
			return fmt.Errorf("%s: %w", m.name, err)
		}
	}
	t.Write(w)
	return nil
}

// groupMeans returns the share of every word in every group's tokens.
func groupMeans(data *lab.Real, group []int) *mat.Dense {
	named := make([]string, len(group))
	for i, g := range group {
		named[i] = fmt.Sprint(g)
	}
	number, names := lab.Numbers(named)
	out := mat.NewDense(data.Rows.Dim, len(names), nil)
	for i, j := range number {
		index, value := data.Rows.Row(i)
		for e, h := range index {
			out.Set(int(h), j, out.At(int(h), j)+float64(value[e]))
		}
	}
	return out
}

// labels returns the session of every paper, or nil where there are none.
func labels(name string, data *lab.Real) ([]int, error) {
	path, err := lab.Path(name, name+".labels.txt.gz")
	if err != nil {
		return nil, nil // not every corpus has labels
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	var lines []string
	for s := bufio.NewScanner(z); s.Scan(); {
		lines = append(lines, strings.TrimSpace(s.Text()))
	}
	if len(lines) < data.Len() {
		return nil, fmt.Errorf("%d labels for %d documents", len(lines), data.Len())
	}
	out, _ := lab.Numbers(lines[:data.Len()])
	return out, nil
}
