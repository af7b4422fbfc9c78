package exchange

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/pass"
)

// sent is what a site sent in the second round of three sites.
func sent() *File {
	f := &File{Study: []byte("{}"), Now: &pass.Round{Number: 2, Name: "second"}, In: []int{0}, Sum: []Fixed{{Hi: 5}, {Hi: 6}}}
	for _, n := range []string{"a", "b", "c"} {
		f.Sites = append(f.Sites, Site{Name: n, Key: "key of " + n, Open: []byte("{}")})
	}
	f.Done = []Total{{Round: pass.Round{Number: 1, Name: "first"}, Sum: []Fixed{{Hi: 1}, {Hi: 2}}}}
	return f
}

// Totals go on from what a site sent only where the list of sites and every total before are
// what they were: else its numbers would stand under two masks.
func TestFollowEachPart(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(f *File)
		want   string
	}{
		{"the same totals", func(*File) {}, ""},
		{"one round more", func(f *File) { f.Done = append(f.Done, Total{*sent().Now, sent().Sum}) }, ""},
		{"another key", func(f *File) { f.Sites[2].Key = "another" }, "list of sites has changed"},
		{"another name", func(f *File) { f.Sites[1].Name = "d" }, "list of sites has changed"},
		{"another table", func(f *File) { f.Sites[1].Open = []byte(`{"n":1}`) }, "list of sites has changed"},
		{"another order", func(f *File) { slices.Reverse(f.Sites) }, "list of sites has changed"},
		{"a site less", func(f *File) { f.Sites = f.Sites[:2] }, "list of sites has changed"},
		{"a round less", func(f *File) { f.Done = nil }, "take the newest totals"},
		{"another number", func(f *File) { f.Done[0].Sum[1].Lo++ }, "total of round 1 has changed"},
		{"another round", func(f *File) { f.Done[0].Round.Name = "other" }, "total of round 1 has changed"},
	} {
		totals := sent()
		totals.Now, totals.In, totals.Sum = nil, nil, nil
		c.change(totals)
		if err := totals.Follow(sent()); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

// A round is sent a second time as it was the first time, or not at all; another round and a
// first file are not.
func TestAgainEachPart(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(f *File)
		again  bool
	}{
		{"the same", func(*File) {}, true},
		{"another number", func(f *File) { f.Sum[1].Lo++ }, false},
		{"a number less", func(f *File) { f.Sum = f.Sum[:1] }, false},
		{"other settings", func(f *File) { f.Now.Study = "other" }, false},
		{"the next round", func(f *File) { f.Done = append(f.Done, Total{*f.Now, f.Sum}); f.Now.Number++; f.Sum[0].Hi++ }, true},
	} {
		f := sent()
		c.change(f)
		if err := f.Again(sent()); (err == nil) != c.again {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	first := sent()
	first.Now = nil
	for _, before := range []*File{nil, first} {
		if err := sent().Again(before); err != nil {
			t.Error(err)
		}
	}
}

// A folder of totals, one file a round, holds what the file of all of them does; the list of
// sites has none of them, and each stands in its place in its study.
func TestFolderOfTotals(t *testing.T) {
	f := sent()
	f.Number, f.Now, f.In, f.Sum = "7", nil, nil, nil
	f.Done = append(f.Done, Total{Round: pass.Round{Number: 2, Name: "second"}, Sum: []Fixed{{Hi: 3}}})
	dir := t.TempDir()
	var files [][]byte
	for n := range 3 {
		data, err := f.Tail(n)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, TotalName(n)), data, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, data)
	}
	got, err := Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	a, _ := got.Bytes()
	if b, err := f.Bytes(); err != nil || !bytes.Equal(a, b) {
		t.Errorf("the folder holds %+v, want %+v (%v)", got, f, err)
	}
	head, err := Read(files[0])
	if err != nil || len(head.Done) != 0 || len(head.Sites) != 3 {
		t.Fatalf("the list of sites is %+v (%v)", head, err)
	}
	if err := head.Grow(files[2]); err == nil {
		t.Error("the second round is taken for the first")
	}
	if head.Number = "8"; head.Grow(files[1]) == nil {
		t.Error("a round of another study is taken")
	}
}

// A fit that asks for another round than was added up gets no total.
func TestKnownInStep(t *testing.T) {
	first := sent().Done[0].Round
	for _, other := range []bool{false, true} {
		f := sent()
		f.Now, f.In = nil, nil
		key, err := NewKey()
		if err != nil {
			t.Fatal(err)
		}
		f.Sites[1].Key = key.Public()
		live, err := NewLive(f, key, &carrier{}, false)
		if err != nil {
			t.Fatal(err)
		}
		hand, err := NewHand(f, key)
		if err != nil {
			t.Fatal(err)
		}
		asked := first
		if other {
			asked.Given = "other numbers"
		}
		for _, x := range []pass.Exchange{hand, live} {
			total, known, err := x.Known(asked)
			if (err != nil) != other || known == other || !other && !slices.Equal(total, []float64{1, 2}) {
				t.Errorf("%T, another round %v: %v, %v, %v", x, other, total, known, err)
			}
		}
	}
}
