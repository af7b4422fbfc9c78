package texts

import (
	"path"
	"slices"
	"strings"

	"github.com/moiety-go/moiety/internal/pattern"
	"github.com/moiety-go/moiety/internal/read/source"
)

// What the names of files tell of documents: the folder that a file lies in, where
// there are several, and its date, where every name has one. Both describe
// documents, and are no words.
const (
	folderColumn = "folder"
	dateColumn   = "date"
)

// dated finds a year, or a month or a day after it: 1945-Truman, 2008_12_31, 20081231.
var dated = pattern.New(`(?:^|[^0-9])((?:1[5-9]|20)[0-9]{2})(?:[-_.]?(0[1-9]|1[0-2])(?:[-_.]?(0[1-9]|[12][0-9]|3[01]))?)?(?:$|[^0-9])`)

// named is a column made of the names of the files.
type named struct {
	name  string
	value []string
}

// Columns names the columns that the names of the files make.
func Columns(inputs []source.Input) []string {
	var out []string
	for _, c := range tellingNames(inputs) {
		out = append(out, c.name)
	}
	return out
}

// tellingNames returns the columns that the names of the files make.
func tellingNames(inputs []source.Input) []named {
	var out []named
	if v := folders(inputs); v != nil {
		out = append(out, named{folderColumn, v})
	}
	if v := dates(inputs); v != nil {
		out = append(out, named{dateColumn, v})
	}
	return out
}

// folders returns the folder of every file; nil where they lie in one.
func folders(inputs []source.Input) []string {
	out := make([]string, len(inputs))
	for i, in := range inputs {
		out[i] = path.Base(path.Dir(strings.ReplaceAll(in.Name, `\`, "/")))
	}
	if len(out) == 0 || !slices.ContainsFunc(out, func(f string) bool { return f != out[0] }) {
		return nil
	}
	return out
}

// dates returns the date in the name of every file, as fine as all of them are; nil
// where one has none, or two, or where all are the same.
func dates(inputs []source.Input) []string {
	parts, fine := make([][]string, len(inputs)), 3
	for i, in := range inputs {
		if parts[i] = dateIn(stem(in.Base())); parts[i] == nil {
			return nil
		}
		fine = min(fine, len(parts[i]))
	}
	out := make([]string, len(inputs))
	for i, p := range parts {
		out[i] = strings.Join(p[:fine], "-")
	}
	if len(out) == 0 || !slices.ContainsFunc(out, func(d string) bool { return d != out[0] }) {
		return nil
	}
	return out
}

// dateIn returns year, month and day as far as a name has them; nil where it has no
// date, or two.
func dateIn(name string) []string {
	at := dated.FindStringSubmatchIndex(name)
	if at == nil {
		return nil
	}
	var out []string
	end := 0
	for g := 2; g < len(at) && at[g] >= 0; g += 2 {
		out, end = append(out, name[at[g]:at[g+1]]), at[g+1]
	}
	if dated.MatchString(name[end:]) { // what parts two dates may begin the second
		return nil
	}
	return out
}
