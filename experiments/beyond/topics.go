package beyond

import (
	"compress/gzip"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"os"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/experiments/lab"
	"github.com/moiety-go/moiety/internal/encode"
	"github.com/moiety-go/moiety/internal/evaluate"
	"github.com/moiety-go/moiety/internal/read"
	"github.com/moiety-go/moiety/pass"
)

// topics compares LDA by moments with Gibbs sampling on three corpora:
// coherence, diversity, words of unseen documents, and on the political blogs
// the side foretold from the mixture of topics.
func topics(ctx context.Context, w io.Writer, full bool) error {
	k, sweeps := 10, 100
	if full {
		k, sweeps = 20, 1000
	}
	lab.Heading(w, "Topics of news and blogs, k=%d: LDA by moments beside Gibbs sampling", k)
	t := lab.NewTable("corpus", "method", "NPMI, 10 words", "diversity", "perplexity of unseen words", "side foretold: accuracy (knowing nothing)", "CPU")
	for _, name := range []string{"kos", "ap", "poliblog5k"} {
		if err := lab.Skipped(w, corpus(ctx, t, name, k, sweeps)); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	t.Write(w)
	return nil
}

// oneIn says how many documents there are for each that only the test sees.
const oneIn = 5

func corpus(ctx context.Context, t *lab.Table, name string, k, sweeps int) error {
	data, err := lab.Open(ctx, [][]string{{name, "docword." + name + ".txt.gz"}}, read.Options{}, encode.Settings{Encoding: dataset.Encoding{Vocab: dataset.Amount{Count: 3000}}})
	if err != nil {
		return err
	}
	var seen, unseen []int
	for i := range data.Len() {
		if i%oneIn == 0 {
			unseen = append(unseen, i)
		} else {
			seen = append(seen, i)
		}
	}
	test := pass.NewLocal(data.Rows.Pick(unseen), 1)
	conservative, err := ratings(name, data.Len())
	if err != nil {
		return err
	}
	fits := lab.TopicFits(.2, sweeps)
	for _, f := range fits[2:] {
		var got *lab.Topics
		seconds, err := lab.Timed(func() (err error) { got, err = f.Learn(ctx, data.Part(seen), k); return err })
		if err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
		npmi, err := lab.NPMI(ctx, data.Runner(1), got.Words)
		if err != nil {
			return err
		}
		p, err := evaluate.Completion(ctx, test, got.Words, evaluate.CompletionOptions{})
		if err != nil {
			return err
		}
		shown := "–"
		if conservative != nil {
			if shown, err = foretold(ctx, got.Mixture, conservative, seen); err != nil {
				return err
			}
		}
		t.Add(name, f.Name, npmi, fmt.Sprintf("%.2f", evaluate.Diversity(evaluate.TopWords(got.Words, 10))), fmt.Sprintf("%.0f", p.Perplexity), shown, lab.Seconds(seconds))
	}
	return nil
}

// foretold predicts the side of a blog from the topics of its entries.
func foretold(ctx context.Context, mixture *mat.Dense, conservative []bool, seen []int) (string, error) {
	outcome := make([]bool, len(seen))
	for i, r := range seen {
		outcome[i] = conservative[r]
	}
	_, k := mixture.Dims()
	// The shares add up to one: the last says nothing more.
	p, err := evaluate.Predict(ctx, mat.DenseCopyOf(mixture.Slice(0, len(seen), 0, k-1)), outcome, evaluate.PredictOptions{})
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%.3f (%.3f)", p.Accuracy, p.Baseline), nil
}

// ratings returns which entries are of conservative blogs, or nil where the
// corpus has no ratings.
func ratings(name string, n int) ([]bool, error) {
	path, err := lab.Path(name, "meta.csv.gz")
	if err != nil {
		return nil, nil // not every corpus has ratings
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
	lines, err := csv.NewReader(z).ReadAll()
	if err != nil {
		return nil, err
	}
	if len(lines) != n+1 {
		return nil, fmt.Errorf("%d ratings for %d documents", len(lines)-1, n)
	}
	out := make([]bool, n)
	for i, line := range lines[1:] {
		out[i] = line[1] == "Conservative"
	}
	return out, nil
}
