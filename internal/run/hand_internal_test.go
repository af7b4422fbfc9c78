package run

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/moiety-go/moiety/internal/container"
)

// A file that the list of checksums does not name belongs to another run.
func TestSealByHand(t *testing.T) {
	s := newSeals(map[string]string{"a": "1"})
	for _, c := range []struct {
		name, sum string
		legal     bool
	}{{"a", "1", true}, {"a", "2", false}, {"b", "1", false}} {
		if err := s.check(c.name, c.sum); (err == nil) != c.legal {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// Edits of another run are refused.
func TestEditsOfAnotherRun(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, editsFile), newEdits("mine", nil).text(), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := openEdits(dir, "mine", false); err != nil {
		t.Error(err)
	}
	if _, err := openEdits(dir, "yours", false); !errors.Is(err, container.ErrDamaged) {
		t.Errorf("edits of another run: %v", err)
	}
}
