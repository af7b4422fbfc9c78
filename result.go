package moiety

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/run"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/report"
)

// Result is what a fit found. It is safe for many goroutines until it is closed.
type Result struct {
	run     *run.Run
	made    *run.Made // nil where it was opened
	sent    bool      // a model without records
	workers int
}

// Open opens what Save or "moiety fit -o" wrote, or the file of "moiety export
// --to model", which has no records and no report; more are families that are not
// in the table.
func Open(path string, more ...family.Family) (*Result, error) {
	if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
		m, err := run.OpenShared(path)
		if err != nil {
			return nil, inFields(err)
		}
		return &Result{run: m.Run(), sent: true}, nil
	}
	r, err := run.Open(path, more...)
	if err != nil {
		return nil, inFields(err)
	}
	return &Result{run: r}, nil
}

// errSent says what a model that was sent cannot tell.
var errSent = errors.New("moiety: this is a model without records: it places new ones and tells nothing of those it was learned from")

// Model returns the groups as parameters: weights, centers, names of the features
// and how they came about.
func (r *Result) Model() *model.Model { return r.run.Outcome.Model }

// Verdict is how many groups the data show, and whether they are real.
type Verdict struct {
	Groups  int
	Range   [2]int   // numbers that can be defended
	Sure    bool     // no other number can be, and two halves of the records agree
	Reason  string   // one plain sentence
	Against []string // what speaks against it, the heaviest first
}

// Verdict says how many groups the data show, and why; nil where a size or a way
// was asked for.
func (r *Result) Verdict() *Verdict {
	v := r.run.Outcome.Verdict
	if v == nil {
		v = r.run.Manifest.Verdict
	}
	if v == nil {
		return nil
	}
	out := &Verdict{Groups: v.Groups, Range: v.Range, Sure: v.Sure, Reason: v.Reason}
	for _, d := range v.Against {
		out.Against = append(out.Against, d.Text)
	}
	return out
}

// Report tells the groups in words and numbers; package show writes it as text,
// HTML, pictures and tables. Small counts of health data are withheld in it.
func (r *Result) Report(ctx context.Context, s report.Settings) (*report.Report, error) {
	if r.sent {
		return nil, errSent
	}
	return r.run.Explain(ctx, s)
}

// Groups returns the groups in words and numbers, by falling size; of a tree its
// ends.
func (r *Result) Groups(ctx context.Context) ([]report.Group, error) {
	rep, err := r.Report(ctx, report.Settings{})
	if err != nil {
		return nil, err
	}
	var out []report.Group
	for j := range rep.Leaves {
		out = append(out, *rep.Leaf(j))
	}
	return out, nil
}

// Tree returns the nodes of the hierarchy, each with the ids of its parent and
// its children, the whole first; nil for a flat fit.
func (r *Result) Tree(ctx context.Context) ([]report.Group, error) {
	if r.run.Outcome.Tree == nil {
		return nil, nil
	}
	report, err := r.Report(ctx, report.Settings{})
	if err != nil {
		return nil, err
	}
	return report.Groups, nil
}

// Save writes the run folder that "moiety fit -o" writes, which every command
// reads. It replaces nothing.
func (r *Result) Save(path string) error {
	if r.made == nil {
		return fmt.Errorf("moiety: it was opened from %s and is saved already: copy it", r.run.Path)
	}
	_, err := r.made.Write(context.Background(), path, false)
	return inFields(err)
}

// Close forgets the records and removes files that held them.
func (r *Result) Close() error {
	if r.made == nil {
		return nil
	}
	return r.made.Close()
}
