package triplets

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/moiety-go/moiety/record"
)

type entry struct {
	record, feature uint32
	value           float64
}

// blocks cuts entries into blocks of up to size entries.
func blocks(entries []entry, size int, valued bool) []*Block {
	var out []*Block
	for from := 0; from < len(entries); from += size {
		b := &Block{Ascending: true}
		for i, e := range entries[from:min(from+size, len(entries))] {
			if i == 0 || e.record != entries[from+i-1].record {
				b.Runs = append(b.Runs, Run{e.record, i})
			} else if e.feature <= entries[from+i-1].feature {
				b.Ascending = false
			}
			b.Feature = append(b.Feature, e.feature)
			if valued {
				b.Value = append(b.Value, e.value)
			}
		}
		out = append(out, b)
	}
	return out
}

// table is the obvious way: a map for each record.
func table(entries []entry, n int, valued bool) []map[uint32]float64 {
	out := make([]map[uint32]float64, n)
	for i := range out {
		out[i] = map[uint32]float64{}
	}
	for _, e := range entries {
		if valued {
			out[e.record][e.feature] += e.value
		} else {
			out[e.record][e.feature] = 1
		}
	}
	return out
}

func TestTwin(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for trial := range 200 {
		n, d := 1+rng.IntN(30), 1+rng.IntN(8)
		valued, sorted := trial%2 == 0, trial%3 > 0
		var entries []entry
		for range rng.IntN(80) {
			entries = append(entries, entry{uint32(rng.IntN(n)), uint32(rng.IntN(d)), float64(1 + rng.IntN(5))})
		}
		if sorted {
			for i := range entries {
				entries[i].record = uint32(i * n / len(entries))
			}
		}
		want := table(entries, n, valued)
		distinct := 0
		for _, m := range want {
			distinct += len(m)
		}
		for _, size := range []int{1, 3, 100} {
			o := Options{}
			if sorted {
				o.Window = 1 + rng.IntN(20)
			}
			var got []map[uint32]float64
			g := NewGrouper(o, collect(t, &got))
			for _, b := range blocks(entries, size, valued) {
				if err := g.Add(b); err != nil {
					t.Fatal(err)
				}
			}
			if ok, err := g.Close(n); !ok || err != nil {
				t.Fatal(ok, err)
			}
			if !reflect.DeepEqual(got, want) {
				t.Fatalf("trial %d, blocks of %d:\n%v, want\n%v", trial, size, got, want)
			}
			if g.Repeated() != len(entries)-distinct {
				t.Fatalf("%d repeated, want %d", g.Repeated(), len(entries)-distinct)
			}
		}
	}
}

func collect(t *testing.T, to *[]map[uint32]float64) func(int, *record.Batch) error {
	return func(first int, b *record.Batch) error {
		if first != len(*to) || b.Ptr[0] != 0 || b.Ptr[b.N()] != len(b.Feature) {
			t.Fatalf("batch at %d after %d records, pointers %v of %d", first, len(*to), b.Ptr, len(b.Feature))
		}
		for i := range b.N() {
			m := map[uint32]float64{}
			for e := b.Ptr[i]; e < b.Ptr[i+1]; e++ {
				m[b.Feature[e]] = 1
				if b.Value != nil {
					m[b.Feature[e]] = b.Value[e]
				}
			}
			*to = append(*to, m)
		}
		return nil
	}
}

// TestGaps crosses the largest batch of empty records.
func TestGaps(t *testing.T) {
	n, batches := 0, 0
	g := NewGrouper(Options{}, func(_ int, b *record.Batch) error { n += b.N(); batches++; return nil })
	b := &Block{Runs: []Run{{5, 0}, {5 + 3*maxEmpty, 1}}, Feature: []uint32{1, 1}, Ascending: true}
	if err := g.Add(b); err != nil {
		t.Fatal(err)
	}
	if ok, err := g.Close(6 + 4*maxEmpty); !ok || err != nil || n != 6+4*maxEmpty || batches > 12 {
		t.Errorf("%d records in %d batches (%v %v)", n, batches, ok, err)
	}
	if ok, err := g.Close(1 << 40); ok || err != nil {
		t.Errorf("an absurd number of records is believed (%v)", err)
	}
}

func TestRemove(t *testing.T) {
	b := &Block{Runs: []Run{{1, 0}, {2, 2}, {3, 3}}, Feature: []uint32{1, 2, 3, 4}, Value: []float64{1, 2, 3, 4}}
	b.Remove(1)
	if got, want := fmt.Sprint(b.Runs, b.Feature, b.Value), "[{1 0} {3 2}] [1 2 4] [1 2 4]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestWideNumbers(t *testing.T) {
	d := record.NewDict()
	c := NewNumbered(d, 1<<31-1, 1)
	b := &Block{Feature: []uint32{1 << 30, 7, 1 << 30}, Ascending: true}
	c.Map(b)
	if got := fmt.Sprint(b.Feature, d.Names()); got != "[0 1 0] [1073741825 8]" || b.Ascending {
		t.Error(got)
	}
}

// TestTidy has records of many words in no order, which some workers sort by themselves, among
// others that name one twice: sums keep the order of the file to the last bit.
func TestTidy(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	var entries []entry
	const n = 300
	for i := range n {
		for _, f := range rng.Perm(400)[:rng.IntN(60)] {
			entries = append(entries, entry{uint32(i), uint32(f), rng.Float64()})
			if i%50 == 7 {
				entries = append(entries, entry{uint32(i), uint32(rng.IntN(400)), rng.Float64()})
			}
		}
	}
	for _, valued := range []bool{true, false} {
		want := table(entries, n, valued)
		distinct := 0
		for _, m := range want {
			distinct += len(m)
		}
		for _, workers := range []int{1, 2, 16} {
			for _, size := range []int{97, 5000, len(entries)} {
				var got []map[uint32]float64
				g := NewGrouper(Options{Window: 2000, Workers: workers}, collect(t, &got))
				for _, b := range blocks(entries, size, valued) {
					if err := g.Add(b); err != nil {
						t.Fatal(err)
					}
				}
				if ok, err := g.Close(n); !ok || err != nil || !reflect.DeepEqual(got, want) {
					t.Fatalf("%d workers, blocks of %d: other records (%v %v)", workers, size, ok, err)
				}
				if g.Repeated() != len(entries)-distinct {
					t.Fatalf("%d workers, blocks of %d: %d repeated, want %d", workers, size, g.Repeated(), len(entries)-distinct)
				}
			}
		}
	}
}

// TestTidySmall has values of a byte: they are sorted as bytes, and where a word comes twice
// their sum may be beyond one.
func TestTidySmall(t *testing.T) {
	for _, c := range []struct {
		feature []uint32
		want    string
	}{
		{[]uint32{4, 1, 3, 9, 2}, "[{0 0} {1 3}] [1 3 4 2 9] [] [5 90 200 8 7]"},
		{[]uint32{4, 1, 4, 9, 2}, "[{0 0} {1 2}] [1 4 2 9] [5 290 8 7] []"},
	} {
		b := &Block{Runs: []Run{{0, 0}, {1, 3}}, Feature: c.feature, Small: []uint8{200, 5, 90, 7, 8}}
		g := NewGrouper(Options{}, nil)
		g.tidy(b, 0, 2)
		if got := fmt.Sprint(b.Runs, b.Feature, b.Value, b.Small); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

// TestNames: a name that is empty or comes twice is told apart by its number, also from a column
// that is called so; another matrix may have it as it is.
func TestNames(t *testing.T) {
	d := record.NewDict()
	for _, c := range []struct {
		names   []string
		renamed int
		want    string
	}{
		{[]string{"a", "b", "a", "", "a (column 3)"}, 3, "[0 1 2 3 4] [a b a (column 3)  (column 4) a (column 3) (column 5)]"},
		{[]string{"b", "a (column 2)", "b", "b (column 3)"}, 2, "[1 5 6 7] [a b a (column 3)  (column 4) a (column 3) (column 5) a (column 2) b (column 3) b (column 3) (column 4)]"},
	} {
		columns, renamed := NewColumns(d, c.names, len(c.names))
		if got := fmt.Sprint(columns.table, d.Names()); got != c.want || renamed != c.renamed {
			t.Errorf("%d renamed, %s, want %s", renamed, got, c.want)
		}
	}
	columns, _ := NewColumns(d, []string{"c (column 2)", "c (column 3)", "c", "c"}, 4)
	if got := d.Name(columns.table[3]); got != "c (column 4)" {
		t.Errorf("the second c is called %s", got)
	}
	columns, _ = NewColumns(d, []string{"e (column 3)", "e", "e"}, 3)
	if got := d.Name(columns.table[2]); got != "e (column 3)'" {
		t.Errorf("the second e is called %s", got)
	}
}
