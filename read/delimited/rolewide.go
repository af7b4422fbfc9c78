package delimited

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/moiety-go/moiety/record"
)

var kinds = map[Shape]record.Kind{
	Binary: record.Presence, Counts: record.Counts, Real: record.Real,
	Categorical: record.Categorical, Mixed: record.Mixed,
}

// planWide is for tables with one column a feature.
func (pl *plan) planWide(p *Profile, o Options) error {
	pl.kind = kinds[o.Shape]
	o.Group = false // a row is a record
	pl.pickRecordID(p, o)
	columns, chosen, err := pl.wideColumns(p, o)
	if err != nil {
		return err
	}
	for _, i := range columns {
		c := &p.Columns[i]
		kind, ok := columnKind(c, o.Shape)
		if !ok && !chosen && !(o.Strict && ofCells(o.Shape)) {
			pl.note("column %q does not fit a table of kind %s; it is kept as a side column", c.Name, o.Shape)
			continue
		}
		pl.features = append(pl.features, feature{column: i, kind: kind})
	}
	if len(pl.features) == 0 {
		return fmt.Errorf("no column fits a table of kind %s; the columns are: %s", o.Shape, p.names())
	}
	return nil
}

// ofCells reports shapes that say what every cell must be.
func ofCells(s Shape) bool { return s == Real || s == Counts || s == Binary }

// wideColumns returns the columns that may be features, and whether the user
// chose them.
func (pl *plan) wideColumns(p *Profile, o Options) (columns []int, chosen bool, err error) {
	if len(o.Columns) > 0 {
		columns, err = p.match(o.Columns)
		return columns, true, err
	}
	labels := pl.labels(p, o)
	for i := range p.Columns {
		named := len(o.Label) == 0 && labelName.MatchString(p.Columns[i].Name) && p.Columns[i].Distinct <= 100
		if !pl.taken(i) && i != pl.time && !labels[i] && !named {
			columns = append(columns, i)
		}
	}
	return columns, false, nil
}

// columnKind says what a column is in a table of that shape, and whether it
// fits at all.
func columnKind(c *Column, shape Shape) (record.Kind, bool) {
	const fits = 0.9 // the rest are malformed places, reported one by one
	switch shape {
	case Binary:
		return record.Presence, c.Rows == 0 || c.share(c.Binary) >= fits
	case Counts:
		return record.Counts, c.Rows == 0 || c.share(c.Whole) >= fits
	case Real:
		return record.Real, c.Rows == 0 || c.share(c.Numbers) >= fits
	case Categorical:
		return record.Categorical, c.Rows > 0 && c.levels()
	default:
		return c.contentKind()
	}
}

// levels reports whether the values can be the answers to one question: there
// are few of them, or they come again and again.
func (c *Column) levels() bool {
	return !c.words() && (c.Distinct <= 20 && (c.Distinct < c.Rows || c.Rows <= 20) || c.Distinct <= 200 && c.Distinct*5 <= c.Rows)
}

// contentKind decides about a column of a mixed table by what it holds.
func (c *Column) contentKind() (record.Kind, bool) {
	category := regexp.MustCompile(`(?i)(_id|type|code|class|zip|category)$`)
	switch {
	case c.Rows == 0:
		return 0, false
	case c.mostly(c.Binary):
		return record.Presence, true
	case c.mostly(c.Numbers) && c.Zeroed == 0 && !(category.MatchString(c.Name) && c.levels()):
		if c.mostly(c.Whole) && c.Zeros*20 >= c.Rows {
			return record.Counts, true
		}
		return record.Real, true
	default:
		return record.Categorical, c.levels()
	}
}

// timeColumn matches names that are points in time: t1, month 3, Jul.93, 1998.
var timeColumn = regexp.MustCompile(`(?i)^((t|time|month|week|day|year|wave|visit|state|s|m|w|y|d)[_ .]?\d+|(19|20)\d\d|` +
	`(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[_ .-]?(\d\d){1,2}|(19|20)\d\d[-_.]\d\d?)$`)

// timeColumns returns the columns named like points in time that share a small
// set of states.
func timeColumns(p *Profile) []int {
	var columns []int
	states := map[string]bool{}
	for i := range p.Columns {
		c := &p.Columns[i]
		if timeColumn.MatchString(c.Name) && c.Rows > 0 && c.Distinct <= 60 {
			columns = append(columns, i)
			for s := range c.sample {
				states[s] = true
			}
		}
	}
	if len(columns) < 3 || len(states) > 60 || len(states) < 2 {
		return nil
	}
	return columns
}

func (pl *plan) planSequences(p *Profile, o Options) error {
	pl.steps = true
	var columns []int
	if o.Time == "" {
		columns = timeColumns(p)
	}
	if len(o.Columns) > 0 && o.Time == "" || strings.ContainsAny(o.Code, "*?[,") {
		var err error
		if columns, err = p.match(append(splitList(o.Code), o.Columns...)); err != nil {
			return err
		}
	}
	if len(columns) > 0 {
		return pl.wideSequences(p, o, columns)
	}
	return pl.longSequences(p, o)
}

func splitList(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(s, ",")
}

// wideSequences has one row a record and one column a step.
func (pl *plan) wideSequences(p *Profile, o Options, columns []int) error {
	pl.kind = record.Categorical
	for _, i := range columns {
		if i != pl.id {
			pl.features = append(pl.features, feature{column: i, kind: record.Categorical})
		}
	}
	o.Group = false // a row is a record
	pl.pickRecordID(p, o)
	return nil
}

// longSequences has one row a step: a symbol, or numbers.
func (pl *plan) longSequences(p *Profile, o Options) error {
	pl.group = true
	if err := pl.pickCode(p, o); err != nil {
		return err
	}
	if pl.id == none {
		pl.id = pl.ownerID(p, o)
	}
	if pl.id == none {
		pl.id = 0
	}
	if pl.time == none {
		pl.time = pl.pick(p, timeName, nil)
	}
	if pl.code == none && len(o.Columns) == 0 {
		pl.code = firstOf(pl.pick(p, codeName, nil), pl.symbolColumn(p, o))
	}
	if pl.code != none {
		pl.kind = record.Categorical
		return pl.distinctRoles(p)
	}
	return pl.numericSequences(p, o)
}

// symbolColumn is the first free column that holds no numbers.
func (pl *plan) symbolColumn(p *Profile, o Options) int {
	labels := pl.labels(p, o)
	for i := range p.Columns {
		c := &p.Columns[i]
		if !pl.taken(i) && i != pl.time && !labels[i] && c.Rows > 0 && c.Numbers < c.Rows/2 && c.levels() {
			return i
		}
	}
	return none
}

func (pl *plan) numericSequences(p *Profile, o Options) error {
	pl.kind = record.Real
	columns, chosen, err := pl.wideColumns(p, o)
	if err != nil {
		return err
	}
	for _, i := range columns {
		if c := &p.Columns[i]; chosen || c.mostly(c.Numbers) {
			pl.features = append(pl.features, feature{column: i, kind: record.Real})
		}
	}
	if len(pl.features) == 0 {
		return fmt.Errorf("no column of symbols or numbers for the steps, name it with --code; the columns are: %s", p.names())
	}
	pl.perStep = len(pl.features)
	return nil
}
