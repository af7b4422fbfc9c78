package delimited

import "strings"

// CodesBehindIDs reports a table of two columns without a header, ids and the codes of
// each, and says so.
func (p *Profile) CodesBehindIDs(o Options) (string, bool) {
	if len(p.Columns) != 2 || p.Ragged > 0 || !p.Columns[0].Unique() || p.codeOfRow(o) != 1 {
		return "", false
	}
	return "looks like an id and its codes a line", true
}

// TextsBelow reports lines of text below one word that names them: nothing but the
// word stands in the first line, and every other line has several.
func TextsBelow(lines []string) (name string, ok bool) {
	const enough = 10
	name = strings.TrimSpace(lines[0])
	if len(lines) <= enough || !textName.MatchString(name) {
		return "", false
	}
	for _, l := range lines[1:] {
		if len(strings.Fields(l)) < 2 {
			return "", false
		}
	}
	return name, true
}
