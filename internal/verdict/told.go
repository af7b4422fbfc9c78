package verdict

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/moiety-go/moiety/internal/agree"
	"github.com/moiety-go/moiety/internal/normals"
	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/pass"
)

// Clouds describes measurements by k clouds, whether they are groups or not:
// where each record lies, and in which form.
func Clouds(ctx context.Context, run pass.Runner, k int, s Settings) (*Found, *Form, error) {
	m, err := drawMeasures(ctx, run, s.Seed)
	if err != nil {
		return nil, nil, err
	}
	if m.table.N <= k && m.table.N < run.Len() {
		return nil, nil, fmt.Errorf("verdict: %d complete records for %d groups; %w", m.table.N, k, ErrBlanks)
	}
	t := m.newTrail(s)
	best, err := t.one(ctx)
	if k > 1 && err == nil {
		best, err = t.told(ctx, k)
	}
	if err != nil {
		return nil, nil, err
	}
	best = &clouds{best.More(best.view.t, lastSteps), best.view, best.bic}
	of := make([]int, k)
	for j := range of {
		of[j] = j
	}
	return &Found{Plain: best.Nu == 0, Records: m.record, groups: k, by: cloudPlaces{m.column, m.codes, m.dim, best, of}}, m.form(best, k), nil
}

const (
	eachTied = 7 // records for every column, at least, that show correlations all clouds share
	eachOwn  = 5 // records for every column and cloud, at least, that show those of each
	// The records say only so much of a model that is a little wrong, however many
	// they are: a difference of this much of BIC a record is as one of 1 where the
	// model is right (coarsened posteriors: Miller and Dunson 2019).
	coarsened = .1
)

// told returns k clouds where the number is told. Then the shape decides how the
// records are parted, and where several shapes are about as likely none of them is
// to be trusted alone: of the best description in every shape, scale and tail, the
// one is taken that agrees best with all, each weighed by its coarsened evidence
// (the posterior expected adjusted Rand index of Fritsch and Ickstadt 2009).
func (t *trail) told(ctx context.Context, k int) (*clouds, error) {
	starts := make([][][]float64, len(t.views))
	err := par.Do(ctx, par.Workers(t.workers), len(t.views), func(v int) error {
		starts[v] = t.starts(v, k)
		return nil
	})
	if err != nil {
		return nil, err
	}
	type form struct {
		view  int
		shape normals.Shape
		nu    float64
	}
	var forms []form
	for v := range t.views {
		for _, shape := range t.carriedShapes(k, t.some[v]) {
			forms = append(forms, form{v, shape, 0}, form{v, shape, heavyTails})
		}
	}
	list := make([]*clouds, len(forms))
	err = par.Do(ctx, par.Workers(t.workers), len(forms), func(i int) error {
		f := forms[i]
		list[i] = t.judged(f.view, evenly(t.some[f.view], starts[f.view], k, normals.Options{Shape: f.shape, Nu: f.nu, Steps: startSteps}))
		return nil
	})
	if err != nil {
		return nil, err
	}
	return t.agreed(list)
}

// starts are memberships from which k clouds are looked for: round and merged
// ones, of the columns as they are and of uncorrelated ones.
func (t *trail) starts(v, k int) [][]float64 {
	r := stream.New(t.seed, fmt.Sprintf("verdict/told%d", k))
	var out [][]float64
	for _, table := range []normals.Table{t.some[v], t.round[v]} {
		out = append(out, normals.KMeans(table, k, r), normals.Members(normals.Merged(table, k), k))
	}
	return out
}

// carriedShapes returns the shapes to try: the one asked for, or all that so many
// records show.
func (t *trail) carriedShapes(k int, table normals.Table) []normals.Shape {
	if t.shape != "" {
		if asked := t.shapes(k, table); len(asked) == 1 {
			return asked
		}
	}
	out := []normals.Shape{normals.Common, normals.Diagonal}
	if table.N >= eachTied*table.D {
		out = append(out, normals.Tied)
	}
	if table.N >= eachOwn*k*table.D && !t.coarse {
		out = append(out, normals.Own)
	}
	return out
}

// evenly takes the likeliest start, after a few steps, to its end, of those that
// leave no cloud with hardly any records, if there are such: who tells the number
// of groups does not mean single records far out.
func evenly(t normals.Table, starts [][]float64, k int, o normals.Options) *normals.Mixture {
	least := min(eachCloud, float64(t.N)/float64(4*k)) / float64(t.N)
	var best *normals.Mixture
	even := func(m *normals.Mixture) bool { return slices.Min(m.Weight) >= least }
	for _, s := range starts {
		m := normals.EM(t, s, k, o).More(t, cloudSteps-startSteps)
		if best == nil || even(m) && !even(best) || even(m) == even(best) && m.LogLik > best.LogLik {
			best = m
		}
	}
	return best
}

// agreed returns the description that agrees best with all. Those with hardly
// inhabited clouds count only where there are no others.
func (t *trail) agreed(list []*clouds) (*clouds, error) {
	n := t.some[0].N
	even := slices.DeleteFunc(slices.Clone(list), func(c *clouds) bool {
		return slices.Min(c.Weight)*float64(n) < min(eachCloud, float64(n)/float64(4*c.K))
	})
	if len(even) > 0 {
		list = even
	}
	least := leastBIC(list).bic
	weight, label := make([]float64, len(list)), make([][]int, len(list))
	for i, c := range list {
		weight[i] = math.Exp(-(c.bic - least) / (2 * coarsened * float64(n)))
		of := make([]int, c.K)
		for j := range of {
			of[j] = j
		}
		label[i] = placedBy(c.Mixture, of, t.some[slices.Index(t.views, c.view)])
	}
	sum := slices.Clone(weight) // of the agreements; everyone agrees with himself
	for i := range list {
		for j := range i {
			a, err := agree.ARI(label[i], label[j])
			if err != nil {
				return nil, err
			}
			sum[i] += weight[j] * a
			sum[j] += weight[i] * a
		}
	}
	best := 0
	for i, v := range sum {
		if v > sum[best] || v == sum[best] && list[i].bic < list[best].bic {
			best = i
		}
	}
	return list[best], nil
}
