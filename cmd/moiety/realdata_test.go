package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// dataFolder finds the public data sets: $MOIETY_DATA, or shared/data beside
// the repository.
func dataFolder(t *testing.T, set string) string {
	t.Helper()
	root := os.Getenv("MOIETY_DATA")
	if root == "" {
		dir, err := os.Getwd()
		if err != nil {
			t.Fatal(err)
		}
		for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
			if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
				break
			}
		}
		root = filepath.Join(dir, "..", "shared", "data")
	}
	path := filepath.Join(root, set)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("data set %s is missing", set)
	}
	return path
}

// Every public data set is read by its natural command, with the counts that its
// SOURCE.txt states.
func TestRealData(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: reads real data sets")
	}
	for _, c := range []struct {
		set, args           string
		records             int
		least, mostFeatures int
	}{
		{"kos", "docword.kos.txt.gz --vocab all", 3430, 6906, 6906},
		{"ap", "docword.ap.txt.gz --vocab all", 2246, 10473, 10473},
		{"nips", "docword.nips.txt.gz --vocab all", 1740, 13649, 13649},
		{"poliblog5k", "docword.poliblog5k.txt.gz --vocab all", 5000, 2632, 2632},
		{"kos", "docword.kos.txt.gz", 3430, 5000, 5000}, // the vocabulary of its own accord
		{"divina-commedia", "cantos --vocab 70% --stopwords it", 100, 1950, 2200},
		{"sotu", "texts --vocab 70% --stopwords en", 65, 1000, 1250},
		{"desynpuf", "*Inpatient* --unit row --rollup full", 34408, 4626, 4626},
		{"desynpuf", "*Inpatient* --unit row", 34408, 897, 897},
		{"desynpuf", "*Inpatient* --unit patient", 19461, 897, 897},
		{"desynpuf", "*Inpatient* --unit row --where has~code~428 --exclude 428", 7684, 600, 897},
		{"diabetes130", "diabetic_data.csv.gz --code diag_? --id encounter_id --rollup full", 101766, 915, 915},
		{"diabetes130", "diabetic_data.csv.gz --code diag_? --id encounter_id", 101766, 881, 881},
		{"hgdp", "genotypes.txt.gz", 159, 4990, 5000},
		{"house-votes-84", "house-votes-84.data --label column1", 435, 32, 32},
		{"classics", "iris.csv --label Species", 150, 4, 4},
		{"classics", "olive.csv --label Region,Area", 572, 8, 8},
		{"classics", "wine27.csv --label Type", 178, 27, 27},
		{"mvad", "mvad.csv.gz --format sequences --id id --columns ???.9?", 712, 6, 6},
		{"fhir-synthea-10", "Condition.000.ndjson.gz", 13, 10, 555},
	} {
		t.Run(c.set+" "+c.args, func(t *testing.T) {
			dir := dataFolder(t, c.set)
			args := strings.Fields(c.args)
			for i := range args {
				args[i] = strings.ReplaceAll(args[i], "~", " ")
			}
			args[0] = filepath.Join(dir, args[0])
			records, features := sizeOf(t, args)
			if records != c.records || features < c.least || features > c.mostFeatures {
				t.Errorf("%d records with %d features, want %d with %d to %d", records, features, c.records, c.least, c.mostFeatures)
			}
		})
	}
}

// sizeOf asks the program what it would fit.
func sizeOf(t *testing.T, args []string) (records, features int) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(self)
	all := append([]string{"fit", "--dry-run", "--json", "-q"}, args...)
	c.Env = append(os.Environ(), childArgs+"="+strings.Join(all, "|"))
	c.Stderr = os.Stderr
	text, err := c.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	var doc struct{ Records, Features int }
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return doc.Records, doc.Features
}
