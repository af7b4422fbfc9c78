package explain_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"
)

// reader is a knowledge over any classes of records.
type reader struct {
	k, classes int
	rows       [][]float64
}

func (a *reader) vector(leaves []int, classes ...int) []float64 {
	row := make([]float64, a.k*a.classes)
	for _, l := range leaves {
		for _, c := range classes {
			row[l*a.classes+c] = 1
		}
	}
	return row
}

func (a *reader) learn(leaves []int, classes ...int) {
	a.rows = append(a.rows, a.vector(leaves, classes...))
}

func (a *reader) discloses(leaves []int, classes ...int) bool {
	return len(a.rows) > 0 && rank(append(a.rows[:len(a.rows):len(a.rows)], a.vector(leaves, classes...))) == rank(a.rows)
}

// drawn draws groups of uneven size and hands each record to fill.
func drawn(r *rand.Rand, k, dim int, fill func(group int) []uint32) (sparse.Rows, []int32) {
	n := 30 + r.IntN(250)
	group := make([]int32, n)
	rows := sparse.Rows{Dim: dim, Ptr: []int{0}}
	for i := range group {
		group[i] = int32(float64(k) * math.Pow(r.Float64(), 2.5))
		rows.Index = append(rows.Index, fill(int(group[i]))...)
		rows.Ptr = append(rows.Ptr, len(rows.Index))
	}
	return rows, group
}

// search tries every set of leaves and every class.
func (a *reader) search(t *testing.T, seed int, classOf func(i int) int, w world) {
	t.Helper()
	for set := 1; set < 1<<a.k; set++ {
		leaves := members(set, a.k)
		n := make([]int, a.classes)
		for i, g := range w.o.Group {
			if set>>g&1 == 1 {
				n[classOf(i)]++
			}
		}
		for class, x := range n {
			if x > 0 && x < limit && a.discloses(leaves, class) {
				t.Fatalf("seed %d: the %d records of class %d in leaves %v can be worked out", seed, x, class, leaves)
			}
		}
	}
}

// TestNoSmallAnswer plays the reader on a question with missing answers: counts
// of answers add up to those who answered.
func TestNoSmallAnswer(t *testing.T) {
	const levels = 3
	shown := 0
	for seed := range 150 {
		r := stream.New(uint64(seed), "test/answers")
		k := 2 + r.IntN(3)
		law := make([][]float64, k)
		for j := range law {
			for range levels + 1 {
				law[j] = append(law[j], math.Pow(r.Float64(), 3))
			}
		}
		rows, group := drawn(r, k, levels, func(g int) []uint32 {
			sum := 0.0
			for _, p := range law[g] {
				sum += p
			}
			u := r.Float64() * sum
			for f, p := range law[g][:levels] {
				if u -= p; u < 0 {
					return []uint32{uint32(f)}
				}
			}
			return nil
		})
		v := vocab.New([]string{"a", "b", "c"})
		v.Columns = []vocab.Column{{Name: "q", Kind: vocab.Categorical, From: 0, To: levels}}
		d := &dataset.Dataset{Kind: record.Categorical, Rows: rows, Vocab: v}
		w := build(r, d, group, k, seed%2 == 0)
		w.o.Model.Spec = model.Spec{Model: "categorical"}
		rep := explained(t, w.o, d, report.Settings{Health: true})
		a := &reader{k: k, classes: levels + 1}
		for g := range rep.Groups {
			if !rep.Groups[g].N.Masked() {
				a.learn(w.leaves[g], 0, 1, 2, 3)
			}
			for f, x := range wide(rep, rep.Table.Shares[g], levels) {
				if v, ok := x.Value(); ok {
					shown++
					a.learn(w.leaves[g], f)
					if v > 0 && answered(w, w.leaves[g], f, v) { // the share tells how many answered
						a.learn(w.leaves[g], 0, 1, 2)
					}
				}
			}
		}
		all := make([]int, k)
		for j := range all {
			all[j] = j
		}
		if !rep.Data.Records.Masked() {
			a.learn(all, 0, 1, 2, 3)
		}
		for f, x := range wide(rep, rep.Table.Overall, levels) {
			if v, ok := x.Value(); ok {
				a.learn(all, f)
				if v > 0 && answered(w, all, f, v) {
					a.learn(all, 0, 1, 2)
				}
			}
		}
		a.search(t, seed, func(i int) int {
			if index, _ := d.Rows.Row(i); len(index) > 0 {
				return int(index[0])
			}
			return levels
		}, w)
	}
	if shown < 100 { // 30 to 280 records in up to four groups leave little to show
		t.Errorf("only %d shares shown", shown)
	}
}

// answered reports whether a share is one of those who answered, not of all.
func answered(w world, leaves []int, f int, share float64) bool {
	n := w.truth(f, leaves)
	return numtest.Off(share*float64(n[0]+n[1]), float64(n[0]), 1e-6)
}

// TestNoSmallCode plays the reader on a code inside its chapter: who has the
// chapter but not the code is a difference of two counts.
func TestNoSmallCode(t *testing.T) {
	shown := 0
	for seed := range 150 {
		r := stream.New(uint64(seed), "test/codes")
		k := 2 + r.IntN(3)
		law := make([][2]float64, k)
		for j := range law {
			law[j] = [2]float64{[]float64{.03, .1, .5, .95}[r.IntN(4)], []float64{.03, .1, .5, .95, 1}[r.IntN(5)]}
		}
		rows, group := drawn(r, k, 2, func(g int) []uint32 {
			switch {
			case r.Float64() >= law[g][0]:
				return nil
			case r.Float64() >= law[g][1]:
				return []uint32{0}
			}
			return []uint32{0, 1}
		})
		v := vocab.New([]string{"chapter", "code"})
		v.Columns = []vocab.Column{{Name: "chapter", Kind: vocab.Presence, From: 0, To: 2}}
		d := &dataset.Dataset{Kind: record.Presence, Rows: rows, Vocab: v}
		w := build(r, d, group, k, seed%2 == 0)
		rep := explained(t, w.o, d, report.Settings{Health: true})
		a := &reader{k: k, classes: 3} // nothing, chapter only, code
		see := func(leaves []int, shares []report.Number, n report.Count) {
			if !n.Masked() {
				a.learn(leaves, 0, 1, 2)
			}
			if !shares[0].Masked() {
				shown++
				a.learn(leaves, 1, 2)
			}
			if !shares[1].Masked() {
				a.learn(leaves, 2)
			}
		}
		all := make([]int, k)
		for j := range all {
			all[j] = j
		}
		see(all, wide(rep, rep.Table.Overall, 2), rep.Data.Records)
		for g := range rep.Groups {
			see(w.leaves[g], wide(rep, rep.Table.Shares[g], 2), rep.Groups[g].N)
		}
		a.search(t, seed, func(i int) int { index, _ := d.Rows.Row(i); return len(index) }, w)
	}
	if shown < 150 {
		t.Errorf("only %d shares shown", shown)
	}
}

// TestNoSmallWord: shares of words add up to one, so what is hidden of a group
// must be nothing, or at least two words and the limit.
func TestNoSmallWord(t *testing.T) {
	for seed := range 60 {
		r := stream.New(uint64(seed), "test/words")
		k, dim := 2+r.IntN(3), 6
		rows, group := drawn(r, k, dim, func(g int) []uint32 {
			var out []uint32
			for f := range dim {
				if r.Float64() < math.Pow(float64((f+g)%dim)/5, 3) {
					out = append(out, uint32(f))
				}
			}
			return out
		})
		rows.Value = make([]float32, len(rows.Index))
		for e := range rows.Value {
			rows.Value[e] = float32(1 + r.IntN(4))
		}
		d := &dataset.Dataset{Kind: record.Counts, Rows: rows, Vocab: vocab.Numbered(dim)}
		w := build(r, d, group, k, seed%2 == 0)
		w.o.Model.Spec = model.Spec{Model: "single-topic"}
		normalise(w)
		rep := explained(t, w.o, d, report.Settings{Health: true})
		tables := [][][]report.Number{rep.Table.Shares, rep.Table.Centers}
		for kind, table := range tables {
			for g, row := range table {
				leaves := []int{g}
				if kind == 0 {
					leaves = w.leaves[g]
				}
				hidden, sum, shown := 0, 0.0, 0
				for f, x := range wide(rep, row, dim) {
					tokens := w.tokens(f, leaves)
					switch {
					case !x.Masked():
						shown++
					case tokens > 0:
						hidden++
						sum += tokens
					}
				}
				if shown > 0 && hidden > 0 && (hidden == 1 || sum < limit) {
					t.Fatalf("seed %d, table %d, row %d: %d words of %v tokens are hidden alone", seed, kind, g, hidden, sum)
				}
			}
		}
	}
}

// normalise makes the centers of a world add up to one.
func normalise(w world) {
	c := w.o.Model.Params.Centers
	d, k := c.Dims()
	for j := range k {
		sum := 0.0
		for f := range d {
			sum += c.At(f, j)
		}
		for f := range d {
			c.Set(f, j, c.At(f, j)/math.Max(sum, 1e-300))
		}
	}
}

func (w world) tokens(f int, leaves []int) float64 {
	sum := 0.0
	for i, g := range w.o.Group {
		for _, l := range leaves {
			if int(g) == l {
				sum += w.d.Rows.At(i, f)
			}
		}
	}
	return sum
}
