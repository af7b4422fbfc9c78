package record

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestDict(t *testing.T) {
	d := NewDict()
	for i, name := range []string{"b", "a", "b", "", "a"} {
		want := []uint32{0, 1, 0, 2, 1}[i]
		if got := d.Add(name); got != want {
			t.Errorf("Add(%q) = %d, want %d", name, got, want)
		}
		if got := d.AddBytes([]byte(name)); got != want {
			t.Errorf("AddBytes(%q) = %d, want %d", name, got, want)
		}
	}
	if d.Len() != 3 || !slices.Equal(d.Names(), []string{"b", "a", ""}) || d.Name(1) != "a" {
		t.Errorf("names %q", d.Names())
	}
	if n, ok := d.Find("a"); n != 1 || !ok {
		t.Errorf("Find(a) = %d, %v", n, ok)
	}
	if _, ok := d.Find("z"); ok {
		t.Error("Find knows a name that was never added")
	}
}

// The dictionary must not keep the reader's buffer, which is overwritten.
func TestDictCopies(t *testing.T) {
	d, buf := NewDict(), []byte("428")
	d.AddBytes(buf)
	copy(buf, "999")
	if d.Name(0) != "428" {
		t.Errorf("name became %q", d.Name(0))
	}
	if n := testing.AllocsPerRun(100, func() { d.AddBytes([]byte("428")) }); n > 0 {
		t.Errorf("AddBytes of a known name allocates %v times", n)
	}
}

func TestBatchN(t *testing.T) {
	for _, c := range []struct {
		b    Batch
		want int
	}{
		{Batch{}, 0},
		{Batch{Ptr: []int{0}}, 0},
		{Batch{Ptr: []int{0, 2, 2}}, 2},
		{Batch{Text: []string{"a", ""}}, 2},
		{Batch{Ptr: []int{0, 1, 2, 3}, Steps: []int{0, 1, 3}}, 2},
	} {
		if got := c.b.N(); got != c.want {
			t.Errorf("N of %+v = %d, want %d", c.b, got, c.want)
		}
	}
}

func TestKindNames(t *testing.T) {
	var got []string
	for k := Presence; k <= Text; k++ {
		got = append(got, k.String())
	}
	if s := strings.Join(got, " "); s != "presence counts real categorical mixed text" {
		t.Error(s)
	}
}

func TestParseError(t *testing.T) {
	long := strings.Repeat("é", 100)
	for _, c := range []struct {
		e    ParseError
		want string
	}{
		{ParseError{File: "a.csv", Line: 3, Column: 7, Text: "x,y", Msg: "want a number"}, `a.csv:3:7: want a number: "x,y"`},
		{ParseError{File: "a.csv", Line: 3, Msg: "line is empty"}, `a.csv:3: line is empty`},
		{ParseError{File: "a.csv", Column: 4, Msg: "no header"}, `a.csv: no header`},
		{ParseError{File: "b", Line: 1, Text: long, Msg: "too long"}, `b:1: too long: "` + strings.Repeat("é", 60) + `…"`},
	} {
		if got := c.e.Error(); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}

func TestProblems(t *testing.T) {
	var p Problems
	for i := range 50 {
		if err := p.Malformed(&ParseError{File: "f", Line: i + 1, Msg: "bad"}); err != nil {
			t.Fatal(err)
		}
	}
	if p.Skipped != 50 || len(p.First) != keepFirst || p.First[0].Line != 1 {
		t.Errorf("%d skipped, %d kept", p.Skipped, len(p.First))
	}
	p.Repaired("leading zeros", 2)
	p.Repaired("leading zeros", 3)
	p.Note("%d files", 4)
	if p.Repairs["leading zeros"] != 5 || !slices.Equal(Texts(p.Notes), []string{"4 files"}) {
		t.Errorf("repairs %v, notes %v", p.Repairs, p.Notes)
	}
	strict := Problems{Strict: true}
	var pe *ParseError
	if err := strict.Malformed(&ParseError{Line: 9}); !errors.As(err, &pe) || pe.Line != 9 || strict.Skipped != 1 {
		t.Errorf("strict: %v", err)
	}
}

// Dict against a map, with names of all lengths, also empty ones.
func TestDictTwin(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	d, m := NewDict(), map[string]uint32{}
	for round := range 2 {
		for range 30000 {
			name := strings.Repeat("x", rng.IntN(3)) + fmt.Sprint(rng.IntN(9000)) + strings.Repeat("y", rng.IntN(2)*rng.IntN(100))
			if rng.IntN(1000) == 0 {
				name = ""
			}
			want, known := m[name]
			if got, ok := d.Find(name); ok != known || ok && got != want {
				t.Fatalf("%q is found at %d, %v; want %d, %v", name, got, ok, want, known)
			}
			if !known {
				want = uint32(len(m))
				m[name] = want
			}
			got := d.Add(name)
			if rng.IntN(2) == 0 {
				got = d.AddBytes([]byte(name))
			}
			if got != want || d.Name(got) != name || d.Len() != len(m) {
				t.Fatalf("round %d: %q is number %d of %d, want %d of %d", round, name, got, d.Len(), want, len(m))
			}
		}
		old := d.Names()[5]
		kept := strings.Clone(old)
		d.Reset()
		d.Add("after")
		if d.Len() != 1 || old != kept {
			t.Fatal("Reset does not begin anew, or spoils names")
		}
		d.Reset()
		clear(m)
	}
}

// A text in the place of a name is stood for by its beginning, always the same.
func TestLongNames(t *testing.T) {
	long := strings.Repeat("é", 100_000)
	a, b := NewDict(), NewDict()
	if a.Add(long) != 0 || a.AddBytes([]byte(long)) != 0 || a.Add(long+"x") != 1 || b.AddBytes([]byte(long)) != 0 {
		t.Error("a long name has several numbers, or two share one")
	}
	if n, ok := a.Find(long); !ok || n != 0 {
		t.Error("a long name is not found")
	}
	if a.Name(0) != b.Name(0) || len(a.Name(0)) > 1000 || !utf8.ValidString(a.Name(0)) {
		t.Errorf("a name of %d bytes", len(a.Name(0)))
	}
	short := strings.Repeat("x", 1000)
	if a.Add(short); a.Name(2) != short {
		t.Error("a name of a thousand bytes was changed")
	}
}

// Notes say what they are of, and those of runs written before are still read.
func TestNotesSayWhatTheyAreOf(t *testing.T) {
	var p Problems
	p.Note("%s is in UTF-16", "a.csv")
	p.Aside("left out: %d lines", 3)
	if want := []Note{{Understood, "a.csv is in UTF-16"}, {Aside, "left out: 3 lines"}}; !slices.Equal(p.Notes, want) {
		t.Errorf("%v, want %v", p.Notes, want)
	}
	data, err := json.Marshal(p.Notes)
	if want := `[{"of":"understood","text":"a.csv is in UTF-16"},{"of":"aside","text":"left out: 3 lines"}]`; err != nil || string(data) != want {
		t.Errorf("%s, want %s (%v)", data, want, err)
	}
	var back []Note
	if err := json.Unmarshal(data, &back); err != nil || !slices.Equal(back, p.Notes) {
		t.Errorf("%v came back (%v)", back, err)
	}
	if err := json.Unmarshal([]byte(`["as before"]`), &back); err != nil || !slices.Equal(back, []Note{{Understood, "as before"}}) {
		t.Errorf("%v (%v)", back, err)
	}
}
