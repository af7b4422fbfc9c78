package tree

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/decompose"
	"github.com/moiety-go/moiety/internal/kernel"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/spectral"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/internal/synth"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// binaryBuilder returns a grower over hierarchical binary records, with its root.
func binaryBuilder(t *testing.T, n, d int) (*builder, *counted) {
	t.Helper()
	rows := emptied(synth.HierarchicalBernoulli(7, n, d, .6).Rows)
	g := newBuilder(pass.NewLocal(rows, 0), settings(t, "bernoulli", d), &memory{})
	root, err := g.begin(ctx)
	if err != nil {
		t.Fatal(err)
	}
	all, ok := root.records.(*counted)
	if !ok {
		t.Fatalf("the records are %T, want them counted", root.records)
	}
	return g, all
}

// scanner returns the runner of records.
func scanner(t *testing.T, s records) pass.Runner {
	t.Helper()
	run, err := s.base().runner(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// exactTol is for sums of a few thousand terms in another order, relative.
const exactTol = 1e-11

// Counts give what two passes of EM give, and what passes over columns give.
func TestCountedAsScanned(t *testing.T) {
	g, root := binaryBuilder(t, 900, 25)
	some := &counted{scanned: root.every(2).base()}
	for name, c := range map[string]*counted{"all": root, "a half": some} {
		got, loglik, err := c.alone(ctx)
		if err != nil {
			t.Fatal(err)
		}
		want, wantLik, err := c.scanned.alone(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if !mat.EqualApprox(want.Centers, got.Centers, exactTol) {
			t.Errorf("%s: other centers than those of EM", name)
		}
		if numtest.Off(wantLik, loglik, exactTol*math.Abs(loglik)) {
			t.Errorf("%s: log-likelihood %v, EM says %v", name, loglik, wantLik)
		}
		a, err := c.columns(ctx)
		if err != nil {
			t.Fatal(err)
		}
		b, err := c.scanned.columns(ctx)
		if err != nil || !floats.EqualApprox(a.mean, b.mean, exactTol) || !floats.EqualApprox(a.variance, b.variance, exactTol) {
			t.Errorf("%s: other means or variances than passes give (%v)", name, err)
		}
	}
	if _, ok := g.all().(*counted); !ok {
		t.Error("binary rows in memory are not counted")
	}
}

// A subset gives the bits of a runner over the copied records.
func TestSubset(t *testing.T) {
	g, _ := binaryBuilder(t, 3*pass.BlockRecords, 12)
	var list []int32
	for i := range g.rows.N() {
		if i%3 != 1 {
			list = append(list, int32(i))
		}
	}
	v := []float64{1, -2, 3, .1, .7, -1, 2, 5, -3, 1, 1, .3}
	var first []float64
	for _, workers := range []int{1, 2, 8} {
		s := pass.Subset(*g.rows, list, workers)
		local := pass.NewLocal(copyOf(t, &scanned{g: g, list: list, n: len(list)}), workers)
		if s.Len() != local.Len() || s.Dim() != local.Dim() {
			t.Fatalf("%d records of %d features, want %d of %d", s.Len(), s.Dim(), local.Len(), local.Dim())
		}
		for _, run := range []pass.Runner{s, local} {
			states, err := run.Run(ctx, covarySum{v, .5}, powerSum{v, .2})
			if err != nil {
				t.Fatal(err)
			}
			got := slices.Concat(states...)
			if first == nil {
				first = got
			} else if !slices.Equal(first, got) {
				t.Errorf("%d workers, %T: other bits", workers, run)
			}
		}
	}
}

func copyOf(t *testing.T, s *scanned) sparse.Rows {
	t.Helper()
	if scanner(t, s); s.copy == nil {
		t.Fatal("the records were not copied")
	}
	return *s.copy
}

// Pairs of a part are those of the whole less the rest, whichever way they are
// counted.
func TestCountPairs(t *testing.T) {
	g, root := binaryBuilder(t, 3*pairRecords+100, 9)
	g.s.Workers = 8
	all, err := root.countPairs(ctx) // in parts
	if err != nil {
		t.Fatal(err)
	}
	want := newPairCounts(9)
	want.Add(g.table.BinaryRows, nil, 0, root.n)
	if all.N != want.N || !slices.Equal(all.Count, want.Count) {
		t.Error("parts give other counts than all rows at once")
	}
	part, rest := newPairCounts(9), newPairCounts(9)
	part.Add(g.table.BinaryRows, nil, 0, 700)
	rest.Add(g.table.BinaryRows, nil, 700, root.n-700)
	got := newPairCounts(9)
	got.Without(all, part)
	if got.N != rest.N || !slices.Equal(got.Count, rest.Count) {
		t.Error("the whole less a part is not the rest")
	}
}

// The basis finds the leading eigenpairs, equal ones included.
func TestKrylov(t *testing.T) {
	const d = 30
	r := stream.New(3, "tree/test/krylov")
	for name, values := range map[string][]float64{
		"apart": {5, 4, 3, 2, 1}, "equal": {3, 3, 1, 1, .5}, "negative": {2, 1, -1, -4},
	} {
		q := spectral.Orth(spectral.Random(r, d, len(values)))
		a := mat.NewDense(d, d, nil)
		for j, v := range values {
			for h := range d {
				for m := range d {
					a.Set(h, m, a.At(h, m)+v*q.At(h, j)*q.At(m, j))
				}
			}
		}
		k := newKrylov(&pool[float64]{}, func(y, x [][]float64) error {
			for i := range x {
				mat.NewVecDense(d, y[i]).MulVec(a, mat.NewVecDense(d, x[i]))
			}
			return nil
		})
		start := [][]float64{make([]float64, d), make([]float64, d)}
		for _, v := range start {
			stream.Normals(r, v)
		}
		got, vectors, residual, err := k.leadingPairs(start, d, 1e-8)
		if err != nil || residual > 1e-8 {
			t.Fatalf("%s: residual %v, %v", name, residual, err)
		}
		for j, v := range vectors {
			if numtest.Off(got[j], values[j], 1e-8) || numtest.Off(floats.Norm(v, 2), 1, 1e-12) {
				t.Errorf("%s: value %d is %v, want %v", name, j, got[j], values[j])
			}
		}
		if dot := floats.Dot(vectors[0], vectors[1]); numtest.Off(dot, 0, 1e-10) {
			t.Errorf("%s: vectors at an angle of %v", name, dot)
		}
	}
}

// views returns the two ways to moments.
func views(t *testing.T, c *counted) map[string]view {
	t.Helper()
	count, err := c.countPairs(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return map[string]view{"scans": scans{scanner(t, c)}, "pairs": pairs{c, count}}
}

// The plane of raw moments is that of the decomposition, by pairs and by scans.
func TestPlane(t *testing.T) {
	g, root := binaryBuilder(t, 3000, 40)
	run := scanner(t, root)
	src := moment.NewSampled(run, moment.Formula{Law: moment.Raw()}, true)
	want, err := decompose.Whiten(ctx, src, 2, decompose.Options{Passes: 60, Residual: 1e-9})
	if err != nil {
		t.Fatal(err)
	}
	for name, v := range views(t, root) {
		plane, err := newPlane(ctx, v, g.memory)
		if err != nil {
			t.Fatal(err)
		}
		got, err := decompose.Whiten(ctx, plane, 2, decompose.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var in mat.Dense // coordinates of one whitening in the other: a rotation
		in.Mul(want.E.T(), got.W)
		var back mat.Dense
		back.Mul(in.T(), &in)
		if !mat.EqualApprox(&back, mat.NewDense(2, 2, []float64{1, 0, 0, 1}), 1e-4) {
			t.Errorf("%s: another plane: %v", name, back.RawMatrix().Data)
		}
		if numtest.Off(floats.Norm(got.Core.Data, 2), floats.Norm(want.Core.Data, 2), 1e-3*floats.Norm(want.Core.Data, 2)) {
			t.Errorf("%s: core of size %v, want %v", name, floats.Norm(got.Core.Data, 2), floats.Norm(want.Core.Data, 2))
		}
	}
}

// The leading direction is the same by pairs and by scans, and a fixed point:
// an eigenvector of the correlations with its own diagonal.
func TestLeadingDirection(t *testing.T) {
	g, root := binaryBuilder(t, 3000, 40)
	var first []float64
	for name, v := range views(t, root) {
		s := &standardised{view: v, mem: g.memory}
		if err := s.measure(ctx); err != nil {
			t.Fatal(err)
		}
		u, value, err := s.leading(ctx)
		if err != nil {
			t.Fatal(err)
		}
		y := make([]float64, len(u))
		if err := s.apply(ctx, [][]float64{y}, [][]float64{u}); err != nil {
			t.Fatal(err)
		}
		for h, x := range u {
			y[h] += math.Min(value*x*x, 1)*x - value*x
		}
		if left := floats.Norm(y, 2); left > 1.01*directionTol*value {
			t.Errorf("%s: residual %v of %v", name, left, value)
		}
		if first == nil {
			first = u
		} else if c := math.Abs(floats.Dot(first, u)); c < 1-1e-4 {
			t.Errorf("pairs and scans find other directions: cosine %v", c)
		}
	}
}

// Odds place every record where posteriors do, ties included.
func TestOddsPlaceAsPosteriors(t *testing.T) {
	g, root := binaryBuilder(t, oddsRecords, 25)
	labels := make(sides, root.n)
	for i := range labels {
		index, _ := g.rows.Row(i)
		labels[i] = uint8(len(index) % 2)
	}
	b, err := newBranch(ctx, root)
	if err != nil {
		t.Fatal(err)
	}
	c, why, err := g.fromLabels(ctx, b, root, labels, Split{})
	if err != nil || c == nil {
		t.Fatal(why, err)
	}
	pair := *c.split.Pair
	even := g.s.Family.Reorder(pair, []int{0, 0}) // every record is a tie
	even.Weights = []float64{.5, .5}
	for _, p := range []int{0, 1} {
		if p == 1 {
			pair = even
		}
		want, err := root.scanned.assign(ctx, pair)
		if err != nil {
			t.Fatal(err)
		}
		got, err := root.assign(ctx, pair)
		if err != nil || !slices.Equal(want, got) {
			t.Errorf("case %d: odds place %d, %d and %d records, posteriors %d, %d and %d (%v)", p,
				got.count(0), got.count(1), got.count(tie), want.count(0), want.count(1), want.count(tie), err)
		}
	}
}

// The records of the sides are in their order, and their counts and pairs those of their
// rows, by any number of workers.
func TestDivide(t *testing.T) {
	g, root := binaryBuilder(t, 3*pairRecords+500, 20)
	r := stream.New(1, "tree/test/listed")
	for i := range root.n {
		if i%4 != 1 {
			root.list = append(root.list, int32(i))
		}
	}
	root.n, root.sums = len(root.list), nil
	labels, lists, want := make(sides, root.n), [2][]int32{}, [2][]float64{make([]float64, 20), make([]float64, 20)}
	for i := range labels {
		side := uint8(r.IntN(5) / 4)
		labels[i], lists[side] = side, append(lists[side], root.list[i])
		addRow(want[side], *g.rows, int(root.list[i]))
	}
	for _, g.s.Workers = range []int{1, 2, 8} {
		got, err := root.divide(ctx, labels)
		if err != nil {
			t.Fatal(err)
		}
		for side, part := range got {
			c := part.(*counted)
			if !slices.Equal(c.list, lists[side]) || !slices.Equal(c.sums, want[side]) {
				t.Errorf("%d workers, side %d: %d records, counts %v, want %d, %v", g.s.Workers, side, len(c.list), c.sums, len(lists[side]), want[side])
			}
			pairs, again := make([]int32, 210), g.rows.Pick(numbers(lists[side]))
			kernel.Pairs(pairs, again.Ptr, again.Index, 20)
			if err := c.paired(ctx); err != nil || c.pairs.N != c.n || !slices.Equal(c.pairs.Count, pairs) {
				t.Errorf("%d workers, side %d: other pairs (%v)", g.s.Workers, side, err)
			}
		}
	}
}

func numbers(list []int32) []int {
	out := make([]int, len(list))
	for i, v := range list {
		out[i] = int(v)
	}
	return out
}

// A branch of many records is split by a sample, and all its records are
// placed; the bits do not depend on the number of workers.
func TestLargeNodes(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: slow: 140 thousand records")
	}
	set := synth.HierarchicalBernoulli(5, 2*sampledRecords+9000, 16, 1)
	var first *Result
	for _, splitter := range []string{Sidiwo, Skew, DSidiwo} {
		first = nil
		for _, w := range []int{1, 2, 8} {
			s := settings(t, "bernoulli", 16)
			s.Splitter, s.Workers, s.Leaves = splitter, w, 3
			r := grow(t, set.Rows, s)
			if first == nil {
				first = r
			} else if stripped(first.Tree) != stripped(r.Tree) || !slices.Equal(first.Leaf, r.Leaf) {
				t.Errorf("%s: %d workers give another tree", splitter, w)
			}
		}
	}
}

// Powers, cubes and sides are those of scans, of a part of the records too, and
// nothing is copied for them.
func TestProjected(t *testing.T) {
	g, root := binaryBuilder(t, 20000, 40)
	part := root.every(2).(*counted)
	r := stream.New(3, "test")
	b := mat.NewDense(40, 2, nil)
	stream.Normals(r, b.RawMatrix().Data)
	for _, c := range []*counted{root, part} {
		v := views(t, c)
		var powers, cores [2][]float64
		for i, name := range []string{"scans", "pairs"} {
			var err error
			if powers[i], err = v[name].powers(ctx, mat.Col(nil, 0, b), 0.5); err != nil {
				t.Fatal(err)
			}
			if cores[i], err = v[name].core(ctx, b); err != nil {
				t.Fatal(err)
			}
		}
		if !floats.EqualApprox(powers[0], powers[1], 1e-6) || !floats.EqualApprox(cores[0], cores[1], 1e-6) {
			t.Errorf("powers %v, cores %v", powers, cores)
		}
		c.rest()
		one := mat.DenseCopyOf(b)
		one.SetCol(1, make([]float64, 40))
		for _, rule := range []*Rule{{Vectors: b, Absolute: true}, {Vectors: b, Offset: [2]float64{1, 0}}, {Vectors: one, Offset: [2]float64{-1, 0}}} {
			got, err := c.place(ctx, rule)
			if err != nil {
				t.Fatal(err)
			}
			if c.copy != nil || c.run != nil {
				t.Error("records were copied to place them")
			}
			want, err := g.placed(ctx, scanner(t, c), rule.block)
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("sides differ: %v", err)
			}
			c.rest()
		}
	}
}

// Records that were seen in a plane are placed by that as by their sums, those on the border too,
// and the memory is given back.
func TestPlacedAsSeen(t *testing.T) {
	g, root := binaryBuilder(t, 3000, 40)
	g.s.Splitter, g.s.Steps = DSidiwo, -1
	v, err := root.view(ctx)
	if err != nil {
		t.Fatal(err)
	}
	rule, _, err := g.direction(ctx, v)
	if err != nil {
		t.Fatal(err)
	}
	if root.seen == nil || root.seen.basis != rule.basis {
		t.Fatal("the records were not seen in the plane of the rule")
	}
	kept := root.seen
	want, err := (&counted{scanned: root.scanned}).place(ctx, rule)
	if err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(){
		"as seen": func() {},
		"border":  func() { clear(kept.z[:600]) }, // of which nothing can be told
	} {
		root.seen = kept
		spoil()
		got, err := root.place(ctx, rule)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: other sides, %v", name, err)
		}
		if root.seen != nil {
			t.Errorf("%s: what was seen is kept", name)
		}
	}
	clear(kept.z)
	kept.z[0], kept.z[1] = int32(math.Float32bits(1e9)), int32(math.Float32bits(-1e9))
	root.seen = kept
	vectors := rule.rotation
	first := math.Abs(vectors.At(0, 0)-vectors.At(1, 0)) < math.Abs(vectors.At(0, 1)-vectors.At(1, 1))
	if got, err := root.place(ctx, rule); err != nil || (got[0] == 1) != first {
		t.Errorf("a record far from the border is not placed by what was seen: %v, %v", got[0], err)
	}
}
