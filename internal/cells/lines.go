package cells

import "strings"

// Line returns a name as one line of a file of names: line ends, tabs and blanks
// at either end, which readers of such files cut off, are written with a
// backslash, and so is a backslash.
func Line(s string) string {
	if s != "" && !strings.ContainsAny(s, "\\\n\r\t") && s[0] != ' ' && s[len(s)-1] != ' ' {
		return s
	}
	if s == "" {
		return `\0`
	}
	var b strings.Builder
	for i := range len(s) {
		switch c := s[i]; {
		case c == '\\':
			b.WriteString(`\\`)
		case c == '\n':
			b.WriteString(`\n`)
		case c == '\r':
			b.WriteString(`\r`)
		case c == '\t':
			b.WriteString(`\t`)
		case c == ' ' && (i == 0 || i == len(s)-1):
			b.WriteString(`\s`)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// Unline undoes Line.
func Unline(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	return strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\r`, "\r", `\t`, "\t", `\s`, " ", `\0`, "").Replace(s)
}
