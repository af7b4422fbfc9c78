// Package addeddocuments is [S] Fig. 2 and 3: how well topics are reconstructed
// from small corpora, how long that takes, and how much the answer moves when
// one document is added.
//
// Claims of the paper: all methods reconstruct alike, SVTD as well as TPM and
// better than the eigenvector and SVD methods on few documents; TPM is much
// slower; SVTD moves as little as TPM and much less than the other two.
//
// Command: go run -C experiments . added-documents
//
// Ours: docs/results.md, rows "added-documents".
package addeddocuments

import (
	"context"
	"fmt"
	"io"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/experiments/lab"
	"github.com/moiety-go/moiety/internal/agree"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/synth"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/show"
	"github.com/moiety-go/moiety/sparse"
)

const topics = 5

type method struct{ name, method, refine string }

var methods = []method{
	{"default", "", fit.None},
	{"default + EM", "", fit.EM},
	{"SVTD", "svtd", fit.None},
	{"TPM", "tpm", fit.None},
	{"SVD (2012a)", "svd", fit.None},
	{"eigenvectors (2012b)", "eigen", fit.None},
}

// Run prints the tables. Full uses ten corpora and more sizes.
func Run(ctx context.Context, w io.Writer, full bool) error {
	seeds, sizes := 4, []int{50, 200, 1000}
	if full {
		seeds, sizes = 10, []int{50, 100, 200, 400, 700, 1000}
	}
	if err := reconstruction(ctx, w, seeds, sizes); err != nil {
		return err
	}
	return movement(ctx, w, max(seeds/2, 1))
}

// reconstruction is [S] Fig. 2: ‖M̂Ω̂M̂ᵀ − MΩMᵀ‖ over the number of documents.
func reconstruction(ctx context.Context, w io.Writer, seeds int, sizes []int) error {
	lab.Heading(w, "d=100 k=5, 3 to 99 words a document ([S] Fig. 2): 10³·‖M̂Ω̂M̂ᵀ − MΩMᵀ‖, %d corpora", seeds)
	head := []string{"method"}
	for _, n := range sizes {
		head = append(head, fmt.Sprintf("N=%d", n))
	}
	t := lab.NewTable(append(head, fmt.Sprintf("CPU, N=%d", sizes[len(sizes)-1]))...)
	chart := show.LineChart{Title: "Reconstruction from few documents", XLabel: "documents", YLabel: "10³ · error of M2", LogX: true, Zero: true}
	for _, m := range methods {
		row, line := []any{m.name}, show.Series{Name: m.name}
		var took lab.Series
		for _, n := range sizes {
			var errs lab.Series
			took = nil
			for _, seed := range lab.Seeds(ctx, 1000, seeds) {
				set := synth.MomentDocuments(seed, n, synth.FlatTopics, false)
				var p *mixture.Params
				seconds, err := lab.Timed(func() (err error) { p, err = learn(ctx, set.Rows, m); return err })
				if err != nil {
					return fmt.Errorf("%s: %w", m.name, err)
				}
				took = append(took, seconds)
				if p != nil {
					errs = append(errs, 1000*productError(*p, set.Truth))
				}
			}
			row = append(row, errs)
			line.X, line.Y = append(line.X, float64(n)), append(line.Y, errs.Mean())
		}
		chart.Series = append(chart.Series, line)
		t.Add(append(row, lab.Seconds(took.Mean()))...)
	}
	t.Write(w)
	return lab.Draw(ctx, "added-documents-reconstruction", chart.Scene())
}

// learn returns nil where the documents cannot tell five topics apart. It fits without
// looking at who is put where: a topic without documents of its own stays.
func learn(ctx context.Context, rows sparse.Rows, m method) (*mixture.Params, error) {
	path, err := fit.NewPath(ctx, lab.Generated(rows, record.Counts), fit.Settings{
		Spec: model.Spec{Model: "single-topic"}, Method: m.method, Refine: m.refine, Workers: 1,
	}, topics)
	var p *fit.PathFit
	if err == nil {
		p, err = path.At(ctx, topics)
	}
	if lab.TooLittle(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return &p.Params, nil
}

// productError is the Frobenius norm of the difference of two M·Ω·Mᵀ.
func productError(a, b mixture.Params) float64 {
	var diff mat.Dense
	diff.Sub(product(a), product(b))
	return mat.Norm(&diff, 2)
}

func product(p mixture.Params) *mat.Dense {
	var scaled, out mat.Dense
	scaled.Apply(func(_, j int, v float64) float64 { return v * p.Weights[j] }, p.Centers)
	out.Mul(&scaled, p.Centers.T())
	return &out
}

// movement is [S] Fig. 3: how far the topics move with every document added,
// from 50 to 200.
func movement(ctx context.Context, w io.Writer, seeds int) error {
	const from, to, firstSeed = 50, 200, 2000
	lab.Heading(w, "One document more, from %d to %d ([S] Fig. 3): 10³·‖M_N − M_(N−1)‖, %d corpora", from, to, seeds)
	t := lab.NewTable("method", "mean", "median", "steps above 100", "no answer")
	chart := show.LineChart{Title: "How far the topics move when one document is added", XLabel: "documents", YLabel: "10³ · ‖M_N − M_(N−1)‖", LogY: true}
	for _, m := range methods {
		var all lab.Series
		line := show.Series{Name: m.name}
		large, none := 0, 0
		for _, seed := range lab.Seeds(ctx, firstSeed, seeds) {
			set := synth.MomentDocuments(seed, to, synth.FlatTopics, false)
			var last *mixture.Params
			for n := from; n <= to; n++ {
				p, err := learn(ctx, set.Rows.Slice(0, n), m)
				if err != nil {
					return fmt.Errorf("%s: %w", m.name, err)
				}
				if p == nil {
					none++
				}
				if p != nil && last != nil {
					step, err := moved(last.Centers, p.Centers)
					if err != nil {
						return err
					}
					if all = append(all, 1000*step); 1000*step > 100 {
						large++
					}
					if seed == firstSeed {
						line.X, line.Y = append(line.X, float64(n)), append(line.Y, math.Max(1000*step, 1e-3))
					}
				}
				last = p
			}
		}
		chart.Series = append(chart.Series, line)
		t.Add(m.name, fmt.Sprintf("%.1f", all.Mean()), fmt.Sprintf("%.1f", all.Median()), large, none)
	}
	t.Write(w)
	return lab.Draw(ctx, "added-documents-movement", chart.Scene())
}

// moved is the Frobenius distance of matched centers.
func moved(a, b *mat.Dense) (float64, error) {
	order, err := agree.Columns(a, b)
	if err != nil {
		return 0, err
	}
	d, _ := a.Dims()
	sum := 0.0
	for i, j := range order {
		for h := range d {
			v := a.At(h, i) - b.At(h, j)
			sum += v * v
		}
	}
	return math.Sqrt(sum), nil
}
