package explain_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize/convex/lp"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/internal/explain"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"
)

// The attacker knows how reports are made. He takes every number of one report
// about one feature, with the rounding it has gone through, as a bound on the
// counts of the groups (parents are sums of children), reads "nearly all" as a
// bound as well, and asks a linear program how small and how large every count
// can be.

// system is what he knows of counts that are not negative.
type system struct {
	atoms int
	rows  [][]float64
	low   []float64
	high  []float64
}

// learn adds that the sum of some atoms lies between low and high.
func (s *system) learn(atoms []int, low, high float64) {
	row := make([]float64, s.atoms)
	for _, a := range atoms {
		row[a] = 1
	}
	s.rows, s.low, s.high = append(s.rows, row), append(s.low, low), append(s.high, high)
}

// most bounds what nothing else does.
const most = 1e5

// bounds returns the least and the largest that the sum of some atoms can be.
func (s *system) bounds(t *testing.T, atoms []int) (low, high float64) {
	t.Helper()
	// Rows with a slack each: row·x + u = high, row·x - v = low; and the sum of
	// all atoms is bounded.
	m := 2*len(s.rows) + 1
	a := mat.NewDense(m, s.atoms+m, nil)
	b := make([]float64, m)
	for i, row := range s.rows {
		for j, v := range row {
			a.Set(2*i, j, v)
			a.Set(2*i+1, j, v)
		}
		a.Set(2*i, s.atoms+2*i, 1)
		a.Set(2*i+1, s.atoms+2*i+1, -1)
		b[2*i], b[2*i+1] = s.high[i], math.Max(s.low[i], 0)
	}
	for j := range s.atoms {
		a.Set(m-1, j, 1)
	}
	a.Set(m-1, s.atoms+m-1, 1)
	b[m-1] = most
	target := make([]float64, s.atoms+m)
	for _, sign := range []float64{1, -1} {
		for _, j := range atoms {
			target[j] = sign
		}
		v, _, err := lp.Simplex(target, a, b, 1e-9, nil)
		if err != nil {
			t.Fatalf("the attacker's program: %v", err)
		}
		if sign > 0 {
			low = v
		} else {
			high = -v
		}
	}
	return low, high
}

// attackOn gathers all that a report tells of feature f: atoms 2·leaf have it,
// 2·leaf+1 lack it.
func attackOn(rep *report.Report, w world, f int) *system {
	s := &system{atoms: 2 * w.o.K()}
	size := func(n int) (float64, float64) { return float64(n), float64(n) }
	count := size
	if rep.Rounded > 0 {
		size = func(n int) (float64, float64) { return explain.RangeOfSize(rep.Rounded, n) }
		count = func(n int) (float64, float64) { return explain.RangeOfCount(rep.Rounded, n) }
	}
	see := func(leaves []int, n report.Count, share report.Number) {
		all, known := n.Value()
		if known {
			low, high := size(all)
			s.learn(atomsOf(leaves, 0, 1), low, high)
		}
		if v, ok := share.Value(); ok && known {
			low, high := count(int(math.Round(v * float64(all))))
			s.learn(atomsOf(leaves, 0), low, high)
		}
	}
	dim := w.d.Rows.Dim
	all := make([]int, w.o.K())
	for j := range all {
		all[j] = j
	}
	see(all, rep.Data.Records, wide(rep, rep.Table.Overall, dim)[f])
	for g := range rep.Groups {
		group := &rep.Groups[g]
		see(w.leaves[g], group.N, wide(rep, rep.Table.Shares[g], dim)[f])
		for _, list := range [][]report.Feature{group.Typical, group.Frequent, group.Rare} {
			for _, x := range list {
				n, known := group.N.Value()
				if numberOf(rep, x.Index) != f || !x.NearlyAll || !known {
					continue
				}
				if rep.Rounded > 0 {
					low, high := count(n)
					s.learn(atomsOf(w.leaves[g], 0), low, high)
				} else {
					s.learn(atomsOf(w.leaves[g], 1), 1, float64(rep.Limit+explain.FewLack))
				}
			}
		}
	}
	return s
}

func atomsOf(leaves []int, classes ...int) []int {
	var out []int
	for _, l := range leaves {
		for _, c := range classes {
			out = append(out, 2*l+c)
		}
	}
	return out
}

// cells lists the sets of leaves that the report has a node for.
func (w world) nodes() [][]int {
	all := make([]int, w.o.K())
	for j := range all {
		all[j] = j
	}
	return append([][]int{all}, w.leaves...)
}

// worldsOf is the number of random worlds for each limit and ring.
func worldsOf() int {
	if testing.Short() {
		return 6
	}
	return 80
}

// TestAttacker: whatever a report tells, no count of 1 to limit-1 records is
// known to less than the limit, neither of those with a feature nor of those
// without, nor of a group; in both rings and for several limits.
func TestAttacker(t *testing.T) {
	for _, limit := range []int{3, 5, 11} {
		for _, share := range []bool{false, true} {
			t.Run(fmt.Sprint(limit, share), func(t *testing.T) {
				protected, shown := 0, 0
				for seed := range worldsOf() {
					r := stream.New(uint64(seed), "test/attacker")
					w := randomWorld(r, seed%2 == 0)
					rep := explained(t, w.o, w.d, report.Settings{Health: true, MinCell: limit, Share: share})
					for f := range w.d.Rows.Dim {
						s := attackOn(rep, w, f)
						shown += len(s.rows)
						for _, leaves := range w.nodes() {
							n := w.truth(f, leaves)
							for class, x := range [3]int{n[0], n[1], n[0] + n[1]} {
								if x == 0 || x >= limit {
									continue
								}
								protected++
								low, high := s.bounds(t, atomsOf(leaves, [3][]int{{0}, {1}, {0, 1}}[class]...))
								if float64(x) < low-1e-6 || float64(x) > high+1e-6 {
									t.Fatalf("seed %d, feature %d, leaves %v: %d is not between %v and %v: the attacker is wrong", seed, f, leaves, x, low, high)
								}
								if high-low < float64(limit)-1e-6 {
									t.Fatalf("seed %d, feature %d, class %d of leaves %v: the %d records are known to be %.1f to %.1f", seed, f, class, leaves, x, low, high)
								}
							}
						}
					}
				}
				if protected < worldsOf() || shown < 10*worldsOf() {
					t.Errorf("%d counts to protect, %d numbers shown: the test tests nothing", protected, shown)
				}
				t.Logf("%d counts to protect, %d numbers shown", protected, shown)
			})
		}
	}
}

// TestAttackerCan: of a report that withholds nothing, he finds every count.
func TestAttackerCan(t *testing.T) {
	for seed := range worldsOf() / 6 {
		r := stream.New(uint64(seed), "test/attacker")
		w := randomWorld(r, seed%2 == 0)
		rep := explained(t, w.o, w.d, report.Settings{MinCell: -1})
		for f := range w.d.Rows.Dim {
			s := attackOn(rep, w, f)
			for _, leaves := range w.nodes() {
				n := w.truth(f, leaves)
				for class := range n {
					low, high := s.bounds(t, atomsOf(leaves, class))
					if numtest.Off(low, float64(n[class]), 1e-6) || numtest.Off(high, float64(n[class]), 1e-6) {
						t.Fatalf("seed %d, feature %d, leaves %v: %v to %v, want %d", seed, f, leaves, low, high, n[class])
					}
				}
			}
		}
	}
}

// fewWalkers draws sequences of symbols, or of sets of them, in states, some of which
// few people visit, often; a symbol may be of few people too. It counts the people of
// every state and symbol, with the person of every step.
func fewWalkers(r *rand.Rand, sets bool) (w world, people [][]int, person []int) {
	k, dim, n := 2+r.IntN(3), 4, 20+r.IntN(60)
	rare := make([]float64, k) // share of people who ever visit a state
	odd := make([]float64, dim)
	for j := range rare {
		rare[j] = []float64{.05, .15, .6, 1}[r.IntN(4)]
	}
	for f := range odd {
		odd[f] = []float64{.05, .2, 1, 1}[r.IntN(4)]
	}
	rare[0], odd[0] = 1, 1
	rows := sparse.Rows{Dim: dim, Ptr: []int{0}}
	steps, group := []int{0}, []int32{}
	for i := range n {
		var visits, speaks []int
		for j := range k {
			if r.Float64() < rare[j] || j == 0 {
				visits = append(visits, j)
			}
		}
		for f := range dim {
			if r.Float64() < odd[f] || f == 0 {
				speaks = append(speaks, f)
			}
		}
		for range 5 + r.IntN(20) {
			group = append(group, int32(visits[r.IntN(len(visits))]))
			person = append(person, i)
			if !sets {
				rows.Index = append(rows.Index, uint32(speaks[r.IntN(len(speaks))]))
			}
			for _, f := range speaks {
				if sets && r.Float64() < .4 {
					rows.Index = append(rows.Index, uint32(f))
				}
			}
			rows.Ptr = append(rows.Ptr, len(rows.Index))
		}
		steps = append(steps, len(group))
	}
	order := bySize(group, k)
	for i, g := range group {
		group[i] = int32(order[g])
	}
	d := &dataset.Dataset{Kind: record.Presence, Rows: rows, Steps: steps, Vocab: vocab.Numbered(dim)}
	spec := model.Spec{Model: "hmm"}
	if sets {
		spec.Emission = "bernoulli"
	}
	w = world{d: d, o: &fit.Outcome{
		Model: &model.Model{Spec: spec, Params: mixture.New(mat.NewDense(dim, k, nil), make([]float64, k)), Vocab: d.Vocab},
		Group: group, Probability: make([]float32, len(group)),
	}}
	for j := range k {
		w.leaves = append(w.leaves, []int{j})
	}
	people = table(k+1, dim+1) // state (all in the last) × symbol (any in the last)
	type seen struct{ person, state, symbol int }
	met := map[seen]bool{}
	for i, g := range group {
		for _, symbol := range append(slices.Clone(rows.Index[rows.Ptr[i]:rows.Ptr[i+1]]), uint32(dim)) {
			for _, at := range [][2]int{{int(g), int(symbol)}, {k, int(symbol)}} {
				if x := (seen{person[i], at[0], at[1]}); !met[x] {
					met[x] = true
					people[at[0]][at[1]]++
				}
			}
		}
	}
	return w, people, person
}

func table(rows, cols int) [][]int {
	out := make([][]int, rows)
	for i := range out {
		out[i] = make([]int, cols)
	}
	return out
}

// TestAttackerSteps: of sequences, steps that are those of few people are not
// known either: of a state, of a symbol, of a symbol in a state; one symbol a step, or
// a set of them.
func TestAttackerSteps(t *testing.T) {
	t.Run("symbols", func(t *testing.T) { attackSteps(t, false) })
	t.Run("sets", func(t *testing.T) { attackSteps(t, true) })
}

func attackSteps(t *testing.T, sets bool) {
	t.Helper()
	for _, limit := range []int{3, 5, 11} {
		for _, share := range []bool{false, true} {
			protected, shown := 0, 0
			for seed := range worldsOf() {
				w, people, _ := fewWalkers(stream.New(uint64(seed), "test/walkers"), sets)
				rep := explained(t, w.o, w.d, report.Settings{Health: true, MinCell: limit, Share: share})
				rep.Data.Records = rep.Data.Rows // the whole is counted in steps
				k := w.o.K()
				for f := range w.d.Rows.Dim {
					s := attackOn(rep, w, f)
					shown += len(s.rows)
					for node, leaves := range append(slices.Clone(w.leaves), w.nodes()[0]) {
						for class, n := range [2]int{people[node][f], people[node][w.d.Rows.Dim]} {
							if n == 0 || n >= limit {
								continue
							}
							protected++
							low, high := s.bounds(t, atomsOf(leaves, [2][]int{{0}, {0, 1}}[class]...))
							if high-low < float64(limit)-1e-6 {
								t.Fatalf("limit %d, shared %v, seed %d, symbol %d, state %d of %d, class %d: the steps of %d people are known to be %.1f to %.1f", limit, share, seed, f, node+1, k, class, n, low, high)
							}
						}
					}
				}
			}
			if protected < worldsOf()/2 || shown < 10*worldsOf() {
				t.Errorf("limit %d, shared %v: %d counts to protect, %d numbers shown: the test tests nothing", limit, share, protected, shown)
			}
		}
	}
}

// TestAttackerCourses: of sequences of two courses, steps of few people of a course in
// a state, or in two states together, are not known, though the attacker be told how many steps each course has:
// not by what its other states leave, nor by what the other course leaves of the state.
func TestAttackerCourses(t *testing.T) {
	for _, limit := range []int{3, 11} {
		protected, shown := 0, 0
		for seed := range worldsOf() {
			r := stream.New(uint64(seed), "test/courses")
			w, _, person := fewWalkers(r, seed%2 == 0)
			k := w.o.K()
			courseOf := make([]int, w.d.Len())
			for i := range courseOf {
				if r.Float64() < .35 {
					courseOf[i] = 1
				}
			}
			steps := table(2, k)
			c := &mixture.Courses{Share: []float64{.65, .35}, N: make([]int, 2), In: table(2, k)}
			met := map[[2]int]bool{}
			for i, g := range w.o.Group {
				j := courseOf[person[i]]
				steps[j][g]++
				if at := [2]int{person[i], int(g)}; !met[at] {
					met[at] = true
					c.In[j][g]++
				}
			}
			for _, j := range courseOf {
				c.N[j]++
			}
			total := make([]float64, 2)
			for j, list := range steps {
				time, even := make([]float64, k), slices.Repeat([]float64{1 / float64(k)}, k*k)
				for _, n := range list {
					total[j] += float64(n)
				}
				for s, n := range list {
					time[s] = float64(n) / total[j]
				}
				c.Time, c.Start, c.Moves = append(c.Time, time), append(c.Start, even[:k]), append(c.Moves, even)
			}
			w.o.Model.Provenance.Courses = c
			rep := explained(t, w.o, w.d, report.Settings{Health: true, MinCell: limit})
			people := func(j int, states ...int) int {
				n := 0
				for i, course := range courseOf {
					if course == j && slices.ContainsFunc(states, func(s int) bool { return met[[2]int{i, s}] }) {
						n++
					}
				}
				return n
			}
			if len(rep.Courses) == 0 { // one is too small to be reported
				continue
			}
			shown += attackCourses(t, rep, limit, steps, people, total, &protected)
		}
		if protected < worldsOf()/4 || shown < worldsOf()/4 {
			t.Errorf("limit %d: %d counts to protect, %d numbers shown: the test tests nothing", limit, protected, shown)
		}
	}
}

// attackCourses takes all that a report tells of the steps of two courses in k states
// and fails where those of few people are known; it returns how many are reported.
func attackCourses(t *testing.T, rep *report.Report, limit int, steps [][]int, people func(course int, states ...int) int, total []float64, protected *int) (shown int) {
	t.Helper()
	k := len(steps[0])
	s := &system{atoms: 2 * k}
	for j := range total {
		all := make([]int, k)
		for state := range all {
			all[state] = j*k + state
		}
		s.learn(all, total[j], total[j])
	}
	for state := range k {
		if n, ok := rep.Leaf(state).N.Value(); ok {
			s.learn([]int{state, k + state}, float64(n), float64(n))
		}
	}
	for j, course := range rep.Courses {
		for _, from := range course.From {
			if v, ok := from.Time.Value(); ok {
				shown++
				at := slices.IndexFunc(rep.Leaves, func(g int) bool { return rep.Groups[g].ID == from.State })
				s.learn([]int{j*k + at}, v*total[j], v*total[j])
			}
			if _, ok := from.Start.Value(); ok {
				t.Fatal("the first states of few people are told")
			}
		}
	}
	for j := range steps {
		for one := range k {
			for other := one; other < k; other++ {
				n := people(j, one, other)
				if n == 0 || n >= limit {
					continue
				}
				*protected++
				atoms, x := []int{j*k + one}, steps[j][one]
				if other > one {
					atoms, x = append(atoms, j*k+other), x+steps[j][other]
				}
				low, high := s.bounds(t, atoms)
				if float64(x) < low-1e-6 || float64(x) > high+1e-6 {
					t.Fatalf("%d steps are not between %v and %v: the attacker is wrong", x, low, high)
				}
				if high-low < float64(limit)-1e-6 {
					t.Errorf("limit %d: the steps of %d people of course %d in states %d and %d are known to be %.1f to %.1f; steps %v", limit, n, j+1, one+1, other+1, low, high, steps)
				}
			}
		}
	}
	return shown
}

// TestSeventeen: a parent of 17 is not shown beside two hidden children, who
// would each be known to be 7 to 10.
func TestSeventeen(t *testing.T) {
	for _, c := range []struct {
		have [3]int  // of 100 records in each of three groups
		open [4]bool // reported of each, and of all
	}{
		{[3]int{8, 9, 60}, [4]bool{false, false, true, false}},   // 17 in two: all is not reported
		{[3]int{8, 9, 16}, [4]bool{false, false, false, true}},   // the third is hidden with them
		{[3]int{3, 40, 60}, [4]bool{false, false, true, true}},   // 43 in two: one of them is large, nobody knows which
		{[3]int{8, 20, 60}, [4]bool{false, false, true, true}},   // 28 in two that cannot both be small
		{[3]int{20, 20, 60}, [4]bool{true, true, true, true}},    // nothing to hide
		{[3]int{10, 10, 60}, [4]bool{false, false, true, false}}, // 20 in two: both are 10
		{[3]int{10, 11, 60}, [4]bool{false, false, true, true}},  // 21 in two
	} {
		group, rows := []int32{}, sparse.Rows{Dim: 1, Ptr: []int{0}}
		for g, n := range c.have {
			for i := range 100 {
				group = append(group, int32(g))
				if i < n {
					rows.Index = append(rows.Index, 0)
				}
				rows.Ptr = append(rows.Ptr, len(rows.Index))
			}
		}
		d := &dataset.Dataset{Kind: record.Presence, Rows: rows, Vocab: vocab.Numbered(1)}
		w := build(stream.New(1, "test/seventeen"), d, group, 3, false)
		rep := explained(t, w.o, d, report.Settings{Health: true})
		for g := range c.have {
			if got := !wide(rep, rep.Table.Shares[g], 1)[0].Masked(); got != c.open[g] {
				t.Errorf("%v: group %d told %v, want %v", c.have, g+1, got, c.open[g])
			}
		}
		if got := !rep.Table.Overall[0].Masked(); got != c.open[3] {
			t.Errorf("%v: all told %v, want %v", c.have, got, c.open[3])
		}
	}
}
