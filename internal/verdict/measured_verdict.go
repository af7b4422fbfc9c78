package verdict

import (
	"context"
	"fmt"
	"slices"

	"github.com/moiety-go/moiety/internal/normals"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/pass"
)

// verdict judges the table.
func (m *measures) verdict(ctx context.Context, s Settings) (*Verdict, error) {
	w := s.Words.filled(true)
	v := &Verdict{Groups: 1, Range: [2]int{1, 1}, Continuum: none.word(), Components: 1, Repeat: 1, Records: m.n}
	switch {
	case m.n < leastRecords:
		v.Reason = fmt.Sprintf("Too few %s to look for groups.", w.Records)
		return v, nil
	case m.table.D == 0:
		v.Reason = fmt.Sprintf("No groups: no two %s differ.", w.Records)
		return v, nil
	}
	s.heard.stage(2, 70) // shares of the work: those of a few thousand measurements in four groups
	path, err := m.describe(ctx, s)
	if err != nil {
		return nil, err
	}
	best := inhabitants(0).bic(path)
	v.Components = best.K
	v.Form = m.form(best, 1)
	if best.K == 1 {
		v.Reason = fmt.Sprintf("No groups: one population describes the %s best.", w.Records)
		v.hidden(best, w)
		if m.places == nil {
			v.shaped(best.view.t, nil, w)
		}
		v.Sure = v.Records >= sureRecords && !v.unsteady() && !v.doubted(AtLimit)
		return v, nil
	}
	s.heard.stage(70, 80)
	best = best.converged()
	found, err := m.cutClouds(ctx, best, best.view.t, s, m.places)
	if err != nil {
		return nil, err
	}
	s.heard.stage(80, 98)
	parts, err := m.claim(ctx, v, best, found, s)
	if err != nil {
		return nil, err
	}
	v.Range[1] = found.upTo()
	if err := m.places.failed(); err != nil {
		return nil, err
	}
	v.heapWords(found, parts, w)
	v.hidden(best, w)
	if m.places == nil {
		v.shaped(best.view.t, placedBy(best.Mixture, groupOf(found.groups(), best.K), best.view.t), w)
	}
	v.Sure = v.Records >= sureRecords && v.Range[0] == v.Range[1] && found.surely() && !v.unsteady() && !v.doubted(AtLimit)
	v.round()
	return v, nil
}

// hidden doubts where there are many columns for few records: the covariances take so
// much to learn that groups which few columns show do not pay for their means.
func (v *Verdict) hidden(c *clouds, w Words) {
	if v.Records < dearRecords*c.D && v.Records >= sureRecords {
		v.Against = append(v.Against, Doubt{AtLimit, fmt.Sprintf("There may be more groups than so few %s can show.", w.Records)})
	}
}

// cutClouds finds the heaps among clouds.
func (m *measures) cutClouds(ctx context.Context, c *clouds, t normals.Table, s Settings, own *strand) (*heap, error) {
	p, err := c.pieces(ctx, t, s, own)
	if err != nil {
		return nil, err
	}
	if m.few != nil && c.view.basis == nil {
		p.few = m.few
		p.rests = func(a, b []int) (few, alone bool) { return restsOnFew(c.Mixture, m.few, a, b) }
		p.alike = func(a, b int) bool { return alike(c.Mixture, m.few, a, b) }
	}
	return p.heaps(ctx, s.Workers)
}

// surely reports that the evidence of every claimed split is clear, and that no
// other leaves a doubt.
func (h *heap) surely() bool {
	claimed, refused := h.splits()
	for _, p := range claimed {
		if !p.sure() {
			return false
		}
	}
	for _, p := range refused {
		if p.depth <= hinted {
			return false
		}
	}
	return true
}

// claim fills in the groups that the heaps are, and what speaks for them. parts
// are the numbers of groups of two halves of the records.
func (m *measures) claim(ctx context.Context, v *Verdict, c *clouds, h *heap, s Settings) (parts [2]int, err error) {
	groups := h.groups()
	v.Groups, v.Range = len(groups), [2]int{len(groups), len(groups)}
	claimed, refused := h.splits()
	for i, p := range claimed {
		if i == 0 || p.Nats < v.Evidence.Nats {
			v.Evidence = p.Evidence // the weakest border carries the claim
		}
		if !p.sure() && p.depth > halfDeep {
			v.Range[0]--
		}
		v.Splits = append(v.Splits, Border{p.Evidence, p.depth, true, false, p.sure()})
	}
	for _, p := range refused {
		v.Splits = append(v.Splits, Border{p.Evidence, p.depth, false, p.likely(), false})
	}
	if len(groups) == 1 {
		return parts, nil
	}
	of := groupOf(groups, c.K)
	halves, parts, err := m.halves(ctx, c, s)
	if err != nil {
		return parts, err
	}
	if v.Repeat, err = m.places.agreement(halves, c.K); err != nil {
		return parts, err
	}
	few := m.n < 2*carry*c.K*c.D && v.Repeat < nearlySteady
	if few { // they say nothing
		halves, v.Repeat, parts = [2][]int{}, 0, [2]int{len(groups), len(groups)}
	}
	own := placedBy(c.Mixture, of, c.view.t)
	v.Found = &Found{
		Plain: len(groups) == c.K && c.Nu == 0, Records: m.record, groups: len(groups), by: cloudPlaces{m.column, m.codes, m.dim, c, of},
		fewHalves: few, places: m.places,
	}
	v.Found.smallest = m.places.smallest(own, len(groups))
	v.Form, v.Plain = m.form(c, len(groups)), v.Found.Plain
	for i, labels := range halves {
		if labels != nil && parts[i] <= len(groups) {
			v.Found.Halves[i] = m.places.matched(labels, own, len(groups))
		}
	}
	if v.Found.Halves[0] == nil || v.Found.Halves[1] == nil {
		v.Found.Halves = [2][]int{}
	}
	return parts, nil
}

// tiedRecords is the number of records for each column from which on a wide
// table shows the correlations that all groups share.
const tiedRecords = 5

// form tells the scales of a description, and the shape of so many groups made
// of its clouds: one that joins several has a shape of its own.
func (m *measures) form(c *clouds, groups int) *Form {
	f := &Form{Shape: c.Shape.String(), Middle: make([]float64, m.dim), Scale: make([]float64, m.dim)}
	switch {
	case groups < c.K || c.Shape == normals.Tied && groups == 1:
		f.Shape = normals.Own.String()
	case c.Shape == normals.Common && groups == 1:
		f.Shape = normals.Diagonal.String()
	}
	if c.view.basis != nil && (f.Shape == normals.Tied.String() || f.Shape == normals.Own.String()) {
		f.Shape = normals.Diagonal.String() // wide tables have many correlations to learn
		if m.n >= tiedRecords*m.table.D {
			f.Shape = normals.Tied.String()
		}
	}
	for col, h := range m.column {
		f.Middle[h], f.Scale[h] = c.view.mean[col], c.view.sd[col]
		if c.view.logs[col] {
			f.Logs = append(f.Logs, h)
		}
	}
	return f
}

func maxOf(list []int) int {
	most := 0
	for _, v := range list {
		most = max(most, v)
	}
	return most
}

// groupOf returns the group of every component.
func groupOf(groups [][]int, k int) []int {
	out := make([]int, k)
	for g, list := range groups {
		for _, j := range list {
			out[j] = g
		}
	}
	return out
}

// placedBy returns the group of every row: the one with the largest share.
func placedBy(m *normals.Mixture, of []int, t normals.Table) []int {
	groups := maxOf(of) + 1
	z, share := make([]float64, t.N*m.K), make([]float64, groups)
	m.Scores(t, z)
	normals.Posterior(z, m.K)
	out := make([]int, t.N)
	for i := range out {
		clear(share)
		for j, v := range z[i*m.K:][:m.K] {
			share[of[j]] += v
		}
		for g, v := range share {
			if v > share[out[i]] {
				out[i] = g
			}
		}
	}
	return out
}

// Clouds describes measurements by k clouds, whether they are groups or not:
// where each record lies, and in which form. Where all records are alike more than
// one is a *moment.ErrTooFew.
func Clouds(ctx context.Context, run pass.Runner, k int, s Settings) (*Found, *Form, error) {
	p, err := NewCloudPath(ctx, run, s)
	if err != nil {
		return nil, nil, err
	}
	return p.atSize(ctx, k)
}

// CloudPath describes the same measurements by several numbers of clouds.
type CloudPath struct {
	m   *measures
	t   *trail
	all int // records, those with blanks among them
}

// NewCloudPath prepares the views of the records.
func NewCloudPath(ctx context.Context, run pass.Runner, s Settings) (*CloudPath, error) {
	m, err := drawMeasures(ctx, run, s.Seed)
	if err != nil {
		return nil, err
	}
	t := m.newTrail(s)
	t.given = true
	return &CloudPath{m, t, run.Len()}, nil
}

// At describes the records by k clouds, whatever was asked for before.
func (p *CloudPath) At(ctx context.Context, k int) (*Found, *Form, error) {
	best, _, err := p.size(ctx, k)
	if err != nil {
		return nil, nil, err
	}
	found, form := p.found(best.converged(), k)
	return found, form, nil
}

// converged takes EM on all rows to its end.
func (c *clouds) converged() *clouds {
	return &clouds{c.More(c.view.t, lastSteps), c.view, c.bic}
}

// size returns the best description by k clouds, and that by one population.
func (p *CloudPath) size(ctx context.Context, k int) (best, one *clouds, err error) {
	m, t := p.m, p.t
	if m.n <= k && m.n < p.all {
		return nil, nil, fmt.Errorf("verdict: %d complete records for %d groups; %w", m.n, k, ErrBlanks)
	}
	if m.table.D == 0 && k > 1 {
		return nil, nil, &moment.ErrTooFew{Reason: "all records are alike"}
	}
	clear(t.last)
	one, err = t.one(ctx)
	best = one
	for size := max(k-1, 2); size <= k && err == nil; size++ {
		best, err = t.size(ctx, size)
	}
	return best, one, err
}

// found places records by a description, each cloud of which is a group.
func (p *CloudPath) found(c *clouds, k int) (*Found, *Form) {
	of := make([]int, k)
	for j := range of {
		of[j] = j
	}
	m := p.m
	return &Found{Plain: c.Nu == 0, Records: m.record, groups: k, by: cloudPlaces{m.column, m.codes, m.dim, c, of}}, m.form(c, k)
}

// cloudPlaces places records by clouds, each of which is part of a group.
type cloudPlaces struct {
	column []int
	codes  []code
	dim    int
	clouds *clouds
	of     []int
}

func (p cloudPlaces) place(b pass.Block, group []int32) {
	row, d := make([]float64, p.dim), len(p.column)
	t := normals.Table{N: b.Rows.N(), D: d, X: make([]float64, 0, b.Rows.N()*d)}
	for i := range t.N {
		unpack(row, b.Rows, i)
		for c, h := range p.column {
			x := row[h]
			if p.codes != nil {
				x = p.codes[c].number(row)
			}
			t.X = append(t.X, x)
		}
	}
	v := p.clouds.view
	for i, g := range placedBy(p.clouds.Mixture, p.of, v.turned(v.seen(t))) {
		group[i] = int32(g)
	}
}

// halves returns the groups that each half of the records gives to all, and how many:
// as many clouds of the same shape, from fresh starts, cut where this half shows valleys.
func (m *measures) halves(ctx context.Context, c *clouds, s Settings) (out [2][]int, parts [2]int, err error) {
	t, parts := c.view.t, [2]int{1, 1}
	list := m.places.partition(t.N, 2, s.Seed, "verdict/halves")
	err = m.places.beside(ctx, s.Workers, 2, func(i int, own *strand) error {
		if own != nil { // their numbers, by which they are divided again, are those of all places
			slices.Sort(list[i])
		}
		half := own.over(t.Rows(list[i]))
		n, _ := own.ranked(half.N)
		if n < 2*c.K {
			return nil
		}
		fit := inhabitants(0).likeliest(own, half, own.roundly(half, c.K, s.Seed, i), c.K, c.Shape)
		if c.Nu > 0 {
			fit = normals.EM(half, shares(fit, half), c.K, normals.Options{Shape: c.Shape, Nu: c.Nu, Steps: cloudSteps})
		}
		h, err := m.cutClouds(ctx, &clouds{fit, c.view, 0}, half, s, own)
		if err != nil {
			return err
		}
		groups := h.groups()
		out[i], parts[i] = placedBy(fit, groupOf(groups, c.K), t), len(groups)
		return nil
	})
	return out, parts, err
}

// roundly returns memberships of k round clouds of a half, in its scales and sphered.
func (a *strand) roundly(half normals.Table, k int, seed uint64, i int) [][]float64 {
	tables := []normals.Table{half, normals.Sphered(half)}
	out := make([][]float64, len(tables))
	if a == nil {
		r := stream.New(seed, fmt.Sprintf("verdict/half%d", i))
		for j, t := range tables {
			out[j] = normals.KMeans(t, k, pathStarts, r)
		}
		return out
	}
	a.each(len(tables), func(j int, own *strand) {
		out[j] = normals.Around(tables[j], own.centers(tables[j], nil, k))
	})
	return out
}

// heapWords says why, and what speaks against the claim.
func (v *Verdict) heapWords(h *heap, parts [2]int, w Words) {
	add := func(code, text string, args ...any) {
		v.Against = append(v.Against, Doubt{code, fmt.Sprintf(text, args...)})
	}
	switch {
	case v.Groups == 1 && v.Range[1] > 1:
		v.Reason = fmt.Sprintf("No gap between %s is clear enough to claim groups.", w.Records)
	case v.Groups == 1:
		v.Reason = fmt.Sprintf("No groups: %s form one heap of an uneven shape, without a gap in it.", w.Records)
	default:
		v.Reason = fmt.Sprintf("%s that were kept aside fall into %d heaps with gaps between them.", capital(w.Records), v.Groups)
		v.Reason += " " + borderWords(h, w)
	}
	low, high, likely := v.Range[0], v.Range[1], v.Groups+h.likely
	switch {
	case low == 1 && likely > 1:
		add(TooFew, "Too few %s to say: anything from 1 to %d groups can be defended.", w.Records, high)
	case low < likely:
		add(MoreOrLess, "From %d to %d groups can be defended.", low, high)
	case low < high:
		v.Against = append(v.Against, overlapping(v, "clouds", w))
	}
	v.steadyDoubts(candidate{v.Groups, none, noRepeats}, parts, w)
	claimed, refused := h.splits()
	switch {
	case slices.ContainsFunc(claimed, func(p *parting) bool { return !p.sure() }):
		add(FewRecords, "The gap between the closest groups rests on few %s.", w.Records)
	case slices.ContainsFunc(refused, func(p *parting) bool { return p.strays }):
		add(SmallGroup, "Some %s lie apart from the others, too few to be called a group.", w.Records)
	}
}

// borderWords tells how empty the fullest border is.
func borderWords(h *heap, w Words) string {
	claimed, _ := h.splits()
	depth := 0.0
	for _, p := range claimed {
		depth = max(depth, p.depth)
	}
	switch {
	case depth < .02:
		return fmt.Sprintf("Hardly any %s lie at a border.", w.Records)
	case depth < .15:
		return fmt.Sprintf("At the border of the closest two there are a tenth as many %s as in the smaller heap.", w.Records)
	}
	return fmt.Sprintf("At the border of the closest two there are %.0f in a hundred of the %s that lie in the middle of the smaller heap.", 100*depth, w.Records)
}
