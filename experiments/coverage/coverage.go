// Package coverage asks what an interval promises: of sets drawn from known
// latent classes, how often the 95 % interval of each parameter holds the truth,
// and that of the mean of an outcome by class, by three steps and by counting
// the records put into a class.
//
// Command: go run -C experiments . coverage
//
// Ours: docs/results.md, row "coverage".
package coverage

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/experiments/lab"
	"github.com/moiety-go/moiety/internal/family/categorical"
	"github.com/moiety-go/moiety/internal/inference"
	"github.com/moiety-go/moiety/internal/lca"
	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// Law is a model of latent classes with an outcome that is normal in each.
type Law struct {
	Name    string
	Blocks  [][2]int
	Params  mixture.Params
	Outcome []float64 // mean of each class; deviation 1
	Records int
}

// Laws are those that the intervals are tried on; their classes are told apart
// with an entropy R² of .6 and more.
func Laws() []Law {
	questions := func(levels ...int) (out [][2]int) {
		at := 0
		for _, n := range levels {
			out = append(out, [2]int{at, at + n})
			at += n
		}
		return out
	}
	yes := func(p ...[]float64) *mat.Dense { // one list of probabilities of "yes" a class
		m := mat.NewDense(2*len(p[0]), len(p), nil)
		for c, list := range p {
			for q, v := range list {
				m.Set(2*q, c, 1-v)
				m.Set(2*q+1, c, v)
			}
		}
		return m
	}
	return []Law{
		{
			"3 classes, 8 yes or no", questions(2, 2, 2, 2, 2, 2, 2, 2),
			mixture.New(yes(
				[]float64{.85, .8, .9, .75, .8, .85, .7, .8},
				[]float64{.2, .25, .15, .7, .8, .75, .25, .3},
				[]float64{.15, .2, .1, .15, .2, .1, .3, .7},
			), []float64{.45, .3, .25}),
			[]float64{0, 1, 3},
			1000,
		},
		{
			"2 classes, 6 questions of 3 answers", questions(3, 3, 3, 3, 3, 3),
			mixture.New(mat.NewDense(18, 2, []float64{
				.6, .15, .25, .3, .15, .55,
				.55, .2, .3, .2, .15, .6,
				.65, .2, .2, .25, .15, .55,
				.5, .15, .35, .25, .15, .6,
				.6, .25, .2, .2, .2, .55,
				.55, .2, .25, .2, .2, .6,
			}), []float64{.6, .4}),
			[]float64{0, 2},
			1500,
		},
	}
}

// Result is how often intervals held the truth.
type Result struct {
	Law       string
	Draws     int
	EntropyR2 float64 // mean
	Shares    []float64
	Answers   []float64 // of every parameter that is free: one answer of each question is left out
	Distal    []float64
	Naive     []float64
}

// Mean returns the mean of a list, Least the least of it.
func Mean(list []float64) float64 {
	sum := 0.0
	for _, v := range list {
		sum += v / float64(len(list))
	}
	return sum
}

// Least returns the smallest of a list.
func Least(list []float64) float64 {
	least := math.Inf(1)
	for _, v := range list {
		least = min(least, v)
	}
	return least
}

// Measure draws sets from a law and counts.
func Measure(ctx context.Context, law Law, draws, resamples int, seed uint64) (*Result, error) {
	k := law.Params.K()
	out := &Result{
		Law: law.Name, Draws: draws, Shares: make([]float64, k), Answers: make([]float64, k*(law.Params.Dim()-len(law.Blocks))),
		Distal: make([]float64, k), Naive: make([]float64, k),
	}
	var mu sync.Mutex
	err := par.Do(ctx, 0, draws, func(i int) error {
		one, err := law.once(ctx, resamples, stream.New(seed, fmt.Sprintf("coverage %s %d", law.Name, i)))
		if err != nil {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		out.EntropyR2 += one.EntropyR2 / float64(draws)
		for _, x := range []struct{ to, from []float64 }{{out.Shares, one.Shares}, {out.Answers, one.Answers}, {out.Distal, one.Distal}, {out.Naive, one.Naive}} {
			for a, v := range x.from {
				x.to[a] += v / float64(draws)
			}
		}
		return nil
	})
	return out, err
}

// once draws one set and says which intervals hold the truth: 1 or 0.
func (l Law) once(ctx context.Context, resamples int, r *rand.Rand) (*Result, error) {
	rows, y := l.draw(r)
	f, err := categorical.New(categorical.Options{Blocks: l.Blocks})
	if err != nil {
		return nil, err
	}
	run := pass.NewLocal(rows, 1)
	t, err := lca.Gather(ctx, run, f.Questions(rows.Dim), rows.N())
	if err != nil {
		return nil, err
	}
	// The truth is among the starts, and so are others: a fit that ends elsewhere
	// counts as it is.
	found, err := t.Search(ctx, l.Params.K(), lca.Options{Seed: r.Uint64(), Workers: 1, Starts: 8, Given: []lca.Model{t.Model(l.Params)}})
	if err != nil {
		return nil, err
	}
	p := l.matched(t.Params(found.Model, mixture.Params{}))
	e, err := inference.Parameters(ctx, f, p, run, 1)
	if err != nil {
		return nil, err
	}
	fit, err := inference.Classified(ctx, f, p, run)
	if err != nil {
		return nil, err
	}
	of := make([]int32, rows.N())
	if err := t.Rows(pass.Block{Rows: rows}, of); err != nil {
		return nil, err
	}
	d, err := inference.ThreeStep(ctx, t, t.Model(p), of, y, inference.DistalOptions{Draws: resamples, Seed: r.Uint64(), Workers: 1})
	if err != nil {
		return nil, err
	}
	out := &Result{EntropyR2: fit.EntropyR2}
	held := func(low, high, truth float64) float64 {
		if low <= truth && truth <= high {
			return 1
		}
		return 0
	}
	const quantile = 1.959964
	for c, w := range l.Params.Weights {
		out.Shares = append(out.Shares, held(e.Shares[c].Low, e.Shares[c].High, w))
		out.Distal = append(out.Distal, held(d.Low[c], d.High[c], l.Outcome[c]))
		out.Naive = append(out.Naive, held(d.Modal[c]-quantile*d.Naive[c], d.Modal[c]+quantile*d.Naive[c], l.Outcome[c]))
		for _, b := range l.Blocks {
			for h := b[0] + 1; h < b[1]; h++ {
				out.Answers = append(out.Answers, held(e.Answers[c][h].Low, e.Answers[c][h].High, l.Params.Centers.At(h, c)))
			}
		}
	}
	return out, nil
}

// draw returns records and their outcomes.
func (l Law) draw(r *rand.Rand) (sparse.Rows, []float64) {
	rows := sparse.Rows{Dim: l.Params.Dim(), Ptr: []int{0}}
	pick := func(n int, p func(int) float64) int {
		u := r.Float64()
		for i := range n - 1 {
			if u -= p(i); u < 0 {
				return i
			}
		}
		return n - 1
	}
	var y []float64
	for range l.Records {
		c := pick(l.Params.K(), func(i int) float64 { return l.Params.Weights[i] })
		for _, b := range l.Blocks {
			a := pick(b[1]-b[0], func(i int) float64 { return l.Params.Centers.At(b[0]+i, c) })
			rows.Index = append(rows.Index, uint32(b[0]+a))
		}
		rows.Ptr = append(rows.Ptr, len(rows.Index))
		y = append(y, l.Outcome[c]+r.NormFloat64())
	}
	return rows, y
}

// matched puts the classes in the order of the law's.
func (l Law) matched(p mixture.Params) mixture.Params {
	k := p.K()
	var order []int
	for c := range k {
		best, least := 0, math.Inf(1)
		for o := range k {
			d := 0.0
			for h := range p.Dim() {
				x := p.Centers.At(h, o) - l.Params.Centers.At(h, c)
				d += x * x
			}
			if d < least {
				best, least = o, d
			}
		}
		order = append(order, best)
	}
	return p.Reorder(order)
}

// Run prints the table.
func Run(ctx context.Context, w io.Writer, full bool) error {
	draws := 500
	if full {
		draws = 2000
	}
	lab.Heading(w, "What a 95 %% interval holds: %d sets drawn from known classes, maximum likelihood", draws)
	t := lab.NewTable("law", "n", "entropy R²", "shares", "probabilities, mean", "least", "outcome by three steps", "outcome, counted, least")
	for _, law := range Laws() {
		r, err := Measure(ctx, law, draws, 100, 1)
		if err != nil {
			return err
		}
		percent := func(v float64) string { return fmt.Sprintf("%.1f %%", 100*v) }
		t.Add(law.Name, law.Records, r.EntropyR2, percent(Mean(r.Shares)), percent(Mean(r.Answers)), percent(Least(r.Answers)), percent(Mean(r.Distal)), percent(Least(r.Naive)))
	}
	t.Write(w)
	return nil
}
