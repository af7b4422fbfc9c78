package multiview

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/family/familytest"
	"github.com/moiety-go/moiety/internal/family/bernoulli"
	"github.com/moiety-go/moiety/internal/family/gaussian"
	"github.com/moiety-go/moiety/internal/family/mixed"
	"github.com/moiety-go/moiety/internal/family/poisson"
	"github.com/moiety-go/moiety/internal/family/singletopic"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/spectral"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// twinTol: pseudo-inverses of small, noisy matrices.
const twinTol = 1e-9

// holes returns the draw's rows, dense, with view i of every third record (and
// another of some more) missing.
func holes(f *Family, draw family.Draw) sparse.Rows {
	n := draw.Rows.N()
	out := sparse.Rows{Dim: f.d, Dense: make([]float64, n*f.d)}
	for i := range n {
		for h := range f.d {
			out.Dense[i*f.d+h] = draw.Rows.At(i, h)
		}
		for v, view := range f.views {
			if i%(3+v) == 2 && i%5 != 0 {
				for h := view.From; h < view.To; h++ {
					out.Dense[i*f.d+h] = math.NaN()
				}
			}
		}
	}
	return out
}

// The stacked moments by whole arrays, records that lack a view left out of the
// products that need it.
func TestMomentsTwin(t *testing.T) {
	const k = 2
	f, p := three(t, k)
	draw, err := f.Sample(p, stream.New(5, "twin"), 60, family.Shape{})
	if err != nil {
		t.Fatal(err)
	}
	rows := holes(f, draw)
	src, err := f.Source(context.Background(), pass.NewLocal(rows, 2), k)
	if err != nil {
		t.Fatal(err)
	}
	s := src.(*source)
	// With all coordinates kept the bases of the parts are unit matrices; here
	// the parts have 9, 7 and 7 coordinates and k+extra = 7.
	m2, m3 := slow(s, rows, k)
	b := spectral.Random(stream.New(2, "basis"), src.Dim(), 3)
	// What the source keeps of the first part is a subspace: look inside it.
	var inside, seen mat.Dense
	inside.Mul(s.Basis.T(), b)
	seen.Mul(s.Basis, &inside)
	got, err := src.Project(context.Background(), &seen, moment.Second|moment.Core)
	if err != nil {
		t.Fatal(err)
	}
	var want mat.Dense
	want.Mul(m2, &seen)
	if !mat.EqualApprox(got.Second, &want, twinTol) {
		t.Error("M2·B differs from its twin")
	}
	if core := m3.Congruence(&seen); !floats.EqualApprox(got.Core.Data, core.Data, twinTol*(1+floats.Norm(core.Data, 2))) {
		t.Error("the core differs from its twin")
	}
}

// slow returns M2 and M3 over all stacked coordinates, seen in the subspace that
// the source keeps of each part.
func slow(s *source, rows sparse.Rows, k int) (*mat.Dense, *moment.Cube) {
	d, n := s.f.d, rows.N()
	var keep mat.Dense // projection onto the subspace
	keep.Mul(s.Basis, s.Basis.T())
	y := make([][3]*mat.VecDense, n) // stacked coordinates of each part alone
	for i := range n {
		for q, p := range s.parts {
			if math.IsNaN(rows.At(i, p.features[0])) {
				continue
			}
			v := mat.NewVecDense(d+3, nil)
			for e, h := range p.features {
				v.SetVec(h, (rows.At(i, h)-p.shift[e])*p.inv[e])
			}
			v.SetVec(d+q, p.c)
			y[i][q] = mat.NewVecDense(d+3, nil)
			y[i][q].MulVec(&keep, v)
		}
	}
	cross := func(p, q int) *mat.Dense {
		out, n := mat.NewDense(d+3, d+3, nil), 0.0
		for _, v := range y {
			if v[p] != nil && v[q] != nil {
				out.RankOne(out, 1, v[p], v[q])
				n++
			}
		}
		out.Scale(1/n, out)
		return out
	}
	m2, m3 := mat.NewDense(d+3, d+3, nil), moment.NewCube(d+3)
	var lift [3]*mat.Dense
	for p := range 3 {
		lift[p] = identity(d + 3) // acts on vectors of part p only
		for e, q := range others[p] {
			third := others[p][1-e]
			inverse, _ := spectral.PseudoInverse(cross(p, third), k)
			var l mat.Dense
			l.Mul(cross(q, third), inverse)
			lift[p].Add(lift[p], &l)
			m2.Add(m2, cross(p, q))
			var x mat.Dense // P_qq = P_q3 pinv(P_p3) P_pq
			x.Mul(&l, cross(p, q))
			x.Scale(0.25, &x)
			m2.Add(m2, &x)
			m2.Add(m2, x.T())
		}
	}
	all := 0.0
	for _, v := range y {
		if v[0] != nil && v[1] != nil && v[2] != nil {
			all++
		}
	}
	for _, v := range y {
		if v[0] == nil || v[1] == nil || v[2] == nil {
			continue
		}
		var z [3]mat.VecDense
		for p := range 3 {
			z[p].MulVec(lift[p], v[p])
		}
		for _, o := range [6][3]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
			for a := range d + 3 {
				for b := range d + 3 {
					f := z[o[0]].AtVec(a) * z[o[1]].AtVec(b) / (6 * all)
					floats.AddScaled(m3.Data[(a*(d+3)+b)*(d+3):][:d+3], f, z[o[2]].RawVector().Data)
				}
			}
		}
	}
	return m2, m3
}

// Moments made of known parameters give the centers back.
func TestExact(t *testing.T) {
	for _, k := range []int{1, 2, 4} {
		f, p := three(t, k)
		draw, err := f.Sample(p, stream.New(6, "exact"), 40, family.Shape{})
		if err != nil {
			t.Fatal(err)
		}
		parts := threeParts{f: f, parts: f.parts()}
		if err := parts.standardise(context.Background(), draw.Runner(1)); err != nil {
			t.Fatal(err)
		}
		for i, q := range parts.parts {
			parts.basis[i] = identity(q.n())
		}
		want := lifted(&source{parts: parts.parts}, p)
		e := &coreSum{parts}
		c := e.cut(make([]float64, e.Len()))
		c.pairs[0], c.pairs[1], c.pairs[2], c.all[0] = 1, 1, 1, 1
		for j, w := range want.Weights {
			var mu [3][]float64
			for i, q := range parts.parts {
				for _, h := range q.features {
					mu[i] = append(mu[i], want.Centers.At(h, j))
				}
				mu[i] = append(mu[i], q.c)
			}
			for a, x := range mu[0] {
				for b, y := range mu[1] {
					c.second[0][a*len(mu[1])+b] += w * x * y
					floats.AddScaled(c.third[(a*len(mu[1])+b)*len(mu[2]):][:len(mu[2])], w*x*y, mu[2])
				}
				floats.AddScaled(c.second[1][a*len(mu[2]):][:len(mu[2])], w*x, mu[2])
			}
			for b, y := range mu[1] {
				floats.AddScaled(c.second[2][b*len(mu[2]):][:len(mu[2])], w*y, mu[2])
			}
		}
		src, err := parts.source(draw.Runner(1), c, k)
		if err != nil {
			t.Fatal(err)
		}
		// First is that of centred records; the parameters' own mean is another.
		var m1 mat.VecDense
		m1.MulVec(want.Centers, mat.NewVecDense(k, want.Weights))
		src.Mean = m1.RawVector().Data
		raw, err := familytest.Auto(context.Background(), src, k)
		if err != nil {
			t.Fatal(err)
		}
		got := p
		got.Centers, _, _ = src.unscaled(raw.Centers)
		for i, e := range relative(t, f, got, p) {
			if e > 1e-9 {
				t.Errorf("k=%d: view %d off by %v", k, i+1, e)
			}
		}
	}
}

// Sparse and dense rows go different ways to the same moments and E-step.
func TestSparse(t *testing.T) {
	f, p := three(t, 3)
	draw, err := f.Sample(p, stream.New(7, "sparse"), 200, family.Shape{})
	if err != nil {
		t.Fatal(err)
	}
	table := make([][]float64, draw.Rows.N())
	for i := range table {
		row := draw.Rows.DenseRow(i)
		for h := range row {
			row[h] = float64(float32(row[h]))
		}
		table[i] = row
	}
	sparseRows := sparse.FromDense(table, f.d, false)
	ctx := context.Background()
	a, err := f.Source(ctx, draw.Runner(1), 3)
	if err != nil {
		t.Fatal(err)
	}
	b, err := f.Source(ctx, pass.NewLocal(sparseRows, 1), 3)
	if err != nil {
		t.Fatal(err)
	}
	basis := spectral.Random(stream.New(1, "b"), a.Dim(), 3)
	pa, err := a.Project(ctx, basis, moment.Second|moment.Core)
	if err != nil {
		t.Fatal(err)
	}
	pb, err := b.Project(ctx, basis, moment.Second|moment.Core)
	if err != nil {
		t.Fatal(err)
	}
	if !mat.EqualApprox(pa.Second, pb.Second, twinTol) || !floats.EqualApprox(pa.Core.Data, pb.Core.Data, 100*twinTol) {
		t.Error("moments of sparse and dense rows differ")
	}
	sum, err := f.EStep(p, true)
	if err != nil {
		t.Fatal(err)
	}
	sa, err := pass.RunOne(ctx, draw.Runner(1), sum)
	if err != nil {
		t.Fatal(err)
	}
	sb, err := pass.RunOne(ctx, pass.NewLocal(sparseRows, 1), sum)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range sa {
		if numtest.Off(v, sb[i], 1e-9*math.Max(1, math.Abs(v))) {
			t.Fatalf("number %d of the E-step: %v dense, %v sparse", i, v, sb[i])
		}
	}
}

// slowly hides that a family's E-step can be given its responsibilities.
type slowly struct{ family.Family }

func (s slowly) EStep(p mixture.Params, _ bool) (pass.Sum, error) {
	sum, err := s.Family.EStep(p, true)
	return struct{ pass.Sum }{sum}, err
}

// The way one record at a time gives the statistics of the direct way.
func TestGatherTwin(t *testing.T) {
	_, p := three(t, 3)
	documents, err := singletopic.New(singletopic.Options{})
	if err != nil {
		t.Fatal(err)
	}
	columns, err := mixed.New(mixed.Options{Dim: 8})
	if err != nil {
		t.Fatal(err)
	}
	for name, codes := range map[string]family.Family{
		"bernoulli": bernoulli.New(bernoulli.Options{}), "mixed": columns, "single topic": documents,
	} {
		first := mixture.New(mat.DenseCopyOf(p.Centers.Slice(0, 8, 0, 3)), p.Weights)
		if name == "mixed" {
			first = first.With(mixed.Variance, mat.NewDense(8, 3, nil))
		}
		if name == "single topic" {
			for j := range 3 {
				sum := floats.Sum(mat.Col(nil, j, first.Centers))
				for h := range 8 {
					first.Centers.Set(h, j, first.Centers.At(h, j)/sum)
				}
			}
		}
		t.Run(name, func(t *testing.T) { gatherTwin(t, p, first, codes) })
	}
}

func gatherTwin(t *testing.T, p, first mixture.Params, codes family.Family) {
	views := func(wrap func(family.Family) family.Family) *Family {
		f, err := New(Options{Views: []View{
			{From: 0, To: 8, Family: wrap(codes)},
			{From: 8, To: 14, Family: wrap(gaussian.New(gaussian.Options{}))},
			{From: 14, To: 20, Family: wrap(poisson.New())},
		}})
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	fast := views(func(f family.Family) family.Family { return f })
	slow := views(func(f family.Family) family.Family { return slowly{f} })
	q, err := fast.Join(p.Weights, []mixture.Params{first, fast.view(p, 1), fast.view(p, 2)})
	if err != nil {
		t.Fatal(err)
	}
	draw, err := fast.Sample(q, stream.New(9, "gather"), 100, family.Shape{})
	if err != nil {
		t.Fatal(err)
	}
	run := pass.NewLocal(holes(fast, draw), 1)
	var states [2][]float64
	for i, f := range []*Family{fast, slow} {
		sum, err := f.EStep(q, true)
		if err != nil {
			t.Fatal(err)
		}
		for v, s := range sum.(*joint).sums {
			if _, ok := s.(adder); ok == (f == slow) {
				t.Errorf("view %d goes the wrong way", v+1)
			}
		}
		if states[i], err = pass.RunOne(context.Background(), run, sum); err != nil {
			t.Fatal(err)
		}
	}
	for i, v := range states[0] {
		if numtest.Off(v, states[1][i], 1e-9*math.Max(1, math.Abs(v))) {
			t.Fatalf("number %d: %v directly, %v one record at a time", i, v, states[1][i])
		}
	}
}
