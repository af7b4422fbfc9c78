package delimited

import (
	"fmt"
	"strings"

	"github.com/moiety-go/moiety/record"
)

// noteGuess says which columns that may make groups stay out of them although nobody said
// so, and how to say what is right. Ids, dates and texts make none, and beside codes that
// are beyond doubt or running text a column describes records.
func (pl *plan) noteGuess(p *Profile, o Options) {
	if pl.knows(p, o) {
		return
	}
	told := pl.labels(p, o)
	var names []string
	for _, i := range pl.side {
		if p.judge()[i].fits && !told[i] && i != pl.time && i != pl.version && i != pl.person && !p.Columns[i].Unique() {
			names = append(names, p.Columns[i].Name)
		}
	}
	if len(names) == 0 {
		return
	}
	why := "names or values are those of labels"
	if !Wide(pl.shape) {
		why = "the table was taken for " + shapeWords[pl.shape]
	}
	pl.notes = append(pl.notes, record.Note{Of: record.Guess, Text: fmt.Sprintf("%s out of the groups by a guess: %s.", stay(names), why)})
}

// shapeWords are what tables are whose columns have roles.
var shapeWords = map[Shape]string{Sequences: "sequences", Long: "a long table", List: "lists of codes"}

// knows reports that the user said which columns make groups, or that it is plain from what
// they hold.
func (pl *plan) knows(p *Profile, o Options) bool {
	switch {
	case o.Like != nil || len(o.Columns) > 0:
		return true
	case Wide(pl.shape):
		return false
	case !o.Guessed || o.Code != "" || pl.shape == Text || pl.shape == Digits:
		return true
	case pl.shape == Long:
		return pl.code != none && p.Columns[pl.code].evidence(o) > sureCodes
	case pl.shape == List:
		columns := make([]int, len(pl.features))
		for i, f := range pl.features {
			columns[i] = f.column
		}
		return p.medical(o, columns...)
	}
	return false
}

// stay says of columns that they stay where they are.
func stay(names []string) string {
	if len(names) == 1 {
		return "Column " + names[0] + " stays"
	}
	const most = 5
	s := "Columns " + strings.Join(names[:min(most, len(names))], ", ")
	if len(names) > most {
		s = fmt.Sprintf("%s and %s", s, record.Several(len(names)-most, "other", "others"))
	}
	return s + " stay"
}
