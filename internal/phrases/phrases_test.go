package phrases_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/phrases"
)

func read(t *testing.T, name string) map[string]string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	out := make(map[string]string)
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return out
}

var (
	said   = regexp.MustCompile(`(?:\bsay|\.Say|speech\(r\))[ (]"([^"]+)"`)
	values = regexp.MustCompile(`\{\d\}`)
)

// TestCatalogues: every message that logic or a page says has words in every language,
// with the same values; none is left over.
func TestCatalogues(t *testing.T) {
	en, es := read(t, "en.json"), read(t, "es.json")
	for id, text := range en {
		other, ok := es[id]
		if !ok {
			t.Errorf("%q has no words in Spanish", id)
		}
		a, b := values.FindAllString(text, -1), values.FindAllString(other, -1)
		slices.Sort(a)
		slices.Sort(b)
		if !slices.Equal(a, b) && id != "a" { // Spanish has no article there
			t.Errorf("%q: %v in English, %v in Spanish", id, a, b)
		}
	}
	for id := range es {
		if _, ok := en[id]; !ok {
			t.Errorf("%q is in Spanish alone", id)
		}
	}
	used := make(map[string]bool)
	for _, pattern := range []string{"../explain/*.go", "../../show/*.go", "../../show/assets/*.html"} {
		paths, err := filepath.Glob(pattern)
		if err != nil || len(paths) == 0 {
			t.Fatalf("%s: %v, %v", pattern, paths, err)
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for id := range en { // a table may name messages
				used[id] = used[id] || strings.Contains(string(text), `"`+id+`",`)
			}
			for _, m := range said.FindAllStringSubmatch(string(text), -1) {
				used[m[1]] = true
				if _, ok := en[m[1]]; !ok {
					t.Errorf("%s says %q, which has no words", path, m[1])
				}
			}
		}
	}
	if len(used) < len(en)/2 {
		t.Errorf("%d messages found: the test tests nothing", len(used))
	}
	for id := range en {
		if !used[id] && !strings.HasPrefix(id, "word.") && id != "_reviewed" {
			t.Errorf("%q is said nowhere", id)
		}
	}
}

func TestSay(t *testing.T) {
	for _, x := range []struct {
		language phrases.Language
		want     string
	}{{"", "Typical in {a}: b."}, {"en", "Typical in {a}: b."}, {"es", "Típico en {a}: b."}, {"xx", "Typical in {a}: b."}} {
		if got := x.language.Say("difference.view", "{a}", "b"); got != x.want {
			t.Errorf("%q: %s, want %s", x.language, got, x.want)
		}
	}
	if got := phrases.Spanish.Word("wards"); got != "wards" {
		t.Errorf("a word of a person became %q", got)
	}
	if got := phrases.Spanish.Word("patients"); got != "pacientes" {
		t.Errorf("patients are %q", got)
	}
}
