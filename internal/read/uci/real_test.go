package uci

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/record"
)

// dataDir finds the real data sets: $MOIETY_DATA, or shared/data beside the
// repository.
func dataDir(t *testing.T) string {
	t.Helper()
	if dir := os.Getenv("MOIETY_DATA"); dir != "" {
		return dir
	}
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
	}
	return filepath.Join(dir, "..", "shared", "data")
}

// TestRealData checks the published figures of four corpora.
func TestRealData(t *testing.T) {
	for _, c := range []struct {
		name                     string
		docs, words, nnz, tokens int
	}{
		{"kos", 3430, 6906, 353160, 467714},
		{"nips", 1740, 13649, 933295, 2301375},
		{"ap", 2246, 10473, 302031, 435838},
		{"poliblog5k", 5000, 2632, 671675, 1005745},
	} {
		t.Run(c.name, func(t *testing.T) {
			in, err := source.File(filepath.Join(dataDir(t), c.name, "docword."+c.name+".txt.gz"))
			if err != nil {
				t.Skipf("data set %s is not here", c.name)
			}
			p := &record.Problems{Strict: true}
			src, err := New([]source.Input{in}, Options{}, p)
			if err != nil {
				t.Fatal(err)
			}
			docs, nnz, tokens := 0, 0, 0.0
			err = src.Read(context.Background(), func(b *record.Batch) error {
				docs += b.N()
				nnz += len(b.Feature)
				for e := range b.Feature {
					tokens += b.At(e)
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			words := src.Schema().Dict.Len()
			if docs != c.docs || words != c.words || nnz != c.nnz || int(tokens) != c.tokens {
				t.Errorf("%d documents, %d words, %d entries, %g tokens; want %+v", docs, words, nnz, tokens, c)
			}
			if len(p.Repairs) > 0 || len(p.Notes) > 0 {
				t.Logf("repairs %v, notes %q", p.Repairs, p.Notes)
			}
		})
	}
}
