package api

import (
	"context"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/moiety-go/moiety/internal/explain"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/run"
	"github.com/moiety-go/moiety/report"
)

// PageRequest asks for a part of a list.
type PageRequest struct {
	From int `json:"from"` // the first entry, from 0
	Most int `json:"most"` // entries at most; 0 means 50
}

// bounds cuts a list of n entries, and says where the next part begins, 0 where
// there is none.
func (r PageRequest) bounds(n int) (lo, hi, next int) {
	const usual, limit = 50, 500
	most := r.Most
	if most <= 0 {
		most = usual
	}
	lo = min(max(r.From, 0), n)
	hi = min(lo+min(most, limit), n)
	if hi < n {
		next = hi
	}
	return lo, hi, next
}

// RunList is a part of the list of runs.
type RunList struct {
	Runs []RunItem `json:"runs"`
	All  int       `json:"all" gate:"analyses"`
	Next int       `json:"next,omitempty" gate:"index"` // where the next part begins
}

// RunItem is a run in a line.
type RunItem struct {
	ID      string       `json:"id"`
	Date    string       `json:"date"`
	Files   []string     `json:"files"`
	Records report.Count `json:"records"`
	Groups  int          `json:"groups" gate:"groups"`
	Health  bool         `json:"health"`
	Within  string       `json:"within,omitempty"` // the group that it looks into
	Problem string       `json:"problem,omitempty"`
}

// Runs lists the earlier analyses, the latest first.
func (a *API) Runs(_ context.Context, r PageRequest) (*RunList, error) {
	ids, err := a.store.Runs()
	if err != nil {
		return nil, err
	}
	lo, hi, next := r.bounds(len(ids))
	out := &RunList{Runs: []RunItem{}, All: len(ids), Next: next}
	for _, id := range ids[lo:hi] {
		out.Runs = append(out.Runs, a.runItem(id))
	}
	return out, nil
}

// runItem tells a run in a line; one that cannot be opened says why.
func (a *API) runItem(id string) RunItem {
	s, err := a.open(id)
	if err != nil {
		return RunItem{ID: id, Files: []string{}, Problem: Wrap(err).Message}
	}
	return newRunItem(id, s.run)
}

func newRunItem(id string, r *run.Run) RunItem {
	m := r.Manifest
	gate := explain.NewGate(m.Health, m.MinCell, false, m.Records)
	x := RunItem{ID: id, Records: gate.Size(m.Records), Groups: m.Groups, Health: m.Health, Files: []string{}, Date: m.Timings.Started}
	for _, in := range m.Inputs {
		x.Files = append(x.Files, filepath.Base(in.Name))
	}
	if m.Settings.Within != "" {
		x.Within = filepath.Base(m.Settings.Within)
		x.Files = []string{}
	}
	return x
}

// RunRequest names a run.
type RunRequest struct {
	Run    string `json:"run"`
	Lambda string `json:"lambda"` // weight of frequency against distinctness, 0 to 1; "" means 0.6
	// Language is that of sentences: "en" or "es"; "" means "en".
	Language string `json:"language"`
}

// DropRun deletes a run.
func (a *API) DropRun(_ context.Context, r RunRequest) (*Nothing, error) {
	a.forget(r.Run)
	return &Nothing{}, a.store.Drop(r.Run)
}

// DataList is the list of data files.
type DataList struct {
	Data []DataFile `json:"data"`
}

// Data lists the data files.
func (a *API) Data(context.Context, Nothing) (*DataList, error) {
	list, err := a.store.Data()
	return &DataList{list}, err
}

// DropData deletes a data file.
func (a *API) DropData(_ context.Context, r DataRequest) (*Nothing, error) {
	a.forgetData() // another file may come under its name
	return &Nothing{}, a.store.DropData(r.Data)
}

// FitRequest asks for the groups of data, or, where Run and Group are given, for
// those inside a group.
type FitRequest struct {
	Data     string   `json:"data"`
	Settings Settings `json:"settings"`
	Run      string   `json:"run"`
	Group    string   `json:"group"`
	Name     string   `json:"name"` // of the run; "" makes one
}

// StartFit begins to look for groups; the job's Run is the run that it makes.
func (a *API) StartFit(_ context.Context, r FitRequest) (*Job, error) {
	o, name, err := a.fitOrder(r)
	if err != nil {
		return nil, err
	}
	if r.Name != "" {
		name = r.Name
	}
	question := ""
	if r.Run == "" && r.Settings.Groups == 0 {
		question = DataRequest{r.Data, r.Settings}.question()
	}
	return a.jobs.ask(question, "fit", name, func(ctx context.Context) (any, string, error) {
		if question != "" { // who looked at the light does not wait for it again
			ctx = fit.Recalling(ctx, &a.verdicts, question)
		}
		id, err := a.store.Make(ctx, name, o)
		if err != nil {
			return nil, "", err
		}
		_, _, err = a.explained(ctx, id, "", "") // so that the first look at it is quick
		if ctx.Err() != nil {
			err = a.store.Drop(id)
			if err == nil {
				err = ctx.Err()
			}
		}
		return nil, id, err
	})
}

func (a *API) fitOrder(r FitRequest) (run.Order, string, error) {
	if r.Run == "" {
		o, err := a.orderOf(r.Data, r.Settings)
		name, _, _ := strings.Cut(r.Data, ".")
		return o, name, err
	}
	s, err := a.open(r.Run)
	if err != nil {
		return run.Order{}, "", err
	}
	if _, ok := groupOf(s.run, r.Group); !ok {
		return run.Order{}, "", unknown("There is no group %q.", r.Group)
	}
	o, err := r.Settings.order(a.now)
	if err != nil {
		return o, "", err
	}
	o.Within, err = a.store.Within(r.Run, r.Group)
	return o, r.Run + " inside " + r.Group, err
}

// groupOf returns the leaves of a group or a node, as numbers from 0.
func groupOf(r *run.Run, id string) (map[int32]bool, bool) {
	out := make(map[int32]bool)
	for j := range r.Outcome.K() {
		if leaf := r.GroupID(j); leaf == id || strings.HasPrefix(leaf, id+".") {
			out[int32(j)] = true
		}
	}
	return out, len(out) > 0
}

// parseShare reads a number from 0 to 1.
func parseShare(text string, usual float64) (float64, error) {
	if text == "" {
		return usual, nil
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || !(v >= 0 && v <= 1) {
		return 0, refused("%q is no number from 0 to 1.", text)
	}
	return v, nil
}

// sortedKeys lists the keys of a set in order.
func sortedKeys(m map[string]bool) []string {
	out := []string{}
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// NextFrom implements Paged.
func (l *RunList) NextFrom() int { return l.Next }

// Paged is a part of a list.
type Paged interface {
	// NextFrom says where the next part begins, 0 where there is none.
	NextFrom() int
}
