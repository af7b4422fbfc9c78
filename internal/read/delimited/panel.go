package delimited

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/moiety-go/moiety/internal/pattern"
	"github.com/moiety-go/moiety/record"
)

// stateNames are the names of columns of states that somebody is in at a time.
var stateNames = pattern.New(`(?i)^(states?|status|stage|phase|symbol|activity|situation|estado|zustand|[eé]tat|stato|aktivit(ä|ae)t)$`)

// Bounds of states: what somebody is in at a time has few values, and a way of
// fewer than three steps shows no change.
const (
	mostStates  = 20
	fewestSteps = 3
)

// panel recognises a state of everybody at every time, one row each: id, time
// and state, no person twice at a time. Times of purchases or diagnoses, of
// which several may come at once or none, are no panel.
func (p *Profile) panel(o Options) (string, bool) {
	if len(p.Columns) < 3 || len(p.Columns) > 12 || o.Count != "" || o.Unit == "row" || !p.Header && o.Time == "" {
		return "", false
	}
	pl := newPlan()
	if pl.given(p, o) != nil || pl.pickCode(p, o) != nil {
		return "", false
	}
	if pl.time == none {
		pl.time = pl.pick(p, timeName, nil)
	}
	if pl.id == none {
		pl.id = pl.ownerID(p, o)
	}
	if pl.id == none || pl.time == none || pl.pick(p, countName, (*Column).countable) != none {
		return "", false
	}
	if pl.code == none {
		pl.code = firstOf(pl.pick(p, stateNames, nil), pl.symbolColumn(p, o))
	}
	if pl.code == none || o.Code == "" && !p.changes(pl) {
		return p.measuredPanel(pl, o)
	}
	id, code, time := &p.Columns[pl.id], &p.Columns[pl.code], &p.Columns[pl.time]
	if !id.Repeats() || p.Rows < fewestSteps*id.Distinct || code.full || code.Distinct < 2 || code.Distinct > mostStates ||
		code.Distinct >= 5 && code.evidence(o) > sureCodes || !p.oneAtATime(pl) {
		return "", false
	}
	balanced := !time.full && !id.full && time.Distinct >= fewestSteps && abs(p.Rows-time.Distinct*id.Distinct)*50 <= p.Rows
	if !stateNames.MatchString(code.Name) && !balanced {
		return "", false
	}
	return fmt.Sprintf("looks like sequences: column %s is the state of each %s at each %s; as a set for each: --format long", code.Name, id.Name, time.Name), true
}

// changes reports that the code of somebody is not always the same in the first
// rows: sex is no state.
func (p *Profile) changes(pl *plan) bool {
	first := map[string]string{}
	for _, row := range p.top {
		if len(row) <= max(pl.id, pl.code) || missing([]byte(row[pl.code])) {
			continue
		}
		if was, ok := first[row[pl.id]]; ok && was != row[pl.code] {
			return true
		}
		first[row[pl.id]] = row[pl.code]
	}
	return false
}

// measuredPanel recognises measurements of everybody at the same times, one row
// each: they belong together, and the time is none of them.
func (p *Profile) measuredPanel(pl *plan, o Options) (string, bool) {
	id, time := &p.Columns[pl.id], &p.Columns[pl.time]
	if len(o.Columns) > 0 || o.Code != "" || id.full || time.full || !id.Repeats() || time.Distinct < fewestSteps || id.Distinct < fewestSteps ||
		abs(p.Rows-time.Distinct*id.Distinct)*20 > p.Rows || !p.oneAtATime(pl) {
		return "", false
	}
	numbers := 0
	for i := range p.Columns {
		c := &p.Columns[i]
		if i != pl.id && i != pl.time && c.Rows > 0 && c.share(c.Numbers) >= 0.98 && c.Distinct > fewLevels {
			numbers++
		}
	}
	if numbers == 0 {
		return "", false
	}
	return fmt.Sprintf("looks like sequences: %s of each %s at each %s; as a record a row: --format mixed",
		record.Several(numbers, "measurement", "measurements"), id.Name, time.Name), true
}

// oneAtATime reports that in the first rows nobody comes twice at a time, and
// that the times can be put in order.
func (p *Profile) oneAtATime(pl *plan) bool {
	seen := map[[2]string]bool{}
	for _, row := range p.top {
		if len(row) <= max(pl.id, pl.time) {
			continue
		}
		at := [2]string{row[pl.id], row[pl.time]}
		if _, ok := timeKey([]byte(at[1]), p.Decimal); !ok || seen[at] {
			return false
		}
		seen[at] = true
	}
	return len(seen) > 0
}

func abs(n int) int { return max(n, -n) }

// listSigns part the symbols of a cell, the rarest in a symbol first.
var listSigns = []string{">", "→", "|", ";", ",", "-", " "}

// symbolSign returns the sign that parts the cells of a column into symbols of
// which there are few and which come again: a way on one line.
func symbolSign(cells []string) string {
	for _, sign := range listSigns {
		parted := 0
		for _, cell := range cells {
			if (sign == " " || strings.Contains(cell, sign)) && len(splitSymbols(cell, sign)) > 1 {
				parted++
			}
		}
		if 2*parted < max(len(cells), 1) {
			continue // most tables have many columns and no way: nothing is kept for them
		}
		parts, symbols := 0, map[string]bool{}
		for _, cell := range cells {
			list := splitSymbols(cell, sign)
			parts += len(list)
			for _, s := range list {
				symbols[s] = true
			}
		}
		if len(symbols) >= 2 && len(symbols) <= 60 && 2*len(symbols) <= parts {
			return sign
		}
	}
	return ""
}

// splitSymbols parts a cell; what is missing in between stays a step.
func splitSymbols(cell, sign string) []string {
	switch {
	case sign == " ":
		return strings.Fields(cell)
	case strings.TrimSpace(cell) == sign: // a dash alone parts nothing
		return []string{sign}
	}
	list := strings.Split(cell, sign)
	for i := range list {
		list[i] = strings.TrimSpace(list[i])
	}
	return list
}

// column returns the cells of column i in the first rows.
func (p *Profile) column(i int) []string {
	var cells []string
	for _, row := range p.top {
		if i < len(row) && !missing([]byte(row[i])) {
			cells = append(cells, row[i])
		}
	}
	return cells
}

// symbolList returns the column of which every cell is a list of symbols, and
// the sign between them: the one that is named, or the first.
func (pl *plan) symbolList(p *Profile, o Options) (column int, sign string) {
	labels := pl.labels(p, o)
	for i := range p.Columns {
		c := &p.Columns[i]
		if i == pl.id || i == pl.time || labels[i] || o.Code != "" && !strings.EqualFold(c.Name, o.Code) {
			continue
		}
		if sign := symbolSign(p.column(i)); sign != "" && c.Rows > 0 && 2*c.Numbers < c.Rows {
			return i, sign
		}
	}
	return none, ""
}

// Ways recognises lines or cells that are lists of short symbols, such as
// E-E-U-U: at most twelve of them, most of which come again on their line.
func (p *Profile) Ways(o Options) (string, bool) {
	pl := newPlan()
	if pl.given(p, o) != nil {
		return "", false
	}
	i, sign := pl.symbolList(p, o)
	if i == none {
		return "", false
	}
	const short, most, least = 2, 12, 20
	symbols, again, cells := map[string]bool{}, 0, p.column(i)
	for _, cell := range cells {
		list, own := splitSymbols(cell, sign), map[string]bool{}
		for _, s := range list {
			if utf8.RuneCountInString(s) > short || strings.Trim(s, "0123456789.") == "" && s != "" {
				return "", false
			}
			own[s], symbols[s] = true, true
		}
		if len(list) > len(own) {
			again++
		}
	}
	if len(symbols) > most || len(cells) < least || 2*again < len(cells) {
		return "", false
	}
	return fmt.Sprintf("looks like sequences: lists of %d symbols in column %s", len(symbols), p.Columns[i].Name), true
}

// AreLists reports that the first lines are lists of symbols, the first one too:
// it is no header.
func (p *Profile) AreLists() bool {
	cells := p.column(0)
	sign := symbolSign(cells)
	return sign != "" && len(splitSymbols(cells[0], sign)) > 1
}

// listSequences has one row a record and all its steps in one cell.
func (pl *plan) listSequences(p *Profile, o Options, column int, sign string) error {
	pl.kind, pl.sign = record.Categorical, sign
	pl.features = []feature{{column: column, kind: record.Categorical}}
	o.Group = false // a row is a record
	pl.pickRecordID(p, o)
	if pl.id == column {
		pl.id = none
	}
	return nil
}

// symbolsRow is a row with a list of symbols; steps without one between others
// are not known.
func (ps *parser) symbolsRow() {
	p := ps.part
	if !ps.begin() {
		return
	}
	seen, last := false, len(p.feature)
	cell := string(ps.rows.field(ps.plan.features[0].column))
	if missing([]byte(cell)) {
		cell = ""
	}
	for step, symbol := range splitSymbols(cell, ps.plan.sign) {
		switch there := !missing([]byte(symbol)); {
		case there:
			p.entry(ps.number([]byte(symbol), none), 1)
			seen, last = true, len(p.feature)
		case seen:
			p.entry(hole, 1)
		default:
			continue
		}
		p.key = append(p.key, float64(step))
	}
	p.drop(last)
	ps.end()
}
