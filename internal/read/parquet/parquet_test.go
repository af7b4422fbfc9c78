package parquet

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	pq "github.com/moiety-go/moiety/internal/parquet"
	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/record"
)

// encode writes rows as a Parquet file: a cell is a text, a number, a list of
// texts, or nil.
func encode(t testing.TB, columns []pq.Column, rows ...[]any) []byte {
	t.Helper()
	var b bytes.Buffer
	w := pq.NewWriter(&b, "t", "", columns)
	for _, row := range rows {
		for i, cell := range row {
			switch v := cell.(type) {
			case nil:
				w.Null(i)
			case string:
				w.Text(i, v)
			case float64:
				w.Number(i, v)
			case int:
				w.Whole(i, int64(v))
			case []string:
				w.List(i, v)
			}
		}
		if err := w.EndRow(); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// foreign reads a file of another program.
func foreign(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "parquet", "testdata", name+".parquet"))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// table gives the table of a file as text.
func table(t testing.TB, data []byte) (string, error) {
	t.Helper()
	return tableOf(source.Bytes("t.parquet", data))
}

func tableOf(in source.Input) (string, error) {
	ctx := context.Background()
	f, err := Open(ctx, in)
	if err != nil {
		return "", err
	}
	made, err := f.Table("", false)
	if err != nil {
		return "", err
	}
	r, err := made.Text(ctx, nil)
	if err != nil {
		return "", err
	}
	defer r.Close()
	b, err := io.ReadAll(r)
	return string(b), err
}

// read gives all records with lists as "id|side|feature ...".
func read(t testing.TB, o Options, p *record.Problems, inputs ...source.Input) (rows []string, s *record.Schema, err error) {
	t.Helper()
	files := make([]*File, len(inputs))
	for i, in := range inputs {
		if files[i], err = Open(context.Background(), in); err != nil {
			return nil, nil, err
		}
	}
	src, err := New(files, o, p)
	if err != nil {
		return nil, nil, err
	}
	s = src.Schema()
	err = src.Read(context.Background(), func(b *record.Batch) error {
		for i := range b.N() {
			var side, row []string
			id := ""
			if b.IDs != nil {
				id = b.IDs[i]
			}
			for _, column := range b.Side {
				side = append(side, column[i])
			}
			for _, f := range b.Feature[b.Ptr[i]:b.Ptr[i+1]] {
				row = append(row, s.Dict.Name(f))
			}
			rows = append(rows, id+"|"+strings.Join(side, ",")+"|"+strings.Join(row, " "))
		}
		return nil
	})
	return rows, s, err
}

var (
	listColumns = []pq.Column{pq.TextColumn("id"), pq.TextColumn("codes").Lists(), pq.TextColumn("died")}
	longColumns = []pq.Column{pq.WholeColumn("patient_id"), pq.TextColumn("icd_code").Optional()}
)

func TestLists(t *testing.T) {
	listFile := encode(t, listColumns, []any{"x", []string{"I10", " E11", "I10"}, "true"}, []any{"y", []string(nil), "false"}, []any{"z", []string{"J44", ""}, "true"})
	bareFile := encode(t, []pq.Column{pq.TextColumn("key"), pq.TextColumn("many").Lists()}, []any{"x", []string{"5", "6"}}, []any{"y", []string(nil)})
	for _, c := range []struct {
		name string
		file []byte
		o    Options
		want []string
	}{
		{"list", listFile, Options{ID: "id", List: "codes"}, []string{"x||I10 E11", "y||", "z||J44"}},
		{"list with side", listFile, Options{ID: "id", List: "codes", Side: []string{"died"}}, []string{"x|true|I10 E11", "y|false|", "z|true|J44"}},
		{"numbers, no id", bareFile, Options{List: "many"}, []string{"||5 6", "||"}},
	} {
		p := &record.Problems{Strict: true}
		rows, s, err := read(t, c.o, p, source.Bytes("t.parquet", c.file))
		if err != nil || !slices.Equal(rows, c.want) || s.Kind != record.Presence {
			t.Errorf("%s: %q (%v), want %q", c.name, rows, err, c.want)
		}
	}
	for want, o := range map[string]Options{`no column of lists "dx"`: {List: "dx"}, `no column "key"`: {List: "codes", ID: "key"}} {
		if _, _, err := read(t, o, &record.Problems{}, source.Bytes("t", listFile)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v does not say %q", err, want)
		}
	}
	if _, _, err := read(t, Options{List: "codes"}, &record.Problems{}, source.Bytes("a", listFile), source.Bytes("b", bareFile)); err == nil || !strings.Contains(err.Error(), "other columns") {
		t.Errorf("two shapes: %v", err)
	}
}

// A table says what the annotations mean: numbers with their point, large numbers
// without a sign, days and times as such, numbers of two bytes, nothing for nothing.
func TestTable(t *testing.T) {
	for name, want := range map[string]string{
		"meanings": "day,ms,us,ns,clock,clock32,small,large,u8,u32,u64,half,i8,bytes,sort,uuid,nothing\n" +
			"2020-02-29,2020-02-29T12:30:05.25Z,2020-02-29T12:30:05.25Z,2020-02-29T12:30:05.25Z,12:30:05.25,12:30:05,-1.50,123456789012345678901.234," +
			"200,2147483648,9223372036854775808,1.5,-5,I10,red,000102030405060708090a0b0c0d0e0f,\n" + ",,,,,,,,,,,-2,,,,,\n",
		"decimals-as-numbers": "price,wide\n1.00,-0.005\n-12.50,1000.000\n",
		"int96":               "at\n2020-02-29T12:30:05.25Z\n\"\"\n",
		"nested-v1":           "id,who.age,who.sex\na,61,f\nb,,\nc,,m\nd,40,\n",
		"nested-v2":           "id,who.age,who.sex\na,61,f\nb,,\nc,,m\nd,40,\n",
		"empty":               "x\n",
	} {
		if got, err := table(t, foreign(t, name)); err != nil || got != want {
			t.Errorf("%s: %v\n%s\nwant\n%s", name, err, got, want)
		}
	}
	data := encode(t, []pq.Column{pq.TextColumn("word").Optional(), pq.NumberColumn("x")}, []any{`say "a, b"`, 1e-7}, []any{"é\x01\n", 1e15}, []any{nil, math.Inf(1)})
	want := "word,x\n\"say \"\"a, b\"\"\",1e-07\n\"é \n\",1e+15\n,\n"
	if got, err := table(t, data); err != nil || got != want {
		t.Errorf("got %v\n%s\nwant\n%s", err, got, want)
	}
}

// Numbers in bytes, the highest first, and numbers of two bytes.
func TestStoredForms(t *testing.T) {
	for want, c := range map[string]struct {
		scale int
		raw   []byte
	}{"-1.00": {2, []byte{0xff, 0x9c}}, "0.0256": {4, []byte{0, 1, 0}}, "0": {0, nil}} {
		if got := string(decimal(c.scale, false)(nil, value{raw: c.raw})); got != want {
			t.Errorf("decimal %x is %q, want %q", c.raw, got, want)
		}
	}
	for bits, want := range map[uint16]string{0x3c00: "1", 0xc000: "-2", 0x3555: "0.33325195", 0x0001: "5.9604645e-08", 0x7bff: "65504", 0x7c00: "", 0x7e00: "", 0: "0"} {
		if got := string(half(nil, value{raw: binary.LittleEndian.AppendUint16(nil, bits)})); got != want {
			t.Errorf("half %#x is %q, want %q", bits, got, want)
		}
	}
}

// Words of a dictionary are made once, also where there are more than are kept.
func TestWords(t *testing.T) {
	words := &pq.Values{Bytes: [][]byte{[]byte("a"), []byte(""), []byte("b c")}}
	var k keptWords
	made := 0
	c := &cursor{rows: 12, show: func(b []byte, v value) []byte { made++; return append(b, v.raw...) }}
	for range 3 {
		if got := string(k.append(k.append(k.append(nil, c, words, 2), c, words, 1), c, words, 0)); got != "b ca" {
			t.Errorf("words are %q", got)
		}
	}
	if made != 3 {
		t.Errorf("%d words were made of 3", made)
	}
	for _, n := range []int{4, mostKept + 1} {
		many := &pq.Values{Ints: make([]int64, n)}
		if k.append(nil, c, many, 0); k.of == many {
			t.Errorf("a dictionary of %d words for %d rows is kept", n, c.rows)
		}
		c.rows = 1 << 20
	}
}

func TestPlaces(t *testing.T) {
	file := encode(t, longColumns, []any{7, "I10"})
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write(file)
	z.Close()
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	path := filepath.Join(dir, "f.parquet")
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	plain, err := source.File(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, in := range map[string]source.Input{
		"file": plain, "stream": source.Reader("standard input", bytes.NewReader(file)), "gzip": source.Bytes("f.gz", packed.Bytes()),
	} {
		if got, err := tableOf(in); err != nil || got != "patient_id,icd_code\n7,I10\n" {
			t.Errorf("%s: %q (%v)", name, got, err)
		}
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 1 {
		t.Errorf("%d files left in the temporary folder (%v)", len(left), err)
	}
}

// Every kind of refusal is one of unreadable data, in words for people.
func TestDamaged(t *testing.T) {
	file := foreign(t, "snappy-v1")
	for _, c := range []struct {
		data []byte
		is   error
		want string
	}{
		{file[:len(file)-10], source.ErrDamaged, "does not end as a Parquet file does"},
		{file[:len(file)/2], source.ErrDamaged, "does not end"},
		{[]byte("PAR1PAR1"), source.ErrDamaged, "too few"},
		{[]byte("id,code\n1,2\n3,4\n"), source.ErrDamaged, "does not end"},
		{foreign(t, "locked"), source.ErrBinary, "encrypted"},
		{foreign(t, "brotli-v2"), source.ErrBinary, "write it again with zstd"},
	} {
		if _, err := table(t, c.data); !errors.Is(err, c.is) || !source.Unreadable(err) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v does not say %q", err, c.want)
		}
	}
}

// Files with bytes that are changed at random give a table or an error of the data.
func TestMutations(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	for _, name := range []string{"meanings", "roles-lz4", "lists"} {
		file := foreign(t, name)
		for range 150 {
			data := bytes.Clone(file)
			for range 1 + rng.IntN(3) {
				data[rng.IntN(len(data))] ^= byte(1 + rng.IntN(255))
			}
			if _, err := table(t, data); err != nil && !source.Unreadable(err) {
				t.Errorf("error %v is not one of unreadable data", err)
			}
		}
	}
}

func FuzzParquet(f *testing.F) {
	for _, name := range []string{"meanings", "nested-v1", "lists", "roles-lz4", "int96", "structs", "maps"} {
		f.Add(foreign(f, name))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		_, _ = table(t, data)
		file, err := Open(context.Background(), source.Bytes("f.parquet", data))
		if err != nil {
			return
		}
		for _, names := range file.Records() {
			if made, err := file.Table(names[0], true); err == nil {
				if r, err := made.Text(t.Context(), nil); err == nil {
					_, _ = io.Copy(io.Discard, r)
					_ = r.Close()
				}
			}
		}
		if len(file.list) == 0 {
			return
		}
		_, _, _ = read(t, Options{List: file.list[0].name}, &record.Problems{}, source.Bytes("f.parquet", data))
	})
}
