package delimited

import "github.com/moiety-go/moiety/record"

// Like is how the columns of an earlier table were read.
type Like struct {
	Shape Shape
	Kinds map[string]record.Kind // of the columns that were features, by name
}

// Kind is what the features of a wide shape are.
func (s Shape) Kind() record.Kind { return kinds[s] }

// Knows reports that a table has a column of the earlier one.
func (p *Profile) Knows(l *Like) bool {
	for _, c := range p.Columns {
		if _, ok := l.Kinds[c.Name]; ok {
			return true
		}
	}
	return false
}

// planLike takes the columns that the earlier table had, as it had them. A cell
// that does not fit is missing.
func (pl *plan) planLike(p *Profile, o Options) {
	judged := p.judge()
	var odd []string
	for i := range p.Columns {
		c := &p.Columns[i]
		kind, ok := o.Like.Kinds[c.Name]
		if !ok {
			continue
		}
		box := kind == record.Presence && (judged[i].ticked || c.Rows == 0 && boxes(judged))
		pl.features = append(pl.features, feature{column: i, kind: kind, marks: judged[i].marks, unit: judged[i].unit, ticked: box})
		if n := c.unfit(kind); n > 0 && !box {
			odd = append(odd, c.Name)
		}
	}
	if len(odd) > 0 {
		pl.aside("values that do not fit %s are read as missing", someOf(odd, 5, len(pl.features)))
	}
}

// unfit counts the cells that are not of a kind.
func (c *Column) unfit(kind record.Kind) int {
	switch kind {
	case record.Presence:
		return c.Rows - c.Binary
	case record.Counts:
		return c.Rows - c.Whole
	case record.Real:
		if c.measured() {
			return c.Rows - c.Numbers - c.united
		}
		return c.Rows - c.Numbers
	}
	return 0
}
