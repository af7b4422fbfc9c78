package floors

import (
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What is packed into the program is what stands beside it for people to read: go generate
// packs it.
func TestPacked(t *testing.T) {
	root := filepath.Join("..", "..", "internal")
	found := 0
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(path, ".gz") || filepath.Base(filepath.Dir(path)) == "testdata" {
			return err
		}
		plain := strings.TrimSuffix(path, ".gz")
		want, err := os.ReadFile(plain)
		if os.IsNotExist(err) {
			return nil // lists of codes have no other form here
		}
		if err != nil {
			return err
		}
		found++
		packed, err := os.Open(path)
		if err != nil {
			return err
		}
		defer packed.Close()
		z, err := gzip.NewReader(packed)
		if err != nil {
			return err
		}
		if got, err := io.ReadAll(z); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not %s (%v): run go generate %s", path, plain, err, filepath.Dir(plain))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if found < 8 { // words of the program, of its screens and of texts, in two languages
		t.Errorf("only %d packed files have a plain one beside them", found)
	}
}
