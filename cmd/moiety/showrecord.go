package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/run"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/report"
)

// followed is one sequence on its way through the states. It is of one record, and
// reported where it was asked for, as places are.
type followed struct {
	ID    string  `json:"id"`
	Steps []stage `json:"steps"`
	Next  []move  `json:"next"` // the likeliest first
	When  string  `json:"when"` // the next step is to be expected, in words; "" where nobody knows
}

// stage is a run of steps in one state.
type stage struct {
	From  int     `json:"from" gate:"of the record that was asked for"`
	To    int     `json:"to" gate:"of the record that was asked for"`
	State string  `json:"state"`
	Name  string  `json:"name"`
	Sure  float64 `json:"sure" gate:"of the record that was asked for"` // mean probability of the state
	Begin string  `json:"begin"`                                        // times of its first and last step; "" where they have none
	End   string  `json:"end"`
}

// move is a state that may come next.
type move struct {
	State       string  `json:"state"`
	Name        string  `json:"name"`
	Probability float64 `json:"probability" gate:"of the record that was asked for"`
}

// showRecord follows one sequence.
func (a *app) showRecord(ctx context.Context, r *run.Run, p *report.Report, id string) error {
	if p.Shape != report.States {
		return misuse("--record follows a sequence through its states; the records of %s have one group each: see moiety export %s --to csv", r.Path, r.Path)
	}
	records, done, err := r.Records()
	if err != nil {
		return err
	}
	defer done()
	f, err := follow(ctx, r, p, records, id)
	if err != nil {
		return err
	}
	a.meter.clear()
	if a.json {
		return a.document("record", f)
	}
	last := 0
	if n := len(f.Steps); n > 0 {
		last = f.Steps[n-1].To
	}
	a.print("%s: %s.\n\n", harmless(f.ID), count(last, "step", "steps"))
	for _, s := range f.Steps {
		steps := fmt.Sprintf("step %d", s.From)
		if s.To > s.From {
			steps = fmt.Sprintf("steps %d to %d", s.From, s.To)
		}
		if s.Begin != "" {
			steps += ", " + s.Begin
			if s.End != s.Begin {
				steps += " to " + s.End
			}
		}
		a.print("  %-18s state %s  %s (%.0f %%)\n", steps, s.State, s.Name, 100*s.Sure)
	}
	a.print("\nNext, likeliest first:\n")
	if f.When != "" {
		a.print("  %s\n", f.When)
	}
	for _, m := range f.Next {
		a.print("  %.2f  state %s  %s\n", m.Probability, m.State, m.Name)
	}
	a.say("This is one single record: keep it as safe as the data.")
	return nil
}

var errFound = errors.New("found")

// follow looks the sequence up and works out its states.
func follow(ctx context.Context, r *run.Run, p *report.Report, records dataset.Data, id string) (*followed, error) {
	m := r.Outcome.Model
	fam, err := m.Family()
	if err != nil {
		return nil, err
	}
	k := m.Params.K()
	state := func(j int) (string, string) {
		if len(p.Leaves) == k {
			return p.Leaf(j).ID, p.Leaf(j).Name
		}
		return fmt.Sprint(j + 1), ""
	}
	out := &followed{ID: id}
	err = records.Each(ctx, func(_ int, d *dataset.Dataset) error {
		for i := range d.Len() {
			if d.ID(i) != id {
				continue
			}
			lo, hi := d.Steps[i]-d.Steps[0], d.Steps[i+1]-d.Steps[0]
			post := make([]float64, (hi-lo)*k)
			b := pass.Block{Rows: d.Rows.Slice(lo, hi), Steps: []int{0, hi - lo}}
			if err := fam.Posterior(m.Params, b, post); err != nil {
				return err
			}
			out.stages(post, k, state)
			if side, ok := d.SideColumn(record.StepTimes); ok {
				out.dated(dataset.StepTimes(side.Values[i]))
			}
			out.when(post, k, m.Provenance.Waits)
			first := m.Params.Extra[fam.Info().In(family.Starts)].RawRowView(0)
			out.moves(post, first, m.Params.Extra[fam.Info().In(family.Transitions)], state)
			return errFound
		}
		return nil
	})
	switch {
	case errors.Is(err, errFound):
		return out, nil
	case err != nil:
		return nil, err
	}
	return nil, misuse("%s has no record %q: ids are those of the data", r.Path, id)
}

// stages joins neighbouring steps of one state.
func (f *followed) stages(post []float64, k int, state func(int) (string, string)) {
	before := -1
	for t := range len(post) / k {
		best := 0
		for j, v := range post[t*k:][:k] {
			if v > post[t*k+best] {
				best = j
			}
		}
		if best != before {
			id, name := state(best)
			f.Steps = append(f.Steps, stage{From: t + 1, State: id, Name: name})
			before = best
		}
		s := &f.Steps[len(f.Steps)-1]
		n := float64(t + 1 - s.From)
		s.To, s.Sure = t+1, (s.Sure*n+post[t*k+best])/(n+1)
	}
}

// dated adds the times of the steps, one a step.
func (f *followed) dated(times []string) {
	for i := range f.Steps {
		if s := &f.Steps[i]; s.To <= len(times) {
			s.Begin, s.End = times[s.From-1], times[s.To-1]
		}
	}
}

// when says when the next step is to be expected: by the law of the waits from the
// likeliest state of the last one.
func (f *followed) when(post []float64, k int, w *mixture.Waits) {
	if w == nil || len(post) == 0 {
		return
	}
	last := post[len(post)-k:]
	j := slices.Index(last, slices.Max(last))
	if len(w.N) != k || w.N[j] < 2 {
		return
	}
	unit := ""
	if w.Days {
		unit = " days"
	}
	at := func(z float64) string { return report.Amount(math.Exp(w.Mean[j] + z*w.SD[j])) }
	f.When = fmt.Sprintf("after %s%s (median), half of the time between %s and %s%s, if there is a next step", at(0), unit, at(-.6745), at(.6745), unit)
}

// moves says how likely every state comes next.
func (f *followed) moves(post, first []float64, to *mat.Dense, state func(int) (string, string)) {
	k := len(first)
	next := append([]float64(nil), first...) // of a sequence without steps
	if n := len(post); n > 0 {
		clear(next)
		for i, v := range post[n-k:] {
			for j, p := range to.RawRowView(i) {
				next[j] += v * p
			}
		}
	}
	done := make([]bool, k)
	for range k {
		best := -1
		for j, v := range next {
			if !done[j] && (best < 0 || v > next[best]) {
				best = j
			}
		}
		done[best] = true
		id, name := state(best)
		f.Next = append(f.Next, move{id, name, next[best]})
	}
}
