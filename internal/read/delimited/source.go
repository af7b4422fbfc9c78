package delimited

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/moiety-go/moiety/internal/pattern"
	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/record"
)

// Source reads tables. It implements record.Source.
type Source struct {
	inputs   []source.Input
	options  Options
	problems *record.Problems
	profile  *Profile
	plan     *plan
	schema   *record.Schema
	seed     maphash.Seed
	reported int         // chunks whose problems were reported, by this Read or an earlier one
	noted    bool        // encodings were reported
	several  atomic.Bool // some step of a sequence had more than one symbol
	lookedUp atomic.Bool // ids are looked up in a table: they do not rise
	asides   [asides]int
	lacking  int // rows with fewer fields than the table
}

// New looks at the start of the first input and decides what its columns are.
// The other inputs must have the same columns, in any order.
func New(ctx context.Context, inputs []source.Input, o Options, p *record.Problems) (*Source, error) {
	o = o.withDefaults()
	if err := o.check(); err != nil {
		return nil, err
	}
	if len(inputs) == 0 {
		return nil, fmt.Errorf("no table to read: %w", source.ErrEmpty)
	}
	prof, err := o.Seen, error(nil)
	if prof == nil || len(o.Names) > 0 {
		if prof, err = Survey(ctx, inputs[0], o); err != nil {
			return nil, err
		}
	}
	if Wide(o.Shape) {
		if prof, err = prof.Survey(ctx, inputs, o); err != nil {
			return nil, err
		}
		if prof.Whole && prof.Rows == 0 && prof.Ragged == 0 {
			return nil, fmt.Errorf("%s: there is no row below the header: %w", inputs[0].Name, source.ErrEmpty)
		}
	}
	s := &Source{inputs: inputs, options: o, problems: p, profile: prof, seed: maphash.MakeSeed()}
	if o.Shape == Digits {
		s.plan, err = digitsPlan(prof, o)
	} else {
		s.plan, err = makePlan(prof, o)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", inputs[0].Name, err)
	}
	s.plan.strict = p.Strict
	s.schema = s.plan.schema()
	s.schema.OfPatients = o.Unit == "patient" || o.Unit == "stay" || s.plan.ofPatients() // said by the user, or by names
	if prof.Skip > 0 {
		p.Aside("%s left out above the header of %s", lines(prof.Skip), inputs[0].Name)
	}
	if prof.Below > 0 {
		p.Aside("%s left out below the header of %s: columns are described there", lines(prof.Below), inputs[0].Name)
	}
	p.Notes = append(p.Notes, s.plan.notes...)
	if s.plan.dialect.decimal == ',' && prof.Separator != ',' {
		p.Note("%s has a decimal comma", inputs[0].Name)
	}
	return s, nil
}

// Schema describes the table; its dictionary and levels are complete after
// Read.
func (s *Source) Schema() *record.Schema { return s.schema }

// Profile returns what was seen at the start of the first input.
func (s *Source) Profile() *Profile { return s.profile }

// Role names the columns that were chosen: id, code, count, time, text.
func (s *Source) Role(role string) string {
	c := map[string]int{
		"id": s.plan.id, "code": s.plan.code, "count": s.plan.count,
		"time": s.plan.time, "text": s.plan.text, "version": s.plan.version,
	}
	if i, ok := c[role]; ok && i != none {
		return s.plan.names[i]
	}
	return ""
}

// Features returns the names of the columns of features, for lists and wide
// tables.
func (s *Source) Features() []string {
	var out []string
	for _, f := range s.plan.features {
		out = append(out, f.name)
	}
	return out
}

// schema numbers the features that are known in advance.
func (pl *plan) schema() *record.Schema {
	sc := &record.Schema{Format: string(pl.shape), Kind: pl.kind, Dict: record.NewDict(), Decimal: pl.dialect.decimal}
	for _, c := range pl.side {
		sc.Side = append(sc.Side, pl.names[c])
	}
	if pl.timed() {
		sc.Side = append(sc.Side, record.StepTimes)
	}
	switch name := pl.codeName(); {
	case otherSystem.MatchString(name):
		sc.System = strings.ToLower(name)
	case pl.version != none:
		sc.System = "icd"
	}
	if pl.guessed && (pl.shape == Real || pl.shape == Counts) {
		sc.Looks = map[string]record.Kind{}
		for _, f := range pl.features {
			sc.Looks[pl.names[f.column]] = f.looks
		}
	}
	columns := pl.kind == record.Real || pl.kind == record.Mixed || pl.kind == record.Categorical
	for i := range pl.features {
		f := &pl.features[i]
		f.name = pl.names[f.column]
		switch {
		case pl.shape == List || pl.steps && pl.perStep == 0:
			continue
		case f.kind != record.Categorical:
			f.number = sc.Dict.Add(f.name)
		}
		if columns {
			f.shown = len(sc.Columns)
			sc.Columns = append(sc.Columns, record.Column{Name: f.name, Kind: f.kind, Feature: f.number})
		}
	}
	pl.static = sc.Dict.Len()
	if pl.shape == Digits {
		pl.static = pl.addDigits(sc.Dict)
	}
	if pl.steps && pl.perStep == 0 {
		sc.Columns = []record.Column{{Name: pl.stateName(), Kind: record.Categorical}}
	}
	return sc
}

// codeName is the name of the column of codes, of the first one of a list.
func (pl *plan) codeName() string {
	switch {
	case pl.code != none:
		return pl.names[pl.code]
	case pl.shape == List && len(pl.features) > 0:
		return pl.names[pl.features[0].column]
	}
	return ""
}

// ofPatients reports that the names of the columns speak of patients, that of the ids or
// those of the codes, or that the codes are those of medicine. Names alone are enough, so
// that a list with codes of the house's own is kept as closed as any other.
func (pl *plan) ofPatients() bool {
	named := func(c int, name *pattern.Pattern) bool { return c != none && name.MatchString(pl.names[c]) }
	if pl.medical || named(pl.id, patientName) || named(pl.person, patientName) || named(pl.code, diagnosisName) {
		return true
	}
	return pl.shape == List && slices.ContainsFunc(pl.features, func(f feature) bool { return named(f.column, diagnosisName) })
}

func (pl *plan) stateName() string {
	if pl.code != none {
		return pl.names[pl.code]
	}
	return "state"
}

// digitsPlan is for lines of digits: a feature a place.
func digitsPlan(p *Profile, o Options) (*plan, error) {
	if len(p.first) != 1 {
		return nil, errors.New("lines of digits have no separators; is this a table of counts?")
	}
	width := len(p.first[0])
	if len(o.Names) > 0 && len(o.Names) != width {
		return nil, fmt.Errorf("%d names for %d digits a line", len(o.Names), width)
	}
	pl := &plan{
		shape: Digits, kind: record.Counts, names: o.Names, dialect: dialect{sep: ',', decimal: '.', noQuotes: true},
		id: none, code: none, count: none, time: none, version: none, text: none, freq: none, person: none, static: width,
	}
	if len(pl.names) == 0 {
		for i := range width {
			pl.names = append(pl.names, strconv.Itoa(i+1))
		}
	}
	return pl, nil
}

func (pl *plan) addDigits(d *record.Dict) int {
	for _, n := range pl.names {
		d.Add(n)
	}
	return d.Len()
}

// Read hands the records over in input order; rows of one id come together
// where the id appeared first.
func (s *Source) Read(ctx context.Context, yield func(*record.Batch) error) error {
	n, who := 0, newPeople(s.plan)
	count := func(b *record.Batch) error {
		n += b.N()
		if who != nil {
			who.add(b)
		}
		return yield(b)
	}
	var err error
	if s.plan.group {
		err = s.readGrouped(ctx, count)
	} else {
		err = s.readRows(ctx, count)
	}
	s.finish()
	s.noteAsides()
	if err == nil {
		s.notePeople(who, n)
	}
	switch {
	case err != nil:
		return err
	case n == 0 && s.problems.Skipped > 0:
		return fmt.Errorf("%s: no valid line, the first of %d malformed ones: %w", s.inputs[0].Name, s.problems.Skipped, s.problems.First[0])
	case n == 0:
		return fmt.Errorf("%s: there is no row below the header: %w", s.inputs[0].Name, source.ErrEmpty)
	}
	return nil
}

// lines words a number of lines that were left out.
func lines(n int) string {
	if n == 1 {
		return "1 line was"
	}
	return record.Thousands(n) + " lines were"
}

// finish completes the schema of sequences.
func (s *Source) finish() {
	if !s.plan.steps || s.plan.perStep > 0 {
		return
	}
	if s.several.Load() {
		s.schema.Kind, s.schema.Columns = record.Presence, nil
		return
	}
	levels := make([]uint32, s.schema.Dict.Len())
	for i := range levels {
		levels[i] = uint32(i)
	}
	s.schema.Columns[0].Levels = levels
}

// noteAsides says which lines were left out because they are no records, and
// which rows were short.
func (s *Source) noteAsides() {
	for why, n := range s.asides {
		if n > 0 {
			s.problems.Aside("left out: %s", record.Several(n, asideWords[why][0], asideWords[why][1]))
			if aside(why) != isComment && aside(why) != isRemark {
				s.problems.LeaveOut(asideWords[why][1], n)
			}
		}
	}
	if s.lacking > 0 {
		s.problems.Aside("%s fewer fields than the header; the last cells are missing", record.Several(s.lacking, "row has", "rows have"))
	}
	s.asides, s.lacking = [asides]int{}, 0
}
