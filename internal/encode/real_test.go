package encode

import (
	"compress/gzip"
	"encoding/csv"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/record"
)

// The rule of the papers: the most frequent words that make up 70 % of the
// tokens, after stop words.
func TestSeventyPercent(t *testing.T) {
	for _, c := range []struct {
		folder, language string
		texts, lo, hi    int
	}{
		{"divina-commedia/cantos", "italian", 100, 1950, 2200}, // [T]: 1820, with the elision ch' as a word
		{"sotu/texts", "english", 65, 1000, 1250},              // [T]: 1184
	} {
		list := folder(t, data(t, c.folder))
		r := encode(t, texts(16, list...), Settings{Encoding: dataset.Encoding{Vocab: dataset.Amount{Share: 0.7}}})
		if d := r.Vocab().Len(); d < c.lo || d > c.hi || r.Len() != c.texts {
			t.Errorf("%s: %d words of %d texts, want %d to %d of %d", c.folder, d, r.Len(), c.lo, c.hi, c.texts)
		}
		if r.Summary.Plan.Language != c.language || r.Summary.Plan.Stopwords != c.language {
			t.Errorf("%s: language %q", c.folder, r.Summary.Plan.Language)
		}
		t.Logf("%s: %d words; %d tokens, %d stop words; top %v", c.folder, r.Vocab().Len(), r.Summary.Tokens, r.Summary.Stopped, r.Summary.Top[:8])
	}
}

// claims reads the diagnosis columns of the synthetic Medicare inpatient claims.
func claims(t *testing.T) []string {
	files, err := filepath.Glob(filepath.Join(data(t, "desynpuf"), "*Inpatient*.csv.gz"))
	if err != nil || len(files) == 0 {
		t.Skip("missing data: desynpuf inpatient claims")
	}
	var lines []string
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		z, err := gzip.NewReader(f)
		if err != nil {
			t.Fatal(err)
		}
		all, err := csv.NewReader(z).ReadAll()
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range all[1:] {
			var codes []string
			for i, column := range all[0] {
				if strings.HasPrefix(column, "ICD9_DGNS_CD_") && row[i] != "" {
					codes = append(codes, row[i])
				}
			}
			lines = append(lines, strings.Join(codes, " "))
		}
	}
	return lines
}

// The numbers are those measured when the data were stored (SOURCE.txt).
func TestMedicareClaims(t *testing.T) {
	lines := claims(t)
	for _, c := range []struct {
		name      string
		s         Settings
		n, d, nnz int
	}{
		{"full", Settings{Encoding: dataset.Encoding{Rollup: "full"}}, 34408, 4626, 277022},
		{"three", Settings{}, 34408, 897, 266476},
		{"papers", Settings{Encoding: dataset.Encoding{Vocab: dataset.Amount{Share: 0.9}, MinCodes: 3}}, 33325, 172, 238414},
		{"heart failure", Settings{Encoding: dataset.Encoding{Where: "has code 428"}}, 7684, 0, 0},
	} {
		if testing.Short() && c.name != "papers" {
			continue
		}
		r := encode(t, lists("wide", record.Presence, lines...), c.s)
		n, nnz := 0, 0
		for i := range r.Len() {
			if r.Short == nil || !r.Short[i] {
				n++
				nnz += held(r).Rows.Ptr[i+1] - held(r).Rows.Ptr[i]
			}
		}
		if n != c.n || c.d > 0 && (r.Vocab().Len() != c.d || nnz != c.nnz) {
			t.Errorf("%s: n=%d d=%d nnz=%d, want %d %d %d", c.name, n, r.Vocab().Len(), nnz, c.n, c.d, c.nnz)
		}
		if r.Summary.Plan.System != "icd9" || !held(r).Rows.IsBinary() {
			t.Errorf("%s: system %s", c.name, r.Summary.Plan.System)
		}
	}
}
