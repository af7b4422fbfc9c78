package multiview

import (
	"cmp"
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/family/loglinear"
	"github.com/moiety-go/moiety/internal/agree"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
)

// Report tells where the views of the records agree on their groups.
type Report struct {
	Views []ViewReport
	// Pairs is views×views: the adjusted Rand index between the groups that two
	// views alone give, over the records that have both.
	Pairs *mat.Dense
	// Records are those whose views disagree most, the worst first.
	Records []Disagreement
}

// ViewReport compares the groups that one view alone gives with those of all
// views together.
type ViewReport struct {
	Name    string
	Records int     // that have the view
	ARI     float64 // adjusted Rand index against the groups by all views
	// Overlap is the mean over records of Σ_j min(r_j, s_j), the share of the
	// posterior by the view alone that all views together confirm: from 0 to 1.
	Overlap float64
	// Components holds the mean overlap in each group of all views together;
	// NaN for a group without records.
	Components []float64
}

// Disagreement is a record whose views tell different stories.
type Disagreement struct {
	Record  int   // counted from 0
	Group   int   // by all views
	ByView  []int // by each view alone; -1 where the view is missing
	Overlap float64
}

// mostRecords is the number of records that a report names.
const mostRecords = 20

// Agreement compares what each view alone says of the own records with what all
// of them say together.
func (f *Family) Agreement(ctx context.Context, run pass.Runner, p mixture.Params) (*Report, error) {
	e, err := f.joint(p)
	if err != nil {
		return nil, err
	}
	w := newWitness(run.Can().Own, len(f.views))
	_, err = run.Own(ctx, func(b pass.Block) error { return w.see(e, b) })
	if err != nil {
		return nil, err
	}
	return w.report(f, p.K())
}

// witness holds what was seen of each record; blocks write to places of their
// own.
type witness struct {
	together []int
	alone    [][]int     // by view
	overlap  [][]float64 // by view: with all views together
	worst    []float64   // least overlap between two views of the record
}

func newWitness(n, views int) *witness {
	w := &witness{together: make([]int, n), worst: make([]float64, n)}
	for range views {
		w.alone = append(w.alone, make([]int, n))
		w.overlap = append(w.overlap, make([]float64, n))
	}
	return w
}

func (w *witness) see(e *joint, b pass.Block) error {
	k, n := e.p.K(), b.Rows.N()
	post := make([]float64, n*k)
	sides, scores, err := e.posterior(b, post, make([]float64, n))
	if err != nil {
		return err
	}
	by := make([][]float64, len(sides)) // posterior by each view alone, n×k
	for v, s := range sides {
		by[v] = make([]float64, n*k)
		for i := range n {
			w.alone[v][b.First+i] = -1
		}
		for r := range s.rows.N() {
			i := s.place(r)
			own := by[v][i*k:][:k]
			for j, x := range scores[v][r*k:][:k] {
				own[j] = math.Log(e.p.Weights[j]) + x
			}
			loglinear.Softmax(own)
			w.alone[v][b.First+i] = largest(own)
			w.overlap[v][b.First+i] = overlap(own, post[i*k:][:k])
		}
	}
	for i := range n {
		w.together[b.First+i] = largest(post[i*k:][:k])
		w.worst[b.First+i] = 1
		for v := range sides {
			for u := range v {
				if w.alone[u][b.First+i] >= 0 && w.alone[v][b.First+i] >= 0 {
					w.worst[b.First+i] = math.Min(w.worst[b.First+i], overlap(by[u][i*k:][:k], by[v][i*k:][:k]))
				}
			}
		}
	}
	return nil
}

func largest(v []float64) int {
	best := 0
	for j, x := range v {
		if x > v[best] {
			best = j
		}
	}
	return best
}

func overlap(a, b []float64) float64 {
	sum := 0.0
	for j, x := range a {
		sum += math.Min(x, b[j])
	}
	return sum
}

func (w *witness) report(f *Family, k int) (*Report, error) {
	out := &Report{Pairs: mat.NewDense(len(f.views), len(f.views), nil)}
	for v := range f.views {
		r, err := w.view(v, f.views[v].Name, k)
		if err != nil {
			return nil, err
		}
		out.Views = append(out.Views, r)
		for u := range f.views {
			ari, err := shared(w.alone[u], w.alone[v])
			if err != nil {
				return nil, err
			}
			out.Pairs.Set(u, v, ari)
		}
	}
	order := make([]int, len(w.worst))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(w.worst[a], w.worst[b]) })
	for _, i := range order[:min(mostRecords, len(order))] {
		if w.worst[i] == 1 {
			break
		}
		d := Disagreement{Record: i, Group: w.together[i], Overlap: w.worst[i]}
		for v := range f.views {
			d.ByView = append(d.ByView, w.alone[v][i])
		}
		out.Records = append(out.Records, d)
	}
	return out, nil
}

func (w *witness) view(v int, name string, k int) (ViewReport, error) {
	out := ViewReport{Name: name, Components: make([]float64, k)}
	count := make([]float64, k)
	for i, j := range w.alone[v] {
		if j < 0 {
			continue
		}
		out.Records++
		out.Overlap += w.overlap[v][i]
		count[w.together[i]]++
		out.Components[w.together[i]] += w.overlap[v][i]
	}
	out.Overlap /= math.Max(float64(out.Records), 1)
	for j, n := range count {
		out.Components[j] /= n // NaN for none
	}
	var err error
	out.ARI, err = shared(w.alone[v], w.together)
	return out, err
}

// shared returns the adjusted Rand index over the records with both labels.
func shared(a, b []int) (float64, error) {
	var x, y []int
	for i := range a {
		if a[i] >= 0 && b[i] >= 0 {
			x, y = append(x, a[i]), append(y, b[i])
		}
	}
	return agree.ARI(x, y)
}
