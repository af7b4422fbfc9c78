package codes

import (
	"maps"
	"strings"
	"testing"
)

// The table of concepts, as it is handed out (tabs, quotes that are letters) and as
// other programs write it, gives names to ids; --titles takes both too.
func TestReadConcepts(t *testing.T) {
	tabs := "concept_id\tconcept_name\tdomain_id\n201826\tType 2 diabetes mellitus\tCondition\n320128\t\"Essential\" hypertension\tCondition\n7\tother\tDrug\nshort\n"
	commas := "\ufeffdomain_id,concept_id,concept_name\nCondition,201826,\"Diabetes, type 2\"\n"
	all := func(string) bool { return true }
	for text, want := range map[string]map[string]string{
		tabs:   {"201826": "Type 2 diabetes mellitus", "320128": `"Essential" hypertension`, "7": "other"},
		commas: {"201826": "Diabetes, type 2"},
	} {
		if got, err := ReadConcepts(strings.NewReader(text), all); err != nil || !maps.Equal(got, want) {
			t.Errorf("%v (%v), want %v", got, err, want)
		}
		if got, err := ReadTitles(strings.NewReader(text)); err != nil || !maps.Equal(got, want) {
			t.Errorf("as titles: %v (%v), want %v", got, err, want)
		}
	}
	if got, err := ReadConcepts(strings.NewReader(tabs), func(id string) bool { return id == "7" }); err != nil || len(got) != 1 || got["7"] != "other" {
		t.Errorf("%v (%v)", got, err)
	}
	if _, err := ReadConcepts(strings.NewReader("a,b\n1,2\n"), all); err == nil {
		t.Error("a table without names of concepts is taken")
	}
}

// Codes of drugs (ATC) have the form of no diagnosis; placeholders do. Seven signs
// are the most that ICD-10 has, five digits the most of ICD-9.
func TestShapesByHand(t *testing.T) {
	for key, want := range map[string]bool{"C09AA05": false, "A10BA": false, "T36XX1A": true, "S72001A": true, "E119": true, "S720001AB": false, "S72001A1": false} {
		if shape10(key) != want {
			t.Errorf("shape10(%s) is %v", key, !want)
		}
	}
	if Known(ICD9, "428001") || KnownCategory(ICD9, "428001") || !KnownCategory(ICD9, "42800") {
		t.Error("six digits are a code of ICD-9, or 428.0 is none")
	}
}
