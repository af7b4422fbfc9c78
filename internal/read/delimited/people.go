package delimited

import (
	"hash/maphash"
	"slices"
	"strings"

	"github.com/moiety-go/moiety/internal/pattern"
	"github.com/moiety-go/moiety/record"
)

// people counts the persons of whom the rows are records: an id of a person that
// comes again makes rows claims, stays or visits, and not people.
type people struct {
	column int // among the side columns; none: the id of the record
	name   string
	joins  bool // the rows of one person can be joined
	seed   maphash.Seed
	seen   map[uint64]struct{}
}

// mostRows is the number of rows a person from which the column names no persons.
const mostRows = 50

// fewMore is the number of rows more than people up to which people are not
// counted: the difference is a count of persons too.
const fewMore = 10

// rowsOfPeople notes what a row is, by the names of the columns of ids.
func (pl *plan) rowsOfPeople(p *Profile, o Options) {
	if o.Group {
		return
	}
	for i := range p.Columns {
		c := &p.Columns[i]
		if stayName.MatchString(c.Name) && pl.unit == "" && c.Distinct > 2 {
			pl.unit = rowWord(c.Name)
		}
		whole := p.Complete && !c.full && (c.Distinct == c.Rows || p.Rows > mostRows*c.Distinct)
		if IsID(c.Name) && c.rounded() {
			pl.aside("column %s: a spreadsheet rounded these numbers (%s), and different ones became equal; export the column as text", c.Name, c.some(1))
			continue
		}
		if pl.person == none && personName.MatchString(c.Name) && c.Distinct > 2 && !whole {
			pl.person = i
		}
	}
}

// shortened are numbers as spreadsheets write those that are too long for a cell.
var shortened = pattern.New(`^\d([.,]\d+)?[eE]\+\d\d$`)

// rounded reports a column of such numbers, which named people or things before.
func (c *Column) rounded() bool {
	for text := range c.sample {
		if !shortened.MatchString(text) {
			return false
		}
	}
	return c.Rows > 0
}

var rowWords = pattern.New(`(?i)^(stay|encounter|visit|admission|episode|claim|case|spell)`)

// rowWord is what a row is by the name of the column that numbers it.
func rowWord(name string) string {
	switch word := strings.ToLower(rowWords.FindString(name)); {
	case word != "":
		return word
	case strings.HasPrefix(strings.ToLower(name), "clm"):
		return "claim"
	}
	return "stay" // hadm
}

// personWord is whose the ids of a column are, one and many.
func personWord(name string) (one, many string) {
	name = strings.ToLower(name)
	for _, part := range []string{"pat", "bene", "desynpuf", "mrn", "nhs", "subject"} {
		if strings.HasPrefix(name, part) {
			return "patient", "patients"
		}
	}
	return "person", "people"
}

// article puts a or an before a word.
func article(word string) string {
	if strings.ContainsRune("aeiou", rune(word[0])) {
		return "an " + word
	}
	return "a " + word
}

// newPeople counts the persons of a plan, nil where none are known.
func newPeople(pl *plan) *people {
	if pl.person == none || pl.group {
		return nil
	}
	q := &people{column: none, name: pl.names[pl.person], joins: pl.shape == List, seed: maphash.MakeSeed(), seen: map[uint64]struct{}{}}
	if pl.person != pl.id {
		if q.column = slices.Index(pl.side, pl.person); q.column == none {
			return nil
		}
	}
	return q
}

// add counts the persons of a batch.
func (q *people) add(b *record.Batch) {
	ids := b.IDs
	if q.column != none {
		if q.column >= len(b.Side) {
			return
		}
		ids = b.Side[q.column]
	}
	for i, id := range ids {
		if i == 0 || id != ids[i-1] {
			q.seen[maphash.String(q.seed, id)] = struct{}{}
		}
	}
}

// tell says what a record is once all are read.
func (s *Source) notePeople(q *people, rows int) {
	unit := s.plan.unit
	if q == nil || len(q.seen) == 0 || len(q.seen) >= rows || rows > mostRows*len(q.seen) {
		return
	}
	if unit == "" {
		unit = "row"
	}
	s.problems.Unit = unit
	of := "slightly fewer"
	if rows-len(q.seen) > fewMore { // a few who have two could be told apart
		s.problems.People = len(q.seen)
		of = record.Thousands(len(q.seen))
	}
	if s.options.Unit != "" {
		return
	}
	one, many := personWord(q.name)
	text := "a record is " + article(unit) + ", not a " + one + ": %s are of %s (column %s repeats)"
	if q.joins {
		text += "; --unit patient joins the " + unit + "s of one"
	}
	s.problems.Note(text, record.Thousands(rows)+" "+unit+"s", of+" "+many, q.name)
}
