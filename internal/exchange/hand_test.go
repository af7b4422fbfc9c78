package exchange

import (
	"bytes"
	"errors"
	"fmt"
	"math/bits"
	"path/filepath"
	"strings"
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
		first = append(first, Named{name, &File{Study: []byte("{}"), Sites: []Site{{Name: name, Key: key.Public(), Open: []byte("{}")}}}})
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
	subtracted(t, files, part, total)
}

// subtracted: what was merged can be taken out again, of a round under way and of
// totals, and comes back to the same bits when it is added once more; what was never
// added cannot.
func subtracted(t *testing.T, files []Named, part, total *File) {
	t.Helper()
	for _, from := range []*File{part, total} {
		rest, err := Subtract(Named{"from", from}, files[1:2])
		if err != nil || rest.Complete() {
			t.Fatalf("%v: %+v", err, rest)
		}
		if _, err := Subtract(Named{"rest", rest}, files[1:2]); err == nil || !strings.Contains(err.Error(), "never added") {
			t.Errorf("taken away twice: %v", err)
		}
		again, err := Merge([]Named{{"rest", rest}, files[1]})
		if err != nil {
			t.Fatal(err)
		}
		a, err1 := again.Bytes()
		b, err2 := from.Bytes()
		if err1 != nil || err2 != nil || !bytes.Equal(a, b) {
			t.Errorf("taken away and added again, the file has other bytes (%v, %v)", err1, err2)
		}
	}
	if _, err := Subtract(Named{"part", part}, files[2:]); err == nil || !strings.Contains(err.Error(), "site0 is not in part") {
		t.Errorf("a site that was not added: %v", err)
	}
}

// TestSecret: noise of a round is the same when the same numbers are sent again, and
// another where the numbers, the round or the site are others.
func TestSecret(t *testing.T) {
	dir := t.TempDir()
	a, err := OpenKey(filepath.Join(dir, "a"), true)
	if err != nil {
		t.Fatal(err)
	}
	b, err := OpenKey(filepath.Join(dir, "b"), true)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[[32]byte]bool{}
	for _, c := range []struct {
		k *Key
		r int
		x float64
	}{{a, 1, 5}, {a, 1, 6}, {a, 2, 5}, {b, 1, 5}} {
		r := pass.Round{Number: c.r, Name: "sum"}
		one, err1 := c.k.secret(r, []float64{c.x})
		two, err2 := c.k.secret(r, []float64{c.x})
		if err1 != nil || err2 != nil || one != two || seen[one] {
			t.Errorf("%+v: %x, %x", c, one, two)
		}
		seen[one] = true
	}
}

// What must not be joined, by hand: sites of another key, totals of another course, a
// site twice; and a site begins only where the totals are complete.
func TestRefusedByHand(t *testing.T) {
	round := pass.Round{Number: 1, Name: "test"}
	one := []Fixed{{Hi: 1}}
	sites := []Site{{Name: "a", Key: "ka", Open: []byte("{}")}, {Name: "b", Key: "kb", Open: []byte("{}")}}
	at := func(s []Site, in int, done ...Total) *File {
		return &File{Study: []byte("{}"), Open: true, Sites: s, Now: &round, In: []int{in}, Sum: one, Done: done}
	}
	other := []Site{sites[0], {Name: "b", Key: "another", Open: []byte("{}")}}
	before := Total{Round: pass.Round{Number: 0, Name: "first"}, Sum: one}
	changed := Total{Round: before.Round, Sum: []Fixed{{Hi: 2}}}
	for name, files := range map[string][]Named{
		"another key":    {{"a", at(sites, 0)}, {"b", at(other, 1)}},
		"another course": {{"a", at(sites, 0, before)}, {"b", at(sites, 1, changed)}},
		"twice":          {{"a", at(sites, 0)}, {"b", at(sites, 0)}},
	} {
		if _, err := Merge(files); err == nil {
			t.Errorf("%s: joined", name)
		}
	}
	if _, err := Merge([]Named{{"a", at(sites, 0, before)}, {"b", at(sites, 1, before)}}); err != nil {
		t.Error(err)
	}
	if _, err := NewHand(at(sites, 0), nil); err == nil {
		t.Error("a round begins without all sites")
	}
}

// A site that hides its numbers hides them in a study of open sums too.
func TestHiddenInTheOpen(t *testing.T) {
	file := &File{Study: []byte("{}"), Open: true}
	var keys [2]*Key
	for i := range keys {
		key, err := OpenKey(filepath.Join(t.TempDir(), "key"), true)
		if err != nil {
			t.Fatal(err)
		}
		keys[i] = key
		file.Sites = append(file.Sites, Site{Name: fmt.Sprint("site", i), Key: key.Public(), Open: []byte("{}")})
	}
	for _, hide := range []bool{false, true} {
		h, err := NewHand(file, keys[0])
		if err != nil {
			t.Fatal(err)
		}
		if hide {
			h.Hide()
		}
		if _, err := h.Add(t.Context(), pass.Round{Number: 1, Name: "test"}, []float64{3}); !errors.Is(err, ErrCarry) {
			t.Fatal(err)
		}
		if open := h.Next.Sum[0].Float() == 3; open == hide {
			t.Errorf("hidden %v: the number is %v", hide, h.Next.Sum[0].Float())
		}
	}
}
