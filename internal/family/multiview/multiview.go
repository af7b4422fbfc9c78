// Package multiview is the mixture of records seen from two or three sides: the
// words of a note and the codes of a stay, questionnaire and laboratory. Each
// view is a run of features with a probability model of its own, handed in as a
// family; given the component the views are independent ([L], [T] ch. 4).
//
// It takes records of all features side by side and gives moments, of products
// of different views only, so that no view's noise enters; the E- and M-step,
// which it leaves to the views' families under one common posterior; densities
// and samples; and Agreement, which tells where the views disagree. A record
// whose view is missing (nothing but NaN, or, where the view says so, without
// entries) is used with the views it has. One decomposition of the stacked
// features serves all views: columns are never matched afterwards. The package
// does not know where records are, nor how a start was found.
package multiview

import (
	"fmt"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/mixture"
)

// View is one side of the records: features From to To-1.
type View struct {
	Name     string // for reports; "" means its number
	From, To int
	Family   family.Family
	// EmptyMissing says that a sparse record without an entry in this view has
	// not been seen from this side, rather than having nothing there.
	EmptyMissing bool
}

// Options are the settings of the family: two or three views that follow each
// other and cover all features. Of two views the one with more features is
// split for the moments, every second feature, which is right where features
// are independent within the view.
type Options struct{ Views []View }

// Family is the mixture over several views. It is made by New.
type Family struct {
	views []View
	d     int
}

var _ family.Family = (*Family)(nil)

// BoundsOf is the name of the extra matrix of the parameters (views×2) that
// holds the first feature of each view and the one after its last.
const BoundsOf = "views"

// New returns the family of the views in o.
func New(o Options) (*Family, error) {
	if len(o.Views) < 2 || len(o.Views) > 3 {
		return nil, fmt.Errorf("multiview: %d views, want two or three: join views that belong together", len(o.Views))
	}
	f := &Family{views: append([]View(nil), o.Views...)}
	most := 0
	for i, v := range f.views {
		if v.From != f.d || v.To <= v.From {
			return nil, fmt.Errorf("multiview: view %d has features %d to %d, want it to begin at %d and to hold a feature", i+1, v.From+1, v.To, f.d+1)
		}
		if v.Family == nil {
			return nil, fmt.Errorf("multiview: view %d has no family", i+1)
		}
		if info := v.Family.Info(); info.Soft || info.Sequences || info.Views {
			return nil, fmt.Errorf("multiview: view %d is of the model %s, whose records are not of one component each: choose single-topic for documents", i+1, info.Name)
		}
		if v.Name == "" {
			f.views[i].Name = strconv.Itoa(i + 1)
		}
		f.d = v.To
		most = max(most, v.To-v.From)
	}
	if len(o.Views) == 2 && most < 2 {
		return nil, fmt.Errorf("multiview: two views of one feature each: the moments need three parts; add a feature")
	}
	return f, nil
}

// Views returns the views.
func (f *Family) Views() []View { return append([]View(nil), f.views...) }

// prefix begins the names of the extra matrices of view i.
func prefix(i int) string { return "view" + strconv.Itoa(i+1) + "." }

// view returns the parameters of view i alone.
func (f *Family) view(p mixture.Params, i int) mixture.Params {
	v := f.views[i]
	out := mixture.New(mat.DenseCopyOf(p.Centers.Slice(v.From, v.To, 0, p.K())), p.Weights)
	for name, m := range p.Extra {
		if own, ok := strings.CutPrefix(name, prefix(i)); ok {
			out = out.With(own, m)
		}
	}
	return out
}

// Of returns the parameters of view i (from 0) as its family knows them.
func (f *Family) Of(p mixture.Params, i int) (mixture.Params, error) {
	if i < 0 || i >= len(f.views) || p.Dim() != f.d {
		return p, fmt.Errorf("multiview: view %d of %d, parameters of %d features for %d", i+1, len(f.views), p.Dim(), f.d)
	}
	return f.view(p, i), nil
}

// Join returns the parameters of all views together, with common weights.
func (f *Family) Join(weights []float64, views []mixture.Params) (mixture.Params, error) {
	if len(views) != len(f.views) {
		return mixture.Params{}, fmt.Errorf("multiview: parameters of %d views, want %d", len(views), len(f.views))
	}
	k := len(weights)
	p := mixture.New(mat.NewDense(f.d, k, nil), weights)
	bounds := mat.NewDense(len(views), 2, nil)
	for i, q := range views {
		v := f.views[i]
		if q.Dim() != v.To-v.From || q.K() != k {
			return p, fmt.Errorf("multiview: view %s has %d features and %d components, want %d and %d", v.Name, q.Dim(), q.K(), v.To-v.From, k)
		}
		p.Centers.Slice(v.From, v.To, 0, k).(*mat.Dense).Copy(q.Centers)
		bounds.SetRow(i, []float64{float64(v.From), float64(v.To)})
		for name, m := range q.Extra {
			p = p.With(prefix(i)+name, m)
		}
	}
	return p.With(BoundsOf, bounds), nil
}

// Check reports the first parameter outside its legal range.
func (f *Family) Check(p mixture.Params) error {
	if err := p.Check(); err != nil {
		return fmt.Errorf("multiview: %w", err)
	}
	if p.Dim() != f.d {
		return fmt.Errorf("multiview: parameters of %d features for views of %d", p.Dim(), f.d)
	}
	for i, v := range f.views {
		if err := v.Family.Check(f.view(p, i)); err != nil {
			return f.inView(i, err)
		}
	}
	return nil
}

// inView says in which view something went wrong.
func (f *Family) inView(i int, err error) error {
	return fmt.Errorf("multiview: view %s: %w", f.views[i].Name, err)
}

// FreeParameters counts the weights once and the rest of every view.
func (f *Family) FreeParameters(p mixture.Params) int {
	n := p.K() - 1
	for i, v := range f.views {
		n += v.Family.FreeParameters(f.view(p, i)) - (p.K() - 1)
	}
	return n
}

// Reorder implements family.Family.
func (f *Family) Reorder(p mixture.Params, order []int) mixture.Params {
	out := p.Reorder(order)
	for i, v := range f.views {
		for name, m := range v.Family.Reorder(f.view(p, i), order).Extra {
			out = out.With(prefix(i)+name, m)
		}
	}
	return out
}
