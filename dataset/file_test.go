package dataset

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"
)

// made returns n records over d features in the given layout, with ids and two
// side columns, or sequences of one to three steps.
func made(n, d int, layout Layout, sequences bool) *Dataset {
	rng := rand.New(rand.NewPCG(3, 4))
	out := &Dataset{Kind: record.Presence, Vocab: vocab.Numbered(d)}
	rows := n
	if sequences {
		out.Steps = []int{0}
		for i := range n {
			out.Steps = append(out.Steps, out.Steps[i]+1+rng.IntN(3))
		}
		rows = out.Steps[n]
	}
	if layout == Dense {
		out.Kind = record.Real
		out.Rows = sparse.Rows{Dim: d, Dense: make([]float64, rows*d)}
		for i := range out.Rows.Dense {
			out.Rows.Dense[i] = rng.NormFloat64()
		}
		out.Rows.Dense[0] = math.NaN()
	} else {
		b := sparse.NewBuilder(d, layout == Binary)
		for range rows {
			m := rng.IntN(6)
			index, value := make([]uint32, m), make([]float32, m)
			for e := range index {
				index[e], value[e] = uint32(rng.IntN(d)), rng.Float32()
			}
			if err := b.Add(index, value); err != nil {
				panic(err)
			}
		}
		out.Rows = b.Rows()
	}
	out.Side = []Side{{Name: "age"}, {Name: "sex"}}
	for i := range n {
		out.IDs = append(out.IDs, fmt.Sprintf("p%d", 7*i))
		out.Side[0].Values = append(out.Side[0].Values, fmt.Sprint(i%90))
		out.Side[1].Values = append(out.Side[1].Values, []string{"F", "M", ""}[i%3])
	}
	return out
}

func write(t testing.TB, d *Dataset) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "data.moiety")
	if err := Write(path, d); err != nil {
		t.Fatal(err)
	}
	return path
}

func open(t testing.TB, path string) *File {
	t.Helper()
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// same compares data sets, NaN equal to NaN.
func same(a, b *Dataset) bool {
	if len(a.Rows.Dense) != len(b.Rows.Dense) {
		return false
	}
	for i, v := range a.Rows.Dense {
		if math.Float64bits(v) != math.Float64bits(b.Rows.Dense[i]) {
			return false
		}
	}
	x, y := *a, *b
	x.Rows.Dense, y.Rows.Dense = nil, nil
	return reflect.DeepEqual(x, y)
}

func TestRoundTrip(t *testing.T) {
	for _, layout := range []Layout{Binary, Valued, Dense} {
		for _, n := range []int{0, 1, pass.BlockRecords, 2*pass.BlockRecords + 17} {
			for _, sequences := range []bool{false, true} {
				if n == 0 && layout == Dense {
					continue // made needs a number to set
				}
				d := made(n, 9, layout, sequences)
				d.Vocab.System = "icd9"
				d.Vocab.Titles = make([]string, 9)
				d.Vocab.Titles[3] = "Insuffisance cardiaque"
				d.Vocab.Columns = []vocab.Column{{Name: "a", Kind: vocab.Categorical, From: 2, To: 5}}
				f := open(t, write(t, d))
				got, err := f.Load(0)
				if err != nil {
					t.Fatal(err)
				}
				if n > 0 && !same(got, d) {
					t.Errorf("%s, %d records, sequences %v: not the same after reading", layout, n, sequences)
				}
				if got.Len() != n || f.Len() != n || got.Check() != nil {
					t.Errorf("%d and %d records, want %d; %v", got.Len(), f.Len(), n, got.Check())
				}
				if f.Fingerprint() != d.Fingerprint() || f.Verify() != nil {
					t.Errorf("%s, %d records: fingerprints differ", layout, n)
				}
			}
		}
	}
}

func TestFingerprintSeesEverything(t *testing.T) {
	base := made(30, 9, Valued, false).Fingerprint()
	for name, change := range map[string]func(*Dataset){
		"value": func(d *Dataset) { d.Rows.Value[3]++ },
		"id":    func(d *Dataset) { d.IDs[2] = "other" },
		"side":  func(d *Dataset) { d.Side[1].Values[0] = "M" },
		"name":  func(d *Dataset) { d.Vocab.Names[1] = "other" },
		"kind":  func(d *Dataset) { d.Kind = record.Counts },
	} {
		d := made(30, 9, Valued, false)
		change(d)
		if d.Fingerprint() == base {
			t.Errorf("a changed %s leaves the fingerprint as it was", name)
		}
	}
	if made(30, 9, Valued, false).Fingerprint() != base {
		t.Error("the fingerprint is not stable")
	}
}

// total sums, per feature, value times a factor that depends on the record, so
// that its bits depend on the order of addition.
type total int

func (s total) Len() int { return int(s) }

func (s total) Add(state []float64, b pass.Block) error {
	for i := range b.N() {
		rows := b.Rows.Slice(i, i+1)
		if b.Steps != nil {
			rows = b.Sequence(i)
		}
		factor := 1 / float64(b.First+i+3)
		for j := range rows.N() {
			for h := range int(s) {
				if v := rows.At(j, h); v == v {
					state[h] += v * factor
				}
			}
		}
	}
	return nil
}

func TestRunnerHasTheBitsOfMemory(t *testing.T) {
	n := 50*pass.BlockRecords + 1234
	for _, c := range []struct {
		layout    Layout
		sequences bool
	}{{Valued, true}, {Binary, false}, {Dense, false}} {
		if testing.Short() && c.layout != Valued {
			continue // the battery runs in short tests too
		}
		d := made(n, 3, c.layout, c.sequences)
		f := open(t, write(t, d))
		want, err := pass.RunOne(context.Background(), d.Runner(1), total(3))
		if err != nil {
			t.Fatal(err)
		}
		for _, workers := range []int{1, 2, 8} {
			r := f.Runner(workers)
			got, err := pass.RunOne(context.Background(), r, total(3))
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%s, %d workers: %v, want %v (%v)", c.layout, workers, got, want, err)
			}
			if r.Len() != n || r.Dim() != 3 {
				t.Errorf("runner of %d×%d", r.Len(), r.Dim())
			}
		}
	}
}

// Rows of sequences are counted through all blocks of a file, as they are in
// memory: what is noted by row lands in the same place.
func TestStepsAreCountedThrough(t *testing.T) {
	d := made(2*pass.BlockRecords+17, 2, Binary, true)
	f := open(t, write(t, d))
	_, err := f.Runner(2).Own(context.Background(), func(b pass.Block) error {
		for i := range b.Steps {
			if got, want := b.Steps[i], d.Steps[b.First+i]; got != want {
				return fmt.Errorf("record %d begins at row %d, want %d", b.First+i, got, want)
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func TestWriterInPieces(t *testing.T) {
	d := made(3*pass.BlockRecords+5, 9, Binary, true)
	path := filepath.Join(t.TempDir(), "pieces")
	w, err := NewWriter(path, d.Describe())
	if err != nil {
		t.Fatal(err)
	}
	w.Workers = 3
	for lo, size := 0, 1; lo < d.Len(); lo, size = lo+size, 3*size {
		if err := w.Append(d.slice(lo, min(lo+size, d.Len()))); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	whole, _ := os.ReadFile(write(t, d))
	pieces, _ := os.ReadFile(path)
	if !bytes.Equal(whole, pieces) {
		t.Error("a file written in pieces differs from one written at once")
	}
}

func TestAbortLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	d := made(10, 9, Binary, false)
	w, err := NewWriter(filepath.Join(dir, "x"), d.Describe())
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Append(made(10, 9, Valued, false)); err == nil || !strings.Contains(err.Error(), "valued rows in a file of binary rows") {
		t.Errorf("error %v", err)
	}
	if err := w.Append(made(10, 8, Binary, false)); err == nil || !strings.Contains(err.Error(), "8 features") {
		t.Errorf("error %v", err)
	}
	w.Abort()
	if list, _ := os.ReadDir(dir); len(list) != 0 {
		t.Errorf("%d files are left", len(list))
	}
}

func TestDamageIsRefused(t *testing.T) {
	path := write(t, made(5000, 9, Valued, true))
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	read := func(b []byte) error {
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		return f.Verify()
	}
	if err := read(whole); err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		b := bytes.Clone(whole)
		at := headSize + rng.IntN(len(b)-headSize)
		b[at] ^= 1 << rng.IntN(8)
		if err := read(b); !errors.Is(err, ErrDamaged) {
			t.Fatalf("flipped bit at %d of %d: %v", at, len(b), err)
		}
	}
	for _, n := range []int{headSize, footSize, len(whole) / 2, len(whole) - 1} {
		if err := read(whole[:n]); !errors.Is(err, ErrDamaged) {
			t.Errorf("cut at %d: %v", n, err)
		}
	}
	newer := bytes.Clone(whole)
	newer[8] = version + 1
	for want, b := range map[string][]byte{
		"use a newer moiety": newer,
		"not a data set":     []byte("id,code\n1,428\n"),
	} {
		if err := read(b); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	if _, err := Open(filepath.Join(t.TempDir(), "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing file: %v", err)
	}
}

// nothing adds nothing: what is left is reading.
type nothing struct{}

func (nothing) Len() int                        { return 1 }
func (nothing) Add([]float64, pass.Block) error { return nil }

func BenchmarkRead(b *testing.B) {
	d := made(1, 3000, Valued, false)
	d.IDs, d.Side = nil, nil
	rng := rand.New(rand.NewPCG(1, 1))
	r := sparse.Rows{Dim: 3000, Ptr: []int{0}}
	for range 16 * pass.BlockRecords {
		for h := rng.IntN(40); h < 3000; h += 1 + rng.IntN(49) {
			r.Index, r.Value = append(r.Index, uint32(h)), append(r.Value, 1)
		}
		r.Ptr = append(r.Ptr, len(r.Index))
	}
	d.Rows = r
	path := write(b, d)
	info, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	f := open(b, path)
	b.SetBytes(info.Size())
	for b.Loop() {
		if _, err := pass.RunOne(context.Background(), f.Runner(1), nothing{}); err != nil {
			b.Fatal(err)
		}
	}
}
