package web_test

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/web"
)

// catalogue reads the words of a language.
func catalogue(t *testing.T, lang string) map[string]string {
	t.Helper()
	text, err := os.ReadFile("assets/" + lang + ".json")
	if err != nil {
		t.Fatal(err)
	}
	out := make(map[string]string)
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatalf("%s: %v", lang, err)
	}
	return out
}

// Words are served as they stand in the files that translators read: go generate packs them.
func TestPackedWords(t *testing.T) {
	c, _ := newClient(t, web.Options{})
	for _, name := range []string{"en.json", "es.json"} {
		want, err := os.ReadFile("assets/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if status, got := c.Send("GET", "/assets/"+name, nil); status != http.StatusOK || got != string(want) {
			t.Errorf("status %d, and what is served is not %s: run go generate ./internal/web", status, name)
		}
	}
}

var (
	usedKeys = regexp.MustCompile(`\bt\("([^"]+)"`)
	values   = regexp.MustCompile(`\{\w+\}`)
)

// TestWords holds that every key that a screen uses has words, in every language,
// with the same values in them, and that no key is left over.
func TestWords(t *testing.T) {
	en := catalogue(t, "en")
	es := catalogue(t, "es")
	for key, words := range en {
		other, ok := es[key]
		if !ok {
			t.Errorf("%q has no words in Spanish", key)
		}
		if a, b := values.FindAllString(words, -1), values.FindAllString(other, -1); len(a) != len(b) {
			t.Errorf("%q: %v in English, %v in Spanish", key, a, b)
		}
	}
	for key := range es {
		if _, ok := en[key]; !ok {
			t.Errorf("%q is in Spanish alone", key)
		}
	}
	if es["_reviewed"] != "no" || es["unreviewed"] == "" {
		t.Error("the Spanish words do not say that nobody has reviewed them")
	}
	paths, err := filepath.Glob("assets/*.js")
	if err != nil {
		t.Fatal(err)
	}
	all, used := "", 0
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		all += string(text)
		for _, m := range usedKeys.FindAllStringSubmatch(string(text), -1) {
			used++
			if _, ok := en[m[1]]; !ok && !strings.HasSuffix(m[1], ".") {
				t.Errorf("%s uses %q, which has no words", path, m[1])
			}
		}
	}
	if used < 100 {
		t.Errorf("%d keys found: the test tests nothing", used)
	}
	for key := range en {
		if strings.HasPrefix(key, "_") || strings.Contains(all, `"`+key+`"`) {
			continue
		}
		made := false // of parts: "light." + x
		for i := range key {
			if key[i] == '.' && (strings.Contains(all, `"`+key[:i+1]+`"`) || strings.Contains(all, "`"+key[:i+1]) || strings.Contains(all, `("`+key[:i]+`")`)) {
				made = true
			}
		}
		if !made {
			t.Errorf("%q is used nowhere", key)
		}
	}
}
