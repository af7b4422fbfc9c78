package hmm

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/family/familytest"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/spectral"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// twinTol: sums over all paths of a short sequence.
const twinTol = 1e-12

// paths calls do with every path of n steps over k states.
func paths(n, k int, do func(path []int)) {
	path := make([]int, n)
	var walk func(t int)
	walk = func(t int) {
		if t == n {
			do(path)
			return
		}
		for j := range k {
			path[t] = j
			walk(t + 1)
		}
	}
	walk(0)
}

// density is the probability of a path with its rows, by the definition.
func density(p mixture.Params, rows sparse.Rows, path []int) float64 {
	v := 1.0
	for t, j := range path {
		if t == 0 {
			v *= p.Extra[InitialOf].At(0, j)
		} else {
			v *= p.Extra[TransitionOf].At(path[t-1], j)
		}
		if p.Extra[VarianceOf] == nil {
			for h := range p.Dim() {
				if rows.At(t, h) == 1 {
					v *= p.Centers.At(h, j)
				}
			}
			continue
		}
		if math.IsNaN(rows.At(t, 0)) {
			continue
		}
		for h := range p.Dim() {
			s := p.Extra[VarianceOf].At(0, j)
			u := rows.At(t, h) - p.Centers.At(h, j)
			v *= math.Exp(-u*u/(2*s)) / math.Sqrt(2*math.Pi*s)
		}
	}
	return v
}

// sample draws sequences of 5 steps, the third step of the second not observed.
func sample(t *testing.T, f Family, p mixture.Params) family.Draw {
	t.Helper()
	draw, err := f.Sample(p, stream.New(3, "paths"), 3, family.Shape{Lengths: []int{5}})
	if err != nil {
		t.Fatal(err)
	}
	if f.o.Emission == Gaussian {
		for h := range p.Dim() {
			draw.Rows.Dense[7*p.Dim()+h] = math.NaN()
		}
		return draw
	}
	build := sparse.NewBuilder(p.Dim(), true)
	for i := range draw.Rows.N() {
		index, _ := draw.Rows.Row(i)
		if i == 7 {
			index = nil
		}
		if err := build.Add(index, nil); err != nil {
			t.Fatal(err)
		}
	}
	draw.Rows = build.Rows()
	return draw
}

// Forward, backward, transitions and Viterbi against all paths.
func TestAllPaths(t *testing.T) {
	for _, f := range []Family{New(Options{}), New(Options{Emission: Gaussian})} {
		const k = 3
		p := truth(5, 4, k, f.o.Emission == Gaussian)
		draw := sample(t, f, p)
		b := pass.Block{Rows: draw.Rows, Steps: draw.Steps}
		post, logp := make([]float64, draw.Rows.N()*k), make([]float64, 3)
		if err := f.Posterior(p, b, post); err != nil {
			t.Fatal(err)
		}
		if err := f.LogDensity(p, b, logp); err != nil {
			t.Fatal(err)
		}
		best, bestLog, err := f.Viterbi(p, b)
		if err != nil {
			t.Fatal(err)
		}
		sum, err := f.EStep(p, true)
		if err != nil {
			t.Fatal(err)
		}
		state, err := pass.RunOne(context.Background(), draw.Runner(1), sum)
		if err != nil {
			t.Fatal(err)
		}
		first, _, moves, _ := parts(state, k)
		wantFirst, wantMoves := make([]float64, k), make([]float64, k*k)
		for i := range 3 {
			rows := b.Sequence(i)
			total, top := 0.0, 0.0
			gamma, xi, begin := make([]float64, 5*k), make([]float64, k*k), make([]float64, k)
			var winner []int
			paths(5, k, func(path []int) {
				v := density(p, rows, path)
				total += v
				if v > top {
					top, winner = v, append([]int(nil), path...)
				}
				begin[path[0]] += v
				for t, j := range path {
					gamma[t*k+j] += v
					if t > 0 {
						xi[path[t-1]*k+j] += v
					}
				}
			})
			floats.AddScaled(wantFirst, 1/total, begin)
			floats.AddScaled(wantMoves, 1/total, xi)
			floats.Scale(1/total, gamma)
			if numtest.Off(logp[i], math.Log(total), twinTol*100) || numtest.Off(bestLog[i], math.Log(top), twinTol*100) {
				t.Errorf("sequence %d: log density %v, want %v; best path %v, want %v", i, logp[i], math.Log(total), bestLog[i], math.Log(top))
			}
			if !floats.EqualApprox(post[i*5*k:][:5*k], gamma, twinTol) {
				t.Errorf("sequence %d: smoothed posteriors differ from those over all paths", i)
			}
			for s, j := range winner {
				if best[i*5+s] != j {
					t.Errorf("sequence %d: best path %v, want %v", i, best[i*5:][:5], winner)
					break
				}
			}
		}
		if !floats.EqualApprox(first, wantFirst, twinTol) || !floats.EqualApprox(moves, wantMoves, 10*twinTol) {
			t.Error("expected first states or transitions differ from those over all paths")
		}
		if numtest.Off(state[0], floats.Sum(logp), 1e-10) {
			t.Errorf("E-step's log-likelihood %v, sum of densities %v", state[0], floats.Sum(logp))
		}
	}
}

// The moments of the middle view by whole matrices over all triples.
func TestMomentsTwin(t *testing.T) {
	ctx := context.Background()
	for _, f := range []Family{New(Options{}), New(Options{Emission: Gaussian})} {
		const k, d = 3, 4
		p := truth(6, d, k, f.o.Emission == Gaussian)
		draw := sample(t, f, p)
		src, err := f.Source(ctx, draw.Runner(1), k)
		if err != nil {
			t.Fatal(err)
		}
		s := src.(*source)
		m2, m3, n := slowMoments(t, s, draw, k)
		if s.n != n {
			t.Errorf("%v triples, want %v", s.n, n)
		}
		compare(t, src, m2, m3)
	}
}

func slowMoments(t *testing.T, s *source, draw family.Draw, k int) (*mat.Dense, *moment.Cube, float64) {
	t.Helper()
	y, seen, err := s.lens.see(pass.Block{Rows: draw.Rows, Steps: draw.Steps})
	if err != nil {
		t.Fatal(err)
	}
	dim := y.Dim
	var list [][3]*mat.VecDense
	row := func(i int) *mat.VecDense {
		v := mat.NewVecDense(dim, nil)
		for h := range dim {
			v.SetVec(h, y.At(i, h))
		}
		return v
	}
	for q := range len(draw.Steps) - 1 {
		for i := draw.Steps[q]; i+2 < draw.Steps[q+1]; i++ {
			if seen[i] && seen[i+1] && seen[i+2] {
				list = append(list, [3]*mat.VecDense{row(i), row(i + 1), row(i + 2)})
			}
		}
	}
	n := float64(len(list))
	cross := func(u, v int) *mat.Dense {
		out := mat.NewDense(dim, dim, nil)
		for _, x := range list {
			out.RankOne(out, 1/n, x[u], x[v])
		}
		return out
	}
	pac, _ := spectral.PseudoInverse(cross(0, 2), k)
	pca, _ := spectral.PseudoInverse(cross(2, 0), k)
	var fa, fc mat.Dense
	fa.Mul(cross(1, 2), pac)
	fc.Mul(cross(1, 0), pca)
	m2, m3 := mat.NewDense(dim, dim, nil), moment.NewCube(dim)
	for _, x := range list {
		var a, c mat.VecDense
		a.MulVec(&fa, x[0])
		c.MulVec(&fc, x[2])
		m2.RankOne(m2, 0.5/n, &a, &c)
		m2.RankOne(m2, 0.5/n, &c, &a)
		views := [3][]float64{a.RawVector().Data, x[1].RawVector().Data, c.RawVector().Data}
		for _, o := range [6][3]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
			for i, u := range views[o[0]] {
				for j, v := range views[o[1]] {
					for l, w := range views[o[2]] {
						m3.Data[(i*dim+j)*dim+l] += u * v * w / (6 * n)
					}
				}
			}
		}
	}
	return m2, m3, n
}

func compare(t *testing.T, src moment.Source, m2 *mat.Dense, m3 *moment.Cube) {
	t.Helper()
	b := spectral.Random(stream.New(2, "basis"), src.Dim(), 3)
	p, err := src.Project(context.Background(), b, moment.Second|moment.Core)
	if err != nil {
		t.Fatal(err)
	}
	var want mat.Dense
	want.Mul(m2, b)
	const tol = 1e-10 // pseudo-inverses of small, noisy matrices
	if !mat.EqualApprox(p.Second, &want, tol*(1+mat.Norm(&want, 2))) {
		t.Error("M2·B differs from its twin")
	}
	core := m3.Congruence(b)
	if !floats.EqualApprox(p.Core.Data, core.Data, tol*(1+floats.Norm(core.Data, 2))) {
		t.Error("the core differs from its twin")
	}
}

// Exact joint moments of triples, made of known parameters, give the model back.
func TestExact(t *testing.T) {
	ctx := context.Background()
	for _, k := range []int{1, 2, 4} {
		want := truth(9, 6, k, false)
		to, m, d := want.Extra[TransitionOf], want.Centers, 6
		q := mat.NewDense(d, d, nil)
		for h := range d {
			q.Set(h, h, 1)
		}
		e := tripleSum{&lens{d: d}, q, d}
		s := e.parts(make([]float64, e.Len()))
		s.n[0], s.sequences[0] = 1, 1
		for i, w := range want.Weights { // states of a, b, c, stationary
			for j := range k {
				for l := range k {
					pr := w * to.At(i, j) * to.At(j, l)
					for x := range d {
						for y := range d {
							for z := range d {
								v := pr * m.At(x, i) * m.At(y, j) * m.At(z, l)
								s.abc[(x*d+y)*d+z] += v
								s.ab[x*d+y] += v
								s.bc[y*d+z] += v
								s.ac[x*d+z] += v
								s.mean[y] += v
								s.first[x] += v
							}
						}
					}
				}
			}
		}
		src := newSource(e.v, q, s, k)
		raw, err := familytest.Auto(ctx, src, k)
		if err != nil {
			t.Fatal(err)
		}
		got, _, err := New(Options{}).Normalise(ctx, src, raw)
		if err != nil {
			t.Fatal(err)
		}
		// Normalise keeps probabilities at least startShare and startMove from zero.
		if em, tr := emissionError(t, got, want); em > 2*startShare || tr > 2*startMove*float64(k) {
			t.Errorf("k=%d: emissions off by %v, transitions by %v", k, em, tr)
		}
		got.Centers = raw.Centers
		if em, _ := emissionError(t, got, want); em > 1e-8 {
			t.Errorf("k=%d: raw centers off by %v", k, em)
		}
		to, _ = src.walk(raw.Centers, k)
		got = got.With(TransitionOf, to)
		if _, tr := emissionError(t, got, want); tr > 2*startMove*float64(k) {
			t.Errorf("k=%d: transitions from raw centers off by %v", k, tr)
		}
	}
}

func TestStationary(t *testing.T) {
	// Two states that swap: a chain that never settles, half and half.
	w := stationary(mat.NewDense(2, 2, []float64{0, 1, 1, 0}))
	if numtest.Off(w[0], 0.5, 1e-12) {
		t.Errorf("shares %v, want a half each", w)
	}
	w = stationary(mat.NewDense(2, 2, []float64{0.9, 0.1, 0.3, 0.7}))
	if numtest.Off(w[0], 0.75, 1e-12) {
		t.Errorf("shares %v, want 0.75 and 0.25", w)
	}
}

func TestErrors(t *testing.T) {
	f, p := New(Options{}), truth(1, 3, 2, false)
	two := sparse.FromDense([][]float64{{1, 0, 0}, {1, 1, 0}}, 3, true)
	b := pass.Block{First: 6, Rows: two, Steps: []int{0, 2}}
	err := f.Posterior(p, b, make([]float64, 4))
	const want = "hmm: record 7, step 2 has 2 symbols, want one a step: give each its own step, or choose the emission bernoulli for sets, gaussian for measurements"
	if err == nil || err.Error() != want {
		t.Errorf("error %q, want %q", err, want)
	}
	if _, err := f.Source(context.Background(), pass.NewLocal(two.Slice(0, 1), 1), 2); err == nil {
		t.Error("a single step is accepted")
	}
	if _, err := f.Source(context.Background(), pass.NewSequences(two.Slice(0, 1), []int{0, 1}, 1), 4); err == nil {
		t.Error("4 states over 3 symbols are accepted")
	}
}
