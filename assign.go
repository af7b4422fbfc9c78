package moiety

import (
	"context"
	"errors"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/internal/encode"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/run"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/warn"
)

// Assignment is where records belong. Of sequences every step has a line.
type Assignment struct {
	IDs         []string
	Group       []int     // from 0, in the order of Groups
	Probability []float64 // of that group
	// Shares has the probability of every group for every record, or its share of
	// every topic; nil where the groups are the ends of a tree of rules, which
	// gives none.
	Shares   [][]float64
	Warnings []warn.Warning // of features that the model does not know, of lines left out
}

// Assign places new data of any kind, read and encoded as those of the fit were.
func (r *Result) Assign(ctx context.Context, src Source) (*Assignment, error) {
	if src == nil {
		return nil, errors.New("moiety: Assign without a Source: give Files, Texts, Table, Rows, Records or Dataset")
	}
	p, err := newPlacing(r.run)
	if err != nil {
		return nil, inFields(err)
	}
	o := r.run.Manifest.Settings.Read.Options()
	o.Workers = r.workers
	problems := &record.Problems{Strict: o.Strict}
	records, err := src.open(ctx, r.run, o, problems)
	if err != nil {
		return nil, inFields(err)
	}
	met, err := encode.Apply(ctx, records, r.run.Manifest.Plan, r.Model().Vocab, r.workers, p.add)
	if err != nil {
		return nil, inFields(err)
	}
	if err := problems.TooMany(met.Records); err != nil {
		return nil, inFields(err)
	}
	p.out.Warnings = append(fit.NewReading(problems).Warnings(), met.Warnings...)
	return p.out, nil
}

// Assigned returns where the records of the fit belong.
func (r *Result) Assigned(ctx context.Context) (*Assignment, error) {
	if r.sent {
		return nil, errSent
	}
	p, err := newPlacing(r.run)
	if err != nil {
		return nil, err
	}
	records, done, err := r.run.Records()
	if err != nil {
		return nil, err
	}
	defer done()
	if err := records.Each(ctx, p.add); err != nil {
		return nil, err
	}
	edited, err := r.run.Edited(ctx, records)
	if err != nil {
		return nil, err
	}
	for i, g := range edited.Group { // what the fit said of them, and people after it
		p.out.Group[i], p.out.Probability[i] = int(g), float64(edited.Probability[i])
	}
	return p.out, nil
}

// placing gathers an assignment block by block.
type placing struct {
	k         int
	placer    *fit.Placer
	posterior func(b pass.Block, out []float64) error
	out       *Assignment
}

func newPlacing(r *run.Run) (*placing, error) {
	placer, err := fit.NewPlacer(r.Outcome)
	if err != nil {
		return nil, err
	}
	p := &placing{k: r.Outcome.K(), placer: placer, out: &Assignment{}}
	if p.posterior, err = placer.Posterior(); errors.Is(err, fit.ErrRules) {
		return p, nil
	}
	return p, err
}

func (p *placing) add(first int, d *dataset.Dataset) error {
	b := pass.Block{First: first, Rows: d.Rows, Steps: d.Steps}
	group, sure, err := p.placer.Place(b)
	if err != nil {
		return err
	}
	for i, g := range group {
		p.out.Group, p.out.Probability = append(p.out.Group, int(g)), append(p.out.Probability, float64(sure[i]))
	}
	for i := range d.Len() {
		rows := 1
		if d.Steps != nil {
			rows = d.Steps[i+1] - d.Steps[i]
		}
		for range rows {
			p.out.IDs = append(p.out.IDs, d.ID(i))
		}
	}
	if p.posterior == nil {
		return nil
	}
	all := make([]float64, len(group)*p.k)
	if err := p.posterior(b, all); err != nil {
		return err
	}
	for i := range group {
		p.out.Shares = append(p.out.Shares, all[i*p.k:][:p.k:p.k])
	}
	return nil
}
