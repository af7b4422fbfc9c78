package svmlight

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/record"
)

// read gives all records as "label|feature:value ...".
func read(t testing.TB, o Options, p *record.Problems, inputs ...source.Input) (rows []string, s *record.Schema, err error) {
	t.Helper()
	src, err := New(inputs, o, p)
	if err != nil {
		return nil, nil, err
	}
	s = src.Schema()
	err = src.Read(context.Background(), func(b *record.Batch) error {
		for i := range b.N() {
			var side, row []string
			for _, column := range b.Side {
				side = append(side, column[i])
			}
			for e := b.Ptr[i]; e < b.Ptr[i+1]; e++ {
				row = append(row, fmt.Sprintf("%s:%g", s.Dict.Name(b.Feature[e]), b.Value[e]))
			}
			rows = append(rows, strings.Join(side, ",")+"|"+strings.Join(row, " "))
		}
		return nil
	})
	return rows, s, err
}

func text(s string) source.Input { return source.Bytes("t.svm", []byte(s)) }

func TestRecords(t *testing.T) {
	cases := []struct {
		name, file string
		kind       record.Kind
		want       []string
		skipped    int
	}{
		{"counts", "+1 1:2 3:1\n-1 2:4 # note: 9:9\n", record.Counts, []string{"+1|1:2 3:1", "-1|2:4"}, 0},
		{"presence", "a 1:1\nb 5:1.0", record.Presence, []string{"a|1:1", "b|5:1"}, 0},
		{"real", "1 1:0.25\r\n1 2:-3\r\n", record.Real, []string{"1|1:0.25", "1|2:-3"}, 0},
		{"from zero", "1 0:2\n", record.Counts, []string{"1|0:2"}, 0},
		{"qid", "1 qid:7 1:2\n2 qid:8 1:2\n", record.Counts, []string{"1,7|1:2", "2,8|1:2"}, 0},
		{"notes and blanks", "# all\n\n1 1:2\n", record.Counts, []string{"1|1:2"}, 0},
		{"label alone", "1\n2 1:2\n", record.Counts, []string{"1|", "2|1:2"}, 0},
		{"no label", "1:2 2:3\n", record.Counts, []string{"|1:2 2:3"}, 0},
		{"several labels", "1,4 1:2\n", record.Counts, []string{"1,4|1:2"}, 0},
		{"unsorted and twice", "1 3:1 1:2 3:4\n", record.Counts, []string{"1|1:2 3:5"}, 0},
		{"zeros", "1 3:0 1:2\n", record.Counts, []string{"1|1:2"}, 0},
		{"NaN", "1 3:NaN\n1 1:2\n", record.Counts, []string{"1|1:2"}, 1},
		{"infinite", "1 3:1e999\n1 1:2\n", record.Counts, []string{"1|1:2"}, 1},
		{"negative feature", "1 -3:1\n1 1:2\n", record.Counts, []string{"1|1:2"}, 1},
		{"2^31", "1 2147483648:1\n1 2147483647:2\n", record.Counts, []string{"1|2147483647:2"}, 1},
		{"no pair", "1 3\n1 1:2\n", record.Counts, []string{"1|1:2"}, 1},
		{"half a line", "1 2:3 4:\n1 1:2\n", record.Counts, []string{"1|1:2"}, 1},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			p := &record.Problems{}
			rows, s, err := read(t, Options{}, p, text(c.file))
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(rows, c.want) || s.Kind != c.kind || p.Skipped != c.skipped {
				t.Errorf("%s %q, %d skipped; want %s %q, %d", s.Kind, rows, p.Skipped, c.kind, c.want, c.skipped)
			}
			if _, _, err := read(t, Options{}, &record.Problems{Strict: true}, text(c.file)); (err != nil) != (c.skipped > 0) {
				t.Errorf("strict: %v with %d malformed places", err, c.skipped)
			}
		})
	}
}

func TestPlaceOfError(t *testing.T) {
	p := &record.Problems{}
	if _, _, err := read(t, Options{}, p, text("1 1:1\n\n1 1:1 2:x\n")); err != nil {
		t.Fatal(err)
	}
	const want = `t.svm:3:7: the value must be a finite number: "1 1:1 2:x"`
	if got := p.First[0].Error(); got != want {
		t.Errorf("error %q, want %q", got, want)
	}
}

func TestUnreadable(t *testing.T) {
	for name, file := range map[string]string{
		"empty": "", "no valid line": "a b c\nd e f\n", "binary": "1 1:1\n\x00\x01\n",
	} {
		if _, _, err := read(t, Options{}, &record.Problems{}, text(file)); err == nil || !source.Unreadable(err) {
			t.Errorf("%s: error %v is not one of unreadable data", name, err)
		}
	}
}

func TestNames(t *testing.T) {
	path := filepath.Join(t.TempDir(), "names.txt")
	if err := os.WriteFile(path, []byte("heart\nlung\nheart\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		base       Base
		file, want string
	}{
		{Auto, "1 1:1 3:2", "1|heart:1 heart (line 3):2"},
		{Auto, "1 0:1 1:2", "1|heart:1 lung:2"},
		{Zero, "1 1:1", "1|lung:1"},
		{One, "1 2:1", "1|lung:1"},
	} {
		rows, s, err := read(t, Options{NamesFile: path, Base: c.base}, &record.Problems{}, text(c.file))
		if err != nil || rows[0] != c.want || s.Dict.Len() != 3 {
			t.Errorf("%q: %q, want %q (%v)", c.file, rows, c.want, err)
		}
	}
	if _, _, err := read(t, Options{NamesFile: path}, &record.Problems{}, text("1 4:1")); err == nil || !strings.Contains(err.Error(), "has no name") {
		t.Errorf("feature without a name: %v", err)
	}
}

func TestWorkers(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	var file bytes.Buffer
	for file.Len() < 5<<19 {
		fmt.Fprintf(&file, "%d", rng.IntN(3))
		for f := rng.IntN(50); f < 2000; f += 1 + rng.IntN(90) {
			fmt.Fprintf(&file, " %d:%d", f, 1+rng.IntN(9))
		}
		file.WriteByte('\n')
	}
	var want []string
	for _, workers := range []int{1, 2, 8} {
		rows, s, err := read(t, Options{Workers: workers}, &record.Problems{Strict: true}, source.Bytes("g.svm", file.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, s.Dict.Names()...)
		if want == nil {
			want = rows
		}
		if !reflect.DeepEqual(rows, want) {
			t.Errorf("%d workers: records differ", workers)
		}
	}
}

func FuzzSVMLight(f *testing.F) {
	for _, s := range []string{"+1 1:2 3:1\n-1 2:4 # note\n", "1 qid:7 0:2", "a,b 3:1 1:2 3:4\n:\n", "1 2147483648:nan\n", ""} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var want []string
		for _, workers := range []int{1, 3} {
			rows, _, err := read(t, Options{Workers: workers}, &record.Problems{}, source.Bytes("f.svm", data))
			if err != nil {
				return
			}
			if want != nil && !reflect.DeepEqual(rows, want) {
				t.Fatalf("%d workers: other records", workers)
			}
			want = rows
		}
	})
}
