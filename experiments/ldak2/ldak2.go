// Package ldak2 is [S] Fig. 4: LDA with two topics and α0 = 2 on the Divina
// Commedia, 3000 words: how much of each canto is of the topic of heaven.
//
// Claim of the paper: the first topic rules in hell, the second in heaven,
// purgatory is mixed, and the share of the second rises through purgatory.
//
// Command: go run -C experiments . lda-k2 (needs the data set divina-commedia)
//
// Ours: docs/results.md, row "lda-k2".
package ldak2

import (
	"context"
	"fmt"
	"io"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/experiments/divina"
	"github.com/moiety-go/moiety/experiments/lab"
	"github.com/moiety-go/moiety/show"
)

// Run prints the table.
func Run(ctx context.Context, w io.Writer, full bool) error {
	data, cantica, err := divina.Read(ctx, dataset.Amount{Count: 3000})
	if err != nil {
		return lab.Skipped(w, err)
	}
	sweeps := 500
	if full {
		sweeps = 2000
	}
	lab.Heading(w, "LDA, two topics, d=%d ([S] Fig. 4): share of the topic of heaven", data.Rows.Dim)
	chart := show.LineChart{Title: "The topic of heaven along the Divina Commedia", XLabel: "canto: inferno 1–34, purgatorio 35–67, paradiso 68–100", YLabel: "share", Zero: true}
	t := lab.NewTable("method", "inferno", "purgatorio, first third", "second third", "last third", "paradiso", "correlation with the canto", "inside purgatorio")
	for _, f := range lab.TopicFits(2, sweeps)[2:] {
		got, err := f.Learn(ctx, data.Fit(), 2)
		if err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
		heaven := share(got.Mixture, cantica)
		place := make([]float64, len(heaven))
		for i := range place {
			place[i] = float64(i + 1)
		}
		chart.Series = append(chart.Series, show.Series{Name: f.Name, X: place, Y: heaven})
		const hell, mountain = 34, 67 // first cantos of purgatorio and of paradiso
		third := (mountain - hell) / 3
		mean := func(from, to int) string { return fmt.Sprintf("%.2f", stat.Mean(heaven[from:to], nil)) }
		t.Add(f.Name, mean(0, hell), mean(hell, hell+third), mean(hell+third, hell+2*third), mean(hell+2*third, mountain), mean(mountain, len(heaven)),
			stat.Correlation(place, heaven, nil), stat.Correlation(place[hell:mountain], heaven[hell:mountain], nil))
	}
	t.Write(w)
	return lab.Draw(ctx, "lda-k2", chart.Scene())
}

// share returns, canto by canto, the share of the topic that is larger in
// paradiso than in inferno.
func share(mixture *mat.Dense, cantica []int) []float64 {
	heaven, hell := 0.0, 0.0
	n, _ := mixture.Dims()
	out := make([]float64, n)
	for i := range n {
		out[i] = mixture.At(i, 0)
		switch cantica[i] {
		case 0:
			hell += out[i]
		case 2:
			heaven += out[i]
		}
	}
	if heaven < hell {
		for i := range out {
			out[i] = 1 - out[i]
		}
	}
	return out
}
