package exchange

import (
	"bytes"
	"errors"
	"fmt"
	"math/bits"
	"slices"
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
		key, err := NewKey()
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
	a, err := NewKey()
	if err != nil {
		t.Fatal(err)
	}
	b, err := NewKey()
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

// Before the first round a site can be taken off the list, and the others stay as they were;
// none is on it twice, under another name or with another key.
func TestListOfSites(t *testing.T) {
	named := func(names ...string) *File {
		f := &File{Study: []byte("{}")}
		for _, n := range names {
			f.Sites = append(f.Sites, Site{Name: n, Key: "key of " + n, Open: []byte("{}")})
		}
		return f
	}
	all := named("a", "b", "c")
	for _, c := range []struct{ gone, left *File }{
		{named("a"), named("b", "c")},
		{named("b"), named("a", "c")},
		{named("c"), named("a", "b")},
		{named("c", "a"), named("b")},
	} {
		rest, err := Subtract(Named{"all", all}, []Named{{"gone", c.gone}})
		if err != nil || !slices.EqualFunc(rest.Sites, c.left.Sites, Site.is) {
			t.Errorf("without %v: %v, %v", c.gone.Sites, rest, err)
		}
	}
	if len(all.Sites) != 3 {
		t.Errorf("the file that was given has %d sites left", len(all.Sites))
	}
	renamed := named("d")
	renamed.Sites[0].Key = all.Sites[1].Key
	copied := named("b")
	copied.Sites[0].Key = "another key"
	for words, again := range map[string]*File{"b is in already": named("b"), "d is in already": renamed, "another site is called b": copied} {
		if _, err := Merge([]Named{{"all", all}, {"again", again}}); err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%v, want %q", err, words)
		}
	}
	for words, gone := range map[string]*File{"never added": named("d"), "nothing would be left": all} {
		if _, err := Subtract(Named{"all", all}, []Named{{"gone", gone}}); err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%v, want %q", err, words)
		}
	}
}

// A file that no program wrote is not read, though its checksum is right.
func TestForgedFiles(t *testing.T) {
	sites := []Site{{Name: "a", Key: "ka", Open: []byte("{}")}, {Name: "b", Key: "kb", Open: []byte("{}")}}
	for _, c := range []struct {
		name  string
		sites []Site
		in    []int
		now   *pass.Round
		good  bool
	}{
		{"totals", sites, nil, nil, true},
		{"both sites are in", sites, []int{0, 1}, &pass.Round{Number: 1}, true},
		{"no sites", nil, nil, nil, false},
		{"a round of nobody", sites, nil, &pass.Round{Number: 1}, false},
		{"sites in no round", sites, []int{0}, nil, false},
		{"one site more than there are", sites, []int{0, 2}, &pass.Round{Number: 1}, false},
		{"a site before the first", sites, []int{-1}, &pass.Round{Number: 1}, false},
		{"a site twice", sites, []int{1, 0, 1}, &pass.Round{Number: 1}, false},
	} {
		data, err := (&File{Study: []byte("{}"), Sites: c.sites, In: c.in, Now: c.now}).Bytes()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Read(data); (err == nil) != c.good {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// What is taken out of a round is as long as what is in it.
func TestTakeAsLong(t *testing.T) {
	from := sent()
	from.In = []int{0, 1}
	for n, good := range map[int]bool{1: false, 2: true, 3: false} {
		file := sent()
		file.Sum = make([]Fixed, n)
		if _, err := Subtract(Named{"from", from}, []Named{{"one", file}}); (err == nil) != good {
			t.Errorf("%d numbers of %d: %v", n, len(from.Sum), err)
		}
	}
}
