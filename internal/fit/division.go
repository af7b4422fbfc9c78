package fit

import (
	"context"
	"errors"
	"slices"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/agree"
	"github.com/moiety-go/moiety/internal/assign"
	"github.com/moiety-go/moiety/internal/division"
	"github.com/moiety-go/moiety/internal/refine"
	"github.com/moiety-go/moiety/internal/verdict"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/record"
)

// divides reports that the groups are those of the best of many divisions: of measurements and
// mixed columns in one place, where nothing but the number of groups is asked for.
func (s Settings) divides(data Training) bool {
	can := data.Run.Can()
	here := data.Run.Dim() <= mostColumns && can.Own == data.Run.Len() && can.Places <= 1 && !can.Double && can.Release == nil
	return here && !s.likeliest && s.K > 1 && s.Prior >= 0 && !data.Sequences &&
		(s.wantsShape(data) && s.Spec.Covariance == "" || s.mayShow(data))
}

// mostColumns are those of tables that are fitted several times over.
const mostColumns = 1000

// asDivided returns the model of the division that halves of the records, unlike methods and gaps
// speak for, or of the likeliest mixture where no other is clearly better; nil where that was not
// fitted to all records.
func (s Settings) asDivided(ctx context.Context, data Training) (*Outcome, family.Family, error) {
	asked := s
	s, err := s.resolved(ctx, data, false)
	if err != nil {
		return nil, nil, err
	}
	some, err := pass.Sample(ctx, data.Run, max(1, (data.Run.Len()+division.Most-1)/division.Most))
	if err != nil {
		return nil, nil, err
	}
	var own *Outcome
	o := division.Settings{Seed: s.Seed, Workers: s.Workers, Others: []division.Method{asked.byLikelihood(data, some, &own)}}
	list, err := division.Pool(ctx, division.New(some.Rows(), data.Kind, data.Vocab), []int{s.K}, o)
	if err != nil {
		return nil, nil, err
	}
	for _, d := range division.Ahead(list, mostLikely) {
		if m, err := s.resembling(ctx, data.of(some), d); err != nil {
			return nil, nil, err
		} else if m != nil {
			if m.form != nil {
				m.form.Cut = !division.Gains(list)
			}
			return s.fromSample(ctx, data, m)
		}
	}
	if own == nil {
		return nil, nil, nil
	}
	fam, err := own.Model.Spec.Family(data.Vocab)
	return own, fam, err
}

// resembles is the agreement from which on a model places records as a division does.
const resembles = .8

// mostLikely names the way of the likeliest mixture among those of a pool.
const mostLikely = "likeliest"

// byLikelihood is the fit of the likeliest mixture to parts of a sample; whole is set to that of
// all records.
func (s Settings) byLikelihood(data Training, some *pass.Local, whole **Outcome) division.Method {
	s.likeliest, s.Workers = true, 1
	return division.Method{Name: mostLikely, Fit: func(ctx context.Context, rows []int, _ int) ([]int, error) {
		of := data
		if len(rows) < data.Run.Len() {
			of = data.of(pass.NewLocal(some.Rows().Pick(slices.Sorted(slices.Values(rows))), 1))
		}
		out, err := flat(ctx, of, s)
		switch {
		case errors.Is(err, verdict.ErrBlanks) && len(rows) == some.Len():
			return nil, err
		case err != nil:
			return nil, serious(err)
		case len(rows) == data.Run.Len():
			*whole = out
			return ints(out.Group), nil
		}
		fam, err := out.Model.Spec.Family(data.Vocab)
		if err != nil {
			return nil, err
		}
		if out, err = place(ctx, fam, out.Model, data.of(some)); err != nil {
			return nil, err
		}
		return ints(out.Group), nil
	}}
}

func ints(group []int32) []int {
	out := make([]int, len(group))
	for i, g := range group {
		out[i] = int(g)
	}
	return out
}

// like is a model that was learned from a division of a sample.
type like struct {
	s     Settings // with the shape and scales of the model
	form  *verdict.Form
	fam   family.Family
	p     mixture.Params
	plain bool    // EM went on from the division
	group []int32 // of the records of the sample
}

// resembling learns a model from the groups of a division in every shape, with and without EM, and
// returns the one that places records most as the division does; nil where none of them does.
func (s Settings) resembling(ctx context.Context, data Training, d *division.Division) (best *like, err error) {
	labels := make([]int32, len(d.Label))
	for i, g := range d.Label {
		labels[i] = int32(g)
	}
	most := resembles
	for _, form := range s.forms(data, d) {
		for _, plain := range []bool{true, false} {
			m, err := s.modelOf(ctx, data, labels, form, plain)
			if err != nil {
				return nil, err
			}
			if same, err := agree.ARI(ints(m.group), d.Label); err == nil && same >= most {
				best, most = m, same
			}
		}
	}
	return best, nil
}

// forms are the shapes in which the groups of a division can be described, in its scales; one nil
// for mixed columns, whose family has but one.
func (s Settings) forms(data Training, d *division.Division) []*verdict.Form {
	if data.Kind == record.Mixed {
		return []*verdict.Form{nil}
	}
	rows := data.Run.Can().Rows
	middle, scale := division.Scales(*rows, d.Logs)
	var out []*verdict.Form
	for _, shape := range verdict.Shapes("", s.K, rows.Dim, rows.N()) {
		out = append(out, &verdict.Form{Shape: shape.String(), Logs: d.Logs, Middle: middle, Scale: scale})
	}
	return out
}

// modelOf is a model learned from groups.
func (s Settings) modelOf(ctx context.Context, data Training, labels []int32, form *verdict.Form, plain bool) (*like, error) {
	s.Spec = formed(s.Spec, form)
	fam, err := s.Spec.Family(data.Vocab)
	if err != nil {
		return nil, err
	}
	m := &like{s: s, form: form, fam: fam, plain: plain}
	if form != nil {
		m.p, err = cloudsOf(ctx, fam, data, s, labels, s.K, form, plain)
	} else if m.p, err = partitioned(ctx, fam, data, s, nil, s.K, labels); err == nil && plain {
		var r *refine.Result
		if r, err = refine.EM(ctx, fam, data.Run, m.p, refine.Options{Pseudo: float64(s.Prior)}); err == nil {
			m.p = r.Params
		}
	}
	if err != nil {
		return nil, err
	}
	m.group, err = m.place(ctx, data)
	return m, err
}

// place returns the group of every record.
func (m *like) place(ctx context.Context, data Training) ([]int32, error) {
	a, err := assign.All(ctx, m.fam, m.p, data.Run)
	if err != nil {
		return nil, err
	}
	return a.Group, nil
}

// fromSample learns the model that was learned from a sample from all records, and places them.
func (s Settings) fromSample(ctx context.Context, data Training, m *like) (*Outcome, family.Family, error) {
	if data.Run.Len() > len(m.group) {
		labels, err := m.place(ctx, data)
		if err != nil {
			return nil, nil, err
		}
		if m, err = s.modelOf(ctx, data, labels, m.form, m.plain); err != nil {
			return nil, nil, err
		}
	}
	start := &start{warnings: slices.Concat(formWords(m.form, s.K, data.Vocab), blankWords(data))}
	done, err := finish(m.fam, data, m.s, start, &refine.Result{Params: m.p})
	if err != nil {
		return nil, nil, err
	}
	out, err := place(ctx, m.fam, done, data)
	if err == nil {
		out, err = inhabited(ctx, m.fam, out, data)
	}
	return out, m.fam, err
}
