package encode

import (
	"fmt"
	"sort"

	"github.com/moiety-go/moiety/internal/codes"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/warn"
)

// Summary tells what was read and what was made of it, for people and for the
// manifest of a run. It holds nothing that depends on the machine.
type Summary struct {
	Settings Settings `json:"settings"`
	Plan     Plan     `json:"plan"`
	Format   string   `json:"format"`
	// OfPatients is record.Schema's: its columns speak of patients.
	OfPatients bool `json:"of_patients,omitempty"`

	Read    int       `json:"read"` // records
	Kept    int       `json:"kept"`
	LeftOut []Count   `json:"left_out,omitempty"` // records, by reason
	Rules   []Rule    `json:"rules,omitempty"`    // features before and after each rule
	Tokens  int       `json:"tokens,omitempty"`   // words read, or entries
	Stopped int       `json:"stopped,omitempty"`  // tokens that are stop words
	Used    float64   `json:"used"`               // tokens of the features that stay
	Top     []Feature `json:"top"`                // most frequent features
	// Order is, for features that are columns of a table and stand in another
	// order, the place of each among the columns of features, from 0.
	Order []uint32 `json:"order,omitempty"`

	Unknown      []Count  `json:"unknown,omitempty"`       // codes that are not in the tables, most frequent first
	UnknownCodes int      `json:"unknown_codes,omitempty"` // all of them
	UnknownUses  int      `json:"unknown_uses,omitempty"`
	Duplicates   int      `json:"duplicates,omitempty"` // codes given twice in a record
	Short        int      `json:"short"`                // records with fewer than ShortBelow features
	ShortBelow   int      `json:"short_below"`
	Empty        int      `json:"empty"` // records without a feature that stays
	Repairs      []Count  `json:"repairs,omitempty"`
	Rollup       []Choice `json:"rollup,omitempty"` // features at every level, to choose from
	OnDisk       bool     `json:"-"`

	Warnings []warn.Warning `json:"warnings,omitempty"`
}

// Count is a number of things of a name.
type Count struct {
	Name string `json:"name"`
	N    int    `json:"n"`
}

// Rule is a rule that took features away.
type Rule struct {
	Name   string `json:"name"`
	Before int    `json:"before"`
	After  int    `json:"after"`
}

// Feature is a feature with its frequencies.
type Feature struct {
	Name    string  `json:"name"`
	Title   string  `json:"title,omitempty"`
	Records int     `json:"records"`
	Tokens  float64 `json:"tokens"`
	// Measured tells the values of a measurement; nil for other features.
	Measured *Measured `json:"measured,omitempty"`
}

// Measured is what is known of the values of a measurement.
type Measured struct {
	Mean float64 `json:"mean"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// Choice is the number of features at a level of roll-up.
type Choice struct {
	Level    codes.Level `json:"level"`
	Features int         `json:"features"`
}

const topFeatures = 20

// shortRecords is the number of codes below which a record says little: third
// moments need three.
const shortRecords = 3

func (s *Summary) warn(weight int, code, remedy, text string, args ...any) {
	s.Warnings = append(s.Warnings, warn.New(weight, code, remedy, text, args...))
}

// counting adds a warning whose text tells numbers of records among all; plain is said where
// they may not be read.
func (s *Summary) counting(w warn.Warning, plain string, all int, numbers ...int) {
	s.Warnings = append(s.Warnings, w.Counting(plain, all, numbers...))
}

func (s *Summary) leaveOut(reason string, n int) {
	if n > 0 {
		s.LeftOut = append(s.LeftOut, Count{reason, n})
	}
}

// finish puts the warnings in order of weight.
func (s *Summary) finish() {
	warn.Sort(s.Warnings)
}

// Thresholds of warnings, as shares.
const (
	manyShort    = 0.2
	manyUnknown  = 0.01
	nearlyAlways = 0.95
	fewRecords   = 1000
	fewSequences = 100
)

// judge adds the warnings that follow from the counts.
func (s *Summary) judge(sequences bool) {
	switch {
	case sequences && s.Kept < fewSequences:
		s.counting(warn.New(warn.Caution, "few-records", "Treat the states as a first hint, or bring more sequences together.",
			"There %s only %s; states found in fewer than %d are often chance.", verb(s.Kept, "is", "are"), plural(s.Kept, "sequence"), fewSequences),
			"There are few sequences, and states found in so few are often chance: treat them as a first hint, or bring more sequences together.", s.Kept, s.Kept)
	case !sequences && s.Kept < fewRecords:
		s.counting(warn.New(warn.Caution, "few-records", "Treat the groups as a first hint, or bring more records together.",
			"There %s only %s; groups found in fewer than %d are often chance.", verb(s.Kept, "is", "are"), plural(s.Kept, "record"), fewRecords),
			"There are few records, and groups found in so few are often chance: treat them as a first hint, or bring more records together.", s.Kept, s.Kept)
	}
	if share(s.Short, s.Kept) > manyShort {
		s.counting(warn.New(warn.Caution, "short-records", "They are kept and placed; --min-codes leaves them out of the learning.",
			"%s (%s) %s fewer than %d features and %s little about groups.", plural(s.Short, "record"), percent(s.Short, s.Kept),
			verb(s.Short, "has", "have"), s.ShortBelow, verb(s.Short, "says", "say")),
			fmt.Sprintf("Many records have fewer than %d features and say little about groups. They are kept and placed; --min-codes leaves them out of the learning.", s.ShortBelow), s.Kept, s.Short)
	}
	if s.Empty > 0 {
		s.counting(warn.New(warn.Note, "empty-records", verb(s.Empty, "It is", "They are")+" placed by the sizes of the groups alone.",
			"%s (%s) %s no feature left.", plural(s.Empty, "record"), percent(s.Empty, s.Kept), verb(s.Empty, "has", "have")),
			"Records without a feature are placed by the sizes of the groups alone.", s.Kept, s.Empty)
	}
	s.judgeFrequent()
}

// judgeFrequent names features that nearly every record has.
func (s *Summary) judgeFrequent() {
	if !s.Plan.Presence || s.Plan.Kind == record.Categorical.String() {
		return
	}
	for _, f := range s.Top {
		if share(f.Records, s.Kept) >= nearlyAlways {
			title := f.Name
			if f.Title != "" {
				title += " " + f.Title
			}
			const remedy = "It tells the groups nothing; leave it out with --exclude "
			s.counting(warn.New(warn.Note, "in-every-record", remedy+f.Name+".", "%s is in %s of the records.", title, percent(f.Records, s.Kept)),
				title+" is in nearly all of the records. "+remedy+f.Name+".", s.Kept, f.Records)
		}
	}
}

func share(n, of int) float64 {
	if of == 0 {
		return 0
	}
	return float64(n) / float64(of)
}

func percent(n, of int) string {
	p := 100 * share(n, of)
	if p > 0 && p < 0.1 {
		return "under 0.1 %"
	}
	return fmt.Sprintf("%.3g %%", p)
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return record.Thousands(n) + " " + what + "s"
}

// verb returns the form of a verb that fits n things.
func verb(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// most returns the largest counts, ties by name, at most n.
func most(counts []Count, n int) []Count {
	sort.Slice(counts, func(i, j int) bool {
		a, b := counts[i], counts[j]
		return a.N > b.N || a.N == b.N && a.Name < b.Name
	})
	return counts[:min(n, len(counts))]
}
