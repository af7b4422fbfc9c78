package tree

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/decompose"
	"github.com/moiety-go/moiety/internal/refine"
	"github.com/moiety-go/moiety/internal/spectral"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/internal/synth"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// presenceGrower returns a grower over hierarchical presences, with its root.
func presenceGrower(t *testing.T, n, d int) (*grower, *branch) {
	t.Helper()
	g, root := newGrower(emptied(synth.HierarchicalBernoulli(7, n, d, .6).Rows), settings(t, "bernoulli", d))
	if err := g.begin(ctx, root); err != nil {
		t.Fatal(err)
	}
	return g, root
}

// exactTol is for sums of a few thousand terms in another order, relative.
const exactTol = 1e-11

// The sums of presences tell what EM of one component tells by two passes.
func TestPresencesAlone(t *testing.T) {
	g, root := presenceGrower(t, 900, 25)
	want, err := refine.Steps(ctx, g.s.Family, g.records(root), g.one, 1, refine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !mat.EqualApprox(want.Params.Centers, root.alone.Centers, exactTol) {
		t.Error("other centers than those of EM")
	}
	if math.Abs(want.LogLikelihood-root.loglik) > exactTol*math.Abs(root.loglik) {
		t.Errorf("log-likelihood %v, EM says %v", root.loglik, want.LogLikelihood)
	}
}

// A subset gives the bits of a runner over the copied records.
func TestSubset(t *testing.T) {
	g, _ := presenceGrower(t, 3*pass.BlockRecords, 12)
	var list []int32
	for i := range g.rows.N() {
		if i%3 != 1 {
			list = append(list, int32(i))
		}
	}
	v := []float64{1, -2, 3, .1, .7, -1, 2, 5, -3, 1, 1, .3}
	var first []float64
	for _, workers := range []int{1, 2, 8} {
		s := pass.Subset(g.rows, list, workers)
		local := pass.NewLocal(g.view(list).copyOf(t), workers)
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

func (l look) copyOf(t *testing.T) sparse.Rows {
	t.Helper()
	if l.copy == nil {
		t.Fatal("the records were not copied")
	}
	return *l.copy
}

// Pairs of a part are those of the whole less the rest, whichever way they are
// counted.
func TestCountPairs(t *testing.T) {
	g, root := presenceGrower(t, 3*pairRecords+100, 9)
	g.s.Workers = 8
	all, err := g.listed(root).pairs(ctx, &g.tables, 9) // in parts
	if err != nil {
		t.Fatal(err)
	}
	want := newPairCounts(9)
	want.Add(g.sheet, nil, 0, root.n)
	if all.N != want.N || !slices.Equal(all.Count, want.Count) {
		t.Error("parts give other counts than all rows at once")
	}
	part, rest := newPairCounts(9), newPairCounts(9)
	part.Add(g.sheet, nil, 0, 700)
	rest.Add(g.sheet, nil, 700, root.n-700)
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
		fresh := func() []float64 {
			v := make([]float64, d)
			stream.Normals(r, v)
			return v
		}
		got, vectors, residual, err := k.leadingPairs(fresh, 2, d, 1e-8)
		if err != nil || residual > 1e-8 {
			t.Fatalf("%s: residual %v, %v", name, residual, err)
		}
		for j, v := range vectors {
			if math.Abs(got[j]-values[j]) > 1e-8 || math.Abs(floats.Norm(v, 2)-1) > 1e-12 {
				t.Errorf("%s: value %d is %v, want %v", name, j, got[j], values[j])
			}
		}
		if dot := floats.Dot(vectors[0], vectors[1]); math.Abs(dot) > 1e-10 {
			t.Errorf("%s: vectors at an angle of %v", name, dot)
		}
	}
}

// The plane of raw moments is that of the decomposition, by pairs and by scans.
func TestPlane(t *testing.T) {
	g, root := presenceGrower(t, 3000, 40)
	run := g.records(root)
	src := moment.NewSampled(run, moment.Formula{Law: moment.Raw()}, true)
	want, err := decompose.Whiten(ctx, src, 2, decompose.Options{Passes: 60, Residual: 1e-9})
	if err != nil {
		t.Fatal(err)
	}
	rows := g.listed(root)
	pairs, err := rows.pairs(ctx, &g.tables, g.rows.Dim)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []*pairCounts{pairs, nil} {
		l := looks{run: run, mem: g.memory}
		if p != nil {
			l = looks{pairs: p, rows: rows, mem: g.memory}
		}
		plane, err := newPlane(ctx, l)
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
			t.Errorf("pairs %v: another plane: %v", p != nil, back.RawMatrix().Data)
		}
		if math.Abs(floats.Norm(got.Core.Data, 2)-floats.Norm(want.Core.Data, 2)) > 1e-3*floats.Norm(want.Core.Data, 2) {
			t.Errorf("pairs %v: core of size %v, want %v", p != nil, floats.Norm(got.Core.Data, 2), floats.Norm(want.Core.Data, 2))
		}
	}
}

// The leading direction is the same by pairs and by scans, and a fixed point:
// an eigenvector of the correlations with its own diagonal.
func TestLeadingDirection(t *testing.T) {
	g, root := presenceGrower(t, 3000, 40)
	run := g.records(root)
	pairs, err := g.listed(root).pairs(ctx, &g.tables, g.rows.Dim)
	if err != nil {
		t.Fatal(err)
	}
	var first []float64
	for _, p := range []*pairCounts{pairs, nil} {
		s := &standardised{looks: looks{run: run, pairs: p, mem: g.memory}}
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
		if left := floats.Norm(y, 2); left > 1.01*settledDirection*value {
			t.Errorf("pairs %v: residual %v of %v", p != nil, left, value)
		}
		if first == nil {
			first = u
		} else if c := math.Abs(floats.Dot(first, u)); c < 1-1e-4 {
			t.Errorf("scans find another direction: cosine %v", c)
		}
	}
}

// Odds place every record where posteriors do, ties included.
func TestOddsPlaceAsPosteriors(t *testing.T) {
	g, root := presenceGrower(t, oddsRecords, 25)
	labels := make(sides, root.n)
	for i := range labels {
		index, _ := g.rows.Row(i)
		labels[i] = uint8(len(index) % 2)
	}
	c, why, err := g.fromLabels(ctx, root, labels, Split{})
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
		want, err := g.placed(ctx, g.records(root), func(b pass.Block, out sides) error { return g.byPosterior(pair, b, out) })
		if err != nil {
			t.Fatal(err)
		}
		got, err := g.byPair(ctx, root, pair)
		if err != nil || !slices.Equal(want, got) {
			t.Errorf("case %d: odds place %d, %d and %d records, posteriors %d, %d and %d (%v)", p,
				got.count(0), got.count(1), got.count(tie), want.count(0), want.count(1), want.count(tie), err)
		}
	}
}

// Sums, powers and counts of listed records are those of their rows.
func TestListed(t *testing.T) {
	g, root := presenceGrower(t, 2*listedBlock+500, 20)
	r := stream.New(1, "tree/test/listed")
	for i := range root.n {
		if i%3 != 1 {
			root.list = append(root.list, int32(i))
		}
	}
	root.n = len(root.list)
	v, labels, want := make([]float64, 20), make(sides, root.n), make([]float64, 20)
	stream.Normals(r, v)
	for i := range labels {
		if labels[i] = uint8(r.IntN(2)); labels[i] == 1 {
			addRow(want, g.rows, int(root.list[i]))
		}
	}
	powers, err := pass.RunOne(ctx, g.records(root), powerSum{v, .3})
	if err != nil {
		t.Fatal(err)
	}
	var first [3]float64
	for _, g.s.Workers = range []int{1, 2, 8} {
		l := g.listed(root)
		if got, err := l.count(ctx, labels, 1, 20); err != nil || !slices.Equal(got, want) {
			t.Errorf("%d workers: counts %v, want %v (%v)", g.s.Workers, got, want, err)
		}
		got, err := l.powers(ctx, make([]float64, root.n), v, .3)
		if err != nil || !floats.EqualApprox(got[:], powers, exactTol*float64(root.n)) {
			t.Errorf("%d workers: powers %v, want %v (%v)", g.s.Workers, got, powers, err)
		}
		if first == [3]float64{} {
			first = got
		} else if first != got {
			t.Errorf("%d workers: other bits", g.s.Workers)
		}
	}
}

// Projections in single precision place every record where its rule does.
func TestSidesOfPlane(t *testing.T) {
	g, root := presenceGrower(t, 3000, 40)
	rows := g.listed(root)
	pairs, err := rows.pairs(ctx, &g.tables, g.rows.Dim)
	if err != nil {
		t.Fatal(err)
	}
	p, err := newPlane(ctx, looks{pairs: pairs, rows: rows, mem: g.memory})
	if err != nil {
		t.Fatal(err)
	}
	rule, rotation, _, err := p.discriminants(ctx)
	if err != nil {
		t.Fatal(err)
	}
	got, err := g.sidesOf(ctx, rows, p.z, rotation, p.w, rule)
	if err != nil || !slices.Equal(got, rule.sides(g.rows)) {
		t.Errorf("projections place %d and %d records, the rule %d and %d (%v)", got.count(0), got.count(1), rule.sides(g.rows).count(0), rule.sides(g.rows).count(1), err)
	}
}

// A branch of many records is split by a sample, and all its records are
// placed; the bits do not depend on the number of workers.
func TestLargeNodes(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: 140 thousand records")
	}
	set := synth.HierarchicalBernoulli(5, 2*sampledRecords+9000, 16, 1)
	var first *Result
	for _, splitter := range []string{Skew, DSidiwo} {
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

// Where single precision may decide, the exact rule does; beyond its error the
// sum in single precision stands. Every second record lies within the error of
// its number of entries, the others four times as far; the exact rule, which here
// says the first side of all, is asked of the former alone.
func TestSidesNearTies(t *testing.T) {
	g, root := presenceGrower(t, 600, 25)
	rows := g.listed(root)
	z := make([]float32, 2*rows.n)
	for i := range rows.n {
		e := g.entries(int(rows.at(i)))
		far := e * e * 4 / (1 << 24) // four rounding errors for each two entries
		z[2*i], z[2*i+1] = 1, float32(1+far/2)
		if i%2 == 1 {
			z[2*i+1] = float32(1 + 4*far)
		}
	}
	identity := mat.NewDense(2, 2, []float64{1, 0, 0, 1})
	first := &Rule{Vectors: mat.NewDense(g.rows.Dim, 2, nil), Offset: [2]float64{1, 0}}
	got, err := g.sidesOf(ctx, rows, z, identity, identity, first)
	if err != nil {
		t.Fatal(err)
	}
	for i, side := range got {
		if want := uint8(i % 2); side != want {
			t.Fatalf("record %d with %v entries lies on side %d, want %d", i, g.entries(int(rows.at(i))), side, want)
		}
	}
}
