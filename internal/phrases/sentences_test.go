package phrases_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/phrases"
)

var verb = regexp.MustCompile(`%(\.\d)?[sdf]`)

// TestRetold: every sentence that is reported again is one that a verdict says, word by
// word; it comes back with its values in their places, also beside others.
func TestRetold(t *testing.T) {
	sentences := read(t, "sentences.es.json")
	paths, err := filepath.Glob("../verdict/*.go")
	if err != nil || len(paths) == 0 {
		t.Fatal(paths, err)
	}
	paths = append(paths, "../fit/verdict.go") // what is said of a verdict over sites
	var source strings.Builder
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		source.WriteString(verb.ReplaceAllString(string(text), "%"))
	}
	place := regexp.MustCompile(`\{\d\}`)
	for en, es := range sentences {
		said := place.ReplaceAllString(en, "%")
		for _, part := range strings.SplitAfter(strings.TrimSuffix(said, "."), ": ") { // a sentence may be made of two
			if !strings.Contains(source.String(), said) && !strings.Contains(source.String(), part) {
				t.Errorf("no verdict says %q", en)
			}
		}
		fill := strings.NewReplacer("{0}", "4", "{1}", "7.25", "{2}", "9", "{3}", "5").Replace
		if got := phrases.Spanish.Translate(fill(en)); got != fill(es) {
			t.Errorf("%q becomes %q, want %q", fill(en), got, fill(es))
		}
		if got := phrases.English.Translate(fill(en)); got != fill(en) {
			t.Errorf("English changes to %q", got)
		}
	}
	got := phrases.Spanish.Translate("Patients that were kept aside are described better by 12 groups than by any one population. A new sentence. Up to 14 groups cannot be ruled out.")
	want := "Pacientes apartados: 12 grupos los describen mejor que cualquier población única. A new sentence. No se pueden descartar hasta 14 grupos."
	if got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestShown: texts of drawings come back with their values in place, also side by side, in
// sentences and inside a page; every pattern finds its own words first.
func TestShown(t *testing.T) {
	sentences := read(t, "screens.es.json")
	place := regexp.MustCompile(`\{(\d)\}`)
	for en, es := range sentences {
		fill := func(s string) string {
			return place.ReplaceAllStringFunc(s, func(v string) string { return "Q" + v[1:2] + "q" })
		}
		if got := phrases.Spanish.Shown(fill(en)); got != fill(es) {
			t.Errorf("%q becomes %q, want %q", fill(en), got, fill(es))
		}
		if got := phrases.English.Shown(fill(en)); got != fill(en) {
			t.Errorf("English changes to %q", got)
		}
	}
	for text, want := range map[string]string{
		`<p title="withheld">23 % · about 1.6×</p>`:                       `<p title="reservado">23 % · unos 1.6×</p>`,
		`<style>.share{}</style><b> share </b>`:                           `<style>.share{}</style><b> proporción </b>`,
		`<text>A &lt;b&gt; is 2 times as frequent here as overall</text>`: `<text>A &lt;b&gt;: 2 veces más frecuente aquí que en el conjunto</text>`,
		`<text x="1" textLength="40">share</text>`:                        `<text x="1">proporción</text>`,
		`<p>a.csv · 16 November 2026 · 800 records · 31 features</p>`:     `<p>a.csv · 16 de noviembre de 2026 · 800 registros · 31 rasgos</p>`,
		`<p>Hearts of Monday</p>`:                                         `<p>Hearts of Monday</p>`,
	} {
		if got := phrases.Spanish.Page(text); got != want {
			t.Errorf("%s becomes %s, want %s", text, got, want)
		}
	}
}
