package run

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/moiety-go/moiety/internal/fit"

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

// Groups of one byte and of several come back, and a number of rows that the file cannot
// hold is damage, before memory is asked for.
func TestAssignmentsByHand(t *testing.T) {
	for _, top := range []int32{0, 127, 128, 255, 300, 40000} {
		group, probability := []int32{0, top, 1, top}, []float32{.25, .5, .75, 1}
		data, _ := encoded(t, group, probability)
		g, p, err := decodeAssignments(data)
		if err != nil || !slices.Equal(g, group) || !slices.Equal(p, probability) {
			t.Errorf("groups up to %d: %v %v (%v)", top, g, p, err)
		}
		body := slices.Clone(data[:len(data)-sha256.Size])
		binary.LittleEndian.PutUint64(body[len(assignmentsMagic)+4:], 1<<62)
		sum := sha256.Sum256(body)
		if _, _, err := decodeAssignments(append(body, sum[:]...)); !errors.Is(err, container.ErrDamaged) {
			t.Errorf("2^62 rows: %v", err)
		}
	}
}

// Records of a tree cannot be forgotten.
func TestForgetIsForFlatModels(t *testing.T) {
	for settings, legal := range map[string]bool{`{}`: false, `{"k":3}`: true} {
		r := &Run{}
		r.Manifest.Settings.Fit = []byte(settings)
		_, err := r.updateOrder(Update{Forget: .5})
		if (err == nil) != legal || err != nil && !errors.Is(err, fit.ErrSettings) {
			t.Errorf("%s: %v", settings, err)
		}
	}
}
