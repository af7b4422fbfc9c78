package delimited

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/moiety-go/moiety/internal/pattern"
	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/record"
)

var kinds = map[Shape]record.Kind{
	Binary: record.Presence, Counts: record.Counts, Real: record.Real,
	Categorical: record.Categorical, Mixed: record.Mixed, Genotypes: record.Counts,
}

// planWide is for tables with one column a feature.
func (pl *plan) planWide(p *Profile, o Options) error {
	pl.kind, pl.guessed = kinds[o.Shape], o.Guessed
	o.Group = false // a row is a record
	if o.Like != nil && p.Knows(o.Like) {
		pl.guessed = true
		pl.planLike(p, o)
		pl.pickRecordID(p, o)
		return nil
	}
	pl.pickRecordID(p, o)
	columns, chosen, err := pl.wideColumns(p, o)
	if err != nil {
		return err
	}
	judged := p.judge()
	for _, i := range columns {
		c := &p.Columns[i]
		f, why := pl.feature(c, judged[i], o)
		if o.Guessed && why == "" && f.kind == record.Real && c.Distinct >= 5 && c.evidence(o) > sureCodes {
			why = "its values are codes; say which column is the patient and which the code with --format long --id COLUMN --code " + quotedName(c.Name)
		}
		if why != "" && !chosen && !(o.Strict && ofCells(o.Shape)) {
			if o.Guessed {
				pl.note("column %s is kept beside the features: %s", c.Name, why)
			} else {
				pl.note("column %q does not fit a table of kind %s; it is kept as a side column", c.Name, o.Shape)
			}
			continue
		}
		f.column = i
		pl.features = append(pl.features, f)
	}
	if len(pl.features) == 0 {
		return noFeatures(p, o.Shape, o.Guessed)
	}
	pl.rowsOfPeople(p, o)
	pl.noteOwners(p, o)
	pl.noteScales(p)
	pl.noteMarks(p)
	pl.noteMissing(p)
	return nil
}

// quotedName puts a name with blanks in quotes.
func quotedName(name string) string {
	if strings.ContainsAny(name, " ;'") {
		return strconv.Quote(name)
	}
	return name
}

// unfit is an error of data that can be opened and hold nothing to learn from.
type unfit string

func (u unfit) Error() string { return string(u) }

// Is makes it an error of data that cannot be read.
func (unfit) Is(target error) bool { return target == source.ErrUnfit }

// noFeatures says that no column can be fitted.
func noFeatures(p *Profile, shape Shape, guessed bool) error {
	if !guessed {
		return unfit(fmt.Sprintf("no column fits a table of kind %s; the columns are: %s", shape, p.names()))
	}
	numbers, labels, empty := false, "", ""
	for i := range p.Columns {
		c := &p.Columns[i]
		numbers = numbers || c.Rows > 0 && c.Numbers == c.Rows
		if c.Rows == 0 && p.Rows > 0 {
			empty += ", " + c.Name
		}
		if labelName.MatchString(c.Name) && c.Distinct <= 100 && c.Distinct < c.Rows {
			labels += ", " + c.Name
		}
	}
	what, end := "every row differs and no column repeats a value or holds numbers", "; the columns are: "+p.names()
	switch {
	case labels != "":
		what = "the only columns that repeat a value are named like labels, which never enter a fit by themselves (" + labels[2:] + "); take them in with ‹columns›"
	case numbers:
		what = "every row differs: whole numbers that are all different are taken for ids, and no other column repeats a value; name those that are measurements with ‹columns›"
	}
	if empty != "" {
		end = "; these are empty: " + empty[2:] + end
	}
	return unfit(what + end)
}

// feature decides about one column in a table of the shape, and says why it
// does not fit.
func (pl *plan) feature(c *Column, k kind, o Options) (feature, string) {
	f := feature{looks: k.kind, marks: k.marks, unit: k.unit, ticked: k.ticked && o.Shape != Genotypes} // one copy or unknown
	if c.isDeclared() && (o.Guessed || o.Shape == Mixed) {
		f.kind = k.kind
		return f, k.why
	}
	if o.Shape == Mixed || o.Guessed && o.Shape != Categorical {
		f.kind = k.kind
		if !k.fits {
			return f, k.why
		}
		switch { // the whole table is of one kind
		case o.Shape == Counts && c.Whole+c.negatives >= c.Numbers, o.Shape == Genotypes:
			f.kind = record.Counts
		case o.Shape == Real:
			f.kind = record.Real
		}
		return f, ""
	}
	kind, ok := columnKind(c, o.Shape)
	f.kind = kind
	switch {
	case o.Guessed && !k.fits: // dates are no answers
		return f, k.why
	case !ok:
		return f, c.tooMany()
	}
	return f, ""
}

// noteMissing says where values are missing, and makes a table of counts or
// measurements one of columns that are fitted each on what there is.
func (pl *plan) noteMissing(p *Profile) {
	var names, boxes []string
	odd, most, example := 0, 0, ""
	for _, f := range pl.features {
		c, k := &p.Columns[f.column], p.judge()[f.column]
		if f.ticked {
			boxes = append(boxes, c.Name)
			continue
		}
		n := c.Missing + k.odd
		for text := range f.marks {
			if v := c.value(text); v != nil {
				n += v.n
			}
		}
		if n > 0 {
			names = append(names, c.Name)
			most = max(most, n)
		}
		if k.odd > 0 && f.kind != record.Categorical && pl.guessed {
			if odd += k.odd; example == "" {
				example = fmt.Sprintf("column %s, such as %.60q", c.Name, c.others()[0])
			}
		}
		pl.noteNumbers(c, f)
	}
	if len(boxes) > 0 {
		pl.note("%s hold a mark or nothing, which are read as yes and no", someOf(boxes, 5, len(pl.features)))
	}
	if odd > 0 {
		pl.aside("%s read as missing: %s", record.Several(odd, "cell is no number and is", "cells are no numbers and are"), example)
	}
	if len(names) == 0 {
		return
	}
	if pl.kind == record.Counts && pl.shape != Genotypes || pl.kind == record.Real {
		pl.kind = record.Mixed
	}
	pl.missing = true
	if len(names) == 1 {
		pl.note("%s is missing in %s of %s records", names[0], record.Thousands(most), record.Thousands(p.Rows))
		return
	}
	pl.note("values are missing in %s, at most in %s of %s records; what is there is used", someOf(names, 5, len(pl.features)), record.Thousands(most), record.Thousands(p.Rows))
}

// noteNumbers says how numbers were read that are not plain.
func (pl *plan) noteNumbers(c *Column, f feature) {
	if f.kind == record.Categorical {
		return
	}
	example := func(bit uint16) string {
		best := ""
		for text, v := range c.sample {
			if v.has(bit) == 1 && (best == "" || text < best) {
				best = text
			}
		}
		return best
	}
	if c.limits > 0 {
		text := example(isLimit)
		pl.aside("column %s: %s", c.Name, record.Several(c.limits, "cell, "+text+", lies beyond a limit and is read as the limit", "cells such as "+text+" lie beyond a limit and are read as the limit"))
	}
	if text := example(isSigned); text != "" {
		x, _, _ := anyNumber([]byte(text), pl.dialect.decimal)
		pl.note("column %s: %s is %v", c.Name, text, x)
	}
	if c.percents > 0 {
		text := example(isPercent)
		x, _, _ := anyNumber([]byte(text), pl.dialect.decimal)
		pl.note("column %s: %s is %v", c.Name, text, x)
	}
	if c.measured() && f.unit {
		text := example(isUnit)
		x, _, _ := cutUnit([]byte(text), pl.dialect.decimal)
		pl.note("column %s: %s is %v", c.Name, text, x)
	}
	if c.money > 0 {
		text := example(isMoney)
		x, _, _ := anyNumber([]byte(text), pl.dialect.decimal)
		pl.note("column %s: %s is %s", c.Name, text, strconv.FormatFloat(x, 'f', -1, 64))
	} else if c.thousands > 0 {
		text := example(isThousands)
		x, _, _ := anyNumber([]byte(text), pl.dialect.decimal)
		pl.note("column %s: %s is %s", c.Name, text, strconv.FormatFloat(x, 'f', -1, 64))
	}
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
	label := none
	if len(o.Label) == 0 {
		label = p.label(pl)
	}
	for i := range p.Columns {
		named := len(o.Label) == 0 && labelName.MatchString(p.Columns[i].Name) && p.Columns[i].Distinct <= 100 && !p.coordinate(i)
		if !pl.taken(i) && i != pl.time && !labels[i] && !named && i != label {
			columns = append(columns, i)
		}
	}
	if o.Freq == "" {
		columns = pl.asideFrequencies(p, columns)
	}
	if label != none && !labelName.MatchString(p.Columns[label].Name) {
		pl.note("column %s names groups (%s) and is kept beside the features; --columns takes it in", p.Columns[label].Name, p.Columns[label].some(3))
	}
	return columns, false, nil
}

// freqName names columns that say how often a pattern was seen.
var freqName = pattern.New(`(?i)^(freq(uency|uencies|s)?|counts?|n|cnt|n_?obs|frecuencia|häufigkeit|haeufigkeit|anzahl|effectifs?|frequenza)$`)

// asideFrequencies keeps a column out of the features that says how many records
// every row of answers stands for: it is no answer, and nobody may cluster it.
func (pl *plan) asideFrequencies(p *Profile, columns []int) []int {
	at, judged := none, p.judge()
	for _, i := range columns {
		c := &p.Columns[i]
		switch {
		case freqName.MatchString(c.Name) && c.all(c.Whole) && c.most > 1 && at == none:
			at = i
		case judged[i].fits && judged[i].kind != record.Categorical && judged[i].kind != record.Presence:
			return columns
		}
	}
	if at == none || len(columns) < 3 {
		return columns
	}
	name := p.Columns[at].Name
	pl.note("column %s looks like a number of records for each row: --freq %s counts them so; it is kept beside the features", name, quotedName(name))
	return slices.DeleteFunc(columns, func(i int) bool { return i == at })
}

// columnKind says what a column is in a table of that shape, and whether it
// fits: at least half of its cells are of the kind. The others then contradict
// the shape that was asked for.
func columnKind(c *Column, shape Shape) (record.Kind, bool) {
	const fits = 0.5
	switch shape {
	case Binary:
		return record.Presence, c.Rows == 0 || c.share(c.Binary) >= fits
	case Counts, Genotypes:
		return record.Counts, c.Rows == 0 || c.share(c.Whole) >= fits
	case Real:
		return record.Real, c.Rows == 0 || c.share(c.Numbers) >= fits || c.measured()
	default:
		return record.Categorical, c.Rows > 0 && c.levels()
	}
}

// levels reports whether the values can be the answers to one question: there
// are few of them, or they come again and again.
func (c *Column) levels() bool {
	return !c.words() && !c.full && (c.Distinct <= 20 && (c.Distinct < c.Rows || c.Rows <= 20) || c.Distinct <= 200 && c.Distinct*5 <= c.Rows)
}

// tooMany says why values are not the answers to one question.
func (c *Column) tooMany() string {
	if c.Rows < 2*c.Distinct {
		return "its values hardly repeat"
	}
	return fmt.Sprintf("it has %d different values, too many for one question", c.Distinct)
}

// timeColumn matches names that are points in time: t1, month 3, Jul.93, 1998.
var timeColumn = pattern.New(`(?i)^((t|time|month|week|day|year|wave|visit|state|s|m|w|y|d)[_ .]?\d+|(19|20)\d\d|` +
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
	if pl.time == none && pl.pick(p, timeName, nil) == none {
		if i, sign := pl.symbolList(p, o); i != none {
			return pl.listSequences(p, o, i, sign)
		}
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
		if c := &p.Columns[0]; pl.time == 0 || c.Distinct <= 2 && c.Rows > 4 {
			return record.NoColumn("whose steps these are is not clear: name the column of ids with ‹id›; the columns are: %s", p.names())
		}
		pl.id = 0
	}
	if pl.time == none {
		pl.time = pl.pick(p, timeName, nil)
	}
	if pl.time != none {
		c := &p.Columns[pl.time]
		pl.dated = c.Numbers < c.Rows/2
	}
	if pl.code == none && len(o.Columns) == 0 {
		pl.code = firstOf(pl.pick(p, codeName, nil), pl.symbolColumn(p, o))
		if pl.code != none && !codeName.MatchString(p.Columns[pl.code].Name) && !p.changes(pl) {
			pl.code = none // what never changes is no state
		}
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
		if c := &p.Columns[i]; chosen || c.share(c.Numbers) >= 0.98 {
			pl.features = append(pl.features, feature{column: i, kind: record.Real})
		}
	}
	if len(pl.features) == 0 {
		return fmt.Errorf("no column of symbols or numbers for the steps, name it with ‹code›; the columns are: %s", p.names())
	}
	pl.perStep = len(pl.features)
	return nil
}
