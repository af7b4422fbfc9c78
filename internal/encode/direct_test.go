package encode

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/sparse"
)

// drawn returns lists of features with values, in batches of uneven size.
func drawn(seed uint64, kind record.Kind, name func(int) string, values func(*rand.Rand) float64) *fake {
	rng := rand.New(rand.NewPCG(seed, 5))
	f := &fake{schema: record.Schema{Format: "long", Kind: kind, Dict: record.NewDict(), Side: []string{"age"}}}
	d, distinct := 1+rng.IntN(300), rng.IntN(2) == 0
	for i := range d {
		f.schema.Dict.Add(name(i))
	}
	for range 1 + rng.IntN(5) {
		b := &record.Batch{Ptr: []int{0}, Feature: []uint32{}, Side: [][]string{nil}, Kept: rng.IntN(2) == 0, Distinct: distinct}
		for range rng.IntN(40) {
			for _, h := range rowOf(rng, d, distinct) {
				b.Feature = append(b.Feature, h)
				if values != nil {
					b.Value = append(b.Value, values(rng))
				}
			}
			b.Ptr = append(b.Ptr, len(b.Feature))
			b.Side[0] = append(b.Side[0], []string{"", "7", "12", "x"}[rng.IntN(4)])
			if seed%2 == 0 {
				b.IDs = append(b.IDs, fmt.Sprintf("p%d", rng.IntN(1000)))
			}
		}
		if values != nil && b.Value == nil {
			b.Value = []float64{}
		}
		f.batches = append(f.batches, b)
	}
	if seed%3 == 0 {
		f.oneList()
	}
	return f
}

// oneList puts the features of all batches into one list, of which encode may make
// the rows.
func (f *fake) oneList() {
	var all []uint32
	for _, b := range f.batches {
		all = append(all, b.Feature...)
	}
	for _, b := range f.batches {
		n := len(b.Feature)
		b.Feature, all, b.Kept = all[:n], all[n:], true
	}
}

// rowOf draws up to 29 of d features, each at most once if they are distinct.
func rowOf(rng *rand.Rand, d int, distinct bool) (row []uint32) {
	for range rng.IntN(30) {
		h := uint32(rng.IntN(1 + rng.IntN(d)))
		if !distinct || !slices.Contains(row, h) {
			row = append(row, h)
		}
	}
	return row
}

// The short way through the records gives what going through them one by one
// gives: rows, ids, side columns, counts and warnings.
func TestDirectIsOneByOne(t *testing.T) {
	code := func(i int) string {
		s := fmt.Sprintf("%03d.%d", 1+i/4%900, i%4)
		if i%7 == 0 {
			s = strings.ReplaceAll(s, ".", "")
		}
		return s
	}
	word := func(i int) string { return "w" + fmt.Sprint(i) }
	small := func(r *rand.Rand) float64 { return float64(1 + r.IntN(9)) }
	large := func(r *rand.Rand) float64 { return float64(1 + r.IntN(70000)) }
	odd := func(r *rand.Rand) float64 { return float64(r.IntN(3)) }
	for seed := range uint64(numtest.Scale(5, 25, 25)) {
		for name, c := range map[string]struct {
			src func() *fake
			s   Settings
		}{
			"presence":   {func() *fake { return drawn(seed, record.Presence, word, nil) }, Settings{}},
			"counts":     {func() *fake { return drawn(seed, record.Counts, word, small) }, Settings{Encoding: dataset.Encoding{Vocab: dataset.Amount{Count: 40}}}},
			"large":      {func() *fake { return drawn(seed, record.Counts, word, large) }, Settings{Encoding: dataset.Encoding{MinCodes: 4}}},
			"zeros":      {func() *fake { return drawn(seed, record.Counts, word, odd) }, Settings{}},
			"codes":      {func() *fake { return drawn(seed, record.Presence, code, nil) }, Settings{Encoding: dataset.Encoding{System: "icd9", MinDF: dataset.Amount{Count: 2}}}},
			"code times": {func() *fake { return drawn(seed, record.Counts, code, small) }, Settings{Encoding: dataset.Encoding{System: "icd9", Counts: true}}},
			"ones":       {func() *fake { return drawn(seed, record.Counts, word, nil) }, Settings{Encoding: dataset.Encoding{Where: "age > 8 or age is missing"}}},
			"words":      {func() *fake { return drawn(seed, record.Counts, word, small) }, Settings{Encoding: dataset.Encoding{StopList: []string{"w0", "w3"}}}},
		} {
			var results []*Result
			var errs []string
			for _, way := range []struct {
				oneByOne bool
				workers  int
				memory   int64 // above it records and rows go to files
			}{{true, 1, 0}, {false, 1, 0}, {false, 3, 0}, {true, 1, 900}, {false, 1, 900}, {false, 3, 900}, {false, 3, 9000}} {
				s := c.s
				s.Workers, s.MaxMemory, s.TempDir = way.workers, way.memory, t.TempDir()
				e := newEncoder(c.src(), s, &record.Problems{})
				e.oneByOne = way.oneByOne
				r, err := e.result(context.Background())
				if r != nil {
					r.Summary.Settings, r.Summary.OnDisk = Settings{}, false
					t.Cleanup(func() { _ = r.Close() })
				}
				results, errs = append(results, r), append(errs, fmt.Sprint(err))
			}
			if len(slices.Compact(slices.Clone(errs))) > 1 {
				t.Fatalf("%s, seed %d: %q", name, seed, errs)
			}
			for _, r := range results[1:] {
				if results[0] == nil {
					break
				}
				if r.Fingerprint() != results[0].Fingerprint() || !reflect.DeepEqual(r.Summary, results[0].Summary) || !reflect.DeepEqual(r.Short, results[0].Short) {
					t.Fatalf("%s, seed %d: the short way gives another result:\n%+v\n%+v", name, seed, r.Summary, results[0].Summary)
				}
			}
		}
	}
}

// TestPartsWriteTheSameFile: blocks are cut by records, however the batches and
// parts lie.
func TestPartsWriteTheSameFile(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 2))
	f := &fake{schema: record.Schema{Format: "long", Kind: record.Presence, Dict: record.NewDict()}}
	for i := range 50 {
		f.schema.Dict.Add(fmt.Sprint("w", i))
	}
	for n := 9100; n > 0; {
		b := &record.Batch{Ptr: []int{0}, Feature: []uint32{}}
		for range min(n, 1+rng.IntN(700)) {
			b.Feature = append(b.Feature, rowOf(rng, 50, true)...)
			b.Ptr = append(b.Ptr, len(b.Feature))
			n--
		}
		f.batches = append(f.batches, b)
	}
	var files [][]byte
	for _, way := range []struct {
		oneByOne bool
		workers  int
	}{{true, 1}, {false, 1}, {false, 2}, {false, 8}} {
		path := filepath.Join(t.TempDir(), "rows")
		e := newEncoder(f, Settings{Workers: way.workers, MaxMemory: 200_000, TempDir: t.TempDir(), Output: path}, &record.Problems{})
		e.oneByOne = way.oneByOne
		r, err := e.result(context.Background())
		if err != nil || r.Set.Size() == 0 || e.short == nil != way.oneByOne {
			t.Fatalf("%+v: %v, the short way %v, a file %v", way, err, e.short != nil, r != nil && r.Set.Size() > 0)
		}
		_ = r.Close()
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, text)
		if !bytes.Equal(text, files[0]) {
			t.Errorf("%+v: another file than one by one", way)
		}
	}
}

// Rows that are short for their many features are sorted, others go through a
// bitmap: both give the same, for few features and for many.
func TestPlacerWays(t *testing.T) {
	for _, dim := range []int{1, 63, 64, 65, 700, 3000, 20_000, 300_000} { // the last: more than 16 words of the upper bitmap
		placerWays(t, dim)
	}
}

func placerWays(t *testing.T, dim int) {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 9))
	rank := make([]int32, 1000)
	for raw := range rank {
		rank[raw] = int32(rng.IntN(dim) - dim/50)
		rank[raw] = max(rank[raw], -1)
	}
	p, q := newPlacer(rank, dim), newPlacer(rank, dim)
	for range 300 {
		row, value := make([]uint32, rng.IntN(60)), []uint8{}
		for e := range row {
			row[e] = uint32(rng.IntN(len(rank)))
			value = append(value, uint8(1+rng.IntN(255)))
		}
		var a, b [60]uint32
		var x, y [60]float32
		n := place(p, a[:], x[:], row, value)
		if m := sortPlace(q, b[:], y[:], row, value); n != m || !slices.Equal(a[:n], b[:n]) || !slices.Equal(x[:n], y[:n]) {
			t.Fatalf("%d and %d entries, %v and %v", n, m, a, b)
		}
		c := &chunk{ptr: []int{0, 0, len(row)}, feature: row, small: value}
		for _, rows := range []sparse.Rows{{Index: make([]uint32, 60)}, {Index: make([]uint32, 60), Value: make([]float32, 60)}} {
			var ends [2]int
			n = p.run(&rows, c, 0, 2, 0, ends[:], false)
			m := 0
			if rows.Value == nil {
				m = q.sortPresent(b[:], row)
			} else {
				m = sortPlace(q, b[:], y[:], row, value)
			}
			if ends != [2]int{0, n} || n != m || !slices.Equal(rows.Index[:n], b[:n]) || rows.Value != nil && !slices.Equal(rows.Value[:n], y[:n]) {
				t.Fatalf("%d and %d features, %v and %v", n, m, rows.Index[:n], b[:m])
			}
		}
	}
}

func BenchmarkPlace(b *testing.B) {
	rng := rand.New(rand.NewPCG(3, 3))
	const dim, rows, each = 3000, 200, 95
	rank := make([]int32, dim)
	for i, h := range rng.Perm(dim) {
		rank[i] = int32(h)
	}
	var row []uint32
	var value []uint8
	for range rows * each {
		x := rng.Float64()
		row, value = append(row, uint32(x*x*x*dim)), append(value, uint8(1+rng.IntN(3)))
	}
	var dst [each]uint32
	var out [each]float32
	p := newPlacer(rank, dim)
	b.SetBytes(rows * each) // entries
	for b.Loop() {
		for i := 0; i < len(row); i += each {
			place(p, dst[:], out[:], row[i:i+each], value[i:i+each])
		}
	}
}
