package codes

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestNormalizeAndDisplay(t *testing.T) {
	for _, c := range []struct {
		system             System
		raw, key, show, up string
	}{
		{ICD9, " 428.0", "4280", "428.0", "428"},
		{ICD9, "v10.3", "V103", "V10.3", "V10"},
		{ICD9, "e812.0", "E8120", "E812.0", "E812"},
		{ICD9, "042", "042", "042", "042"},
		{ICD10, "e11.9", "E119", "E11.9", "E11"},
		{ICD10, "S72.001a", "S72001A", "S72.001A", "S72"},
		{ICD10, "A17.0†", "A170", "A17.0", "A17"},
		{ICD10, "M90.7*", "M907", "M90.7", "M90"},
		{ICD10, "W57.XXX", "W57XXX", "W57.XXX", "W57"},
		{None, "a.b", "AB", "AB", "AB"},
	} {
		if got := Normalize(c.raw); got != c.key {
			t.Errorf("Normalize(%q) = %q, want %q", c.raw, got, c.key)
		}
		if got := Display(c.system, c.key); got != c.show {
			t.Errorf("Display(%s) = %q, want %q", c.key, got, c.show)
		}
		if got := Category(c.system, c.key); got != c.up {
			t.Errorf("Category(%s) = %q, want %q", c.key, got, c.up)
		}
	}
}

func TestBuiltInTable(t *testing.T) {
	if got := len(icd9().category); got != 1234 {
		t.Errorf("%d categories, want 1234", got)
	}
	if got := len(icd9().groupTitle); got != 283 {
		t.Errorf("%d CCS groups, want 283", got)
	}
	if got := len(chapters9); got != 19 {
		t.Errorf("%d chapters, want 19", got)
	}
	if len(icd9Packed) > 200<<10 {
		t.Errorf("the embedded table takes %d bytes", len(icd9Packed))
	}
	for c := range icd9().category {
		if _, ok := Chapter(ICD9, c); !ok {
			t.Errorf("category %s has no chapter", c)
		}
	}
}

func TestRoll(t *testing.T) {
	for _, c := range []struct {
		system      System
		key         string
		level       Level
		name, title string
		ok          bool
	}{
		{ICD9, "4280", Three, "428", "Heart failure", true},
		{ICD9, "4280", CCS, "ccs:108", "Congestive heart failure, nonhypertensive", true},
		{ICD9, "428", CCS, "ccs:108", "Congestive heart failure, nonhypertensive", true},
		{ICD9, "4280", Chapters, "chapter:390-459", "Circulatory system", true},
		{ICD9, "4280", Full, "4280", "Heart failure [428.0]", true},
		{ICD9, "E8120", Three, "E812", "", true},
		{ICD9, "99999", Three, "999", "", true},
		{ICD9, "250", CCS, "", "", false}, // its final codes fall into several groups
		{ICD9, "ABC", Three, "ABC", "", false},
		{ICD10, "I509", Three, "I50", "Heart failure", true},
		{ICD10, "J449", Three, "J44", "Other chronic obstructive pulmonary disease", true},
		{ICD10, "J44", CCS, "ccs:127", "Chronic obstructive pulmonary disease and bronchiectasis", true},
		{ICD10, "I509", Chapters, "chapter:I00-I99", "Circulatory system", true},
		{ICD10, "C4A1", Chapters, "chapter:C00-D49", "Neoplasms", true},
		{ICD10, "D649", Chapters, "chapter:D50-D89", "Blood, blood-forming organs and immune disorders", true},
		{ICD10, "I509", CCS, "ccs:108", "Congestive heart failure, nonhypertensive", true},
		{ICD10, "E119", CCS, "ccs:49", "Diabetes mellitus without complication", true},
		{ICD10, "E1121", CCS, "ccs:50", "Diabetes mellitus with complications", true},
		{ICD10, "E11", CCS, "", "", false},
		{ICD10, "U071", CCS, "", "", false},
		{ICD10, "U071", Three, "U07", "Emergency use of U07", true},
		{ICD10, "4280", Chapters, "", "", false},
	} {
		name, ok := Roll(c.system, c.key, c.level)
		if ok != c.ok || ok && name != c.name {
			t.Errorf("Roll(%s, %s, %s) = %q, %v", c.system, c.key, c.level, name, ok)
		}
		if title := Title(c.system, name, c.level); ok && c.title != "" && title != c.title {
			t.Errorf("Title(%s, %s) = %q, want %q", name, c.level, title, c.title)
		}
	}
}

func TestParseLevels(t *testing.T) {
	got, err := ParseLevels("chapter+3 + FULL+3")
	if err != nil || len(got) != 3 || got[0] != Full || got[1] != Three || got[2] != Chapters {
		t.Errorf("levels %v, %v", got, err)
	}
	_, err = ParseLevels("3+icd")
	if err == nil || !strings.Contains(err.Error(), `"icd"`) || !strings.Contains(err.Error(), "full, 3, ccs or chapter") {
		t.Errorf("error %v", err)
	}
}

func TestElect(t *testing.T) {
	many := strings.Fields("4280 4019 25000 V103 E8120 042 41401 5859 2724 V4581 49121 51881")
	ten := strings.Fields("I509 E119 N179 J449 Z9981 K219 I10 F329 M545 G4733")
	for _, c := range []struct {
		name   string
		keys   []string
		system System
		mixed  bool
	}{
		{"icd9", many, ICD9, false},
		{"icd10", ten, ICD10, false},
		{"both", append(append([]string{}, many...), ten[:6]...), ICD9, true},
		{"words", strings.Fields("heart failure patient kidney"), None, false},
		{"numbers", numbers(500), None, false},
		{"one letter", strings.Fields("C10 C11 C12 C13 C14 C15"), None, false},
		{"columns of R", named("V", 60), None, false}, // V10 to V60 are codes of both versions
		{"columns x", named("X", 60), None, false},
		{"columns e", named("E", 900), None, false},
		{"nothing", nil, None, false},
	} {
		v := Elect(c.keys, nil, 2)
		if v.System != c.system || v.Mixed != c.mixed {
			t.Errorf("%s: %s, mixed %v (%v)", c.name, v.System, v.Mixed, v)
		}
	}
	v := Elect(many, nil, 2)
	if want := "12 of 12 distinct codes are ICD-9-CM, 3 have the form of ICD-10, 3 fit both"; v.String() != want {
		t.Errorf("vote in words:\n got %s\nwant %s", v, want)
	}
	both := Elect(append(append([]string{}, many...), ten[:6]...), nil, 2)
	for key, want := range map[string]System{"4280": ICD9, "I509": ICD10, "E119": ICD10, "V103": ICD9} {
		if got := both.SystemOf(key); got != want {
			t.Errorf("%s is %s, want %s", key, got, want)
		}
	}
}

// named returns the names prefix1, prefix2, ...
func named(prefix string, n int) []string {
	out := numbers(n)
	for i := range out {
		out[i] = prefix + out[i]
	}
	return out
}

func numbers(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = strings.TrimLeft(string([]byte{byte('0' + (i+1)/100), byte('0' + (i+1)/10%10), byte('0' + (i+1)%10)}), "0")
	}
	return out
}

func TestLostZeros(t *testing.T) {
	full := FindZeros([]string{"42", "4280", "V10"})
	if !full.Lost || full.Short {
		t.Errorf("signs %+v", full)
	}
	short := FindZeros([]string{"42", "428"})
	if !short.Lost || !short.Short {
		t.Errorf("signs %+v", short)
	}
	dots := FindZeros([]string{"42", "250.83", "428", "V10.3"})
	if want := (Zeros{Lost: true, Dots: true}); dots != want {
		t.Errorf("signs %+v", dots)
	}
	for _, c := range []struct {
		z       Zeros
		raw     string
		key     string
		outcome Outcome
	}{
		{full, "36", "036", Repaired},
		{full, "42", "42", Unclear}, // 042 HIV or 004.2 shigellosis
		{short, "42", "042", Repaired},
		{full, "10", "10", Unclear}, // 010 tuberculosis or 001.0 cholera
		{short, "10", "010", Repaired},
		{dots, "42", "042", Repaired}, // 004.2 would have its dot
		{full, "4280", "4280", Untouched},
		{full, "845", "845", Untouched}, // a code of its own: sprain of ankle
		{Zeros{}, "8.45", "00845", Repaired},
		{Zeros{}, "42", "42", Untouched},
		{Zeros{}, "428.0", "4280", Untouched},
		{full, "v10.3", "V103", Untouched},
	} {
		key, outcome := c.z.Repair(c.raw)
		if key != c.key || outcome != c.outcome {
			t.Errorf("%+v.Repair(%q) = %q, %d; want %q, %d", c.z, c.raw, key, outcome, c.key, c.outcome)
		}
	}
}

func TestReadTitles(t *testing.T) {
	titles, err := ReadTitles(strings.NewReader("code,title\ni50.9,\"Heart failure, unspecified\"\nE11, Diabetes\n"))
	if err != nil || titles["I509"] != "Heart failure, unspecified" || titles["E11"] != "Diabetes" || len(titles) != 2 {
		t.Errorf("titles %v, %v", titles, err)
	}
	for text, want := range map[string]string{
		"":                 "empty",
		"428\n":            "line 1 has 1 fields",
		"428,\"a\n":        "titles",
		"428,H\xe9patite,": "not UTF-8",
	} {
		if _, err := ReadTitles(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
}

// TestShape9 checks that every code of the dictionary has the form by which others
// are refused without it.
func TestShape9(t *testing.T) {
	for key := range icd9().code {
		if !shape9(key) {
			t.Errorf("%q is a code", key)
		}
	}
	for _, key := range []string{"", "V", "HEART", "E", "428000", "W12", "4A"} {
		if Known(ICD9, key) {
			t.Errorf("%q is no code", key)
		}
	}
}

// The ICD-10-CM table is whole: every category has a title and lies in a
// chapter, every group of its codes has a title.
func TestTable10(t *testing.T) {
	table := icd10()
	if n := len(table.category); n < 1900 || n > 2100 {
		t.Errorf("%d categories", n)
	}
	for c, title := range table.category {
		if _, ok := Chapter(ICD10, c); len(c) != 3 || title == "" || !ok || strings.Contains(title, "&") && !strings.Contains(title, " & ") {
			t.Errorf("category %s: %q", c, title)
		}
	}
	for begin, g := range table.begin {
		if Title(ICD10, fmt.Sprintf("ccs:%d", g), CCS) == "" || !shape10(begin) {
			t.Errorf("%s is in the group %d without a title", begin, g)
		}
	}
	if got := Title(ICD10, "J441", Full); got != "Other chronic obstructive pulmonary disease [J44.1]" {
		t.Error(got)
	}
}

// Short codes are normalised as all others are.
func TestNormalizeTwin(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 9))
	for range 20000 {
		b := make([]byte, rng.IntN(70))
		for i := range b {
			b[i] = "aZv09.*+ -_\x7f\t"[rng.IntN(13)]
		}
		// A letter of two bytes takes the way of all forms.
		long, short := Normalize("é"+string(b)+"x"), Normalize("e"+string(b)+"x")
		if want := strings.TrimPrefix(long, "É"); strings.TrimPrefix(short, "E") != want {
			t.Fatalf("%q: %q, want %q", b, short, want)
		}
	}
}
