package division

import (
	"math"
	"slices"
	"testing"

	"github.com/moiety-go/moiety/internal/normals"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"
)

// clusters draws n records of d measurements, those of group g around a middle of its own.
func clusters(seed uint64, n, d, groups int, apart float64) (sparse.Rows, []int) {
	r, rows := stream.New(seed, "test/clusters"), sparse.Rows{Dim: d}
	var label []int
	for i := range n {
		g := i % groups
		for h := range d {
			x := r.NormFloat64()
			if h%groups == g {
				x += apart
			}
			rows.Dense = append(rows.Dense, x)
		}
		label = append(label, g)
	}
	return rows, label
}

// TestWard: merges are those of a search of all pairs by the sums of squares.
func TestWard(t *testing.T) {
	rows, _ := clusters(1, 40, 3, 2, 2)
	table := normals.Table{N: 40, D: 3, X: rows.Dense}
	merges := ward(table)
	for k := range 40 {
		if k == 0 {
			continue
		}
		if got, want := cutAt(merges, 40, k), wardByHand(table, k); ari(got, want) < 1 && k > 1 {
			t.Fatalf("%d clusters: %v, want %v", k, got, want)
		}
	}
}

func wardByHand(t normals.Table, k int) []int {
	label := make([]int, t.N)
	for i := range label {
		label[i] = i
	}
	within := func(a, b int) float64 {
		sum := 0.0
		for _, list := range [][]int{{a, b}, {a}, {b}} {
			var rows []int
			for i, g := range label {
				if slices.Contains(list, g) {
					rows = append(rows, i)
				}
			}
			m, s := mean(t, rows), 0.0
			for _, i := range rows {
				s += squared(t.Row(i), m)
			}
			if len(list) == 1 {
				s = -s
			}
			sum += s
		}
		return sum
	}
	for left := t.N; left > k; left-- {
		best, a, b := math.Inf(1), 0, 0
		groups := slices.Compact(slices.Sorted(slices.Values(label)))
		for i, x := range groups {
			for _, y := range groups[:i] {
				if w := within(x, y); w < best {
					best, a, b = w, x, y
				}
			}
		}
		for i, g := range label {
			if g == a {
				label[i] = b
			}
		}
	}
	return label
}

func TestSegments(t *testing.T) {
	for _, c := range []struct {
		groups int
		apart  float64
		want   int
	}{{1, 0, 1}, {3, 6, 3}, {4, 8, 4}} {
		for seed := range uint64(3) {
			rows, truth := clusters(seed, 300, 5, c.groups, c.apart)
			s := New(rows, record.Real, vocab.Numbered(5))
			d, err := Segments(t.Context(), s, Settings{Seed: 1})
			if err != nil {
				t.Fatal(err)
			}
			switch {
			case d == nil && c.want > 1:
				t.Errorf("seed %d: one group of %d", seed, c.want)
			case d != nil && (d.Groups != c.want || ari(d.Label, truth) < .9):
				t.Errorf("seed %d: %d segments of %d groups by %s, ARI %.2f", seed, d.Groups, c.groups, d.Method, ari(d.Label, truth))
			}
		}
	}
}

// TestWorkers: a pool is the same for any number of workers.
func TestWorkers(t *testing.T) {
	rows, _ := clusters(1, 120, 4, 3, 3)
	var first []*Division
	for _, workers := range []int{1, 2, 8} {
		list, err := Pool(t.Context(), New(rows, record.Real, vocab.Numbered(4)), []int{2, 3, 5}, Settings{Seed: 7, Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = list
		}
		for i, d := range list {
			e := first[i]
			if d.Method != e.Method || d.Repeat != e.Repeat || d.Agreement != e.Agreement || d.Gap != e.Gap || !slices.Equal(d.Label, e.Label) ||
				math.Float64bits(d.Gain) != math.Float64bits(e.Gain) {
				t.Fatalf("%d workers: %s at %d is another", workers, d.Method, d.Groups)
			}
		}
	}
}

// TestKinds: classes of presences, answers, counts and words are found.
func TestKinds(t *testing.T) {
	for _, kind := range []record.Kind{record.Presence, record.Categorical, record.Counts, record.Text} {
		rows, v, truth := discrete(kind)
		if kind == record.Text {
			kind = record.Counts
		}
		d, err := Segments(t.Context(), New(rows, kind, v), Settings{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		if d == nil {
			t.Errorf("%s %s: one group", kind, v.System)
		} else if a := ari(d.Label, truth); d.Groups != 3 || a < .9 {
			t.Errorf("%s %s: %d segments by %s, ARI %.2f", kind, v.System, d.Groups, d.Method, a)
		}
	}
}

// discrete draws 300 records of three groups with thirty features.
func discrete(kind record.Kind) (sparse.Rows, *vocab.Vocab, []int) {
	const n, d = 300, 30
	r, v := stream.New(3, "test/discrete"), vocab.Numbered(d)
	if kind == record.Text {
		v.System = vocab.Text
	}
	if kind == record.Categorical {
		for h := 0; h < d; h += 3 {
			v.Columns = append(v.Columns, vocab.Column{Kind: vocab.Categorical, From: h, To: h + 3})
		}
	}
	b, truth := sparse.NewBuilder(d, kind == record.Presence || kind == record.Categorical), []int(nil)
	for i := range n {
		g := i % 3
		var index []uint32
		var value []float32
		for h := 0; h < d; h++ {
			own := h/10 == g
			if kind == record.Categorical {
				own = h%3 == g
			}
			if u := r.Float64(); kind == record.Categorical && h%3 == 0 {
				answer := g
				if u > .8 {
					answer = r.IntN(3)
				}
				index, value = append(index, uint32(h+answer)), append(value, 1)
			} else if kind != record.Categorical && (own && u < .7 || u < .1) {
				index, value = append(index, uint32(h)), append(value, float32(1+r.IntN(6)))
			}
		}
		if kind == record.Presence || kind == record.Categorical {
			value = nil
		}
		if err := b.Add(index, value); err != nil {
			panic(err)
		}
		truth = append(truth, g)
	}
	return b.Rows(), v, truth
}

// TestOneColumn: what one column says by itself is no division of the records.
func TestOneColumn(t *testing.T) {
	rows, _ := clusters(2, 300, 5, 1, 0)
	truth := make([]int, 300)
	for i := range 300 {
		if truth[i] = i % 2; truth[i] > 0 {
			rows.Dense[i*5] += 9
		}
	}
	s := New(rows, record.Real, vocab.Numbered(5))
	if d := (&Division{Groups: 2, Label: truth}); !s.oneColumn(d) {
		t.Error("a division by one column is taken")
	}
	if d, err := Segments(t.Context(), s, Settings{Seed: 1}); err != nil || d != nil {
		t.Errorf("%+v, %v: want none", d, err)
	}
}

// TestAhead: a method's own division stays unless another has a clearly better score.
func TestAhead(t *testing.T) {
	own := &Division{Method: "own", Size: 9, Repeat: .9, Agreement: .8, Gap: .3}
	list := []*Division{
		{Method: "equal", Size: 9, Repeat: .9, Agreement: .8, Gap: .5},
		{Method: "thin", Size: 4, Repeat: 1, Agreement: 1, Gap: 1},
		own,
		{Method: "good", Size: 9, Repeat: .9, Agreement: .8, Gap: .8},
		{Method: "best", Size: 9, Repeat: 1, Agreement: .9, Gap: .9},
	}
	got := Ahead(list, "own")
	if len(got) != 2 || got[0].Method != "best" || got[1].Method != "good" {
		t.Errorf("%d divisions ahead", len(got))
	}
	own.Size, own.Gap = 1, 0
	if got := Ahead(list, "nobody"); len(got) != 3 {
		t.Errorf("%d divisions, want all of some size", len(got))
	}
}
