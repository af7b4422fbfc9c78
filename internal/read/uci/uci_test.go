package uci

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/record"
)

// read gives all records as "feature:count ..." lines, and the ids.
func read(t testing.TB, o Options, p *record.Problems, inputs ...source.Input) (rows, ids []string, s *record.Schema, err error) {
	t.Helper()
	src, err := New(inputs, o, p)
	if err != nil {
		return nil, nil, nil, err
	}
	s = src.Schema()
	err = src.Read(context.Background(), func(b *record.Batch) error {
		for i := range b.N() {
			var row []string
			for e := b.Ptr[i]; e < b.Ptr[i+1]; e++ {
				row = append(row, fmt.Sprintf("%s:%g", s.Dict.Name(b.Feature[e]), b.At(e)))
			}
			rows = append(rows, strings.Join(row, " "))
		}
		ids = append(ids, b.IDs...)
		return nil
	})
	return rows, ids, s, err
}

func text(name, s string) source.Input { return source.Bytes(name, []byte(s)) }

func vocab() source.Input { return text("vocab.t.txt", "heart\nkidney\nlung\n") }

// That a file is cut off is told before the line in which it ends.
func TestCutOffIsToldFirst(t *testing.T) {
	p := &record.Problems{}
	if _, _, _, err := read(t, Options{}, p, text("docword.t.txt", "4\n3\n9\n1 1 2\n1 2 1\n2 3"), vocab()); err != nil {
		t.Fatal(err)
	}
	if p.Skipped != 2 || len(p.First) != 2 || !strings.Contains(p.First[0].Msg, "cut off") {
		t.Errorf("%d were left out, told first: %v", p.Skipped, p.First)
	}
}

func TestRecords(t *testing.T) {
	cases := []struct {
		name, docword string
		want          []string
		skipped       int
		repairs       int
	}{
		{"plain", "3\n3\n3\n1 1 2\n1 3 1\n3 2 4\n", []string{"heart:2 lung:1", "", "kidney:4"}, 0, 0},
		{"no line end", "1\n3\n1\n1 2 7", []string{"kidney:7"}, 0, 0},
		{"dos lines, tabs, blanks", "2\r\n3\r\n2\r\n1\t1\t1\r\n\r\n 2  3   5 \r\n", []string{"heart:1", "lung:5"}, 0, 0},
		{"empty ends", "4\n3\n1\n2 1 1\n", []string{"", "heart:1", "", ""}, 0, 0},
		{"no entries", "2\n3\n0\n", []string{"", ""}, 0, 0},
		{"words unsorted", "1\n3\n2\n1 3 1\n1 1 2\n", []string{"heart:2 lung:1"}, 0, 0},
		{"twice", "1\n3\n3\n1 1 1\n1 2 1\n1 1 2\n", []string{"heart:3 kidney:1"}, 0, 1},
		{"unsorted", "3\n3\n4\n3 1 1\n1 2 1\n3 3 1\n2 1 9\n", []string{"kidney:1", "heart:9", "heart:1 lung:1"}, 0, 1},
		{"document zero", "1\n3\n2\n0 1 1\n1 1 1\n", []string{"heart:1"}, 1, 0},
		{"from zero", "2\n3\n3\n0 0 5\n0 2 1\n1 1 4", []string{"heart:5 lung:1", "kidney:4"}, 0, 0},
		{"words from zero", "2\n3\n3\n0 2 5\n1 1 1\n1 0 4\n", []string{"lung:5", "heart:4 kidney:1"}, 0, 0},
		{"from zero, beyond", "2\n3\n3\n0 0 5\n0 2 1\n1 7 4\n", []string{"heart:5 lung:1", ""}, 1, 0},
		{"document beyond", "1\n3\n2\n1 1 1\n2 1 1\n", []string{"heart:1"}, 1, 0},
		{"word beyond", "1\n3\n2\n1 1 1\n1 4 1\n", []string{"heart:1"}, 1, 0},
		{"zero count", "1\n3\n2\n1 1 1\n1 2 0\n", []string{"heart:1"}, 1, 0},
		{"negative", "1\n3\n2\n1 1 1\n1 2 -3\n", []string{"heart:1"}, 1, 0},
		{"NaN", "1\n3\n2\n1 1 1\n1 2 NaN\n", []string{"heart:1"}, 1, 0},
		{"fraction", "1\n3\n2\n1 1 1\n1 2 1.5\n", []string{"heart:1"}, 1, 0},
		{"2^31 and 2^32+1", "1\n3\n4\n1 1 1\n1 2 2147483648\n4294967297 1 1\n1 4294967297 1\n", []string{"heart:1"}, 3, 0},
		{"2^64+1", "1\n3\n2\n1 1 1\n18446744073709551617 1 1\n", []string{"heart:1"}, 1, 0},
		{"largest count", "1\n3\n1\n1 1 2147483647\n", []string{"heart:2.147483647e+09"}, 0, 0},
		{"two fields", "1\n3\n2\n1 1 1\n1 2\n", []string{"heart:1"}, 1, 0},
		{"cut off", "1\n3\n3\n1 1 1\n1 2 1\n", []string{"heart:1 kidney:1"}, 1, 0},
		{"too many", "1\n3\n1\n1 1 1\n1 2 1\n", []string{"heart:1 kidney:1"}, 1, 0},
		{"hostile D", "2000000000\n3\n1\n2 1 1\n", []string{"", "heart:1"}, 1, 0},
		{"hostile number", "2000000000\n3\n2\n2 1 1\n1999999999 1 1\n", []string{"", "heart:1"}, 2, 0},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			p := &record.Problems{}
			rows, ids, s, err := read(t, Options{}, p, text("docword.t.txt", c.docword), vocab())
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(rows, c.want) || ids != nil {
				t.Errorf("records %q with ids %q, want %q", rows, ids, c.want)
			}
			repairs := 0
			for _, n := range p.Repairs {
				repairs += n
			}
			if p.Skipped != c.skipped || repairs != c.repairs {
				t.Errorf("%d skipped, %d repaired, want %d and %d: %v %v", p.Skipped, repairs, c.skipped, c.repairs, p.First, p.Repairs)
			}
			if s.Kind != record.Counts || s.Format != "uci" {
				t.Errorf("schema %+v", s)
			}
			strict := &record.Problems{Strict: true}
			if _, _, _, err := read(t, Options{}, strict, text("docword.t.txt", c.docword), vocab()); (err != nil) != (c.skipped > 0) {
				t.Errorf("strict: %v with %d malformed places", err, c.skipped)
			}
		})
	}
}

func TestUnreadable(t *testing.T) {
	for name, docword := range map[string]string{
		"header ends":      "3\n3\n",
		"hostile D 10^12":  "1000000000000\n3\n1\n1 1 1\n",
		"hostile W 2^31":   "1\n2147483648\n1\n1 1 1\n",
		"negative D":       "-1\n3\n1\n1 1 1\n",
		"not a number":     "id,code\n1,2\n3,4\n",
		"no valid line":    "1\n3\n2\na b c\nx y z\n",
		"zero too late":    "9\n9\n40001\n" + strings.Repeat("1 1 1\n", sampleBytes/6) + "2 0 1\n",
		"binary":           "1\n3\n2\n\x00\x01\x02\n",
		"header not ended": strings.Repeat("1", 1<<16),
	} {
		p := &record.Problems{}
		_, _, _, err := read(t, Options{}, p, text("docword.t.txt", docword), vocab())
		if err == nil || !source.Unreadable(err) {
			t.Errorf("%s: error %v is not one of unreadable data", name, err)
		}
	}
}

func TestLineOfError(t *testing.T) {
	p := &record.Problems{}
	if _, _, _, err := read(t, Options{}, p, text("docword.t.txt", "2\n3\n3\n1 1 1\n\n1 9 1\n2 1 1\n"), vocab()); err != nil {
		t.Fatal(err)
	}
	const want = `docword.t.txt:6: the word must be from 1 to 3: "1 9 1"`
	if got := p.First[0].Error(); got != want {
		t.Errorf("error %q, want %q", got, want)
	}
}

func TestVocabularies(t *testing.T) {
	const docword = "1\n4\n4\n1 1 1\n1 2 1\n1 3 1\n1 4 1\n"
	cases := []struct{ name, vocab, want string }{
		{"fits", "a\nb\nc\nd\n", "a:1 b:1 c:1 d:1"},
		{"short", "a\nb\n", "a:1 b:1 3:1 4:1"},
		{"long", "a\nb\nc\nd\ne\n", "a:1 b:1 c:1 d:1"},
		{"twice", "a\nb\na\n\n", "a:1 b:1 a (column 3):1  (column 4):1"},
	}
	for _, c := range cases {
		p := &record.Problems{}
		rows, _, _, err := read(t, Options{}, p, text("docword.x.txt", docword), text("vocab.x.txt", c.vocab))
		if err != nil || rows[0] != c.want {
			t.Errorf("%s: %q, want %q (%v)", c.name, rows, c.want, err)
		}
		if other := c.name == "short" || c.name == "long"; other != (len(p.Notes) == 1) { // another number of words is said
			t.Errorf("%s: %v", c.name, p.Notes)
		}
	}
	p := &record.Problems{}
	rows, _, _, err := read(t, Options{}, p, text("docword.x.txt", docword))
	if err != nil || rows[0] != "1:1 2:1 3:1 4:1" || len(p.Notes) != 1 {
		t.Errorf("without vocabulary: %q %v %v", rows, err, p.Notes)
	}
}

func TestVocabBeside(t *testing.T) {
	dir := t.TempDir()
	write := func(name, s string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(s), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	in, err := source.File(write("docword.y.txt", "1\n1\n1\n1 1 1\n"))
	if err != nil {
		t.Fatal(err)
	}
	write("vocab.y.txt", "word\n")
	rows, _, _, err := read(t, Options{}, &record.Problems{}, in)
	if err != nil || rows[0] != "word:1" {
		t.Errorf("vocabulary beside the file: %q %v", rows, err)
	}
	rows, _, _, err = read(t, Options{VocabFile: write("other.txt", "else\n")}, &record.Problems{}, in)
	if err != nil || rows[0] != "else:1" {
		t.Errorf("named vocabulary: %q %v", rows, err)
	}
	if _, _, _, err = read(t, Options{VocabFile: filepath.Join(dir, "none")}, &record.Problems{}, in); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing vocabulary: %v", err)
	}
}

func TestSeveralFiles(t *testing.T) {
	rows, ids, s, err := read(t, Options{}, &record.Problems{},
		text("docword.a.txt", "1\n2\n1\n1 2 1\n"), text("vocab.a.txt", "x\ny\n"),
		text("docword.b.txt", "2\n2\n2\n1 1 1\n2 2 3\n"), text("vocab.b.txt", "y\nz\n"))
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"y:1", "y:1", "z:3"}; !reflect.DeepEqual(rows, want) {
		t.Errorf("records %q, want %q", rows, want)
	}
	if want := []string{"a:1", "b:1", "b:2"}; !reflect.DeepEqual(ids, want) || s.Dict.Len() != 3 {
		t.Errorf("ids %q, want %q; %d features", ids, want, s.Dict.Len())
	}
}

// generate makes a docword text of about the given size; words are sorted in
// each document.
func generate(size int) []byte {
	rng := rand.New(rand.NewPCG(1, 2))
	var body bytes.Buffer
	docs, entries := 0, 0
	for body.Len() < size {
		docs++
		for word := 1 + rng.IntN(60); word <= 3000; word += 1 + rng.IntN(50) {
			fmt.Fprintf(&body, "%d %d %d\n", docs, word, 1+rng.IntN(12))
			entries++
		}
	}
	return append(fmt.Appendf(nil, "%d\n3000\n%d\n", docs, entries), body.Bytes()...)
}

func TestWorkers(t *testing.T) {
	data := generate(5 << 19)
	var want []string
	for _, o := range []Options{
		{Workers: 1},
		{Workers: 2},
		{Workers: 8},
		{Workers: 8, Window: 1000},
		{Workers: 2, Window: 1 << 30},
	} {
		p := &record.Problems{Strict: true}
		rows, _, _, err := read(t, o, p, source.Bytes("docword.g.txt", data))
		if err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = rows
		}
		if !reflect.DeepEqual(rows, want) {
			t.Errorf("%+v: records differ", o)
		}
	}
}

// A file is fetched by those who parse it: records, and what is said of bad lines, are
// those of one worker, wherever the lines stand.
func TestWorkersOfFile(t *testing.T) {
	lines := strings.Split(string(generate(7<<20)), "\n")
	for i := range lines {
		switch {
		case i%100_000 == 99_999:
			lines[i] = "x" + lines[i]
		case i%150_000 == 149_999:
			lines[i] += "000" // no byte holds that
		}
	}
	path := filepath.Join(t.TempDir(), "docword.f.txt")
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	in, err := source.File(path)
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, o := range []Options{{Workers: 1}, {Workers: 2}, {Workers: 8}, {Workers: 8, MaxMemory: 1 << 20}} {
		p := &record.Problems{}
		rows, _, _, err := read(t, o, p, in)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range p.First {
			rows = append(rows, e.Error())
		}
		if rows = append(rows, fmt.Sprint(p.Skipped)); want == nil {
			want = rows
		}
		if p.Skipped < 5 || !slices.Equal(rows, want) {
			t.Errorf("%+v: records differ, or what is said of bad lines: %q", o, p.First)
		}
	}
}

// TestShuffled reads the lines in another order: the records must be the same.
func TestShuffled(t *testing.T) {
	data := generate(1 << 20)
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	want, _, _, err := read(t, Options{}, &record.Problems{}, source.Bytes("docword.g.txt", data))
	if err != nil {
		t.Fatal(err)
	}
	body := lines[3:]
	rand.New(rand.NewPCG(3, 4)).Shuffle(len(body), func(i, j int) { body[i], body[j] = body[j], body[i] })
	shuffled := text("docword.g.txt", strings.Join(lines, "\n"))
	got, _, _, err := read(t, Options{Workers: 2}, &record.Problems{}, shuffled)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("records of shuffled lines differ (%v)", err)
	}
	if _, _, _, err = read(t, Options{Limit: 1000}, &record.Problems{}, shuffled); err == nil || !strings.Contains(err.Error(), "sort the file") {
		t.Errorf("beyond the limit: %v", err)
	}
}

func TestLateDisorder(t *testing.T) {
	data := append(generate(2<<20), "1 1 1\n"...)
	_, _, _, err := read(t, Options{Window: 10}, &record.Problems{}, source.Bytes("docword.g.txt", data))
	if err == nil || !strings.Contains(err.Error(), "sort the file") {
		t.Errorf("disorder behind the window: %v", err)
	}
}

func TestCancel(t *testing.T) {
	src, err := New([]source.Input{source.Bytes("docword.g.txt", generate(2<<20))}, Options{Window: 1}, &record.Problems{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	err = src.Read(ctx, func(*record.Batch) error { cancel(); return nil })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled reading: %v", err)
	}
	stop := errors.New("stop")
	if err := src.Read(context.Background(), func(*record.Batch) error { return stop }); err != stop {
		t.Errorf("failing yield: %v", err)
	}
}

func FuzzDocword(f *testing.F) {
	for _, s := range []string{
		"3\n3\n3\n1 1 2\n1 3 1\n3 2 4\n", "1\n3\n1\n1 2 7", "4\n4\n4\n4 4 4\n1 1 1\n4 4 1\n 2 2 2\r\n",
		"2000000000\n2000000000\n1\n1999999999 1999999999 1\n", "1\n1\n1\n\n\n-1 x 4294967297\n", "",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var want []string
		for _, o := range []Options{{Workers: 1}, {Workers: 3, Window: 1}} {
			p := &record.Problems{}
			rows, _, s, err := read(t, o, p, source.Bytes("docword.f.txt", data))
			if err != nil {
				return
			}
			if len(rows) > 0 && s.Dict.Len() > 1<<21 {
				t.Fatalf("%d features from %d bytes", s.Dict.Len(), len(data))
			}
			if want != nil && !reflect.DeepEqual(rows, want) {
				t.Fatalf("%d workers: other records", o.Workers)
			}
			want = rows
		}
	})
}

func BenchmarkDocword(b *testing.B) {
	data := generate(64 << 20)
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				src, err := New([]source.Input{source.Bytes("docword.g.txt", data)}, Options{Workers: workers}, &record.Problems{})
				if err != nil {
					b.Fatal(err)
				}
				n := 0
				if err := src.Read(context.Background(), func(batch *record.Batch) error { n += batch.N(); return nil }); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
