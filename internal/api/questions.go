package api

import (
	"fmt"
	"slices"
	"strings"

	"github.com/moiety-go/moiety/internal/explain"
	"github.com/moiety-go/moiety/internal/pattern"
	"github.com/moiety-go/moiety/warn"
)

// Question is one of the three that a person is asked. Its answer is put into
// the settings under Field.
type Question struct {
	ID      string   `json:"id"`    // of its words in the catalogue
	Field   string   `json:"field"` // of Settings
	Many    bool     `json:"many"`  // any number of options; else one
	Options []Option `json:"options"`
}

// Option is one answer.
type Option struct {
	Value string `json:"value"`
	Label string `json:"label"` // a name from the data, or "" where the catalogue has words for the value
	N     int    `json:"n,omitempty" gate:"features"`
	On    bool   `json:"on"`
}

// Repair is something that can be mended with one click: a change of settings.
type Repair struct {
	ID    string `json:"id"`    // of its words in the catalogue
	About string `json:"about"` // what it is about: a feature
	Field string `json:"field"`
	Value string `json:"value"`
	Why   string `json:"why"`
	N     int    `json:"n,omitempty" gate:"people, of whom nearly all have several records"`
}

var excluded = pattern.New(`--exclude (.+)\.$`)

// repairOf turns a warning into a repair, where there is one.
func repairOf(w warn.Warning) (Repair, bool) {
	switch w.Code {
	case "in-every-record":
		if m := excluded.FindStringSubmatch(w.Remedy); m != nil {
			return Repair{ID: "exclude", About: m[1], Field: "exclude", Value: m[1], Why: w.Text}, true
		}
	case "short-records":
		return Repair{ID: "min-codes", Field: "min_codes", Value: "3", Why: w.Text}, true
	case "no-language":
		return Repair{ID: "stopwords", Field: "stopwords", Value: "english", Why: w.Text}, true
	}
	return Repair{}, false
}

// timeColumn finds the first column beside texts whose cells are all dates, or years:
// topics can be reported over time by it. It is offered, not taken for granted. Other tables
// with a column of times are sequences.
func timeColumn(r *Read) (Repair, bool) {
	if r.Settings.Time != "" || r.What != "texts" {
		return Repair{}, false
	}
	for _, c := range r.Columns {
		at := slices.Index(r.Table.Head, c.Name)
		if c.Role != "beside" || at < 0 {
			continue
		}
		dates := 0
		for _, row := range r.Table.Rows {
			switch {
			case row[at] == "":
			case dated.MatchString(row[at]):
				dates++
			default:
				dates = -len(r.Table.Rows)
			}
		}
		if dates > 0 {
			return Repair{ID: "time", About: c.Name, Field: "time", Value: c.Name, Why: ""}, true
		}
	}
	return Repair{}, false
}

// dated is a year of our time, a month or a day of one.
var dated = pattern.New(`^((19|20)\d\d([-/.]\d\d?([-/.]\d\d?([T ].*)?)?)?|\d\d?[./-]\d\d?[./-](19|20)\d\d)$`)

// joining is what a note says of joining the rows of one person by a flag: here it is a
// repair.
var joining = pattern.New(`; --unit patient joins .*$`)

// commandLine finds what speaks of flags and commands.
var commandLine = pattern.New(`(^|\s)--?[a-z]|\bmoiety [a-z]+ `)

// plainWords leaves out what speaks of the command line: remarks in brackets, and sentences.
func plainWords(s string) string {
	var out []string
	for _, sentence := range strings.SplitAfter(ofCommands.ReplaceAllString(s, ""), ". ") {
		if !commandLine.MatchString(sentence) {
			out = append(out, sentence)
		}
	}
	return strings.TrimSpace(strings.Join(out, ""))
}

// questionsOf asks what only the person knows, by what the records are.
func questionsOf(r *Read) []Question {
	switch r.What {
	case "codes":
		return []Question{unitQuestion(r), fineQuestion(r), leaveOutQuestion(r)}
	case "texts":
		return []Question{stopQuestion(r), wordsQuestion(r), healthQuestion(r)}
	case "sequences":
		return []Question{healthQuestion(r)}
	}
	return []Question{besideQuestion(r), healthQuestion(r)}
}

func one(id, field, now string, options ...Option) Question {
	for i := range options {
		options[i].On = options[i].Value == now
	}
	return Question{ID: id, Field: field, Options: options}
}

func unitQuestion(r *Read) Question {
	now := r.Settings.Unit
	if now == "" {
		now = "patient"
		if r.Unit.One != "patient" { // several lines are of one patient, and stay apart
			now = "row"
		}
	}
	return one("unit", "unit", now, Option{Value: "patient"}, Option{Value: "stay"}, Option{Value: "row"})
}

func fineQuestion(r *Read) Question {
	now := r.Settings.Rollup
	if now == "" {
		now = "3"
	}
	var options []Option
	for _, c := range r.Encoding.Rollup {
		options = append(options, Option{Value: string(c.Level), N: c.Features})
	}
	if len(options) == 0 {
		options = []Option{{Value: "3"}, {Value: "ccs"}, {Value: "full"}, {Value: "chapter"}}
	}
	return one("rollup", "rollup", now, options...)
}

// leaveOutQuestion offers the most frequent features, and what is left out
// already.
func leaveOutQuestion(r *Read) Question {
	q := Question{ID: "exclude", Field: "exclude", Many: true}
	for _, name := range r.Settings.Exclude {
		q.Options = append(q.Options, Option{Value: name, Label: name, On: true})
	}
	all, _ := r.Records.Value()
	for _, f := range r.Encoding.Top[:min(6, len(r.Encoding.Top))] {
		n, ok := f.Records.Value()
		if !ok || all == 0 {
			continue
		}
		q.Options = append(q.Options, Option{Value: f.Name, Label: fmt.Sprintf("%s (%.0f %%)", explain.Said(r.System, f.Name, f.Title), 100*float64(n)/float64(all))})
	}
	return q
}

func stopQuestion(r *Read) Question {
	now := r.Settings.Stopwords
	if now == "" {
		now = "auto"
	}
	return one("stopwords", "stopwords", now, Option{Value: "auto"}, Option{Value: "english"}, Option{Value: "spanish"}, Option{Value: "none"})
}

func wordsQuestion(r *Read) Question {
	now := r.Settings.AllWords
	if now == "" {
		now = "no"
	}
	return one("words", "all_words", now, Option{Value: "no"}, Option{Value: "yes"})
}

func healthQuestion(r *Read) Question {
	now := "no"
	if r.Health {
		now = "yes"
	}
	return one("health", "health", now, Option{Value: "no"}, Option{Value: "yes"})
}

// besideQuestion asks which columns describe records without making groups.
func besideQuestion(r *Read) Question {
	q := Question{ID: "label", Field: "label", Many: true}
	for _, c := range r.Columns[:min(len(r.Columns), mostColumns)] {
		q.Options = append(q.Options, Option{Value: c.Name, Label: c.Name, On: c.Role == "beside"})
	}
	return q
}
