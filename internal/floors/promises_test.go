package floors

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// promised is a test named in docs/promises.md: `package.TestName`.
var promised = regexp.MustCompile("`([a-z/0-9]+)\\.((?:Test|Fuzz|Benchmark)[A-Za-z0-9_]+)`")

// TestPromises holds docs/promises.md to its word: every test that it names is
// there.
func TestPromises(t *testing.T) {
	root := filepath.Join("..", "..")
	page, err := os.ReadFile(filepath.Join(root, "docs", "promises.md"))
	if err != nil {
		t.Fatal(err)
	}
	names := promised.FindAllSubmatch(page, -1)
	if len(names) < 20 {
		t.Errorf("%d tests named", len(names))
	}
	for _, m := range names {
		if !hasTest(t, filepath.Join(root, string(m[1])), string(m[2])) {
			t.Errorf("docs/promises.md names %s.%s, which is not there", m[1], m[2])
		}
	}
}

// hasTest reports whether a folder has a test of that name.
func hasTest(t *testing.T, dir, name string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if regexp.MustCompile(`(?m)^func ` + name + `\(`).Match(text) {
			return true
		}
	}
	return false
}
