package delimited

import (
	"bytes"
	"cmp"
	"slices"
	"sort"
	"strings"

	"github.com/moiety-go/moiety/record"
)

// cellSigns part several codes in one cell.
const cellSigns = ",;|"

// codeSigns part several codes in one cell: no code has a blank inside.
const codeSigns = cellSigns + " "

// splitCell parts a cell that holds several codes.
func splitCell(text, signs string) []string {
	if !strings.ContainsAny(text, signs) {
		return []string{text}
	}
	var out []string
	for _, part := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(signs, r) }) {
		if part = strings.TrimSpace(part); part != "" {
			out = append(out, part)
		}
	}
	return out
}

// planCells looks how codes stand in the cells of the columns: with a decimal
// comma, or several in one cell.
func (pl *plan) planCells(p *Profile, o Options, columns ...int) {
	var whole, parts, dotted, heads, tails []string
	signs, example, comma := 0, "", ""
	for _, i := range columns {
		if i == none {
			continue
		}
		for _, text := range p.Columns[i].ordered() {
			whole = append(whole, text)
			dotted = append(dotted, strings.Replace(text, ",", ".", 1))
			heads = append(heads, headOf(text))
			split := splitCell(text, codeSigns)
			parts = append(parts, split...)
			if len(split) > 1 {
				tails = append(tails, split[1:]...)
				signs++
				example = cmp.Or(example, text)
			}
			if decimalComma([]byte(text)) {
				comma = cmp.Or(comma, text)
			}
		}
	}
	if signs == 0 || pl.split {
		return
	}
	asOne, asComma, asParts := o.evidence(whole), o.evidence(dotted), o.evidence(parts)
	switch asHead := o.evidence(unique(heads)); {
	case asHead > max(0, asOne, asComma, asParts) && o.evidence(unique(tails)) < 0:
		pl.headed = true
		pl.note("cells hold more than a code (%s): the code, %s, is read", example, headOf(example))
	case comma != "" && (asComma > asOne && asComma >= asParts || o.Coded == nil && allCommas(whole)):
		pl.comma = true
		pl.note("codes have a decimal comma (%s): read as %s", comma, strings.Replace(comma, ",", ".", 1))
	case asParts > asOne && asParts > 0, o.Coded == nil && shortParts(parts):
		pl.split, pl.signs = true, codeSigns
		pl.note("cells hold several codes (%s): read one by one", example)
	default:
		pl.planNames(p, columns, example)
	}
}

// headOf returns what stands before the first blank: the code of a cell such as
// "I10.90 G" or "I10.90 hypertension".
func headOf(text string) string {
	head, _, _ := strings.Cut(text, " ")
	return strings.TrimRight(head, ":;,")
}

// unique returns texts in order, each once.
func unique(texts []string) []string {
	sort.Strings(texts)
	return slices.Compact(texts)
}

// planNames parts cells that are lists of names where a row is a record of its own: in
// a table with a row for each name, "Milk, whole" is one.
func (pl *plan) planNames(p *Profile, columns []int, example string) {
	if len(columns) != 1 || pl.id == none || !p.Columns[pl.id].Unique() || pl.count != none {
		return
	}
	if how := partingOf(p.column(columns[0])); how.sign != "" {
		pl.part(how)
		pl.note("cells hold several %s (%s): read one by one", how.names(), example)
	}
}

// part has cells parted in a way.
func (pl *plan) part(how parting) {
	pl.split, pl.signs, pl.counted = true, how.sign, how.counted
	if how.counted {
		pl.kind = record.Counts
	}
}

// ordered returns different values of a column in order, a few hundred of them. It is asked
// when all values were counted.
func (c *Column) ordered() []string {
	if c.inOrder != nil {
		return c.inOrder
	}
	texts := make([]string, 0, len(c.sample))
	for text := range c.sample {
		texts = append(texts, text)
	}
	sort.Strings(texts)
	c.inOrder = spread(texts, mostEvidence)
	return c.inOrder
}

// decimalComma reports digits, or a letter and digits, with a comma before the
// last one or two.
func decimalComma(b []byte) bool {
	i := bytes.IndexByte(b, ',')
	if i < 1 || i > 4 || len(b)-i-1 < 1 || len(b)-i-1 > 2 {
		return false
	}
	for j, c := range b {
		if j != i && c-'0' > 9 && !(j == 0 && c|0x20 >= 'a' && c|0x20 <= 'z') {
			return false
		}
	}
	return true
}

// allCommas reports that all values with a comma have it before a decimal.
func allCommas(values []string) bool {
	for _, v := range values {
		if strings.Contains(v, ",") && !decimalComma([]byte(v)) {
			return false
		}
	}
	return true
}

// shortParts reports parts that look like codes: short, with a digit, no blank.
func shortParts(parts []string) bool {
	for _, v := range parts {
		if len(v) > 10 || strings.Contains(v, " ") || !strings.ContainsAny(v, "0123456789") {
			return false
		}
	}
	return true
}

// parted reports cells that are not just a code.
func (pl *plan) parted() bool { return pl.comma || pl.split || pl.headed }

// partSigns part the codes of a cell.
func (pl *plan) partSigns() string { return cmp.Or(pl.signs, cellSigns) }

// eachCode hands the codes of a cell to f one by one, with how often each comes.
func (ps *parser) eachCode(cell []byte, f func(code []byte, n float64)) {
	switch {
	case ps.plan.headed:
		f([]byte(headOf(string(cell))), 1)
	case ps.plan.counted:
		for _, part := range splitCell(string(cell), ps.plan.signs) {
			name, n, _ := countedName(part)
			if code := []byte(name); n > 0 && !missing(code) {
				f(code, n)
			}
		}
	case ps.plan.comma && decimalComma(cell):
		ps.cellBuf = append(ps.cellBuf[:0], cell...)
		ps.cellBuf[bytes.IndexByte(cell, ',')] = '.'
		f(ps.cellBuf, 1)
	case ps.plan.split && bytes.ContainsAny(cell, ps.plan.partSigns()):
		for _, part := range splitCell(string(cell), ps.plan.partSigns()) {
			if code := []byte(part); !missing(code) {
				f(code, 1)
			}
		}
	default:
		f(cell, 1)
	}
}
