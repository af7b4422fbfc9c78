package lab

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/experiments/reference"
	"github.com/moiety-go/moiety/internal/assign"
	"github.com/moiety-go/moiety/internal/evaluate"
	"github.com/moiety-go/moiety/internal/explain"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/show"
	"github.com/moiety-go/moiety/sparse"
)

// Lambda is the weight of relevance in the papers ([T] eq. 3.8).
const Lambda = 0.7

// Relevant returns the n most relevant features of every column of topics
// (d×k): λ·log P(w|µ) + (1−λ)·log P(w|µ)/P(w), with P(w) from the rows.
func Relevant(topics mat.Matrix, rows sparse.Rows, names []string, n int) [][]string {
	d, k := topics.Dims()
	overall, all := make([]float64, d), 0.0
	for i := range rows.N() {
		index, value := rows.Row(i)
		for e, h := range index {
			v := 1.0
			if value != nil {
				v = float64(value[e])
			}
			overall[h] += v
			all += v
		}
	}
	out := make([][]string, k)
	for j := range k {
		score, sum := make([]float64, d), 0.0
		for h := range d {
			sum += topics.At(h, j)
		}
		for h := range d {
			p := topics.At(h, j) / sum
			score[h] = math.Inf(-1)
			if p > 0 && overall[h] > 0 {
				score[h] = explain.Relevance(Lambda, p, overall[h]/all)
			}
		}
		order := make([]int, d)
		for h := range order {
			order[h] = h
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(score[b], score[a]) })
		for _, h := range order[:min(n, d)] {
			out[j] = append(out[j], names[h])
		}
	}
	return out
}

// UMass is the mean coherence of the topics over their 20 most frequent words
// ([T] Section 3.4.2): sums over the pairs of words, not their means.
func UMass(ctx context.Context, run pass.Runner, topics mat.Matrix) (float64, error) {
	c, err := evaluate.TopicCoherence(ctx, run, evaluate.TopWords(topics, evaluate.TopicWords), 0)
	for j := range c {
		c[j].UMass *= float64(c[j].Words * (c[j].Words - 1) / 2)
	}
	return evaluate.MeanCoherence(c).UMass, err
}

// NPMI is the mean coherence over the ten most frequent words.
func NPMI(ctx context.Context, run pass.Runner, topics mat.Matrix) (float64, error) {
	c, err := evaluate.TopicCoherence(ctx, run, evaluate.TopWords(topics, 10), 0)
	return evaluate.MeanCoherence(c).NPMI, err
}

// TopicFit is a way to learn topics.
type TopicFit struct {
	Name  string
	Learn func(ctx context.Context, data fit.Training, k int) (*Topics, error)
}

// Topics is what it gives.
type Topics struct {
	Words   *mat.Dense // d×k
	Mixture *mat.Dense // n×k: how much each document belongs to each topic
	Labels  []int
}

// TopicFits lists the methods of the papers, our defaults, and Gibbs sampling
// with the given number of sweeps. Single-topic and LDA by SVTD use the
// weights of [T] Thm 3.2.1 and α0 as the paper sets it.
func TopicFits(alpha0 float64, sweeps int) []TopicFit {
	return []TopicFit{
		{"single topic, default", moments(model.Spec{Model: "single-topic"}, "", fit.EM)},
		{"single topic, SVTD", moments(model.Spec{Model: "single-topic", Weights: "length"}, "svtd", fit.None)},
		{"LDA, default", moments(model.Spec{Model: "lda"}, "", fit.EM)},
		{fmt.Sprintf("LDA, SVTD (α0=%g)", alpha0), moments(model.Spec{Model: "lda", Alpha0: alpha0, Weights: "length"}, "svtd", fit.None)},
		{fmt.Sprintf("LDA, Gibbs, %d sweeps", sweeps), Gibbs(sweeps)},
	}
}

// moments learns topics by a fit of the product.
func moments(spec model.Spec, method, refine string) func(context.Context, fit.Training, int) (*Topics, error) {
	return func(ctx context.Context, data fit.Training, k int) (*Topics, error) {
		o, err := Flat(ctx, data, spec, k, method, refine)
		if err != nil {
			return nil, err
		}
		t := &Topics{Words: o.Model.Params.Centers, Labels: Ints(o.Group)}
		t.Mixture, err = Mixtures(ctx, o, data)
		return t, err
	}
}

// Mixtures returns the posterior of every record (n×k): for LDA its topic
// mixture.
func Mixtures(ctx context.Context, o *fit.Outcome, data fit.Training) (*mat.Dense, error) {
	f, err := o.Model.Family()
	if err != nil {
		return nil, err
	}
	k := o.Model.Params.K()
	out := mat.NewDense(data.Run.Can().OwnRows, k, nil)
	err = assign.Each(ctx, f, o.Model.Params, data.Run, func(first int, posterior []float64) error {
		copy(out.RawMatrix().Data[first*k:], posterior)
		return nil
	})
	return out, err
}

// Gibbs learns LDA by collapsed Gibbs sampling, the papers' rival.
func Gibbs(sweeps int) func(context.Context, fit.Training, int) (*Topics, error) {
	return func(ctx context.Context, data fit.Training, k int) (*Topics, error) {
		g, err := reference.GibbsLDA(ctx, *data.Run.Can().Rows, k, reference.GibbsOptions{Seed: 1, Sweeps: sweeps})
		if err != nil {
			return nil, err
		}
		return &Topics{Words: g.Topics, Mixture: g.Theta, Labels: g.Labels}, nil
	}
}

// CoherenceTable prints mean coherence, diversity and CPU seconds over the number of
// topics for all methods ([T] Fig. 3.2, 3.4), and draws them as name.
func CoherenceTable(ctx context.Context, w io.Writer, name string, data fit.Training, ks []int, fits []TopicFit) error {
	head := []string{"method"}
	for _, k := range ks {
		head = append(head, fmt.Sprintf("k=%d", k))
	}
	coherence, diversity, cost := NewTable(head...), NewTable(head...), NewTable(head...)
	lines, clocks := make([]show.Series, len(fits)), make([]show.Series, len(fits))
	for i, f := range fits {
		lines[i].Name, clocks[i].Name = f.Name, f.Name
		row, differ, took := []any{f.Name}, []any{f.Name}, []any{f.Name}
		for _, k := range ks {
			var topics *Topics
			seconds, err := Timed(func() (err error) { topics, err = f.Learn(ctx, data, k); return err })
			if errors.Is(err, fit.ErrTooLittle) {
				row, differ, took = append(row, "too many"), append(differ, "–"), append(took, Seconds(seconds))
				continue
			}
			if err != nil {
				return fmt.Errorf("%s, k=%d: %w", f.Name, k, err)
			}
			u, err := UMass(ctx, data.Run, topics.Words)
			if err != nil {
				return err
			}
			row, took = append(row, fmt.Sprintf("%.1f", u)), append(took, Seconds(seconds))
			lines[i].X, lines[i].Y = append(lines[i].X, float64(k)), append(lines[i].Y, u)
			clocks[i].X, clocks[i].Y = append(clocks[i].X, float64(k)), append(clocks[i].Y, seconds)
			differ = append(differ, fmt.Sprintf("%.2f", evaluate.Diversity(evaluate.TopWords(topics.Words, evaluate.TopicWords))))
		}
		coherence.Add(row...)
		diversity.Add(differ...)
		cost.Add(took...)
	}
	coherence.Write(w)
	fmt.Fprintf(w, "Diversity of the same topics, the share of different words among their 20 (coherence is easy where all topics hold the same words):\n\n")
	diversity.Write(w)
	fmt.Fprintf(w, "CPU seconds of the same fits:\n\n")
	cost.Write(w)
	err := Draw(ctx, name+"-coherence", show.LineChart{
		Title: "Coherence of topics over their number", XLabel: "topics", YLabel: "mean coherence (UMass, 20 words)", Series: lines,
	}.Scene())
	if err != nil {
		return err
	}
	return Draw(ctx, name+"-time", show.LineChart{
		Title: "CPU time over the number of topics", XLabel: "topics", YLabel: "seconds", LogY: true, Series: clocks,
	}.Scene())
}

// Joined writes words in one cell.
func Joined(words []string) string { return strings.Join(words, ", ") }
