// Package trial puts the program to the test on one draw of a law.
package trial

import (
	"context"
	"math"
	"os"
	"slices"

	"github.com/moiety-go/moiety/bank/draw"
	"github.com/moiety-go/moiety/bank/hands"
	"github.com/moiety-go/moiety/bank/law"
	"github.com/moiety-go/moiety/bank/program"
	"github.com/moiety-go/moiety/bank/result"
	"github.com/moiety-go/moiety/bank/score"
)

// Run draws records, has the program fit them, left alone and told the number of
// groups, and compares what it says with the truth. A program that fails is a result;
// an error is the judge's own.
func Run(ctx context.Context, p program.Program, l hands.Law, n int, seed uint64) (result.Draw, error) {
	folder, err := os.MkdirTemp("", "bank-")
	if err != nil {
		return result.Draw{}, err
	}
	defer os.RemoveAll(folder)
	data := draw.Records(l.Hand, l.Law, n, seed)
	file, err := draw.Write(folder, data)
	if err != nil {
		return result.Draw{}, err
	}
	d := result.Draw{
		Hand: l.Hand, Law: l.Name, Kind: l.Kind, Part: l.Part, N: n, Seed: seed,
		Records: data.Records(), Groups: max(1, score.Distinct(data.Group)),
	}
	d.Alone = compare(data, p.Fit(ctx, file, folder, 0))
	if d.Groups > 1 {
		told := compare(data, p.Fit(ctx, file, folder, d.Groups))
		d.Told = &told
	}
	return d, ctx.Err()
}

// compare compares an answer with the truth.
func compare(data law.Data, a program.Answer) result.Answer {
	r := result.Answer{
		Groups: a.Verdict.Groups, Low: a.Verdict.Low, High: a.Verdict.High,
		Sure: a.Verdict.Sure, Sureness: a.Verdict.Sureness, Segments: a.Verdict.Segments,
		CPU: rounded(a.CPU, 1e3), Exit: a.Exit, Error: a.Error, Verdict: a.Verdict.Whole,
	}
	if a.Failed() {
		return r
	}
	r.Shown = score.Distinct(a.Members)
	r.Visible = visible(data.Steps, a.Members)
	if data.Group != nil {
		ari := rounded(score.Rand(data.Group, a.Members), 1e4)
		r.ARI = &ari
	}
	return r
}

// visible says whether states are the very symbols that steps show, up to their names.
// Steps that show nothing do not count.
func visible(sequences [][]string, states []string) bool {
	var shown, placed []string
	for i, step := range slices.Concat(sequences...) {
		if step != "" {
			shown, placed = append(shown, step), append(placed, states[i])
		}
	}
	return len(shown) > 0 && score.Rand(shown, placed) == 1
}

// rounded rounds to one part of so many.
func rounded(x, parts float64) float64 { return math.Round(x*parts) / parts }
