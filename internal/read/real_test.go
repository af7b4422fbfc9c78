package read

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/record"
)

// data returns the path of a real data set, or skips the test.
func data(t *testing.T, path string) string {
	t.Helper()
	root := os.Getenv("MOIETY_DATA")
	if root == "" {
		dir, err := os.Getwd()
		if err != nil {
			t.Fatal(err)
		}
		for !exists(filepath.Join(dir, "go.mod")) && dir != filepath.Dir(dir) {
			dir = filepath.Dir(dir)
		}
		root = filepath.Join(dir, "..", "shared", "data")
	}
	full := filepath.Join(root, filepath.FromSlash(path))
	if matches, _ := filepath.Glob(full); len(matches) == 0 {
		t.Skipf("the data set %s is not here", path)
	}
	return full
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// summary is what a test checks of a data set.
type summary struct {
	records, entries, pairs int // pairs: different features of a record
	missing, steps          int
	features                int
	ids, text               int
	side                    map[string]map[string]int
	schema                  *record.Schema
	problems                *record.Problems
}

func summarise(t *testing.T, o Options, args ...string) summary {
	t.Helper()
	s := summary{side: map[string]map[string]int{}, problems: new(record.Problems)}
	src, err := Open(context.Background(), args, o, s.problems)
	if err != nil {
		t.Fatal(err)
	}
	s.schema = src.Schema()
	err = src.Read(context.Background(), func(b *record.Batch) error {
		s.add(b)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	s.features = s.schema.Dict.Len()
	return s
}

func (s *summary) add(b *record.Batch) {
	n := b.N()
	s.records += n
	s.ids += len(b.IDs)
	s.entries += len(b.Feature)
	for _, v := range b.Value {
		if math.IsNaN(v) {
			s.missing++
		}
	}
	for _, text := range b.Text {
		s.text += len(text)
	}
	if b.Steps != nil {
		s.steps += len(b.Ptr) - 1
	} else if b.Ptr != nil {
		for i := range n {
			seen := map[uint32]bool{}
			for _, f := range b.Feature[b.Ptr[i]:b.Ptr[i+1]] {
				seen[f] = true
			}
			s.pairs += len(seen)
		}
	}
	for c, values := range b.Side {
		name := s.schema.Side[c]
		if s.side[name] == nil {
			s.side[name] = map[string]int{}
		}
		for _, v := range values {
			s.side[name][v]++
		}
	}
}

func TestDivinaCommedia(t *testing.T) {
	s := summarise(t, Options{}, data(t, "divina-commedia/cantos"))
	if s.records != 100 || s.ids != 100 || s.schema.Kind != record.Text || len(s.problems.First) > 0 {
		t.Errorf("%d cantos of kind %v", s.records, s.schema.Kind)
	}
}

func TestStateOfTheUnion(t *testing.T) {
	s := summarise(t, Options{}, data(t, "sotu/texts"))
	if s.records != 65 || s.schema.Format != "text" {
		t.Errorf("%d addresses as %s", s.records, s.schema.Format)
	}
	if got := s.problems.Repairs["files read as Windows-1252"]; got != 6 {
		t.Errorf("%d files in Windows-1252, want 6: %v", got, s.problems.Notes)
	}
}

func TestInpatientClaims(t *testing.T) {
	numtest.NotShort(t)
	files := data(t, "desynpuf/*Inpatient*.csv.gz")
	s := summarise(t, Options{}, files)
	if s.schema.Format != "wide" || s.records != 34408 || s.pairs != 277022 || s.features != 4626 || s.problems.Skipped != 0 {
		t.Errorf("%s: %d claims, %d pairs, %d codes, %d skipped", s.schema.Format, s.records, s.pairs, s.features, s.problems.Skipped)
	}
	s = summarise(t, Options{Reading: record.Reading{Unit: "patient"}}, files)
	if s.records != 19461 {
		t.Errorf("%d beneficiaries, want 19461", s.records)
	}
}

func TestDiabetes(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: reads 19 MB")
	}
	s := summarise(t, Options{}, data(t, "diabetes130/diabetic_data.csv.gz"))
	if s.schema.Format != "wide" || s.records != 101766 || s.pairs != 297905 || s.features != 915 {
		t.Errorf("%s: %d encounters, %d pairs, %d codes", s.schema.Format, s.records, s.pairs, s.features)
	}
	if got := s.side["readmitted"]; got["NO"] != 54864 || got[">30"] != 35545 || got["<30"] != 11357 {
		t.Errorf("readmitted: %v", got)
	}
}

func TestHouseVotes(t *testing.T) {
	s := summarise(t, Options{}, data(t, "house-votes-84/house-votes-84.data"))
	// 16 questions with yes and no; 6,960 answers less 392 that are missing.
	if s.schema.Format != "categorical" || s.records != 435 || len(s.schema.Columns) != 16 || s.features != 32 || s.entries != 6568 {
		t.Errorf("%s: %d rows, %d questions, %d features, %d answers", s.schema.Format, s.records, len(s.schema.Columns), s.features, s.entries)
	}
	if got := s.side["column1"]; got["democrat"] != 267 || got["republican"] != 168 {
		t.Errorf("parties: %v", got)
	}
	s = summarise(t, Options{Reading: record.Reading{Format: "categorical"}}, data(t, "house-votes-84/house-votes-84.data"))
	if s.schema.Kind != record.Categorical || len(s.schema.Columns) != 16 || s.side["column1"]["democrat"] != 267 {
		t.Errorf("kind %v, %d questions: the party must stay out of them", s.schema.Kind, len(s.schema.Columns))
	}
}

func TestClassics(t *testing.T) {
	for _, c := range []struct {
		file, format, label      string
		records, columns, labels int
	}{
		{"iris.csv", "real", "Species", 150, 4, 3},
		{"olive.csv", "real", "Region", 572, 8, 3},
		{"wine27.csv", "real", "Type", 178, 27, 3},
		{"zoo.csv", "mixed", "type", 101, 16, 7},
	} {
		s := summarise(t, Options{}, data(t, "classics/"+c.file))
		if s.schema.Format != c.format || s.records != c.records || len(s.schema.Columns) != c.columns || len(s.side[c.label]) != c.labels {
			t.Errorf("%s: %s, %d rows, %d columns, labels %v", c.file, s.schema.Format, s.records, len(s.schema.Columns), s.side[c.label])
		}
	}
}

func TestSchoolToWork(t *testing.T) {
	s := summarise(t, Options{}, data(t, "mvad/mvad.csv.gz"))
	if s.schema.Format != "sequences" || s.records != 712 || s.steps != 712*72 || s.features != 6 || s.entries != 51264 {
		t.Errorf("%s: %d people, %d steps, %d states", s.schema.Format, s.records, s.steps, s.features)
	}
	if len(s.side["Grammar"]) != 2 || len(s.schema.Columns) != 1 || len(s.schema.Columns[0].Levels) != 6 {
		t.Errorf("sides %v, columns %v", s.schema.Side, s.schema.Columns)
	}
}

func TestGenotypes(t *testing.T) {
	s := summarise(t, Options{Reading: record.Reading{VocabFile: data(t, "hgdp/snps.txt.gz")}}, data(t, "hgdp/genotypes.txt.gz"))
	if s.schema.Format != "digits" || s.records != 159 || s.features != 5000 || s.entries != 394328 || s.schema.Kind != record.Counts {
		t.Errorf("%s: %d people, %d features, %d entries", s.schema.Format, s.records, s.features, s.entries)
	}
	if !strings.HasPrefix(s.schema.Dict.Name(0), "rs") {
		t.Errorf("first feature %q", s.schema.Dict.Name(0))
	}
}

func TestBlogs(t *testing.T) {
	s := summarise(t, Options{}, data(t, "poliblog5k/docword.poliblog5k.txt.gz"))
	if s.schema.Format != "uci" || s.records != 5000 || s.features != 2632 || s.entries != 671675 {
		t.Errorf("%s: %d posts, %d words, %d entries", s.schema.Format, s.records, s.features, s.entries)
	}
	s = summarise(t, Options{Reading: record.Reading{Format: "mixed"}}, data(t, "poliblog5k/meta.csv.gz"))
	if s.records != 5000 || s.side["rating"]["Conservative"] != 2853 {
		t.Errorf("meta: %d rows, %v", s.records, s.side["rating"])
	}
}
