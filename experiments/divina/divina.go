// Package divina is Dante's Divina Commedia: [T] Fig. 3.2, 3.3 and Table 3.1,
// [S] Table 1.
//
// Claims of the papers: topics learned by SVTD are faster and more coherent
// than those of Gibbs sampling, whose coherence falls strongly with the number
// of topics; with three topics each cantica has one of them; with two, hell and
// heaven are apart and purgatory lies between.
//
// Command: go run -C experiments . divina (needs the data set divina-commedia)
//
// Ours: docs/results.md, rows "divina".
package divina

import (
	"context"
	"fmt"
	"io"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/experiments/lab"
	"github.com/moiety-go/moiety/experiments/reference"
	"github.com/moiety-go/moiety/internal/agree"
	"github.com/moiety-go/moiety/internal/encode"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/read"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/show"
)

var cantiche = []string{"inferno", "purgatorio", "paradiso"}

// Read returns the cantos with the words that make up a share of all, or the
// most frequent ones, and the cantica of each.
func Read(ctx context.Context, words dataset.Amount) (*lab.Real, []int, error) {
	return ReadWith(ctx, encode.Settings{Encoding: dataset.Encoding{Vocab: words}})
}

// ReadWith is Read with any choice of words.
func ReadWith(ctx context.Context, s encode.Settings) (*lab.Real, []int, error) {
	data, err := lab.Open(ctx, [][]string{{"divina-commedia", "cantos"}}, read.Options{}, s)
	if err != nil {
		return nil, nil, err
	}
	cantica := make([]int, data.Len())
	for i := range cantica {
		for c, name := range cantiche {
			if strings.Contains(data.ID(i), name) {
				cantica[i] = c
			}
		}
	}
	return data, cantica, nil
}

// Run prints the tables.
func Run(ctx context.Context, w io.Writer, full bool) error {
	data, cantica, err := Read(ctx, dataset.Amount{Share: .7})
	if err != nil {
		return lab.Skipped(w, err)
	}
	ks, sweeps := []int{2, 3, 4, 8, 16}, 500
	if full {
		ks, sweeps = []int{2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 28, 32}, 2000
	}
	fits := lab.TopicFits(.2, sweeps)
	lab.Heading(w, "Divina Commedia, %d cantos, d=%d ([T] Fig. 3.2): mean coherence (UMass, 20 words)", data.Len(), data.Rows.Dim)
	if err := lab.CoherenceTable(ctx, w, "divina", data.Fit(), ks, fits); err != nil {
		return err
	}
	if err := three(ctx, w, data, cantica, fits); err != nil {
		return err
	}
	if err := otherWords(ctx, w, fits); err != nil {
		return err
	}
	return two(ctx, w)
}

// three is [T] Fig. 3.3 and Table 3.1: three topics and the three cantiche.
func three(ctx context.Context, w io.Writer, data *lab.Real, cantica []int, fits []lab.TopicFit) error {
	lab.Heading(w, "Three topics ([T] Fig. 3.3, Table 3.1): agreement with the cantiche, mean share of each topic")
	t := lab.NewTable("method", "ARI", "inferno", "purgatorio", "paradiso")
	words := lab.NewTable("method", "topic of", "five most relevant words (λ=0.7)")
	for i, f := range fits {
		got, err := f.Learn(ctx, data.Fit(), 3)
		if err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
		ari, err := agree.ARI(got.Labels, cantica)
		if err != nil {
			return err
		}
		shares := meanShares(got.Mixture, cantica)
		if err := drawn(ctx, f.Name, i, got.Mixture); err != nil {
			return err
		}
		t.Add(f.Name, ari, triple(shares.RawRowView(0)), triple(shares.RawRowView(1)), triple(shares.RawRowView(2)))
		relevant := lab.Relevant(got.Words, data.Rows, data.Vocab.Names, 5)
		for j, list := range relevant {
			best := 0
			for c := range cantiche {
				if shares.At(c, j) > shares.At(best, j) {
					best = c
				}
			}
			words.Add(f.Name, cantiche[best], lab.Joined(list))
		}
	}
	for _, paper := range [][2]string{
		{"purgatorio", "disse, saprai, morta, torre, maestro"},
		{"inferno", "vidi, serpente, greve, maestro, sovra"},
		{"paradiso", "luce, Cristo, creata, lume, vicine"},
	} {
		words.Add("[T] Table 3.1, single topic by SVTD", paper[0], paper[1])
	}
	pair, err := peers(ctx, data, cantica)
	if err != nil {
		return err
	}
	t.Add("tree of 3 leaves", pair[0], "–", "–", "–")
	t.Add("k-means on counts", pair[1], "–", "–", "–")
	t.Write(w)
	words.Write(w)
	return nil
}

// otherWords asks the same of other choices of words.
func otherWords(ctx context.Context, w io.Writer, fits []lab.TopicFit) error {
	lab.Heading(w, "Three groups from other words: ARI with the cantiche")
	choices := []struct {
		name string
		s    encode.Settings
	}{
		{"all words", encode.Settings{}},
		{"3+ letters, in 2 cantos or more, in at most half", encode.Settings{Encoding: dataset.Encoding{MinLength: 3, MinDF: dataset.Amount{Count: 2}, MaxDF: dataset.Amount{Share: .5}}}},
		{"the same, cut to stems", encode.Settings{Encoding: dataset.Encoding{MinLength: 3, Stem: true, MinDF: dataset.Amount{Count: 2}, MaxDF: dataset.Amount{Share: .5}}}},
	}
	t := lab.NewTable("words", "d", fits[0].Name, fits[1].Name, fits[2].Name, "tree of 3", "k-means on counts")
	for _, c := range choices {
		data, cantica, err := ReadWith(ctx, c.s)
		if err != nil {
			return err
		}
		row := []any{c.name, data.Rows.Dim}
		for _, f := range fits[:3] {
			got, err := f.Learn(ctx, data.Fit(), 3)
			if err != nil {
				return err
			}
			a, err := agree.ARI(got.Labels, cantica)
			if err != nil {
				return err
			}
			row = append(row, a)
		}
		pair, err := peers(ctx, data, cantica)
		if err != nil {
			return err
		}
		t.Add(append(row, pair[0], pair[1])...)
	}
	t.Write(w)
	return nil
}

// peers returns the agreement of the tree of three leaves and of k-means.
func peers(ctx context.Context, data *lab.Real, cantica []int) (out [2]float64, err error) {
	o, err := fit.Tree(ctx, data.Fit(), fit.Settings{Tree: fit.TreeShape{Leaves: 3}, Spec: model.Spec{Model: "single-topic"}, Workers: 1})
	if err != nil {
		return out, err
	}
	if out[0], err = lab.ARI(o.Group, cantica); err != nil {
		return out, err
	}
	k, err := reference.KMeans(ctx, data.Rows, 3, reference.Options{Seed: 1, Workers: 1})
	if err != nil {
		return out, err
	}
	out[1], err = agree.ARI(k.Labels, cantica)
	return out, err
}

// drawn is [T] Fig. 3.3: how much each canto belongs to each topic.
func drawn(ctx context.Context, name string, number int, mixture *mat.Dense) error {
	n, k := mixture.Dims()
	chart := show.LineChart{Title: "Topics along the Divina Commedia", Subtitle: name, XLabel: "canto: inferno 1–34, purgatorio 35–67, paradiso 68–100", YLabel: "share of the topic", Zero: true}
	for j := range k {
		s := show.Series{Name: fmt.Sprintf("topic %d", j+1)}
		for i := range n {
			s.X, s.Y = append(s.X, float64(i+1)), append(s.Y, mixture.At(i, j))
		}
		chart.Series = append(chart.Series, s)
	}
	return lab.Draw(ctx, fmt.Sprintf("divina-topics-%d", number+1), chart.Scene())
}

func triple(v []float64) string { return fmt.Sprintf("%.2f %.2f %.2f", v[0], v[1], v[2]) }

// meanShares returns, for each cantica, the mean mixture of its cantos.
func meanShares(mixture *mat.Dense, cantica []int) *mat.Dense {
	n, k := mixture.Dims()
	out, size := mat.NewDense(len(cantiche), k, nil), make([]float64, len(cantiche))
	for i := range n {
		size[cantica[i]]++
		for j := range k {
			out.Set(cantica[i], j, out.At(cantica[i], j)+mixture.At(i, j))
		}
	}
	out.Apply(func(c, _ int, v float64) float64 { return v / size[c] }, out)
	return out
}

// two is [S] Table 1: two topics over the 3000 most frequent words.
func two(ctx context.Context, w io.Writer) error {
	data, cantica, err := Read(ctx, dataset.Amount{Count: 3000})
	if err != nil {
		return err
	}
	lab.Heading(w, "Two topics, d=%d ([S] Table 1): cantos of each cantica in each group", data.Rows.Dim)
	t := lab.NewTable("method", "group", "inferno", "purgatorio", "paradiso", "ten most relevant words")
	for _, f := range lab.TopicFits(2, 500)[:2] {
		got, err := f.Learn(ctx, data.Fit(), 2)
		if err != nil {
			return err
		}
		relevant := lab.Relevant(got.Words, data.Rows, data.Vocab.Names, 10)
		for j := range 2 {
			var held [3]int
			for i, l := range got.Labels {
				if l == j {
					held[cantica[i]]++
				}
			}
			t.Add(f.Name, j+1, held[0], held[1], held[2], lab.Joined(relevant[j]))
		}
	}
	t.Add("[S] Table 1", 1, 32, 19, 0, "fosso, bolgia, scoglio, avante, coda, grido, rotta, ponte, stanchi, maestro")
	t.Add("[S] Table 1", 2, 2, 14, 33, "milizia, segue, intende, letizia, conosce, lumi, ama, Beatrice, piacer, cristo")
	t.Write(w)
	return nil
}
