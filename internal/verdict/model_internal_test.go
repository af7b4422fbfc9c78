package verdict

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/stream"
)

// presenceLayout has d features.
func presenceLayout(d int) *layout {
	l := &layout{presence: true, cols: d}
	for j := range d {
		l.items = append(l.items, item{j, 2})
	}
	return l
}

// answerLayout has questions of these numbers of answers.
func answerLayout(answers ...int) *layout {
	l := &layout{}
	for _, a := range answers {
		l.items = append(l.items, item{l.cols, a})
		l.cols += a
	}
	return l
}

// randomRows draws rows of a layout; some answers are missing.
func randomRows(r *rand.Rand, l *layout, n int) [][]uint32 {
	rows := make([][]uint32, n)
	for i := range rows {
		for _, it := range l.items {
			switch {
			case l.presence && r.Float64() < .4:
				rows[i] = append(rows[i], uint32(it.first))
			case !l.presence && r.Float64() < .9:
				rows[i] = append(rows[i], uint32(it.first+r.IntN(it.answers)))
			}
		}
	}
	return rows
}

// randomModel has parameters drawn at random.
func randomModel(r *rand.Rand, l *layout, k int, kind continuum, f *forest) *model {
	m := newModel(l, k, kind, shapesOf(kind)[0], f)
	for _, it := range l.items {
		from, to := l.free(it)
		for j := from; j < to; j++ {
			for g := range k {
				m.b[g*l.cols+j] = r.NormFloat64()
			}
			for t := range m.nodes.dims {
				m.a[t*l.cols+j] = r.NormFloat64()
			}
		}
	}
	for i := range m.g {
		m.g[i] = r.NormFloat64()
	}
	sum := 0.0
	for g := range m.pi {
		m.pi[g] = .2 + r.Float64()
		sum += m.pi[g]
	}
	for g := range m.pi {
		m.pi[g] /= sum
	}
	return m
}

// density is the log density of a row by the formula of the model.
func (m *model) density(row []uint32) float64 {
	total := 0.0
	for k, w := range m.pi {
		for q, v := range m.nodes.weight {
			p := w * v
			logit := func(j int) float64 {
				x := m.b[k*m.lay.cols+j]
				for t := range m.nodes.dims {
					x += m.a[t*m.lay.cols+j] * m.nodes.at[q*m.nodes.dims+t]
				}
				return x
			}
			for _, it := range m.lay.items {
				p *= m.chance(it, row, logit)
			}
			total += p
		}
	}
	return math.Log(total)
}

func (m *model) chance(it item, row []uint32, logit func(int) float64) float64 {
	has := func(j int) bool { return slices.Contains(row, uint32(j)) }
	if m.lay.presence {
		x := logit(it.first)
		if e := m.forest.of(it.first); e >= 0 && has(m.forest.parent[e]) {
			x += m.g[e]
		}
		if has(it.first) {
			return 1 / (1 + math.Exp(-x))
		}
		return 1 / (1 + math.Exp(x))
	}
	sum, own := 0.0, -1.0
	for j := it.first; j < it.first+it.answers; j++ {
		sum += math.Exp(logit(j))
		if has(j) {
			own = math.Exp(logit(j))
		}
	}
	if own < 0 {
		return 1
	}
	return own / sum
}

func kindsOfModels() []continuum {
	return []continuum{none, amount, oneTrend, bentTrend, twoTrends, threeTrends}
}

func TestScoresAreTheFormula(t *testing.T) {
	r := stream.New(1, "test")
	six := presenceLayout(6)
	pair := rooted([][]int{{1, 2}, {0}, {0}, nil, nil, nil}, []float64{5, 4, 3, 2, 1, 1})
	for _, c := range []struct {
		name string
		l    *layout
		f    *forest
	}{{"presences", six, nil}, {"repeated features", six, pair}, {"answers", answerLayout(2, 3, 5), nil}} {
		for _, kind := range kindsOfModels() {
			m := randomModel(r, c.l, 3, kind, c.f)
			s := newSample(randomRows(r, c.l, 300), c.l.cols)
			with := s
			if c.f != nil {
				with = c.f.with(s, c.l.cols)
			}
			got := m.score(with, &stats{})
			for i := range s.rows() {
				if want := m.density(s.row(i)); numtest.Off(got[i], want, 1e-9) {
					t.Fatalf("%s, %s: record %v has log density %v, want %v", c.name, kind.word(), s.row(i), got[i], want)
				}
			}
		}
	}
}

func TestSharesOfARecordAndItsCount(t *testing.T) {
	r := stream.New(2, "test")
	l := presenceLayout(4)
	rows := randomRows(r, l, 200) // many are equal
	s := newSample(rows, l.cols)
	if !s.equal || s.rows() >= 17 || s.n != 200 {
		t.Fatalf("%d rows for 200 records of 4 features (%v)", s.rows(), s.equal)
	}
	m := randomModel(r, l, 2, oneTrend, nil)
	var merged, alone stats
	m.estep(s, &merged)
	single := &sample{ptr: []int{0}, cols: l.cols, n: 200}
	for _, row := range rows {
		single.index = append(single.index, row...)
		single.ptr, single.count = append(single.ptr, len(single.index)), append(single.count, 1)
	}
	m.estep(single, &alone)
	near(t, "log-likelihood", merged.loglik, alone.loglik, 1e-9)
	for i := range merged.s {
		near(t, "sums", merged.s[i], alone.s[i], 1e-9)
	}
}

// Whatever the strength of the prior, one group has the overall frequencies: a
// prior that smoothed one group less would make groups of sparse records.
func TestPriorLeavesOneGroupAlone(t *testing.T) {
	r := stream.New(3, "test")
	for _, l := range []*layout{presenceLayout(8), answerLayout(3, 4)} {
		s := newSample(randomRows(r, l, 150), l.cols)
		var scores []float64
		for _, alpha := range []float64{0, 2, 20, 500} {
			p := newPath(l, s, alpha, 1, "test", nil)
			m := p.at(candidate{1, none, noRepeats})
			m.ready()
			for j, want := range p.pr.overall {
				near(t, "frequency", m.p[j], want, 1e-12)
			}
			scores = append(scores, m.loglik)
		}
		for _, v := range scores {
			near(t, "log-likelihood", v, scores[0], 1e-8)
		}
	}
}

// EM raises the likelihood and the prior together; the M-steps by Newton must
// climb to where no parameter can be moved for the better.
func TestEMClimbsToTheTop(t *testing.T) {
	r := stream.New(4, "test")
	pair := rooted([][]int{{1}, {0}, nil, nil, nil}, []float64{5, 4, 3, 2, 1})
	for _, c := range []struct {
		name string
		l    *layout
		f    *forest
	}{{"presences", presenceLayout(5), nil}, {"repeated features", presenceLayout(5), pair}, {"answers", answerLayout(3, 2, 4), nil}} {
		for _, kind := range []continuum{none, amount, oneTrend, twoTrends} {
			truth := randomModel(r, c.l, 2, kind, nil)
			s := newSample(sampled(r, truth, 600), c.l.cols)
			if c.f != nil {
				s = c.f.with(s, c.l.cols)
			}
			tr := &trainer{lay: c.l, s: s, pr: prior{2, c.l.overall(s, nil)}}
			m := tr.em(randomModel(r, c.l, 1, kind, c.f).evened(), s, 400, 0)
			top := tr.objective(m)
			for _, part := range [][]float64{m.b, m.g} {
				for i := range part {
					if part[i] == 0 {
						continue // a reference
					}
					for _, d := range []float64{-.02, .02} {
						part[i] += d
						if v := tr.objective(m); v > top+1e-3 {
							t.Errorf("%s, %s: moving parameter %d by %v raises the objective by %v", c.name, kind.word(), i, d, v-top)
						}
						part[i] -= d
					}
				}
			}
		}
	}
}

// evened makes the slopes of an amount equal.
func (m *model) evened() *model {
	if m.kind == amount {
		for _, it := range m.lay.items {
			from, to := m.lay.free(it)
			for j := from; j < to; j++ {
				m.a[j] = .5
			}
		}
	}
	return m
}

// objective is what EM of one group raises: likelihood, records of the prior,
// ridge.
func (t *trainer) objective(m *model) float64 {
	m.ready()
	v := 0.0
	for i, x := range m.score(t.s, &t.st) {
		v += t.s.count[i] * x
	}
	q := m.nodes.q()
	for _, it := range m.lay.items {
		for node := range q {
			records, halves := m.extra(t.pr, 0, node)
			for answer := range it.answers {
				p := m.answer(it, answer, node)
				overall := t.pr.overall[it.first]
				switch {
				case !m.lay.presence:
					overall = t.pr.overall[it.first+answer]
				case answer == 0:
					overall = 1 - overall
				}
				v += (records*overall + halves) * math.Log(p)
			}
		}
	}
	if m.kind != amount {
		for _, a := range m.a {
			v -= ridge / 2 * a * a
		}
	}
	for _, g := range m.g {
		v -= ridge / 2 * g * g
	}
	return v
}

// answer is the probability of an answer in a component.
func (m *model) answer(it item, answer, component int) float64 {
	c := m.components()
	switch {
	case !m.lay.presence:
		return m.p[(it.first+answer)*c+component]
	case answer == 0:
		return 1 - m.p[it.first*c+component]
	}
	return m.p[it.first*c+component]
}

// sampled draws rows from a model without repeated features.
func sampled(r *rand.Rand, m *model, n int) [][]uint32 {
	m.ready()
	rows := make([][]uint32, n)
	c, q := m.components(), m.nodes.q()
	for i := range rows {
		at := draw1(r, m.pi)*q + draw1(r, m.nodes.weight)
		for _, it := range m.lay.items {
			if m.lay.presence {
				if r.Float64() < m.p[it.first*c+at] {
					rows[i] = append(rows[i], uint32(it.first))
				}
				continue
			}
			p := make([]float64, it.answers)
			for a := range p {
				p[a] = m.p[(it.first+a)*c+at]
			}
			rows[i] = append(rows[i], uint32(it.first+draw1(r, p)))
		}
	}
	return rows
}

func draw1(r *rand.Rand, p []float64) int {
	u := r.Float64()
	for i, v := range p {
		if u -= v; u < 0 {
			return i
		}
	}
	return len(p) - 1
}

func TestNodesAreStandard(t *testing.T) {
	for kind := none; kind <= threeTrends; kind++ {
		for _, n := range shapesOf(kind) {
			total := 0.0
			mean, square := make([]float64, n.dims), make([]float64, n.dims)
			for q, w := range n.weight {
				total += w
				for d := range n.dims {
					mean[d] += w * n.at[q*n.dims+d]
					square[d] += w * n.at[q*n.dims+d] * n.at[q*n.dims+d]
				}
			}
			near(t, "weights", total, 1, 1e-12)
			for d := range n.dims {
				near(t, "mean", mean[d], 0, 1e-9)
				near(t, "variance", square[d], 1, 1e-9)
			}
		}
	}
}

func TestForestFindsParents(t *testing.T) {
	r := stream.New(5, "test")
	rows := make([][]uint32, 1000)
	for i := range rows {
		for j := range 4 {
			parent := r.Float64() < .4
			if parent {
				rows[i] = append(rows[i], uint32(2*j))
			}
			if parent && r.Float64() < .8 && j < 2 {
				rows[i] = append(rows[i], uint32(2*j+1))
			} else if j >= 2 && r.Float64() < .3 {
				rows[i] = append(rows[i], uint32(2*j+1))
			}
		}
	}
	p := newPath(presenceLayout(8), newSample(rows, 8), 2, 1, "test", nil)
	f := p.newForest(p.at(candidate{1, none, noRepeats}))
	if f.children() != 2 {
		t.Fatalf("features %v repeat %v, want 1 and 3 to repeat 0 and 2", f.child, f.parent)
	}
	for i, c := range f.child {
		if f.parent[i] != c-1 || c > 3 {
			t.Errorf("feature %d repeats %d, want 1 and 3 to repeat 0 and 2", c, f.parent[i])
		}
	}
}

// A feature left out of a model by hand, and by the formula.
func TestWhatAFeatureGives(t *testing.T) {
	r := stream.New(6, "test")
	l := presenceLayout(5)
	d := &drawn{lay: l, rows: randomRows(r, l, 120), feature: []int{0, 1, 2, 3, 4}, dim: 5, n: 120}
	j := d.newJudge(2, d.divide(1, 1), 1, 1, nil)
	c := candidate{2, oneTrend, noRepeats}
	if _, err := j.try(context.Background(), c); err != nil {
		t.Fatal(err)
	}
	lost := make([]float64, 5)
	for _, f := range j.folds {
		f.lost(c, 1, lost)
	}
	want := 0.0
	for _, f := range j.folds {
		m := f.path.at(c)
		for i := range f.test.rows() {
			without := func(has bool) []uint32 {
				var row []uint32
				for _, x := range f.test.row(i) {
					if x != 2 {
						row = append(row, x)
					}
				}
				if has {
					row = append(row, 2)
					slices.Sort(row)
				}
				return row
			}
			both := math.Log(math.Exp(m.density(without(true))) + math.Exp(m.density(without(false))))
			want += f.test.count[i] * (m.density(f.test.row(i)) - both)
		}
	}
	near(t, "nats of feature 2", lost[2], want, 1e-6)
}

func near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol*max(1, math.Abs(want))) {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}
