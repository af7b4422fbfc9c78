package read

import (
	"fmt"
	"strings"
	"testing"
)

// owned is a table of so many people with three to seven rows each; line makes the cells of
// the r-th row of person i. What a person has is spread over 60 things.
func owned(header string, line func(i, thing, r int) string) string {
	var b strings.Builder
	b.WriteString(header + "\n")
	for i := range 80 {
		for r := range 3 + i*7%5 {
			fmt.Fprintln(&b, line(i, (i*31+r*r*17+r*5+i*i)%60, r))
		}
	}
	return b.String()
}

// A column whose equal values stand together says whose codes the rows are, whatever its name;
// years, waves, places and what everybody answers do not.
func TestOwners(t *testing.T) {
	word := func(n int) string { return fmt.Sprintf("%c%c%c", 'a'+n%26, 'a'+n*7%26, 'k'+n/26) }
	for _, c := range []struct {
		name, content string
		long          bool
	}{
		{"a name cut short", owned("atient,code", func(i, thing, _ int) string { return fmt.Sprintf("%d,C%03d", i+1, thing) }), true},
		{"names of two letters", owned("zz,qq", func(i, thing, _ int) string { return fmt.Sprintf("%d,C%03d", 1000*i+7, thing) }), true},
		{"with a date", owned("nr,dag,wat", func(i, thing, r int) string { return fmt.Sprintf("%d,2024-03-%02d,%s", i+1, r+1, word(thing)) }), true},
		{"with an amount", owned("klant,ding,euro", func(i, thing, r int) string { return fmt.Sprintf("%d,%s,%d.%d5", i+1, word(thing), 3+r*thing, r) }), true},
		{"ids with letters", owned("wer,was", func(i, thing, _ int) string { return fmt.Sprintf("P%05d,%s", i*37, word(thing)) }), true},

		{"years", owned("jahr,was,wert", func(i, thing, r int) string { return fmt.Sprintf("%d,%s,%d.5", 1900+i, word(thing), r*thing) }), false},
		{"waves", owned("wave,who,score", func(i, thing, r int) string { return fmt.Sprintf("%d,%s,%d.5", i+1, word(thing), r*thing) }), false},
		{"schools", owned("school,what,score", func(i, thing, r int) string { return fmt.Sprintf("%d,%s,%d.5", i+1, word(thing), r*thing) }), false},
		{"few levels", owned("nr,arm,score", func(i, thing, r int) string {
			return fmt.Sprintf("%d,%s,%d.5", i+1, []string{"red", "green", "blue"}[(thing+r)%3], r*thing)
		}), false},
		{"people once each", owned("nr,who,score", func(i, thing, r int) string { return fmt.Sprintf("%d,%s%d%d,%d.5", i+1, word(thing), i, r, r*thing) }), false},
		{"not together", owned("nr,what,score", func(i, thing, r int) string { return fmt.Sprintf("%d,%s,%d.5", (i*13+r*29)%80, word(thing), r*thing) }), false},
		{"one word each", owned("nr,where,score", func(i, thing, r int) string { return fmt.Sprintf("%d,%s,%d.5", i+1, word(i*7%23), r*thing) }), false},
		{"two columns of words", owned("nr,what,other,score", func(i, thing, r int) string {
			return fmt.Sprintf("%d,%s,%s,%d.5", i+1, word(thing), word(thing*7%59), r*thing)
		}), false},
	} {
		s, err := open(t, Options{}, memory("a.csv", c.content))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if long := strings.Contains(s.notes, "looks like a long table"); long != c.long || long && (len(s.rows) != 80 || !strings.Contains(s.notes, "--format mixed")) {
			t.Errorf("%s: %d records, %s", c.name, len(s.rows), s.notes)
		}
	}
}

// Where people are too few to be sure, the remark says what was left out and how to take it in.
func TestOwnersInDoubt(t *testing.T) {
	var b strings.Builder
	b.WriteString("nr,was\n")
	for i := range 10 {
		for r := range 6 {
			fmt.Fprintf(&b, "%d,C%03d\n", i+1, (i*7+r*5)%40)
		}
	}
	s, err := open(t, Options{}, memory("a.csv", b.String()))
	if err != nil || len(s.rows) != 60 || !strings.Contains(s.notes, "column was is left out. If nr says whose rows they are: --format long --id nr --code was") {
		t.Errorf("%d records, %v: %s", len(s.rows), err, s.notes)
	}
}
