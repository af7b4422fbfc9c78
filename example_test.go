package moiety_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"github.com/moiety-go/moiety"
	"github.com/moiety-go/moiety/internal/agree"
	"github.com/moiety-go/moiety/internal/synth"
	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/show"
	"github.com/moiety-go/moiety/vocab"
)

// Rows with names: patients of three profiles are drawn, fitted, and the groups
// that were found are compared with the truth.
func Example() {
	ctx := context.Background()
	set := synth.ExponentialBernoulli(1, 5000, 60, 3, synth.UniformWeights)
	found, err := moiety.Fit(ctx, moiety.Rows(vocab.Numbered(60).Names, set.Rows), moiety.Options{Groups: 3})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer found.Close()
	places, err := found.Assigned(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	ari, err := agree.ARI(places.Group, set.Labels)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("model:", found.Model().Spec.Model)
	fmt.Printf("shares of the groups: %.2f\n", found.Model().Params.Weights)
	fmt.Printf("agreement with the truth: %.2f\n", ari)
	// Output:
	// model: bernoulli
	// shares of the groups: [0.43 0.39 0.18]
	// agreement with the truth: 0.98
}

// A table whose cells are as in a CSV file; kinds of columns are found.
func ExampleFit_table() {
	columns := []string{"smokes", "drinks", "runs", "sleeps well", "eats fruit"}
	r := rand.New(rand.NewPCG(1, 1))
	var cells [][]string
	for i := range 400 { // two ways of life, that one answer in ten does not follow
		row := []string{"yes", "yes", "no", "no", "no"}
		for j := range row {
			if (row[j] == "yes") != (i%2 == 0) != (r.IntN(10) == 0) {
				row[j] = "no"
			} else {
				row[j] = "yes"
			}
		}
		cells = append(cells, row)
	}
	ctx := context.Background()
	found, err := moiety.Fit(ctx, moiety.Table(columns, cells), moiety.Options{Groups: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer found.Close()
	groups, err := found.Groups(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, g := range groups {
		n, _ := g.N.Value()
		fmt.Printf("group %s: %d records\n", g.ID, n)
	}
	placed, err := found.Assign(ctx, moiety.Table(columns, [][]string{{"yes", "", "no", "no", ""}}))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("a smoker who does not run: group %d, probability %.2f\n", placed.Group[0]+1, placed.Probability[0])
	// Output:
	// group 1: 200 records
	// group 2: 200 records
	// a smoker who does not run: group 2, probability 1.00
}

// Texts are scored in another process by what Save wrote.
func ExampleResult_Save() {
	var texts []string
	for i := range 40 {
		texts = append(texts, []string{
			"the court heard the judge and the jury", "rain and wind with snow over the hills",
			"a judge told the court of the trial", "the storm brought rain, snow and cold wind",
		}[i%4])
	}
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	ctx := context.Background()
	found, err := moiety.Fit(ctx, moiety.Texts(texts), moiety.Options{Groups: 2, Model: "single-topic"})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer found.Close()
	if err := found.Save(filepath.Join(dir, "topics")); err != nil {
		fmt.Println(err)
		return
	}
	opened, err := moiety.Open(filepath.Join(dir, "topics")) // in another process
	if err != nil {
		fmt.Println(err)
		return
	}
	defer opened.Close()
	placed, err := opened.Assign(ctx, moiety.Texts([]string{"the jury and the judge", "snow and wind"}))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("together:", placed.Group[0] == placed.Group[1])
	fmt.Printf("sure: %.2f %.2f\n", placed.Probability[0], placed.Probability[1])
	// Output:
	// together: false
	// sure: 1.00 1.00
}

// Package show writes the report as text, pictures or tables.
func ExampleResult_Report() {
	set := synth.ExponentialBernoulli(2, 2000, 20, 2, synth.UniformWeights)
	ctx := context.Background()
	found, err := moiety.Fit(ctx, moiety.Rows(vocab.Numbered(20).Names, set.Rows), moiety.Options{Groups: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer found.Close()
	rep, err := found.Report(ctx, report.Settings{Unit: report.Unit{Many: "patients", One: "patient"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	var text strings.Builder
	if err := show.Tree(&text, rep, show.Options{}); err != nil {
		fmt.Println(err)
		return
	}
	first, _, _ := strings.Cut(text.String(), "\n")
	fmt.Println(first)
	// Output:
	// 2,000 patients form 2 groups.
}
