package api

import (
	"context"
	"encoding/json"

	"github.com/moiety-go/moiety/internal/explain"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/inspect"
	"github.com/moiety-go/moiety/internal/run"
	"github.com/moiety-go/moiety/internal/verdict"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/vocab"
	"github.com/moiety-go/moiety/warn"
)

// DataRequest names data and what is said about them.
type DataRequest struct {
	Data     string   `json:"data"`
	Settings Settings `json:"settings"`
}

// key tells a request from others.
func (r DataRequest) key(kind string) string {
	text, _ := json.Marshal(r) // of strings and numbers
	return kind + string(text)
}

// question is that of how many groups there are: it does not depend on how many are
// wanted.
func (r DataRequest) question() string {
	r.Settings.Groups, r.Settings.Leaves, r.Settings.Courses = 0, 0, 0
	return r.key("judge ")
}

// Read is what was understood of a file: its first rows, what is in it, what was
// repaired and can be, and three questions.
type Read struct {
	Data     string   `json:"data"`
	Settings Settings `json:"settings"`
	// What says what the records are: "codes", "texts", "answers",
	// "measurements", "counts", "several kinds" or "sequences".
	What string      `json:"what"`
	Unit report.Unit `json:"unit"`

	Records  report.Count `json:"records"`
	Features int          `json:"features" gate:"features"`
	System   string       `json:"system,omitempty"`
	Health   bool         `json:"health"`
	Limit    int          `json:"limit,omitempty" gate:"setting"`
	Ring     report.Ring  `json:"ring"`
	Words    string       `json:"words"` // for whom this is

	Columns   []Column         `json:"columns"`
	Table     FirstRows        `json:"table"`
	Top       []report.Part    `json:"top"`       // most frequent features
	Notes     []string         `json:"notes"`     // what was decided
	Repaired  []report.Part    `json:"repaired"`  // by itself
	Repairs   []Repair         `json:"repairs"`   // offered
	Warnings  []warn.Warning   `json:"warnings"`  // the heaviest first
	Questions []Question       `json:"questions"` // three at most
	Encoding  *explain.Encoded `json:"encoding"`
}

// Column is a column of the data and what it is taken for.
type Column struct {
	Name string `json:"name"`
	Kind string `json:"kind"` // "answers", "numbers", "counts", "yes or no", ""
	Role string `json:"role"` // "feature", or "beside": it describes records and never makes groups
}

// StartRead begins to read data; the result of the job is a Read.
func (a *API) StartRead(_ context.Context, r DataRequest) (*Job, error) {
	key := r.key("read ")
	o, err := a.orderOf(r.Data, r.Settings)
	if err != nil {
		return nil, err
	}
	return a.jobs.add("read", r.Data, func(ctx context.Context) (any, string, error) {
		if answer, ok := a.remembered(key); ok {
			return answer, "", nil
		}
		p, err := run.Prepare(ctx, o, "")
		if err != nil {
			return nil, "", err
		}
		defer p.Close()
		answer, err := newRead(ctx, r, p, o)
		if err == nil {
			a.remember(key, answer)
		}
		return answer, "", err
	})
}

// Light says whether data are enough, and how many groups they show.
type Light struct {
	Light   string           `json:"light"` // "green", "amber", "red"
	Reason  string           `json:"reason"`
	Remedy  string           `json:"remedy,omitempty"`
	Verdict *verdict.Verdict `json:"verdict,omitempty" gate:"evidence and numbers of groups"`
}

// StartLight begins to judge whether data are enough; the result of the job is a
// Light.
func (a *API) StartLight(_ context.Context, r DataRequest) (*Job, error) {
	key := r.key("light ")
	o, err := a.orderOf(r.Data, r.Settings)
	if err != nil {
		return nil, err
	}
	question := r.question()
	return a.jobs.ask(question, "light", r.Data, func(ctx context.Context) (any, string, error) {
		if answer, ok := a.remembered(key); ok {
			return answer, "", nil
		}
		ctx = fit.Recalling(ctx, &a.verdicts, question)
		x, err := inspect.Data(ctx, o.Order, r.Settings.Groups, false)
		if err != nil {
			return nil, "", err
		}
		answer := &Light{x.Light, plainWords(x.Reason), plainWords(x.Remedy), x.Verdict}
		a.remember(key, answer)
		return answer, "", nil
	})
}

// newRead tells of prepared data.
func newRead(ctx context.Context, r DataRequest, p *fit.Prepared, o run.Order) (*Read, error) {
	x := inspect.Only(p, o.Order)
	kind, sequences := p.Kind()
	out := &Read{
		Data: r.Data, Settings: r.Settings, What: whatOf(kind, sequences, p.Vocab().System), Records: x.Records, Features: x.Features,
		System: x.System, Health: x.Health, Limit: x.Limit, Ring: x.Ring, Words: x.Words(), Notes: record.Texts(x.Reading.Notes),
		Repaired: append(x.Reading.Repairs, x.Encoding.Repairs...), Encoding: x.Encoding,
	}
	out.Unit = unitOf(out.What, r.Settings.Unit, out.Health)
	if u := x.Reading.Unit; u != "" { // a row is not a person
		out.Unit.One, out.Unit.Many = u, u+"s"
	}
	for i, n := range out.Notes {
		out.Notes[i] = joining.ReplaceAllString(n, "")
		if people, ok := x.Reading.People.Value(); ok && out.Notes[i] != n {
			out.Repairs = append(out.Repairs, Repair{ID: "join", About: out.Unit.Many, Field: "unit", Value: "patient", Why: "", N: people})
		}
	}
	for _, f := range x.Encoding.Top {
		name := f.Name
		if f.Title != "" && f.Title != f.Name {
			name = explain.Said(out.System, f.Name, f.Title) + " (" + f.Name + ")"
		}
		out.Top = append(out.Top, report.Part{Name: name, N: f.Records})
	}
	out.Columns = columnsOf(p, out.What)
	for _, w := range x.Warnings {
		if repair, ok := repairOf(w); ok {
			out.Repairs = append(out.Repairs, repair)
		}
		w.Text, w.Remedy = explain.InUnits(w.Text, out.Unit), plainWords(explain.InUnits(w.Remedy, out.Unit))
		out.Warnings = append(out.Warnings, w)
	}
	out.Questions = questionsOf(out)
	var err error
	out.Table, err = firstRows(ctx, p)
	if offer, ok := timeColumn(out); ok {
		out.Repairs = append(out.Repairs, offer)
	}
	return out, err
}

// whatOf names the kind of records.
func whatOf(kind record.Kind, sequences bool, system string) string {
	switch {
	case sequences:
		return "sequences"
	case system == "icd9" || system == "icd10":
		return "codes"
	case system == "text" || kind == record.Text:
		return "texts"
	case kind == record.Categorical:
		return "answers"
	case kind == record.Real:
		return "measurements"
	case kind == record.Mixed:
		return "several kinds"
	case kind == record.Counts:
		return "counts"
	}
	return "answers"
}

// unitOf names records before there is a report.
func unitOf(what, unit string, health bool) report.Unit {
	u := report.Unit{One: "record", Many: "records", Feature: "feature", Features: "features"}
	switch what {
	case "codes":
		u = report.Unit{One: "patient", Many: "patients", Feature: "diagnosis", Features: "diagnoses"}
	case "texts":
		u = report.Unit{One: "document", Many: "documents", Feature: "word", Features: "words"}
	case "answers":
		u.Feature, u.Features = "answer", "answers"
	case "measurements":
		u.Feature, u.Features = "measurement", "measurements"
	}
	if unit == "stay" {
		u.One, u.Many = "stay", "stays"
	} else if health && what != "texts" {
		u.One, u.Many = "patient", "patients"
	}
	return u
}

// columnsOf lists the columns of a table, those of features first.
func columnsOf(p *fit.Prepared, what string) []Column {
	words := map[vocab.Kind]string{vocab.Presence: "yes or no", vocab.Counts: "counts", vocab.Real: "numbers", vocab.Categorical: "answers"}
	out := []Column{}
	v := p.Vocab()
	for _, c := range v.Columns {
		out = append(out, Column{c.Name, words[c.Kind], "feature"})
	}
	if len(v.Columns) == 0 && (what == "answers" || what == "measurements" || what == "counts") && v.Len() <= mostColumns {
		for _, name := range v.Names {
			out = append(out, Column{name, map[string]string{"measurements": "numbers", "counts": "counts"}[what], "feature"})
		}
	}
	for _, name := range p.Side() {
		out = append(out, Column{name, "", "beside"})
	}
	return out
}

// mostColumns is the number of features that may each be a column.
const mostColumns = 200
