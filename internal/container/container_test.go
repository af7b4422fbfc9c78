package container_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/container"
)

type contents struct {
	Name  string
	Parts []int
}

var kind = container.Kind{Magic: "test chest\n", Version: 2}

func packed(t *testing.T) []byte {
	t.Helper()
	data, err := kind.Pack(contents{"a", []int{1, 2}}, []container.Matrix{
		{Name: "m", M: mat.NewDense(2, 3, []float64{1, 2, 3, 4, 5, 6})},
		{Name: "v", M: mat.NewDense(1, 1, []float64{.1})},
	})
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestRoundTrip(t *testing.T) {
	data := packed(t)
	if !bytes.Equal(data, packed(t)) {
		t.Error("the same contents give other bytes")
	}
	var c contents
	m, err := kind.Unpack(data, &c)
	if err != nil {
		t.Fatal(err)
	}
	if c.Name != "a" || len(c.Parts) != 2 || m["m"].At(1, 2) != 6 || m["v"].At(0, 0) != .1 {
		t.Errorf("got %+v, %v", c, m)
	}
}

// TestDamage flips every byte and cuts the file at every length: nothing of it
// may be read as healthy, and nothing may panic.
func TestDamage(t *testing.T) {
	data := packed(t)
	for i := range data {
		bad := bytes.Clone(data)
		bad[i] ^= 0x40
		var c contents
		if _, err := kind.Unpack(bad, &c); err == nil {
			t.Errorf("byte %d changed: read as healthy", i)
		}
		if _, err := kind.Unpack(data[:i], &c); err == nil {
			t.Errorf("cut at %d: read as healthy", i)
		}
	}
}

func TestNewerAndForeign(t *testing.T) {
	newer := container.Kind{Magic: kind.Magic, Version: 3}
	data, err := newer.Pack(contents{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var c contents
	if _, err := kind.Unpack(data, &c); !errors.Is(err, container.ErrNewer) {
		t.Errorf("newer version: %v", err)
	}
	if _, err := kind.Unpack([]byte("something else entirely"), &c); !errors.Is(err, container.ErrForeign) {
		t.Errorf("foreign file: %v", err)
	}
}

func TestWriteFileLeavesNothingBehind(t *testing.T) {
	dir := t.TempDir()
	if err := container.WriteFile(filepath.Join(dir, "f"), []byte("x")); err != nil {
		t.Fatal(err)
	}
	if err := container.WriteFile(filepath.Join(dir, "missing", "f"), []byte("x")); err == nil {
		t.Error("a folder that is not there: no error")
	}
	// A folder stands where the file should: the rename fails, the temporary
	// file goes.
	if err := os.Mkdir(filepath.Join(dir, "taken"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "taken", "inside"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := container.WriteFile(filepath.Join(dir, "taken"), []byte("x")); err == nil {
		t.Error("a folder in the way: no error")
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 2 {
		t.Errorf("left behind: %v (%v)", entries, err)
	}
}
