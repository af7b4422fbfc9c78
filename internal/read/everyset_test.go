package read

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"

	"github.com/moiety-go/moiety/record"
)

// Every set of the shared data is read with nothing said, and its records are
// those of the file, counted here from its lines: none is lost, and the kind is
// the one that people gave it.
func TestEverySet(t *testing.T) {
	answers, yesNo, counts, numbers := record.Categorical, record.Presence, record.Counts, record.Real
	for _, x := range []struct {
		file   string
		format string
		kind   record.Kind
		lines  int // lines that are no records; -1: a file of documents, words and counts
	}{
		{"ap/docword.ap.txt.gz", "uci", counts, -1},
		{"kos/docword.kos.txt.gz", "uci", counts, -1},
		{"nips/docword.nips.txt.gz", "uci", counts, -1},
		{"poliblog5k/docword.poliblog5k.txt.gz", "uci", counts, -1},
		{"classics/iris.csv", "real", numbers, 1},
		{"classics/olive.csv", "real", numbers, 1},
		{"classics/wine27.csv", "real", numbers, 1},
		{"classics/zoo.csv", "mixed", record.Mixed, 1},
		{"desynpuf/DE1_0_2008_Beneficiary_Summary_File_Sample_1.csv.gz", "mixed", record.Mixed, 1},
		{"desynpuf/DE1_0_2008_to_2010_Inpatient_Claims_Sample_1.csv.gz", "wide", yesNo, 1},
		{"diabetes130/diabetic_data.csv.gz", "wide", yesNo, 1},
		{"hgdp/genotypes.txt.gz", "digits", counts, 0},
		{"house-votes-84/house-votes-84.data", "categorical", answers, 0},
		{"lca/alzheimer.csv", "binary", yesNo, 1},
		{"lca/carcinoma.csv", "categorical", answers, 1},
		{"lca/cheating.csv", "categorical", answers, 1},
		{"lca/dentistry.csv", "binary", yesNo, 1},
		{"lca/election.csv", "mixed", record.Mixed, 1},
		{"lca/gss82.csv", "categorical", answers, 1},
		{"lca/hads.csv", "categorical", answers, 1}, // from 0: the note names --format counts
		{"lca/hivtests.csv", "binary", yesNo, 1},
		{"lca/naep.csv", "binary", yesNo, 1},
		{"lca/pap.csv", "categorical", answers, 1},
		{"lca/values.csv", "categorical", answers, 1},
		{"mvad/mvad.csv.gz", "sequences", answers, 1},
		{"poliblog5k/meta.csv.gz", "mixed", record.Mixed, 1},
		{"icd9cm/icd9cm_v32_billable.csv.gz", "wide", yesNo, 1},
	} {
		t.Run(filepath.Base(x.file), func(t *testing.T) {
			path := data(t, x.file)
			if info, err := os.Stat(path); err == nil && testing.Short() && info.Size() > 100_000 {
				t.Skip("large")
			}
			want, entries := linesOf(t, path)-x.lines, 0
			if x.lines < 0 {
				want, entries = docwordOf(t, path)
			}
			p := new(record.Problems)
			src, err := Open(context.Background(), []string{path}, Options{}, p)
			if err != nil {
				t.Fatal(err)
			}
			n, e := 0, 0
			err = src.Read(context.Background(), func(b *record.Batch) error {
				n += b.N()
				e += len(b.Feature)
				return nil
			})
			s := src.Schema()
			if err != nil || n != want || p.Skipped > 0 || s.Format != x.format || s.Kind != x.kind || entries > 0 && e != entries {
				t.Errorf("%d of %d records, %d of %d entries, %d lost, %s of %v, want %s of %v, %v\n%s", n, want, e, entries, p.Skipped, s.Format, s.Kind,
					x.format, x.kind, err, strings.Join(record.Texts(p.Notes), "\n"))
			}
			if x.file == "lca/hads.csv" && !strings.Contains(strings.Join(record.Texts(p.Notes), "\n"), "as counts: --format counts") {
				t.Errorf("the other reading is not named: %v", p.Notes)
			}
		})
	}
}

// linesOf counts the lines of a file that are not blank.
func linesOf(t *testing.T, path string) (n int) {
	scan(t, path, func(line string) bool {
		if strings.TrimSpace(line) != "" {
			n++
		}
		return true
	})
	return n
}

// docwordOf reads how many documents and entries a docword file says it has.
func docwordOf(t *testing.T, path string) (documents, entries int) {
	at := 0
	scan(t, path, func(line string) bool {
		switch at++; at {
		case 1:
			fmt.Sscan(line, &documents)
		case 3:
			fmt.Sscan(line, &entries)
		}
		return at < 3
	})
	return documents, entries
}

func scan(t *testing.T, path string, each func(line string) bool) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	if strings.HasSuffix(path, ".gz") {
		z, err := gzip.NewReader(f)
		if err != nil {
			t.Fatal(err)
		}
		lines = bufio.NewScanner(z)
	}
	lines.Buffer(make([]byte, 1<<20), 1<<26)
	for lines.Scan() && each(lines.Text()) {
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
}
