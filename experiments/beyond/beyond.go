// Package beyond measures the models that the papers do not: genotypes
// (binomial), working lives (hidden Markov), votes and animals (latent classes),
// flowers, wines and oils (Gaussians), and topics of news and blogs, each on a
// public data set and beside a peer method.
//
// Command: go run -C experiments . beyond (needs the data sets hgdp, mvad,
// house-votes-84, classics, kos, ap, poliblog5k)
//
// Ours: docs/results.md, rows "beyond".
package beyond

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"strings"

	"github.com/moiety-go/moiety/experiments/lab"
	"github.com/moiety-go/moiety/experiments/reference"
	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/agree"
	"github.com/moiety-go/moiety/internal/encode"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/read"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/sparse"
)

// Run prints the tables.
func Run(ctx context.Context, w io.Writer, full bool) error {
	lab.Heading(w, "Known groups: ARI")
	t := lab.NewTable("data", "model", "groups", "flat default + EM", "tree", "EM, 10 random starts", "k-means, 10 starts", "PCA + k-means", "CPU flat / random starts")
	for _, c := range cases() {
		if err := lab.Skipped(w, c.row(ctx, t)); err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
	}
	t.Write(w)
	if err := lab.Skipped(w, workingLives(ctx, w, full)); err != nil {
		return err
	}
	return topics(ctx, w, full)
}

// known is a data set whose groups are known.
type known struct {
	name  string
	spec  model.Spec
	k     int
	files [][]string
	read  read.Options
	truth func(*lab.Real) ([]string, error)
}

func side(name string) func(*lab.Real) ([]string, error) {
	return func(r *lab.Real) ([]string, error) {
		c, ok := r.SideColumn(name)
		if !ok {
			return nil, fmt.Errorf("no column %s", name)
		}
		return c.Values, nil
	}
}

func cases() []known {
	classic := func(name string) [][]string { return [][]string{{"classics", name + ".csv"}} }
	votes := [][]string{{"house-votes-84", "house-votes-84.data"}}
	return []known{
		{"hgdp, 159 people × 5000 SNPs", model.Spec{Model: "binomial", Trials: 2}, 7, [][]string{{"hgdp", "genotypes.txt.gz"}}, read.Options{}, regions},
		{"house votes, 435 × 16, missing as a third answer", model.Spec{Model: "categorical"}, 2, votes, read.Options{Reading: record.Reading{Format: "categorical", Label: []string{"column1"}}}, side("column1")},
		{"zoo, 101 × 16", model.Spec{Model: "mixed"}, 7, classic("zoo"), read.Options{}, side("type")},
		{"iris, 150 × 4", model.Spec{Model: "gaussian"}, 3, classic("iris"), read.Options{}, side("Species")},
		{"wine, 178 × 27", model.Spec{Model: "gaussian"}, 3, classic("wine27"), read.Options{Reading: record.Reading{Label: []string{"Type"}}}, side("Type")},
		{"olive oils, 572 × 8, regions", model.Spec{Model: "gaussian"}, 3, classic("olive"), read.Options{Reading: record.Reading{Label: []string{"Region", "Area"}}}, side("Region")},
		{"olive oils, areas", model.Spec{Model: "gaussian"}, 9, classic("olive"), read.Options{Reading: record.Reading{Label: []string{"Region", "Area"}}}, side("Area")},
	}
}

// regions reads the region of every person of hgdp.
func regions(*lab.Real) ([]string, error) {
	path, err := lab.Path("hgdp", "labels.txt")
	if err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out []string
	for s := bufio.NewScanner(f); s.Scan(); {
		if line := strings.TrimSpace(s.Text()); line != "" {
			out = append(out, line)
		}
	}
	return out, nil
}

// row measures all methods on one data set.
func (c known) row(ctx context.Context, t *lab.Table) error {
	data, err := lab.Open(ctx, c.files, c.read, encode.Settings{})
	if err != nil {
		return err
	}
	named, err := c.truth(data)
	if err != nil {
		return err
	}
	truth, _ := lab.Numbers(named)
	d := data.Fit()
	var flat *fit.Outcome
	seconds, err := lab.Timed(func() (err error) { flat, err = lab.Flat(ctx, d, c.spec, c.k, "", fit.EM); return err })
	tooMany := errors.Is(err, fit.ErrTooLittle) // more groups than features
	if err != nil && !tooMany {
		return err
	}
	cells := []any{c.name, c.spec.Model, c.k}
	add := func(labels []int, err error) error {
		if err != nil {
			return err
		}
		a, err := agree.ARI(labels, truth)
		cells = append(cells, fmt.Sprintf("%.3f", a))
		return err
	}
	if tooMany {
		cells = append(cells, "too many")
	} else if err := add(lab.Ints(flat.Group), nil); err != nil {
		return err
	}
	grown, err := fit.Tree(ctx, d, fit.Settings{Tree: fit.TreeShape{Leaves: c.k}, Spec: c.spec, Workers: 1})
	if err != nil {
		return err
	}
	if err := add(lab.Ints(grown.Group), nil); err != nil {
		return err
	}
	slow, err := c.peers(ctx, data, grown.Model, add)
	if err != nil {
		return err
	}
	t.Add(append(cells, lab.Seconds(seconds)+" / "+lab.Seconds(slow))...)
	return nil
}

// peers adds EM from random starts, k-means and PCA + k-means, the last two on
// standardised columns; missing answers lie at the mean.
func (c known) peers(ctx context.Context, data *lab.Real, found *model.Model, add func([]int, error) error) (float64, error) {
	f, err := found.Family() // of the shape that was chosen for the groups
	if err != nil {
		return 0, err
	}
	o := reference.Options{Seed: 1, Workers: 1}
	em := reference.EMOptions{Options: o}
	if _, err := reference.RandomStart(ctx, f, data.Rows, c.k, stream.New(1, "experiments/start")); err != nil {
		em.Start = func(r *rand.Rand) (mixture.Params, error) { return nearest(ctx, f, data.Rows, found.Params, r) }
	}
	var random *reference.EMResult
	seconds, err := lab.Timed(func() (err error) {
		random, err = reference.RandomEM(ctx, f, data.Rows, c.k, em)
		return err
	})
	if err != nil {
		return 0, err
	}
	if err := add(random.Labels, nil); err != nil {
		return 0, err
	}
	rows := standardised(data.Rows)
	if data.Rows.Dim > 1000 { // genotypes: all in the same unit
		rows = data.Rows
	}
	k, err := reference.KMeans(ctx, rows, c.k, o)
	if err != nil {
		return 0, err
	}
	if err := add(k.Labels, nil); err != nil {
		return 0, err
	}
	p, err := reference.PCAKMeans(ctx, rows, c.k, min(c.k, rows.Dim), o)
	if err != nil {
		return 0, err
	}
	return seconds, add(p.Labels, nil)
}

// nearest is a random start for models whose answers add up to one: the groups
// of the records nearest to random records.
func nearest(ctx context.Context, f family.Family, rows sparse.Rows, shape mixture.Params, r *rand.Rand) (mixture.Params, error) {
	grouped, ok := f.(family.Grouped)
	if !ok {
		return mixture.Params{}, fmt.Errorf("no random start for %s", f.Info().Name)
	}
	labels, k := make([]int32, rows.N()), shape.K()
	seeds := r.Perm(rows.N())[:k]
	for i := range labels {
		least := math.Inf(1)
		for j, s := range seeds {
			sum := 0.0
			for h := range rows.Dim {
				if d := rows.At(i, h) - rows.At(s, h); !math.IsNaN(d) {
					sum += d * d
				}
			}
			if sum < least {
				least, labels[i] = sum, int32(j)
			}
		}
	}
	step, err := grouped.HardStep(shape, labels)
	if err != nil {
		return mixture.Params{}, err
	}
	stats, err := pass.RunOne(ctx, pass.NewLocal(rows, 1), step)
	if err != nil {
		return mixture.Params{}, err
	}
	p, _, err := f.MStep(stats, shape, 1)
	return p, err
}

// standardised returns dense rows of mean 0 and variance 1, missing values 0.
func standardised(rows sparse.Rows) sparse.Rows {
	n, d := rows.N(), rows.Dim
	out := sparse.Rows{Dim: d, Dense: make([]float64, n*d)}
	for h := range d {
		sum, square, seen := 0.0, 0.0, 0.0
		for i := range n {
			if v := rows.At(i, h); !math.IsNaN(v) {
				sum, square, seen = sum+v, square+v*v, seen+1
			}
		}
		mean := sum / math.Max(seen, 1)
		sd := math.Sqrt(math.Max(square/math.Max(seen, 1)-mean*mean, 0))
		for i := range n {
			if v := rows.At(i, h); !math.IsNaN(v) && sd > 0 {
				out.Dense[i*d+h] = (v - mean) / sd
			}
		}
	}
	return out
}
