package read

import (
	"context"
	"io"
	"strings"

	"github.com/moiety-go/moiety/internal/pattern"
	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/record"
)

// A long table of measurements has a line for each: whose it is, of what, and how
// much, perhaps in what unit. As the table it was made from, a line a record, it can
// be grouped.
var (
	variableName = pattern.New(`(?i)^"?(variable|var|measure|measurement|parameter|analyte|test|test[ _]?(name|code)|lab([ _]?(test|name|code))?|loinc([ _]?code)?|attribute|key|metric|biomarker|indicator|parámetro|paramètre|messgr(ö|oe)(ß|ss)e)"?$`)
	valueName    = pattern.New(`(?i)^"?(value|val|result|valeur|wert|valor|valore|amount|reading|result[ _]?value|ergebnis|resultado|résultat|risultato)"?$`)
	unitName     = pattern.New(`(?i)^"?(units?|uom|einheit|unidad|unité|unità)"?$`)
)

const (
	leastLines  = 12 // of a long table
	mostVaried  = 500
	measuredOf  = 3 // columns
	leastVaried = 2
)

// isMeasured reports the lines of such a table: three columns by their names, the
// third of numbers, the first and the second repeated.
func isMeasured(lines []string) bool {
	if len(lines) < leastLines {
		return false
	}
	sep := ""
	for _, s := range []string{"\t", ";", ","} {
		if n := strings.Count(lines[0], s); n == measuredOf-1 || n == measuredOf {
			sep = s
			break
		}
	}
	if sep == "" {
		return false
	}
	head := strings.Split(lines[0], sep)
	if len(head) > measuredOf && !unitName.MatchString(strings.TrimSpace(head[measuredOf])) || !variableName.MatchString(strings.TrimSpace(head[1])) || !valueName.MatchString(strings.TrimSpace(head[2])) {
		return false
	}
	ids, names, numbers := map[string]bool{}, map[string]bool{}, 0
	for _, l := range lines[1:] {
		cells := strings.Split(l, sep)
		if len(cells) < measuredOf || len(cells) > len(head)+1 || len(cells) > len(head) && sep != "," {
			return false
		}
		ids[cells[0]], names[cells[1]] = true, true
		if isNumber(strings.Trim(strings.Join(cells[2:max(3, len(cells)-(len(head)-measuredOf))], sep), `" `)) {
			numbers++
		}
	}
	n := len(lines) - 1
	return 10*numbers >= 9*n && 2*len(ids) <= n+1 && len(names) >= leastVaried && 2*len(names) <= n
}

// fewVariables reports a long table that can become a table of columns.
func fewVariables(rows [][]string) bool {
	names := map[string]bool{}
	for _, row := range rows[1:] {
		if len(row) < measuredOf {
			return false
		}
		names[row[1]] = true
	}
	return len(names) <= mostVaried
}

// unitsOf returns the units of each variable, where the table has them.
func unitsOf(rows [][]string) map[string]map[string]bool {
	out := map[string]map[string]bool{}
	for _, row := range rows[1:] {
		if len(row) <= measuredOf {
			return nil
		}
		if out[row[1]] == nil {
			out[row[1]] = map[string]bool{}
		}
		out[row[1]][row[measuredOf]] = true
	}
	return out
}

// measured writes the table a line a record, and says so; of several values of the
// same variable the last counts.
func measured(in source.Input, rows [][]string, p *record.Problems) source.Input {
	column, line := map[string]int{}, map[string]int{}
	head, wide := []string{rows[0][0]}, [][]string{}
	again, units := 0, unitsOf(rows)
	for _, row := range rows[1:] {
		name := row[1]
		if len(units[name]) > 1 { // numbers in different units are different things
			name = strings.TrimSpace(name + " " + row[measuredOf])
		}
		j, ok := column[name]
		if !ok {
			j = len(head)
			column[name] = j
			head = append(head, name)
		}
		i, ok := line[row[0]]
		if !ok {
			i = len(wide)
			line[row[0]] = i
			wide = append(wide, []string{row[0]})
		}
		for len(wide[i]) <= j {
			wide[i] = append(wide[i], "")
		}
		if wide[i][j] != "" {
			again++
		}
		wide[i][j] = row[2]
	}
	p.Note("%s is a long table of measurements: %s of column %s became columns, a line for each %s", in.Name, record.Thousands(len(head)-1)+" values", rows[0][1], rows[0][0])
	if again > 0 {
		p.Aside("%s measurements came again for the same %s and %s; the last counts", record.Thousands(again), rows[0][0], rows[0][1])
	}
	return source.Made(in, func(_ context.Context, w io.Writer) error {
		var text []byte
		for _, row := range append([][]string{head}, wide...) {
			for len(row) < len(head) {
				row = append(row, "")
			}
			text = source.Row(text[:0], row)
			if _, err := w.Write(text); err != nil {
				return err
			}
		}
		return nil
	})
}
