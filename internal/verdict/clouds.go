package verdict

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/moiety-go/moiety/internal/normals"
	"github.com/moiety-go/moiety/internal/spectral"
	"github.com/moiety-go/moiety/internal/stream"

	"gonum.org/v1/gonum/mat"
)

// clouds is a mixture of clouds in one view of the records.
type clouds struct {
	*normals.Mixture
	view *view
	bic  float64
}

const (
	startSteps   = 10 // of EM, after which starts are compared
	cloudSteps   = 25 // of EM on the path
	lastSteps    = 40 // of EM of the claim
	heavyTails   = 4  // degrees of freedom
	patience     = 2  // sizes without improvement that end the path
	longPatience = 5  // the same where a cloud costs more than it can bring alone
	dearRecords  = 20 // records a column below which that is so
	eachCloud    = 5  // records for every cloud, at least
	evenPart     = 4  // of an even share of the records is thin
	carry        = 2  // records for every cloud and column that carry correlations
	pathRecords  = 2000
	pathStarts   = 2
	leastDensity = 1e-300
)

// leading returns the k directions in which a table varies most.
func leading(t normals.Table, k int) [][]float64 {
	apply := func(_ context.Context, b *mat.Dense) (*mat.Dense, error) {
		_, l := b.Dims()
		out := mat.NewDense(t.D, l, nil)
		if t.N > 0 {
			x, y := mat.NewDense(t.N, t.D, t.X), mat.NewDense(t.N, l, nil)
			spectral.Mul(y, x, b)
			spectral.MulTrans(out, x, y)
		}
		if t.Total != nil {
			t.Total(out.RawMatrix().Data)
		}
		return out, nil
	}
	_, vectors, _, err := spectral.Leading(context.Background(), t.D, k, apply, spectral.LeadingOptions{Passes: 12, Tol: 1e-6, Rand: stream.New(1, "verdict/leading")})
	if err != nil { // nothing but the operator can fail
		return nil
	}
	_, l := vectors.Dims()
	out := make([][]float64, l)
	for j := range out {
		out[j] = mat.Col(nil, j, vectors)
	}
	return out
}

// trail climbs from one cloud on.
type trail struct {
	views   []*view
	some    []normals.Table // of every view: the rows of the path
	round   []normals.Table // the same, sphered
	near    []drawnIn       // the same, far rows drawn in, where one population has heavy tails
	last    []*normals.Mixture
	n       int         // rows of the path, of all places
	places  *strand     // nil where all records are here
	centers [][]float64 // over places: of every view and its sphered rows, round starts of the last size
	shape   string      // asked for; "": by evidence
	coarse  bool        // the values of a coarse scale would pass for clouds of their own
	given   bool        // the number of clouds: a record far out is none of them
	starts  int         // round ones of every size
	seed    uint64
	workers int
}

// describe returns the best mixture of each size, until two sizes in a row are
// worse than the best; the criterion is BIC over sizes, shapes, tails and views.
func (m *measures) describe(ctx context.Context, s Settings) ([]*clouds, error) {
	t := m.newTrail(s)
	one, err := t.one(ctx)
	if err != nil {
		return nil, err
	}
	out := []*clouds{one}
	best, most := 0, min(t.n/eachCloud, mostGroups)
	var ahead []*clouds
	for k := 2; k <= most && k-1-best <= t.patience(); k++ {
		if len(ahead) == 0 {
			if ahead, err = t.sizes(ctx, k, most); err != nil {
				return nil, err
			}
		}
		c := ahead[0]
		ahead = ahead[1:]
		out = append(out, c)
		if c.bic < out[best].bic {
			best = k - 1
		}
		s.heard.climbed(upTo(most), k-1, best+t.patience(), 1)
	}
	return out, nil
}

// patience is the number of sizes without improvement that end the path. Where
// there are many columns for few records, the first clouds bring less than their
// means cost, and only when all groups are found does the common spread shrink.
func (t *trail) patience() int {
	if t.n < dearRecords*t.some[0].D {
		return longPatience
	}
	return patience
}

// newTrail prepares the views of at most so many records.
func (m *measures) newTrail(s Settings) *trail {
	t := &trail{views: m.views(), shape: s.Shape, coarse: m.coarse, starts: pathStarts, seed: s.Seed, workers: s.Workers, places: m.places}
	t.n = min(m.n, pathRecords)
	var rows []int
	for i := range t.n {
		if own := i*m.n/t.n - m.before; own >= 0 && own < m.table.N {
			rows = append(rows, own)
		}
	}
	for _, v := range t.views {
		t.some = append(t.some, v.t.Rows(rows).Kept())
		t.round = append(t.round, normals.Sphered(t.some[len(t.some)-1]).Kept())
	}
	t.last, t.centers = make([]*normals.Mixture, len(t.views)), make([][]float64, 2*len(t.views))
	t.near = make([]drawnIn, len(t.views))
	return t
}

// one describes the records by one population of several shapes and tails, and
// keeps the plain view and the best one.
func (t *trail) one(ctx context.Context) (*clouds, error) {
	tails, shapes := []float64{0, 3, 8}, []normals.Shape{normals.Common, normals.Tied}
	best := make([]*clouds, len(t.views))
	err := t.places.beside(ctx, t.workers, len(t.views), func(v int, own *strand) error {
		table := t.some[v]
		all := normals.Members(make([]int, table.N), 1)
		list := make([]*clouds, len(shapes)*len(tails))
		own.each(len(list), func(i int, own *strand) {
			o := normals.Options{Shape: shapes[i/len(tails)], Nu: tails[i%len(tails)], Steps: cloudSteps}
			list[i] = t.judged(v, normals.EM(own.over(table), all, 1, o))
		})
		best[v] = inhabitants(0).bic(list)
		if best[v].Nu > 0 {
			near, far := list[len(tails)+1].DrawnIn(table)
			t.near[v].table, t.near[v].far = near.Kept(), far
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	first := best[0]
	if len(best) > 1 && best[1].bic < first.bic {
		first = best[1]
	}
	return first, nil
}

// judged adds the criterion, on the scale of the records as they are.
func (t *trail) judged(view int, m *normals.Mixture) *clouds {
	v, n := t.views[view], t.n
	share := float64(n) / float64(v.n)
	bic := m.BIC(n) - 2*v.jacobian*share
	if v.basis != nil && m.Shape != normals.Tied && m.Shape != normals.Own { // the directions were learned, too
		bic += float64(m.D*(m.D-1)/2) * math.Log(float64(n))
	}
	return &clouds{m, v, bic}
}

// size returns the best mixture of k clouds.
func (t *trail) size(ctx context.Context, k int) (*clouds, error) {
	list, err := t.sizes(ctx, k, k)
	if err != nil {
		return nil, err
	}
	return list[0], nil
}

// waveSizes is the number of sizes that are described together over several places: their
// starts come from each other, and all the rest is done in the same exchanges.
const waveSizes = 5

// sizes returns the best mixtures of k clouds and, over several places, of the next
// sizes too.
func (t *trail) sizes(ctx context.Context, k, most int) ([]*clouds, error) {
	if t.places == nil {
		most = k
	}
	list := make([][]begun, min(most-k+1, waveSizes)) // by size and view
	for i := range list {
		list[i] = make([]begun, len(t.views))
		err := t.places.beside(ctx, t.workers, len(t.views), func(v int, own *strand) error {
			list[i][v] = t.begin(v, k+i, own)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	best := make([]*clouds, len(list)*len(t.views))
	err := t.places.beside(ctx, t.workers, len(best), func(i int, own *strand) error {
		size, v := i/len(t.views), i%len(t.views)
		best[i] = t.shaped(v, k+size, list[size][v], own)
		return nil
	})
	if err != nil {
		return nil, err
	}
	out := make([]*clouds, len(list))
	for i := range out {
		out[i] = t.least(k + i).bic(best[i*len(t.views):][:len(t.views)])
	}
	return out, nil
}

// begun are round memberships, and clouds of one shape.
type begun struct {
	round []float64
	near  [][]float64 // found without what lies far out
	tied  *normals.Mixture
}

// begin fits k clouds of one shape in a view: from round starts, sphered ones and the
// size before with its widest cloud halved.
func (t *trail) begin(v, k int, own *strand) begun {
	table := t.some[v]
	starts := t.roundStarts(v, k, own)
	b := begun{round: starts[0], near: t.near[v].starts(t, k, own)}
	if t.last[v] != nil && t.last[v].K == k-1 {
		starts = append(starts, t.last[v].Halved(table))
	}
	b.tied = t.least(k).likeliest(own, table, starts, k, normals.Tied)
	t.last[v] = b.tied
	return b
}

// roundStarts are memberships of k round clouds, in the scales of a view and sphered.
func (t *trail) roundStarts(v, k int, own *strand) [][]float64 {
	tables := []normals.Table{t.some[v], t.round[v]}
	if t.places != nil {
		out := make([][]float64, len(tables))
		own.each(len(tables), func(i int, own *strand) {
			at := &t.centers[v*len(tables)+i]
			*at = own.centers(tables[i], *at, k)
			out[i] = normals.Around(tables[i], *at)
		})
		return out
	}
	r := stream.New(t.seed, fmt.Sprintf("verdict/clouds%d", k))
	return [][]float64{normals.KMeans(tables[0], k, t.starts, r), normals.KMeans(tables[1], k, t.starts, r)}
}

// shaped takes the other shapes from what was begun, and heavy tails for the best of
// all; and where records lie far out, what was found without them.
func (t *trail) shaped(v, k int, from begun, own *strand) *clouds {
	table := t.some[v]
	member := shares(from.tied, table)
	shapes := t.shapes(k, table)
	list := make([]*clouds, len(shapes))
	own.each(len(shapes), func(i int, own *strand) {
		fit := from.tied
		if shapes[i] != normals.Tied {
			fit = t.least(k).likeliest(own, table, [][]float64{from.round, member}, k, shapes[i])
		}
		list[i] = t.judged(v, fit)
	})
	best := t.least(k).bic(list)
	ways := append([]way{{shares(best.Mixture, table), normals.Options{Shape: best.Shape, Nu: heavyTails, Steps: cloudSteps}}}, from.strewn(shapes)...)
	list = make([]*clouds, len(ways))
	own.each(len(ways), func(i int, own *strand) {
		list[i] = t.judged(v, normals.EM(own.over(table), ways[i].start, k, ways[i].options))
	})
	return t.least(k).bic(append([]*clouds{best}, list...))
}

// shares are the memberships of rows by a mixture.
func shares(m *normals.Mixture, t normals.Table) []float64 {
	out := make([]float64, t.N*m.K)
	m.Scores(t, out)
	normals.Posterior(out, m.K)
	return out
}

// shapes returns the shapes to try: the one asked for, or all that so many
// records can carry.
func (t *trail) shapes(k int, table normals.Table) []normals.Shape {
	n := t.n
	if t.coarse {
		n = 0
	}
	return Shapes(t.shape, k, table.D, n)
}

// Shapes returns the shapes of k clouds to try where nothing says which: the one asked for,
// or all that n records of d columns can carry.
func Shapes(asked string, k, d, n int) []normals.Shape {
	all := []normals.Shape{normals.Tied, normals.Diagonal, normals.Own}
	for _, s := range append(all, normals.Common) {
		if s.String() == asked {
			return []normals.Shape{s}
		}
	}
	if carry*k*d > n {
		return all[:2]
	}
	return all
}

// inhabitants is what a cloud must have; with 0 any will do. Who asks for so many
// groups asks for groups: a record with a wrong digit is likeliest by itself, at the
// price of a group. What the records show of their own accord is judged by other means.
type inhabitants float64

func (t *trail) least(k int) inhabitants {
	if !t.given {
		return 0
	}
	return inhabitants(LeastOf(t.n, k))
}

// LeastOf is how many of n records a group must have that was asked for among k.
func LeastOf(n, k int) float64 { return min(eachCloud, float64(n)/float64(evenPart*k)) }

// tooFew reports a cloud in which fewer of the records lie. Its weight may be larger: a
// wide cloud behind the others has a share in many records, and hardly one of its own.
func (l inhabitants) tooFew(m *normals.Mixture, t normals.Table) bool {
	if l == 0 {
		return false
	}
	scores, size := make([]float64, t.N*m.K), make([]float64, m.K)
	m.Scores(t, scores)
	for ; len(scores) > 0; scores = scores[m.K:] {
		best := 0
		for c, v := range scores[:m.K] {
			if v > scores[best] {
				best = c
			}
		}
		size[best]++
	}
	return slices.Min(size) < float64(l)
}

// bic takes the best description, one without thin clouds where there is any.
func (l inhabitants) bic(list []*clouds) *clouds {
	best := list[0]
	for _, c := range list[1:] {
		if few, last := l.tooFew(c.Mixture, c.view.t), l.tooFew(best.Mixture, best.view.t); few == last && c.bic < best.bic || last && !few {
			best = c
		}
	}
	return best
}

// likeliest takes the start that is likeliest after a few steps to its end, one
// without thin clouds where there is any.
func (l inhabitants) likeliest(own *strand, t normals.Table, starts [][]float64, k int, shape normals.Shape) *normals.Mixture {
	fits := make([]*normals.Mixture, len(starts))
	own.each(len(starts), func(i int, own *strand) {
		fits[i] = normals.EM(own.over(t), starts[i], k, normals.Options{Shape: shape, Steps: startSteps})
	})
	var best *normals.Mixture
	for _, m := range fits {
		best = l.better(best, m, t)
	}
	return best.More(own.over(t), cloudSteps-startSteps)
}

// better is the likelier of two mixtures, one without thin clouds before all others.
func (l inhabitants) better(best, m *normals.Mixture, t normals.Table) *normals.Mixture {
	if best == nil {
		return m
	}
	if few, last := l.tooFew(m, t), l.tooFew(best, t); few == last && m.LogLik > best.LogLik || last && !few {
		return m
	}
	return best
}

// pieces are the clouds as fits on parts of the records see the others, each
// from the memberships that the fit of all gives.
func (c *clouds) pieces(ctx context.Context, t normals.Table, s Settings, own *strand) (*pieces, error) {
	const folds = 5
	k := c.K
	p := &pieces{k: k, held: make([]float64, t.N*k), post: shares(c.Mixture, t), seed: s.Seed, places: own, weight: c.Weight, dims: c.D}
	for j := range k {
		p.width = append(p.width, c.Width(j))
	}
	parts := own.partition(t.N, folds, s.Seed, "verdict/folds")
	fits := make([]*normals.Mixture, folds)
	err := own.beside(ctx, s.Workers, folds, func(f int, own *strand) error {
		var train []int
		for other, list := range parts {
			if other != f {
				train = append(train, list...)
			}
		}
		member := make([]float64, 0, len(train)*k)
		for _, i := range train {
			member = append(member, p.post[i*k:][:k]...)
		}
		fits[f] = normals.EM(own.over(t.Rows(train)), member, k, normals.Options{Shape: c.Shape, Nu: c.Nu, Steps: cloudSteps})
		scores := make([]float64, len(parts[f])*k)
		fits[f].Scores(t.Rows(parts[f]), scores)
		for at, i := range parts[f] {
			copy(p.held[i*k:][:k], scores[at*k:][:k])
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	p.line = func(a, b []int, without []bool) []float64 {
		out := make([]float64, t.N)
		for f, list := range parts {
			slope, middle, _ := separating(fits[f], a, b)
			for h, left := range without {
				if left {
					slope[h] = 0
				}
			}
			for _, i := range list {
				for h, v := range t.Row(i) {
					out[i] += slope[h] * (v - middle[h])
				}
			}
		}
		return out
	}
	return p, nil
}

// separating returns Fisher's direction between two sides of clouds, in units of
// their pooled spread, the middle between them and the way from b to a.
func separating(m *normals.Mixture, a, b []int) (slope, middle, between []float64) {
	d := m.D
	mean := func(list []int) ([]float64, float64) {
		out, sum := make([]float64, d), 0.0
		for _, k := range list {
			sum += m.Weight[k]
			for h := range out {
				out[h] += m.Weight[k] * m.Mean[k*d+h]
			}
		}
		for h := range out {
			out[h] /= sum + leastDensity
		}
		return out, sum
	}
	x, wa := mean(a)
	y, wb := mean(b)
	within := mat.NewSymDense(d, nil)
	for _, list := range [][]int{a, b} {
		for _, k := range list {
			cov := m.Covariance(k)
			for i := range d {
				for j := i; j < d; j++ {
					within.SetSym(i, j, within.At(i, j)+m.Weight[k]/(wa+wb)*cov[i*d+j])
				}
			}
		}
	}
	between, middle = make([]float64, d), make([]float64, d)
	for h := range between {
		between[h], middle[h] = x[h]-y[h], (x[h]+y[h])/2
	}
	var factor mat.Cholesky
	var v mat.VecDense
	if !factor.Factorize(within) || factor.SolveVecTo(&v, mat.NewVecDense(d, between)) != nil {
		return between, middle, between
	}
	slope = v.RawVector().Data
	length := 0.0
	for h, s := range slope {
		length += s * between[h]
	}
	for h := range slope {
		slope[h] /= math.Sqrt(length) + leastDensity
	}
	return slope, middle, between
}
