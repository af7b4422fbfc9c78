package delimited

import (
	"fmt"

	"github.com/moiety-go/moiety/internal/pattern"
)

// placeName names columns of what many people are at or in: rows of one of them are no record.
var placeName = pattern.New(`(?i)^((school|schule|escuela|[eé]cole|class(room)?|site|cent(er|re)|hospital|clinic|ward|station|unit|department|dept|household|family|cluster|team|batch|plot|block|` +
	`country|land|pa[ií]s|pays|state|city|town|county|district|province|region|store|shop|branch)([_ .]?(id|nbr|no|num|number|key|code|nr))?)$`)

// Bounds of codes by their owners, where no name tells: fewer values may be the levels of
// an answer, and fewer owners what a table happens to be sorted by.
const (
	fewestCodes  = 20
	fewestOwners = 20
)

// together reports that equal values stand together, most of them on several rows, and number
// or name somebody: no times, years or places.
func (c *Column) together() bool {
	years := c.least >= 1800 && c.most <= 2100
	return c.Repeats() && c.Rows >= 2*c.Distinct && !c.full && c.Runs <= c.Distinct+c.Missing && c.Times == 0 && !c.words() &&
		c.share(c.Codes) >= 0.98 && (c.Numbers == 0 || c.all(c.Whole) && !years) &&
		!timeName.MatchString(c.Name) && !labelName.MatchString(c.Name) && !placeName.MatchString(c.Name) && !countName.MatchString(c.Name)
}

// ownCodes reports words of which there are many, that come again and change from row to row.
func (c *Column) ownCodes() bool {
	return c.Distinct >= fewestCodes && c.Rows >= 2*c.Distinct && 2*c.Runs >= c.Rows && c.Missing*50 <= c.Rows && !labelName.MatchString(c.Name)
}

// owners finds whose codes the rows are where names say nothing: a column whose equal values
// stand together, in front of the only column of words. Beside these there may be dates and
// amounts, and not everybody has every code: that would be a table of answers, row by row.
func (p *Profile) owners() (id, code int) {
	id, code = none, none
	if !p.Header || len(p.Columns) > 5 {
		return none, none
	}
	for i := range p.Columns {
		c := &p.Columns[i]
		switch {
		case id == none && c.together():
			id = i
		case timeName.MatchString(c.Name) || c.share(c.Times) >= 0.9 || c.share(c.Numbers) >= 0.9: // a date or an amount
		case code != none || id == none || c.words() || 2*c.Numbers > c.Rows:
			return none, none
		default:
			code = i
		}
	}
	if id == none || code == none {
		return none, none
	}
	return id, code
}

// ownedCodes are owners and codes beyond doubt.
func (p *Profile) ownedCodes() (id, code int) {
	id, code = p.owners()
	if id == none || p.Columns[id].Distinct < fewestOwners || !p.Columns[code].ownCodes() ||
		2*p.Rows > p.Columns[id].Distinct*p.Columns[code].Distinct {
		return none, none
	}
	return id, code
}

// longByOwners recognises a long table by its owners.
func (p *Profile) longByOwners(pl *plan, o Options) (string, bool) {
	id, code := p.ownedCodes()
	if id == none || pl.id != none && pl.id != id || o.Unit == "row" || o.Code != "" {
		return "", false
	}
	return fmt.Sprintf("looks like a long table: rows of the same %s stand together, and column %s has %s different values; as a record a row: --format mixed",
		p.Columns[id].Name, p.Columns[code].Name, p.distinct(&p.Columns[code])), true
}

// noteOwners says how rows were taken where a table may be a long one: who fits without
// looking would find groups of people's numbers.
func (pl *plan) noteOwners(p *Profile, o Options) {
	id, code := p.owners()
	if !o.Guessed || id == none || !pl.taken(id) || p.Columns[code].Unique() || pl.taken(code) && p.Columns[code].Distinct < fewestCodes {
		return
	}
	who, what, out := p.Columns[id].Name, p.Columns[code].Name, "is one of its answers"
	if !pl.taken(code) {
		out = "is left out"
	}
	pl.aside("each row was taken for a record and %s for one of its numbers; column %s %s. If %s says whose rows they are: --format long --id %s --code %s",
		who, what, out, who, quotedName(who), quotedName(what))
}
