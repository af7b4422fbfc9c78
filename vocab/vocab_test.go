package vocab

import "testing"

func TestVocab(t *testing.T) {
	v := New([]string{"428", "401"})
	v.Titles = []string{"Heart failure", ""}
	if v.Len() != 2 || v.Title(0) != "Heart failure" || v.Title(1) != "401" || v.Index()["401"] != 1 {
		t.Errorf("vocabulary %+v", v)
	}
	if n := Numbered(3); n.Names[2] != "3" {
		t.Errorf("numbered %q", n.Names)
	}
}

func TestFingerprint(t *testing.T) {
	base := New([]string{"a", "b"}).Fingerprint()
	other := map[string]*Vocab{
		"order":   New([]string{"b", "a"}),
		"cut":     New([]string{"ab"}),
		"system":  {Names: []string{"a", "b"}, System: "icd9"},
		"columns": {Names: []string{"a", "b"}, Columns: []Column{{Name: "q", Kind: Categorical, From: 0, To: 2}}},
	}
	for name, v := range other {
		if v.Fingerprint() == base {
			t.Errorf("another %s has the same fingerprint", name)
		}
	}
	titled := New([]string{"a", "b"})
	titled.Titles = []string{"x", "y"}
	if titled.Fingerprint() != base {
		t.Error("titles are for people and must not change the fingerprint")
	}
}
