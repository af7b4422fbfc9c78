package read

import (
	"fmt"
	"strings"

	"github.com/moiety-go/moiety/internal/pattern"
	"github.com/moiety-go/moiety/internal/read/source"
)

// lineFiles are texts of programs with a line a field, a message or a command, by how they
// begin, and by the signs that can be the first. As running text the names of fields would be words, and every line a document.
var lineFiles = []struct {
	first string
	start *pattern.Pattern
	what  string
}{
	{"T", pattern.New(`^TY  - [A-Z]{3,5}\s*$`), "a list of references (RIS)"},
	{"P", pattern.New(`^PMID- ?\d+\s*$`), "a list of references of PubMed"},
	{"@", pattern.New(`^@[A-Za-z]+\{[^,\s]*,\s*$`), "a list of references (BibTeX)"},
	{"iIcC", pattern.New(`(?i)^(INSERT INTO|CREATE TABLE) [^;]*[(;]`), "a dump of a database (SQL)"},
	{"M", pattern.New(`^MSH\|\^`), "a file of messages (HL7 version 2)"},
	{"0123456789", pattern.New(`^\d+\n\d\d:\d\d:\d\d,\d{3} --> `), "a file of subtitles"},
	{"-", pattern.New(`^(---\s*\n)?- [A-Za-z_]\w*: `), "a YAML document"},
	{"[", pattern.New(`^\[[^\]\n]+\]\s*\n[A-Za-z_]\w* ?= ?`), "a file of settings (INI)"},
}

// field is a line with the name of a field and its value.
var field = pattern.New(`^([A-Za-z_][\w ]{0,30}): \S`)

// fieldLines refuses such files with what to do.
func fieldLines(name string, lines []string) error {
	const remedy = "; export it as CSV, with a line a record"
	top := lines[0] + "\n" + lines[min(1, len(lines)-1)]
	for _, f := range lineFiles {
		if strings.IndexByte(f.first, top[0]) >= 0 && (f.start.MatchString(top) || f.start.MatchString(lines[0])) {
			return fmt.Errorf("%s: %w: it is %s%s", name, source.ErrBinary, f.what, remedy)
		}
	}
	if !strings.Contains(lines[0], ": ") {
		return nil
	}
	if first := field.FindStringSubmatch(lines[0]); first != nil && cycles(lines, first[1]) {
		return fmt.Errorf("%s: %w: every line holds one field (%.40q), and records go over several lines%s", name, source.ErrBinary, lines[0], remedy)
	}
	return nil
}

// cycles reports lines with names of fields that begin again with the first one, the same
// ones each time.
func cycles(lines []string, first string) bool {
	const leastTurns = 3
	var turn []string
	at, turns := 0, 0
	for _, l := range lines {
		m := field.FindStringSubmatch(l)
		if m == nil {
			return false
		}
		if m[1] == first && at > 0 {
			turns++
			at = 0
		}
		if turns == 0 {
			turn = append(turn, m[1])
		} else if at >= len(turn) || turn[at] != m[1] {
			return false
		}
		at++
	}
	return len(turn) > 2 && turns >= leastTurns // two who speak in turn are a text
}
