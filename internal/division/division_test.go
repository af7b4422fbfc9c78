package division

import (
	"cmp"
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

// The best division of a pool at the true number of groups has the groups, by unlike methods.
func TestPool(t *testing.T) {
	for _, c := range []struct {
		groups int
		apart  float64
	}{{3, 6}, {4, 8}} {
		rows, truth := clusters(1, 300, 5, c.groups, c.apart)
		list, err := Pool(t.Context(), New(rows, record.Real, vocab.Numbered(5)), []int{c.groups}, Settings{Seed: 1})
		if err != nil || !Gains(list) {
			t.Fatalf("%d groups: no division gains over one population (%v)", c.groups, err)
		}
		best := slices.MaxFunc(list, func(a, b *Division) int { return cmp.Compare(a.Score(), b.Score()) })
		if a := ari(best.Label, truth); !(a >= .9) {
			t.Errorf("%d groups by %s: ARI %.2f", c.groups, best.Method, a)
		}
	}
	rows, _ := clusters(1, 300, 5, 1, 0)
	if list, err := Pool(t.Context(), New(rows, record.Real, vocab.Numbered(5)), []int{2, 3}, Settings{Seed: 1}); err != nil || Gains(list) {
		t.Errorf("one population: a division gains over it (%v)", err)
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
