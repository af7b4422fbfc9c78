package moiety_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestGuide: every piece of code in the guide stands, line by line, in a file that
// is compiled and run.
func TestGuide(t *testing.T) {
	guide, err := os.ReadFile(filepath.Join("docs", "library.md"))
	if err != nil {
		t.Fatal(err)
	}
	var compiled strings.Builder
	for _, name := range []string{"example_test.go", "docs/geometric/geometric.go", "docs/geometric/geometric_test.go"} {
		text, err := os.ReadFile(filepath.FromSlash(name))
		if err != nil {
			t.Fatal(err)
		}
		compiled.Write(text)
	}
	pieces := regexp.MustCompile("(?s)```go\n(.*?)```").FindAllStringSubmatch(string(guide), -1)
	if len(pieces) < 8 {
		t.Fatalf("the guide has %d pieces of code", len(pieces))
	}
	for _, p := range pieces {
		if !strings.Contains(compiled.String(), p[1]) {
			t.Errorf("this code of the guide is compiled nowhere:\n%s", p[1])
		}
	}
}
