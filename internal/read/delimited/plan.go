package delimited

import (
	"fmt"
	"path"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/moiety-go/moiety/record"
)

// none marks a role that no column has.
const none = -1

// plan says what every column is for.
type plan struct {
	shape   Shape
	dialect dialect
	kind    record.Kind
	names   []string

	id, code, count, time, version, text int
	freq                                 int // column of frequencies, beside the features
	person                               int // column that says of whom a row is
	unit                                 string

	features []feature // columns of features of lists and wide tables
	side     []int
	group    bool   // rows of one id make one record
	steps    bool   // records are sequences
	dated    bool   // the times of steps are days, not numbers
	sign     string // between the symbols of a cell that holds all steps of a record
	perStep  int    // numeric sequences: entries of a step; 0: steps end where the time changes
	static   int    // features known before the first row
	notes    []record.Note
	strict   bool   // a row with fewer fields than the table is malformed
	comma    bool   // codes have a decimal comma
	headed   bool   // more than the code stands in a cell
	medical  bool   // the codes are those of medicine, by what they are
	split    bool   // a cell may hold several codes
	signs    string // that part them; "": any of cellSigns
	counted  bool   // a part has a number of times behind it
	guessed  bool   // the kinds of columns were found by looking: see parser.unfit
	missing  bool   // values of features are missing
	at       []int  // where the columns lie in a further file; nil: as in the first
}

// feature is one column of features.
type feature struct {
	column int
	kind   record.Kind
	looks  record.Kind // by itself, whatever the table is
	number uint32      // in the dictionary, for kinds other than Categorical
	shown  int         // place among Schema.Columns
	name   string
	marks  map[string]bool // values that stand for a missing one
	unit   bool            // cells have a unit behind
	ticked bool            // a mark or nothing: nothing means no
}

// isMark reports a value that stands for a missing one.
func (f *feature) isMark(b []byte) bool { return f.marks[string(b)] }

// newPlan is a plan in which no column has a role.
func newPlan() *plan {
	return &plan{id: none, code: none, count: none, time: none, version: none, text: none, freq: none, person: none}
}

// makePlan decides about the columns of p.
func makePlan(p *Profile, o Options) (*plan, error) {
	pl := newPlan()
	pl.shape, pl.dialect = o.Shape, p.dialect()
	for _, c := range p.Columns {
		pl.names = append(pl.names, c.Name)
	}
	if err := pl.given(p, o); err != nil {
		return nil, err
	}
	var err error
	switch o.Shape {
	case Long:
		err = pl.planLong(p, o)
	case List:
		err = pl.planList(p, o)
	case Text:
		err = pl.planText(p, o)
	case Sequences:
		err = pl.planSequences(p, o)
	default:
		err = pl.planWide(p, o)
	}
	if err != nil {
		return nil, err
	}
	pl.planSide()
	pl.noteGuess(p, o)
	if len(p.Repeated) > 0 {
		pl.note("the header has names that come twice (%s); the later ones got a number behind", strings.Join(p.Repeated, ", "))
	}
	return pl, nil
}

// note keeps a remark on how the table is understood.
func (pl *plan) note(format string, args ...any) {
	pl.notes = append(pl.notes, record.Note{Of: record.Understood, Text: fmt.Sprintf(format, args...)})
}

// choice keeps a remark on a reading beside which another is possible.
func (pl *plan) choice(format string, args ...any) {
	pl.notes = append(pl.notes, record.Note{Of: record.Choice, Text: fmt.Sprintf(format, args...)})
}

// aside keeps a remark on cells that are not taken as they stand.
func (pl *plan) aside(format string, args ...any) {
	pl.notes = append(pl.notes, record.Note{Of: record.Aside, Text: fmt.Sprintf(format, args...)})
}

// given resolves the columns that the options name. The code of lists and
// sequences may be a pattern; it is resolved there.
func (pl *plan) given(p *Profile, o Options) error {
	for _, g := range []struct {
		flag, name string
		role       *int
	}{
		{"id", o.ID, &pl.id},
		{"count", o.Count, &pl.count},
		{"time", o.Time, &pl.time},
		{"version", o.Version, &pl.version},
		{"text", o.Text, &pl.text},
		{"freq", o.Freq, &pl.freq},
	} {
		if g.name == "" {
			continue
		}
		i, err := p.find(g.name)
		if err != nil {
			return fmt.Errorf("‹%s›: %w", g.flag, err)
		}
		*g.role = i
	}
	for _, l := range o.Label {
		if _, err := p.find(l); err != nil {
			return fmt.Errorf("‹label›: %w", err)
		}
	}
	if _, err := p.match(o.Columns); err != nil {
		return fmt.Errorf("‹columns›: %w", err)
	}
	return nil
}

// find returns the column of that name: exactly, then without regard to case,
// then as a number from 1.
func (p *Profile) find(name string) (int, error) {
	for i, c := range p.Columns {
		if c.Name == name {
			return i, nil
		}
	}
	for i, c := range p.Columns {
		if strings.EqualFold(c.Name, name) {
			return i, nil
		}
	}
	if n, err := strconv.Atoi(name); err == nil && n >= 1 && n <= len(p.Columns) {
		return n - 1, nil
	}
	return none, record.NoColumn("there is no column %q; the columns are: %s", name, p.names())
}

// match returns the columns of names or patterns, in the order of the table.
func (p *Profile) match(patterns []string) ([]int, error) {
	found := map[int]bool{}
	for _, pattern := range patterns {
		if !strings.ContainsAny(pattern, "*?[") {
			i, err := p.find(pattern)
			if err != nil {
				return nil, err
			}
			found[i] = true
			continue
		}
		any := false
		for i, c := range p.Columns {
			ok, err := path.Match(strings.ToLower(pattern), strings.ToLower(c.Name))
			if err != nil {
				return nil, fmt.Errorf("the pattern %q is not valid: %w", pattern, err)
			}
			if ok {
				found[i], any = true, true
			}
		}
		if !any {
			return nil, record.NoColumn("no column matches %q; the columns are: %s", pattern, p.names())
		}
	}
	return sortedKeys(found), nil
}

func sortedKeys(m map[int]bool) []int {
	keys := make([]int, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Ints(keys)
	return keys
}

// nameOf returns the name of a field of the file at hand.
func (pl *plan) nameOf(field int) string {
	if i := slices.Index(pl.at, field); pl.at != nil && i >= 0 {
		field = i
	}
	if field < len(pl.names) {
		return pl.names[field]
	}
	return ""
}

// taken reports whether the column has a role already.
func (pl *plan) taken(i int) bool {
	return pl.leads(i) || slices.ContainsFunc(pl.features, func(f feature) bool { return f.column == i })
}

// leads reports a column with a role of its own.
func (pl *plan) leads(i int) bool {
	return i == pl.id || i == pl.code || i == pl.count || i == pl.version || i == pl.text
}

// planSide makes side columns of all that is left; the time stays visible as
// one. Names beside the id that only number rows of R are dropped.
func (pl *plan) planSide() {
	has := make([]bool, len(pl.names)) // asked one by one, a wide table would take the square of its columns
	for _, f := range pl.features {
		has[f.column] = true
	}
	for i := range pl.names {
		if !has[i] && !pl.leads(i) {
			pl.side = append(pl.side, i)
		}
	}
}

// labels returns the columns that must not become features.
func (pl *plan) labels(p *Profile, o Options) map[int]bool {
	out := map[int]bool{}
	for _, l := range append(o.Label[:len(o.Label):len(o.Label)], o.Freq) {
		if i, err := p.find(l); err == nil {
			out[i] = true
		}
	}
	return out
}

// remap returns the plan for a file whose columns have another order: column c
// of the plan is column at[c] of the file.
func (pl *plan) remap(at []int) *plan {
	q := *pl
	q.at = at
	move := func(c int) int {
		if c == none {
			return none
		}
		return at[c]
	}
	q.id, q.code, q.count = move(pl.id), move(pl.code), move(pl.count)
	q.time, q.version, q.text = move(pl.time), move(pl.version), move(pl.text)
	q.features = append([]feature(nil), pl.features...)
	for i := range q.features {
		q.features[i].column = move(q.features[i].column)
	}
	q.side = append([]int(nil), pl.side...)
	for i := range q.side {
		q.side[i] = move(q.side[i])
	}
	return &q
}
