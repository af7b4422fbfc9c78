package fit

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/internal/unfinished"
	"github.com/moiety-go/moiety/pass"
)

// Made is what an order gave. It must be closed.
type Made struct {
	*Prepared
	Outcome *Outcome
	Order   Order
	Timer   *Timer
	// Joined is the runner over the records of all sites; nil where all are here.
	Joined *pass.Joined
}

// Do does an order: it reads, encodes and fits.
func Do(ctx context.Context, o Order) (*Made, error) {
	if err := o.Fit.Check(); err != nil {
		return nil, err
	}
	dir, forget, err := Scratch(ctx, o.Encode.TempDir, "moiety-fit-")
	if err != nil {
		return nil, err
	}
	defer forget()
	t := o.Timer()
	p, err := Prepare(ctx, o, "")
	if err != nil {
		return nil, err
	}
	t.Mark("reading and encoding")
	return p.Fit(ctx, o, dir, t)
}

// Scratch makes a folder for files that a fit needs meanwhile, and returns what
// removes it.
func Scratch(ctx context.Context, parent, name string) (dir string, forget func(), err error) {
	if dir, err = os.MkdirTemp(parent, name); err != nil {
		return "", nil, err
	}
	item := unfinished.Add(ctx, dir)
	return dir, func() {
		os.RemoveAll(dir)
		item.Drop()
	}, nil
}

// Fit fits an order to prepared data, which are closed where it fails; dir is for
// files it may need meanwhile.
func (p *Prepared) Fit(ctx context.Context, o Order, dir string, t *Timer) (*Made, error) {
	m := &Made{Prepared: p, Order: o, Timer: t}
	if err := m.fit(ctx, dir); err != nil {
		return nil, errors.Join(err, p.Close())
	}
	t.Mark("fitting")
	return m, nil
}

func (m *Made) fit(ctx context.Context, dir string) error {
	p, o := m.Prepared, &m.Order
	data, forget, err := p.Long(ctx, o.Fit.Workers, dir)
	if err != nil {
		return err
	}
	defer forget()
	data.Memory = o.Encode.MaxMemory
	if o.Join != nil {
		if data, err = m.join(ctx, data); err != nil {
			return err
		}
	}
	data = weighed(data, p.Batches)
	if data.Run.Len() == 0 {
		return fmt.Errorf("%w: every record has fewer than %d features: lower ‹min-codes›", ErrTooLittle, o.Encode.MinCodes)
	}
	if err := o.Suits(ctx, data); err != nil {
		return err
	}
	if o.Spread.asked() {
		var done func()
		if data, done, err = o.spread(ctx, p.Set, data); err != nil {
			return err
		}
		defer done()
	}
	journey := Tree
	if !o.IsTree() {
		journey = Flat
	}
	m.Outcome, err = journey(ctx, data, o.Fit)
	if err == nil && p.Short != nil {
		err = placeAll(ctx, p, m.Outcome, o.Fit.Workers)
	}
	if err == nil {
		err = noteBetween(ctx, m.Outcome, data)
	}
	return err
}

// join makes data those of all sites.
func (m *Made) join(ctx context.Context, data Training) (Training, error) {
	j := m.Order.Join
	if err := m.Order.JoinsTree(j.Open); err != nil {
		return data, err
	}
	if j.Open && m.Order.Fit.undecided(data) {
		return data, Unsuited("whether records mix groups is judged by sums over few records, which open sums would show: hide the sums (leave ‹open› out), or name the model with ‹model› (%s or %s)",
			Auto(data, false).Model, Auto(data, false).Splits())
	}
	plan, err := json.Marshal(data.Vocab)
	if err != nil {
		return data, err
	}
	if p := &m.Order.Fit.Privacy; p.Epsilon > 0 {
		p.OwnNoise = p.OwnNoise || j.Open
		m.Joined, err = pass.JoinPrivately(data.Run, j.Exchange, j.Study+string(plan))
	} else {
		m.Joined, err = pass.Join(ctx, data.Run, j.Exchange, j.Study+string(plan))
	}
	if err != nil {
		return data, err
	}
	m.Joined.Omit(float64(j.Omit))
	data.Run, data.Fingerprint, data.open = m.Joined, "", j.Open
	return data, nil
}

// Training returns the data set as what a fit learns from.
func (p *Prepared) Training(workers int) Training {
	set := p.Set
	h := set.Describe()
	return Training{
		Run: set.Runner(workers), Vocab: h.Vocab, Kind: h.Kind,
		Sequences: h.Sequences, Guessed: len(p.Reading.Guesses()) > 0, Fingerprint: p.Fingerprint(),
		Times: func(ctx context.Context) (*dataset.Times, error) { return dataset.TimesOf(ctx, set) },
	}
}
