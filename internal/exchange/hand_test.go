package exchange

import (
	"errors"
	"fmt"
	"math/bits"
	"path/filepath"
	"testing"

	"github.com/moiety-go/moiety/pass"
)

// TestMasked: three sites carry files; the total is that of their numbers in any
// order, and the numbers of one site look like chance: their bits are even to
// five standard deviations, whatever they hide.
func TestMasked(t *testing.T) {
	var first []Named
	var keys []*Key
	for i := range 3 {
		key, err := OpenKey(filepath.Join(t.TempDir(), "key"), true)
		if err != nil {
			t.Fatal(err)
		}
		name := fmt.Sprint("site", i)
		keys = append(keys, key)
		first = append(first, Named{name, &File{Study: []byte("{}"), Sites: []Site{{Name: name, Key: key.Public(), Told: []byte("{}")}}}})
	}
	all, err := Merge(first)
	if err != nil {
		t.Fatal(err)
	}
	const n = 4096
	round := pass.Round{Number: 1, Name: "test"}
	var files []Named
	for i, key := range keys {
		h, err := NewHand(all, key)
		if err != nil {
			t.Fatal(err)
		}
		x := make([]float64, n)
		for j := range x {
			x[j] = float64(i + 1)
		}
		if _, err := h.Add(t.Context(), round, x); !errors.Is(err, ErrCarry) {
			t.Fatal(err)
		}
		ones := 0
		for _, v := range h.Next.Sum {
			ones += bits.OnesCount64(v.Hi) + bits.OnesCount64(v.Lo)
		}
		if off := float64(ones - 64*n); off*off > 25*32*n {
			t.Errorf("site %d: %d of %d bits are set", i, ones, 128*n)
		}
		files = append(files, Named{fmt.Sprint(i), h.Next})
	}
	files[0], files[2] = files[2], files[0]
	part, err := Merge(files[:2])
	if err != nil || part.Complete() || part.Missing() != "site0" {
		t.Fatalf("%v, missing %q", err, part.Missing())
	}
	total, err := Merge([]Named{{"part", part}, files[2]})
	if err != nil || !total.Complete() {
		t.Fatal(err)
	}
	for _, v := range total.Done[0].Sum {
		if v.Float() != 6 {
			t.Fatalf("the total is %v, want 6", v.Float())
		}
	}
	if _, err := Merge([]Named{files[0], files[0]}); err == nil {
		t.Error("a site is taken twice")
	}
}
