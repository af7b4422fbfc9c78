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

// TestRetold: every sentence that is told again is one that a verdict says, word by
// word; it comes back with its values in their places, also beside others.
func TestRetold(t *testing.T) {
	sentences := read(t, "told.es.json")
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
		if got := phrases.Spanish.Retell(fill(en)); got != fill(es) {
			t.Errorf("%q becomes %q, want %q", fill(en), got, fill(es))
		}
		if got := phrases.English.Retell(fill(en)); got != fill(en) {
			t.Errorf("English changes to %q", got)
		}
	}
	got := phrases.Spanish.Retell("Patients that were kept aside are described better by 12 groups than by any one population. A new sentence. Up to 14 groups cannot be ruled out.")
	want := "Pacientes apartados: 12 grupos los describen mejor que cualquier población única. A new sentence. No se pueden descartar hasta 14 grupos."
	if got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
