package main

import (
	"context"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/internal/run"
	"github.com/moiety-go/moiety/internal/verdict"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/show"
)

// fit does an order and prints what came out: words, or arrays for another
// program.
func (a *app) fit(ctx context.Context, o run.Order, to string) error {
	if to == "" {
		o.Words = printed
	}
	r, err := run.Make(a.listening(ctx), o)
	if err != nil {
		return ofData(err)
	}
	if to == "" {
		return a.fitted(r)
	}
	a.sayAll(r.Messages)
	a.warn(r.Manifest.Warnings)
	x := a.exporting()
	x.theta = true
	if err := x.open(ctx, r, report.Settings{Brief: true}); err != nil { // "export" has standard errors of many records too
		return err
	}
	defer x.Close()
	write, err := x.arrays(ctx)
	if err != nil {
		return err
	}
	return write(a.out)
}

// printed orders what is printed of a finished run: what costs more is reported where it
// is asked for.
var printed = &report.Settings{Brief: true}

// fitted tells of a finished run that was ordered printed.
func (a *app) fitted(r *run.Run) error {
	a.sayAll(r.Messages)
	m := r.Manifest
	for _, note := range m.Reading.Notes {
		if note.Of == record.Aside || note.Of == record.Choice {
			a.say("%s", wrap(note.Text, 100, "  "))
		} else {
			a.sayVerbose("%s", note.Text)
		}
	}
	for _, s := range m.Timings.Stages {
		a.sayVerbose("%s: %.2f s", s.Name, s.Seconds)
	}
	rep := r.Report
	if a.json {
		a.warn(m.Warnings)
		return a.document("fit", struct {
			Run     string           `json:"run"`
			Verdict *verdict.Verdict `json:"verdict,omitempty" gate:"evidence and numbers of groups"`
			Report  *report.Report   `json:"report"`
		}{r.Path, m.Verdict, rep})
	}
	a.meter.clear()
	if err := show.Tree(a.out, rep, a.layout(0, 0)); err != nil {
		return err
	}
	a.next(r, rep)
	return nil
}

// next says where the run is and what to try.
func (a *app) next(r *run.Run, rep *report.Report) {
	if r.Manifest.Settings.Encode.KeepText {
		a.say("The run keeps the texts: keep it as safe as the data.")
	}
	a.say("\nThe run is in %s. What to try next:", r.Path)
	one := "group"
	if rep.Shape == report.States {
		one = "state"
	}
	a.say("  moiety show %s %s    one %s in plain words", r.Path, rep.Leaf(0).ID, one)
	a.say("  moiety report %s -o report.html    the whole story with pictures", r.Path)
	a.say("  moiety export %s --to csv -o tables    tables for other programs", r.Path)
	if !r.Manifest.HoldsRecords {
		a.say("  moiety update %s NEW -o next    go on with new records", r.Path)
	} else if r.Manifest.Tables != nil {
		a.say("  moiety assign %s DATA -o places.csv    at each site: the groups of its own records", r.Path)
	}
	if rep.Shape != report.States && r.Outcome.K() > 1 && r.Manifest.Tables == nil {
		a.say("  moiety fit --within %s:%s -o inside    look for groups inside this one", r.Path, rep.Leaf(0).ID)
	}
}

// dryRun reads the data and says what a fit would do.
func (a *app) dryRun(ctx context.Context, o run.Order) error {
	p, err := run.Prepare(a.listening(ctx), o, "")
	if err != nil {
		return ofData(err)
	}
	defer p.Close()
	need := memoryOf(p, o)
	if a.json {
		return a.document("dry-run", struct {
			Records  int         `json:"records" gate:"all of them, inside the house"`
			Features int         `json:"features" gate:"features"`
			Size     string      `json:"size"`
			Out      string      `json:"out,omitempty"`
			Memory   memoryNeeds `json:"memory"`
			OnDisk   bool        `json:"on_disk"`
		}{p.Len(), p.Vocab().Len(), sizeInWords(o.Fit), o.Out, need, p.DiskSize() > 0})
	}
	a.print("Would fit %s to %s with %s.\n", sizeInWords(o.Fit), count(p.Len(), "record", "records"), count(p.Vocab().Len(), "feature", "features"))
	a.print("Memory: about %s: rows %s, sums %s, places %s.\n", byteSize(need.Total()), byteSize(need.Rows), byteSize(need.Sums), byteSize(need.Places))
	if p.DiskSize() > 0 {
		a.print("The rows stay on disk, within --max-memory; they take %s there.\n", byteSize(need.Disk))
		if o.Fit.K == 0 {
			a.print("A tree would be grown on as many of them as fit, spread evenly, and all would be placed by it.\n")
		}
	}
	if o.Out != "" {
		a.print("Would write the run to %s.\n", o.Out)
	}
	a.print("Nothing was written.\n")
	return nil
}

// memoryNeeds is an estimate in bytes.
type memoryNeeds struct {
	Rows   int64 `json:"rows" gate:"bytes"`
	Sums   int64 `json:"sums" gate:"bytes"`
	Places int64 `json:"places" gate:"bytes"`
	Disk   int64 `json:"disk" gate:"bytes"`
}

// Total is what must be in memory at once.
func (m memoryNeeds) Total() int64 { return m.Rows + m.Sums + m.Places }

// memoryOf estimates what a fit keeps: the rows, the partial sums of second
// order, and the place of every record.
func memoryOf(p *fit.Prepared, o run.Order) memoryNeeds {
	const word = 8
	d, n := int64(p.Vocab().Len()), int64(p.Len())
	var need memoryNeeds
	switch set := p.Set.(type) {
	case *dataset.Dataset:
		need.Rows = rowBytes(set)
	case *dataset.File:
		need.Disk = set.Size()
		need.Rows = int64(par.Workers(o.Fit.Workers)) * need.Disk / max(int64(set.Blocks()), 1)
	}
	k := int64(max(o.Fit.K, 2))
	state := min(d*(d+1)/2, d*(k+10)*3) // pair counts, or sketches
	if d <= 3000 {
		state = d * (d + 1) / 2
	}
	need.Sums = word * state * int64(par.Lanes(int(state))+1)
	need.Places = n * word
	return need
}

func rowBytes(d *dataset.Dataset) int64 {
	r := d.Rows
	size := int64(8*len(r.Ptr) + 4*len(r.Index) + 4*len(r.Value) + 8*len(r.Dense))
	for _, s := range d.Side {
		size += 24 * int64(len(s.Values))
	}
	return size + 24*int64(len(d.IDs))
}
