package explain

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/vocab"
)

// Disclosed is a model that tells no more than its report: it is made of the numbers
// of the report alone. Features that are not named are not in it, groups whose
// size is withheld are left out, and a parameter that is withheld is one for all
// groups of which it is: what the report tells of them together.
type Disclosed struct {
	*model.Model
	Groups []int // of every component: its place among Report.Leaves
}

// Disclose makes the model of a report; o is the fit that the report is of.
func Disclose(r *report.Report, o *fit.Outcome) (*Disclosed, error) {
	t := &discloser{r: r, o: o}
	for j := range r.Leaves {
		if w, ok := r.Table.Weights[j].Value(); ok && w > 0 {
			t.groups = append(t.groups, j)
		}
	}
	if len(t.groups) == 0 || len(r.Table.Names) == 0 {
		return nil, fmt.Errorf("explain: %w: every group or feature is too small to be told", fit.ErrTooLittle)
	}
	fam, err := o.Model.Family()
	if err != nil {
		return nil, err
	}
	t.info = fam.Info()
	if t.info.Views && r.Table.Features != nil && len(r.Table.Features) < o.Model.Vocab.Len() {
		return nil, fmt.Errorf("explain: a model of several views cannot be told without its rare features")
	}
	v := t.vocabulary()
	p := mixture.New(mat.NewDense(v.Len(), len(t.groups), nil), t.weights())
	for c, j := range t.groups {
		t.fill(p, c, j, v)
	}
	for name, m := range o.Model.Params.Extra {
		p = p.With(name, t.extra(name, m))
	}
	if t.info.In(family.Concentration) != "" {
		p = t.mixed(p)
	}
	m := &model.Model{Spec: o.Model.Spec, Params: p, Vocab: v, Provenance: model.Provenance{Program: r.Fit.Program, Seed: r.Fit.Seed}}
	if err := m.Check(); err != nil {
		return nil, fmt.Errorf("explain: the model cannot be told: %w", err)
	}
	return &Disclosed{m, t.groups}, nil
}

// discloser makes a model of what a report tells.
type discloser struct {
	r      *report.Report
	o      *fit.Outcome
	info   family.Info
	groups []int
}

// vocabulary keeps the features that are named, and the columns they are of.
func (t *discloser) vocabulary() *vocab.Vocab {
	all := t.o.Model.Vocab
	if t.r.Table.Features == nil {
		return all
	}
	v := &vocab.Vocab{System: all.System, Names: t.r.Table.Names}
	if all.Titles != nil {
		for _, f := range t.r.Table.Features {
			v.Titles = append(v.Titles, all.Titles[f])
		}
	}
	for _, c := range all.Columns {
		from, to := -1, 0
		for i, f := range t.r.Table.Features { // the features of a column stand together
			if f >= c.From && f < c.To {
				if to = i + 1; from < 0 {
					from = i
				}
			}
		}
		if from >= 0 {
			c.From, c.To = from, to
			v.Columns = append(v.Columns, c)
		}
	}
	sort.Slice(v.Columns, func(i, j int) bool { return v.Columns[i].From < v.Columns[j].From })
	return v
}

func (t *discloser) weights() []float64 {
	out, sum := make([]float64, len(t.groups)), 0.0
	for c, j := range t.groups {
		out[c] = t.r.Table.Weights[j].Or(0)
		sum += out[c]
	}
	for c := range out {
		out[c] /= sum
	}
	return out
}

// fill sets the center of component c, which is group j.
func (t *discloser) fill(p mixture.Params, c, j int, v *vocab.Vocab) {
	words := 0.0
	for f, of := range t.r.Table.Of {
		x, ok := t.r.Table.Centers[j][f].Value()
		if !ok {
			x = t.pooled(j, f)
		}
		p.Centers.Set(f, c, x)
		if of == report.OfWords {
			words += x
		}
	}
	for f, of := range t.r.Table.Of {
		if of == report.OfWords && words > 0 {
			p.Centers.Set(f, c, p.Centers.At(f, c)/words)
		}
	}
	for _, col := range v.Columns {
		if col.Kind == vocab.Categorical {
			divide(p.Centers, c, col.From, col.To)
		}
	}
}

// divide makes the shares of answers add up to one.
func divide(m *mat.Dense, c, from, to int) {
	sum := 0.0
	for f := from; f < to; f++ {
		sum += m.At(f, c)
	}
	for f := from; f < to; f++ {
		if sum > 0 {
			m.Set(f, c, m.At(f, c)/sum)
		} else {
			m.Set(f, c, 1/float64(to-from))
		}
	}
}

// pooled stands for a parameter that is withheld in group j: what the report
// tells of all groups of which it is, together.
func (t *discloser) pooled(j, f int) float64 {
	of := t.r.Table.Of[f]
	overall, known := t.r.Table.Overall[f].Value()
	if of == report.Value {
		return overall
	}
	left, rest := 0.0, 0.0 // the share of records in those groups; those with the feature
	rest = overall
	for g := range t.r.Leaves {
		w := t.r.Table.Weights[g].Or(0)
		if x, ok := t.r.Table.Centers[g][f].Value(); ok {
			rest -= w * x
		} else {
			left += w
		}
	}
	n, _ := t.r.Leaf(j).N.Value()
	few := float64(t.r.Limit) / 2 / math.Max(float64(n), float64(t.r.Limit))
	switch {
	case of == report.OfRecords && t.nearlyAll(j, f):
		return 1 - few
	case !known || left == 0 || rest <= 0 || rest > left && of == report.OfRecords:
		return few
	}
	return rest / left
}

func (t *discloser) nearlyAll(j, f int) bool {
	for _, x := range t.r.Leaf(j).Frequent {
		if x.Index == f {
			return x.NearlyAll
		}
	}
	return false
}

// extra keeps the parts of a further matrix of the family that are of features
// and groups of this model; what is shared has two digits. Features are rows;
// groups are columns, and rows of a square.
func (t *discloser) extra(name string, m *mat.Dense) *mat.Dense {
	d, k, role := t.o.Model.Params.Dim(), t.o.Model.Params.K(), t.info.Extra[name]
	rows, cols := m.Dims()
	r, c := numbers(rows), numbers(cols)
	switch {
	case rows == k && cols == k:
		r = t.groups
	case rows == d && t.r.Table.Features != nil:
		r = t.r.Table.Features
	}
	if cols == k {
		c = t.groups
	}
	out := mat.NewDense(len(r), len(c), nil)
	for i, from := range r {
		for j, of := range c {
			v := m.At(from, of)
			switch {
			case t.r.Ring == report.Shared && role == family.Trials:
				v = math.Ceil(v/leastUnit) * leastUnit
			case t.r.Ring == report.Shared:
				v = twoDigits(v)
			}
			out.Set(i, j, v)
		}
		// Rows of probabilities stay such.
		if role == family.Transitions || role == family.Starts {
			row := out.RawRowView(i)
			floats.Scale(1/math.Max(floats.Sum(row), 1e-300), row)
		}
	}
	return out
}

func numbers(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// mixed sets how mixed documents are: α is the weights times their sum.
func (t *discloser) mixed(p mixture.Params) mixture.Params {
	name := t.info.In(family.Concentration)
	sum := mat.Sum(t.o.Model.Params.Extra[name])
	if t.r.Ring == report.Shared {
		sum = twoDigits(sum)
	}
	alpha := mat.NewDense(len(p.Weights), 1, nil)
	for j, w := range p.Weights {
		alpha.Set(j, 0, sum*w)
	}
	return p.With(name, alpha)
}

// twoDigits rounds to two digits.
func twoDigits(v float64) float64 {
	if v == 0 || math.IsNaN(v) || math.IsInf(v, 0) {
		return v
	}
	step := math.Pow(10, math.Floor(math.Log10(math.Abs(v)))-1)
	return nearest10(v, step)
}

// Lengths returns the lengths of documents as they may be reported: those of at least
// so many documents as the limit are averaged, by size, into twenty at most.
func Lengths(list []int, limit int) []int {
	if limit <= 1 || len(list) == 0 {
		return list
	}
	sorted := slices.Sorted(slices.Values(list))
	const most = 20
	parts := max(min(most, len(sorted)/limit), 1)
	out := make([]int, 0, len(sorted))
	for p := range parts {
		from, to := p*len(sorted)/parts, (p+1)*len(sorted)/parts
		sum := 0
		for _, n := range sorted[from:to] {
			sum += n
		}
		mean := int(twoDigits(float64(sum) / float64(to-from)))
		for range to - from {
			out = append(out, mean)
		}
	}
	return out
}
