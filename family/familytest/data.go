package familytest

import (
	"os"
	"path/filepath"
	"testing"
)

// Data returns the path of a file of real data: below $MOIETY_DATA, or below
// ../shared/data beside the repository. The test is skipped where it is absent.
func Data(t *testing.T, elem ...string) string {
	t.Helper()
	root := os.Getenv("MOIETY_DATA")
	if root == "" {
		dir, err := os.Getwd()
		if err != nil {
			t.Fatal(err)
		}
		for {
			if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
				break
			}
			if dir == filepath.Dir(dir) {
				t.Skip("no go.mod above the test: cannot tell where the data are")
			}
			dir = filepath.Dir(dir)
		}
		root = filepath.Join(dir, "..", "shared", "data")
	}
	path := filepath.Join(append([]string{root}, elem...)...)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("real data missing: %s", filepath.Join(elem...))
	}
	return path
}
