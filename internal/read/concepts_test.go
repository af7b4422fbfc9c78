package read

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/record"
)

// Concepts of a dump of OMOP get the names of the table CONCEPT that lies beside it.
func TestConceptsBeside(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"CONDITION_OCCURRENCE.csv": "condition_occurrence_id,person_id,condition_concept_id,condition_start_date\n1,1,201826,2020-01-01\n2,1,320128,2020-01-02\n3,2,201826,2020-01-03\n4,3,99,2020-01-04\n",
		"CONCEPT.csv":              "concept_id\tconcept_name\tdomain_id\n201826\tType 2 diabetes mellitus\tCondition\n320128\tEssential hypertension\tCondition\n1\tnot asked for\tDrug\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p := new(record.Problems)
	src, err := Open(context.Background(), []string{filepath.Join(dir, "CONDITION_OCCURRENCE.csv")}, Options{}, p)
	if err != nil {
		t.Fatal(err)
	}
	if err := src.Read(context.Background(), func(*record.Batch) error { return nil }); err != nil {
		t.Fatal(err)
	}
	titles := src.Schema().Titles
	if len(titles) != 2 || titles["201826"] != "Type 2 diabetes mellitus" || titles["320128"] != "Essential hypertension" {
		t.Errorf("titles %v", titles)
	}
	if notes := strings.Join(record.Texts(p.Notes), "\n"); !strings.Contains(notes, "2 of 3 concepts have a name in CONCEPT.csv") {
		t.Errorf("notes %s", notes)
	}
}
