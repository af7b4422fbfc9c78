package api

import (
	"strings"
	"time"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/internal/run"
	"github.com/moiety-go/moiety/internal/setting"
	"github.com/moiety-go/moiety/model"
)

// Settings are what a person may say about data and groups. The zero value
// leaves everything to the data; the words are those of the command line.
type Settings struct {
	Format string   `json:"format,omitempty"`
	ID     string   `json:"id,omitempty"`
	Code   string   `json:"code,omitempty"`
	Text   string   `json:"text,omitempty"`
	Time   string   `json:"time,omitempty"`
	Label  []string `json:"label,omitempty"`
	Unit   string   `json:"unit,omitempty"`

	System    string   `json:"system,omitempty"`
	Rollup    string   `json:"rollup,omitempty"`
	Stopwords string   `json:"stopwords,omitempty"`
	AllWords  string   `json:"all_words,omitempty"` // "yes" keeps every word
	Ngrams    int      `json:"ngrams,omitempty" gate:"setting"`
	MinDF     string   `json:"min_df,omitempty"`
	MaxDF     string   `json:"max_df,omitempty"`
	Include   []string `json:"include,omitempty"`
	Exclude   []string `json:"exclude,omitempty"`
	Where     string   `json:"where,omitempty"`
	MinCodes  int      `json:"min_codes,omitempty" gate:"setting"`

	Groups int `json:"groups,omitempty" gate:"setting"`
	Leaves int `json:"leaves,omitempty" gate:"setting"`
	// Courses is the number of kinds of sequences to tell by how they pass through
	// the states; 0 tells none.
	Courses int    `json:"courses,omitempty" gate:"setting"`
	Model   string `json:"model,omitempty"`
	Seed    uint64 `json:"seed,omitempty" gate:"setting"`

	Health  string `json:"health,omitempty"` // "yes": records of people's health
	MinCell int    `json:"min_cell,omitempty" gate:"setting"`
}

// order turns settings into an order for data.
func (s Settings) order(now func() time.Time) (run.Order, error) {
	var o run.Order
	if s.Groups < 0 || s.Leaves < 0 || s.Groups > 0 && s.Leaves > 0 {
		return o, refused("Ask for a number of groups or for a tree of a size, not for both.")
	}
	if s.Courses < 0 {
		return o, refused("A number of courses is 1 or more.")
	}
	if spec := (model.Spec{Model: s.Model}); !spec.IsAuto() {
		if _, known := spec.Info(); !known {
			return o, refused("There is no model called %q.", s.Model)
		}
	}
	o.Now = now
	o.Read.Format, o.Read.ID, o.Read.Code, o.Read.Text, o.Read.Time = s.Format, s.ID, s.Code, s.Text, s.Time
	o.Read.Label, o.Read.Unit = s.Label, s.Unit
	e := &o.Encode
	e.System, e.Rollup, e.Stopwords, e.AllWords = s.System, s.Rollup, s.Stopwords, s.AllWords == "yes"
	e.Ngrams, e.Include, e.Exclude, e.Where, e.MinCodes = s.Ngrams, s.Include, s.Exclude, s.Where, s.MinCodes
	for _, x := range []struct {
		word string
		to   *dataset.Amount
	}{{s.MinDF, &e.MinDF}, {s.MaxDF, &e.MaxDF}} {
		if x.word == "" {
			continue
		}
		amount, err := dataset.ParseAmount(x.word)
		if err != nil {
			return o, refused("%s", setting.Say(err.Error(), setting.Plain))
		}
		*x.to = amount
	}
	if err := e.Check(); err != nil {
		return o, refused("%s", setting.Say(strings.TrimPrefix(err.Error(), "encode: "), setting.Plain))
	}
	o.Fit = fit.Settings{
		K: s.Groups, Courses: s.Courses, Tree: fit.TreeShape{Leaves: s.Leaves}, Spec: model.Spec{Model: s.Model}, Method: "auto", Refine: fit.EM, Seed: max(s.Seed, 1),
	}
	if s.Model == "none" {
		o.Fit.Spec.Model, o.Fit.Tree.Free = "auto", true
	}
	o.Health, o.MinCell = s.Health == "yes", s.MinCell
	return o, nil
}

// orderOf is order for data of the store.
func (a *API) orderOf(data string, s Settings) (run.Order, error) {
	in, err := a.store.Input(data)
	if err != nil {
		return run.Order{}, err
	}
	o, err := s.order(a.now)
	o.Inputs = []source.Input{in}
	return o, err
}
