package mtx

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

// read gives all records as "feature:value ..." and the ids.
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
				v := b.At(e)
				row = append(row, fmt.Sprintf("%s:%g", s.Dict.Name(b.Feature[e]), v))
			}
			rows = append(rows, strings.Join(row, " "))
		}
		ids = append(ids, b.IDs...)
		return nil
	})
	return rows, ids, s, err
}

func text(name, s string) source.Input { return source.Bytes(name, []byte(s)) }

const banner = "%%MatrixMarket matrix "

func TestRecords(t *testing.T) {
	cases := []struct {
		name, file string
		o          Options
		kind       record.Kind
		want       []string
		skipped    int
	}{
		{"integer", "coordinate integer general\n% note\n\n3 2 3\n1 1 5\n1 2 1\n3 2 4\n", Options{}, record.Counts, []string{"1:5 2:1", "", "2:4"}, 0},
		{"by column", "coordinate integer general\n2 2 3\n1 1 5\n2 1 1\n1 2 4\n", Options{}, record.Counts, []string{"1:5 2:4", "1:1"}, 0},
		{"transposed", "coordinate integer general\n3 2 3\n1 1 5\n3 1 1\n2 2 4\n", Options{Transpose: true}, record.Counts, []string{"1:5 3:1", "2:4"}, 0},
		{"real", "coordinate real general\n1 2 2\n1 1 0.5\n1 2 -1e3\n", Options{}, record.Real, []string{"1:0.5 2:-1000"}, 0},
		{"real but whole", "coordinate real general\n1 2 2\n1 1 2.0\n1 2 1e3\n", Options{}, record.Counts, []string{"1:2 2:1000"}, 0},
		{"pattern", "coordinate pattern general\n2 2 2\n1 2\n2 1\n", Options{}, record.Presence, []string{"2:1", "1:1"}, 0},
		{"pattern twice", "coordinate pattern general\n1 2 2\n1 2\n1 2\n", Options{}, record.Presence, []string{"2:1"}, 0},
		{"symmetric", "coordinate integer symmetric\n2 2 2\n1 1 3\n2 1 7\n", Options{}, record.Counts, []string{"1:3 2:7", "1:7"}, 0},
		{"skew", "coordinate integer skew-symmetric\n2 2 1\n2 1 7\n", Options{}, record.Real, []string{"2:-7", "1:7"}, 0},
		{"array", "array real general\n2 3\n1\n2\n0\n4\n5\n6\n", Options{}, record.Counts, []string{"1:1 3:5", "1:2 2:4 3:6"}, 0},
		{"array transposed", "array real general\n2 3\n1\n2\n0\n4\n5\n6\n", Options{Transpose: true}, record.Counts, []string{"1:1 2:2", "2:4", "1:5 2:6"}, 0},
		{"array symmetric", "array real symmetric\n2 2\n1\n2\n3\n", Options{}, record.Counts, []string{"1:1 2:2", "1:2 2:3"}, 0},
		{"array skew", "array integer skew-symmetric\n3 3\n1\n2\n3\n", Options{}, record.Real, []string{"2:-1 3:-2", "1:1 3:-3", "1:2 2:3"}, 0},
		{"array with a bad value", "array real general\n2 1\nx\n2\n", Options{}, record.Counts, []string{"", "1:2"}, 1},
		{"array cut off", "array real general\n2 2\n1\n2\n3\n", Options{}, record.Counts, []string{"1:1 2:3", "1:2"}, 1},
		{"stored zero", "coordinate integer general\n1 2 2\n1 1 0\n1 2 1\n", Options{}, record.Presence, []string{"2:1"}, 0},
		{"ones", "coordinate real general\n2 2 3\n1 1 1.0e+00\n1 2 1\n2 2 0.0\n", Options{}, record.Presence, []string{"1:1 2:1", ""}, 0},
		{"ones twice", "coordinate integer general\n1 2 2\n1 1 1\n1 1 1\n", Options{}, record.Counts, []string{"1:2"}, 0},
		{"unsigned", "coordinate unsigned-integer general\n1 2 2\n1 1 300\n1 2 1\n", Options{}, record.Counts, []string{"1:300 2:1"}, 0},
		{"Fortran", "coordinate real general\n1 2 2\n1 1 7.0D+0\n1 2 2.5d-1\n", Options{}, record.Real, []string{"1:7 2:0.25"}, 0},
		{"twice", "coordinate integer general\n1 2 2\n1 1 2\n1 1 3\n", Options{}, record.Counts, []string{"1:5"}, 0},
		{"NaN and infinite", "coordinate real general\n1 2 3\n1 1 NaN\n1 1 Inf\n1 2 1\n", Options{}, record.Presence, []string{"2:1"}, 2},
		{"out of range", "coordinate integer general\n1 2 4\n0 1 1\n2 1 1\n1 3 1\n1 1 1\n", Options{}, record.Presence, []string{"1:1"}, 3},
		{"2^31 and more", "coordinate integer general\n1 2 3\n2147483648 1 1\n1 18446744073709551617 1\n1 1 1\n", Options{}, record.Presence, []string{"1:1"}, 2},
		{"fraction in integer", "coordinate integer general\n1 2 2\n1 1 1.5\n1 2 1\n", Options{}, record.Presence, []string{"2:1"}, 1},
		{"fields", "coordinate integer general\n1 2 3\n1 1\n1 1 1 1\n1 2 1\n", Options{}, record.Presence, []string{"2:1"}, 2},
		{"cut off", "coordinate integer general\n1 2 3\n1 1 1\n", Options{}, record.Presence, []string{"1:1"}, 1},
		{"hostile rows", "coordinate integer general\n2000000000 2 1\n1 1 1\n", Options{}, record.Presence, []string{"1:1"}, 1},
		{"hostile row", "coordinate integer general\n2000000000 2 2\n1 1 1\n1999999999 1 1\n", Options{}, record.Presence, []string{"1:1"}, 2},
		{"wide", "coordinate integer general\n1 2000000000 1\n1 1999999999 1\n", Options{}, record.Presence, []string{"1999999999:1"}, 0},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			p := &record.Problems{}
			rows, ids, s, err := read(t, c.o, p, text("m.mtx", banner+c.file))
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(rows, c.want) || ids != nil || s.Kind != c.kind || p.Skipped != c.skipped {
				t.Errorf("%s records %q with ids %q, %d skipped; want %s %q, %d: %v", s.Kind, rows, ids, p.Skipped, c.kind, c.want, c.skipped, p.First)
			}
			if _, _, _, err := read(t, c.o, &record.Problems{Strict: true}, text("m.mtx", banner+c.file)); (err != nil) != (c.skipped > 0) {
				t.Errorf("strict: %v with %d malformed places", err, c.skipped)
			}
		})
	}
}

func TestUnreadable(t *testing.T) {
	for name, file := range map[string]string{
		"no banner":      "1 1 1\n1 1 1\n",
		"vector":         "%%MatrixMarket vector coordinate real general\n1 1 1\n",
		"complex":        banner + "coordinate complex general\n1 1 1\n1 1 1 1\n",
		"hermitian":      banner + "coordinate real hermitian\n1 1 1\n1 1 1\n",
		"layout":         banner + "diagonal real general\n1 1 1\n",
		"array pattern":  banner + "array pattern general\n1 1\n",
		"no sizes":       banner + "coordinate real general\n% nothing\n",
		"two sizes":      banner + "coordinate real general\n3 3\n",
		"hostile sizes":  banner + "coordinate real general\n1000000000000 3 1\n1 1 1\n",
		"negative sizes": banner + "coordinate real general\n-1 3 1\n1 1 1\n",
		"not square":     banner + "coordinate real symmetric\n2 3 1\n1 1 1\n",
		"no valid line":  banner + "coordinate real general\n2 3 2\na b c\n\x00\n",
		"endless note":   banner + "coordinate real general\n" + strings.Repeat("%\n", maxHeaderLines+2),
	} {
		_, _, _, err := read(t, Options{}, &record.Problems{}, text("m.mtx", file))
		if err == nil || !source.Unreadable(err) {
			t.Errorf("%s: error %v is not one of unreadable data", name, err)
		}
	}
}

func TestNames(t *testing.T) {
	dir := t.TempDir()
	write := func(name, s string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(s), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	m := text("m.mtx", banner+"coordinate integer general\n2 3 3\n1 1 5\n2 2 4\n1 3 1\n")
	o := Options{Transpose: true, NamesFile: write("features.tsv", "g1\tGene one\ng2\tGene two\n"), IDsFile: write("barcodes.tsv", "AA\nBB\nCC\n")}
	rows, ids, s, err := read(t, o, &record.Problems{}, m)
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(rows, ids, s.Titles) != "[g1:5 g2:4 g1:1] [AA BB CC] map[g1:Gene one g2:Gene two]" {
		t.Error(rows, ids, s.Titles)
	}
	o.Transpose = false
	if _, _, _, err = read(t, o, &record.Problems{}, m); err == nil || !strings.Contains(err.Error(), "transpose") {
		t.Errorf("names of the other direction: %v", err)
	}
	for _, c := range []struct{ name, columns, rows, genes, cells, want string }{
		{"a.mtx", "x\ny\nz\n", "r1\nr2\n", "", "", "[x:5 z:1 y:4] [r1 r2] map[]"},
		{"b.mtx", "x\ny\n", "r1\n", "", "", "[1:5 3:1 2:4] [] map[]"},
		{"c_matrix.mtx", "", "", "g1\tGene one\ng2\tGene two\n", "AA\nBB\nCC\n", "[g1:5 g2:4 g1:1] [AA BB CC] map[g1:Gene one g2:Gene two]"},
		{"d_matrix.mtx", "", "", "g1\ng2\ng3\n", "AA\nBB\n", "[g1:5 g3:1 g2:4] [AA BB] map[]"},
		{"e_matrix.mtx", "", "", "g1\n", "AA\nBB\n", "[1:5 3:1 2:4] [] map[]"},
	} {
		path := write(c.name, banner+"coordinate integer general\n2 3 3\n1 1 5\n2 2 4\n1 3 1\n")
		prefix := strings.TrimSuffix(c.name, "matrix.mtx")
		for name, content := range map[string]string{c.name + ".columns": c.columns, c.name + ".rows": c.rows, prefix + "genes.tsv": c.genes, prefix + "barcodes.tsv": c.cells} {
			if content != "" {
				write(name, content)
			}
		}
		in, err := source.File(path)
		if err != nil {
			t.Fatal(err)
		}
		rows, ids, s, err := read(t, Options{}, &record.Problems{}, in)
		if got := fmt.Sprint(rows, ids, s.Titles); err != nil || got != c.want {
			t.Errorf("%s: %s (%v), want %s", c.name, got, err, c.want)
		}
	}
	rows, ids, _, err = read(t, Options{}, &record.Problems{}, m, m)
	if err != nil || len(rows) != 4 || ids[3] != "m.mtx:2" {
		t.Errorf("two matrices: %q %q %v", rows, ids, err)
	}
}

// generate makes a coordinate file sorted by row.
func generate(size int) []byte {
	rng := rand.New(rand.NewPCG(7, 8))
	var body bytes.Buffer
	rows, entries := 0, 0
	for body.Len() < size {
		rows++
		for col := 1 + rng.IntN(60); col <= 3000; col += 1 + rng.IntN(50) {
			fmt.Fprintf(&body, "%d %d %d\n", rows, col, 1+rng.IntN(12))
			entries++
		}
	}
	return append(fmt.Appendf(nil, "%scoordinate integer general\n%d 3000 %d\n", banner, rows, entries), body.Bytes()...)
}

func TestWorkers(t *testing.T) {
	data := generate(5 << 19)
	var want []string
	for _, o := range []Options{{Workers: 1}, {Workers: 2}, {Workers: 8, Window: 1000}} {
		rows, _, _, err := read(t, o, &record.Problems{Strict: true}, source.Bytes("g.mtx", data))
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

func FuzzMTX(f *testing.F) {
	for _, s := range []string{
		"coordinate integer general\n3 2 3\n1 1 5\n1 2 1\n3 2 4\n", "array real symmetric\n2 2\n1\n2\n3\n",
		"coordinate pattern general\n2 2 2\n1 2\n2 1\n", "coordinate real skew-symmetric\n9 9 2\n2 1 -1e3\n9 1 nan\n",
		"array integer skew-symmetric\n3 3\n1\n2\n3\n4\n", "coordinate real general\n2000000000 2000000000 1\n1999999999 7 1\n",
	} {
		f.Add([]byte(banner+s), false)
		f.Add([]byte(banner+s), true)
	}
	f.Fuzz(func(t *testing.T, data []byte, transpose bool) {
		var want []string
		for _, o := range []Options{{Workers: 1, Transpose: transpose}, {Workers: 3, Transpose: transpose}} {
			rows, _, _, err := read(t, o, &record.Problems{}, source.Bytes("f.mtx", data))
			if err != nil {
				return
			}
			if want != nil && !reflect.DeepEqual(rows, want) {
				t.Fatalf("%d workers: other records", o.Workers)
			}
			want = rows
		}
	})
}

func BenchmarkMTX(b *testing.B) {
	data := generate(32 << 20)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		src, err := New([]source.Input{source.Bytes("g.mtx", data)}, Options{Workers: 1}, &record.Problems{})
		if err != nil {
			b.Fatal(err)
		}
		if err := src.Read(context.Background(), func(*record.Batch) error { return nil }); err != nil {
			b.Fatal(err)
		}
	}
}
