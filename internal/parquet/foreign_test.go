package parquet

import (
	"bytes"
	"compress/gzip"
	"encoding/hex"
	"encoding/json"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// load returns the foreign files by their names.
func load(t testing.TB) map[string][]byte {
	t.Helper()
	names, err := filepath.Glob("testdata/*.parquet")
	if err != nil || len(names) < 30 {
		t.Fatalf("%d files (%v)", len(names), err)
	}
	out := make(map[string][]byte)
	for _, name := range names {
		if out[filepath.Base(name)], err = os.ReadFile(name); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// wanted returns what was written into the foreign files.
func wanted(t *testing.T) (want map[string]map[string][]any) {
	t.Helper()
	f, err := os.Open("testdata/want.json.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(z)
	d.UseNumber()
	if err := d.Decode(&want); err != nil {
		t.Fatal(err)
	}
	return want
}

// all reads every column as rows of what want.json holds.
func all(data []byte, l Limits) (map[string][]any, error) {
	f, err := Open(bytes.NewReader(data), int64(len(data)), l)
	if err != nil {
		return nil, err
	}
	out := make(map[string][]any)
	for g := range f.Groups() {
		for i := range f.Columns {
			c := &f.Columns[i]
			rows, err := column(f.Read(g, i), c)
			if err != nil {
				return nil, err
			}
			out[c.Path[0]] = append(out[c.Path[0]], rows...)
		}
	}
	return out, nil
}

// column reads values, and lists of them.
func column(r *Reader, c *Column) (rows []any, err error) {
	for {
		b, err := r.Next()
		if err == io.EOF {
			return rows, nil
		} else if err != nil {
			return nil, err
		}
		value := 0
		for i := range b.N {
			there := b.Def == nil || b.Def[i] == c.MaxDef
			var v any
			if there {
				v = shown(b, value, c)
				value++
			}
			switch {
			case c.MaxRep == 0:
				rows = append(rows, v)
			case b.Rep[i] == 0 && b.Def[i] < c.ListDef:
				rows = append(rows, []any{})
			case b.Rep[i] == 0:
				rows = append(rows, []any{v})
			default:
				last := len(rows) - 1
				rows[last] = append(rows[last].([]any), v)
			}
		}
	}
}

func shown(b *Batch, i int, c *Column) any {
	v := &b.Values
	if b.Dict != nil {
		v, i = b.Dict, int(b.Index[i])
	}
	switch c.Type {
	case Boolean:
		return v.Ints[i] == 1
	case Float:
		return float64(math.Float32frombits(uint32(v.Ints[i])))
	case Double:
		return math.Float64frombits(uint64(v.Ints[i]))
	case Int32, Int64:
		return v.Ints[i]
	}
	return hex.EncodeToString(v.Bytes[i])
}

// same compares what was read with what was written.
func same(got, want any) bool {
	switch w := want.(type) {
	case json.Number:
		switch g := got.(type) {
		case int64:
			n, err := w.Int64()
			return err == nil && g == n
		case float64:
			x, err := w.Float64()
			return err == nil && g == x
		}
		return false
	case []any:
		g, ok := got.([]any)
		for i := range w {
			ok = ok && i < len(g) && same(g[i], w[i])
		}
		return ok && len(g) == len(w)
	}
	return reflect.DeepEqual(got, want)
}

// Files of other programs give what was written: every encoding, both versions of
// pages, every codec, dictionaries, lists, nulls, several row groups.
func TestForeign(t *testing.T) {
	files := load(t)
	for name, want := range wanted(t) {
		got, err := all(files[name], Limits{})
		if unpacked := name != "brotli-v1.parquet" && name != "brotli-v2.parquet"; !unpacked {
			continue
		} else if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for c, rows := range want {
			for i, v := range rows {
				if i >= len(got[c]) || !same(got[c][i], v) {
					t.Errorf("%s, column %s, row %d: got %v of %d, want %v", name, c, i, got[c][min(i, len(got[c])):][:min(1, len(got[c]))], len(got[c]), v)
					break
				}
			}
			if len(got[c]) != len(rows) {
				t.Errorf("%s, column %s: %d rows, want %d", name, c, len(got[c]), len(rows))
			}
		}
	}
}
