// Package pattern holds regular expressions that are compiled when they are first
// asked. The program has more than a hundred of them, of which a command asks
// a few: compiled at the start, they were a third of the time of a short one.
package pattern

import (
	"regexp"
	"sync"
)

// Pattern is a regular expression; its methods are those of regexp.Regexp.
type Pattern struct {
	text string
	once sync.Once
	expr *regexp.Regexp
}

// all are the patterns of the program, for the test that compiles them.
var all []*Pattern

// New returns the pattern of that text. It is for variables of packages: a text that
// is no regular expression is found by the tests, which compile all (see Compile).
func New(text string) *Pattern {
	p := &Pattern{text: text}
	all = append(all, p)
	return p
}

func (p *Pattern) get() *regexp.Regexp {
	p.once.Do(func() { p.expr = regexp.MustCompile(p.text) })
	return p.expr
}

// Compile compiles the patterns of all packages that are part of the program, and
// panics where one is none. It returns how many there are.
func Compile() int {
	for _, p := range all {
		p.get()
	}
	return len(all)
}

// String returns the text.
func (p *Pattern) String() string { return p.text }

// Match reports whether b holds a match.
func (p *Pattern) Match(b []byte) bool { return p.get().Match(b) }

// MatchString reports whether s holds a match.
func (p *Pattern) MatchString(s string) bool { return p.get().MatchString(s) }

// FindIndex returns where the first match lies, or nil.
func (p *Pattern) FindIndex(b []byte) []int { return p.get().FindIndex(b) }

// FindStringSubmatch returns the first match and its parts, or nil.
func (p *Pattern) FindStringSubmatch(s string) []string { return p.get().FindStringSubmatch(s) }

// FindStringSubmatchIndex returns where the first match and its parts lie, or nil.
func (p *Pattern) FindStringSubmatchIndex(s string) []int { return p.get().FindStringSubmatchIndex(s) }

// FindAllStringSubmatch returns the first n matches and their parts, all where n < 0.
func (p *Pattern) FindAllStringSubmatch(s string, n int) [][]string {
	return p.get().FindAllStringSubmatch(s, n)
}

// FindString returns the first match.
func (p *Pattern) FindString(s string) string { return p.get().FindString(s) }

// ReplaceAll replaces all matches.
func (p *Pattern) ReplaceAll(b, by []byte) []byte { return p.get().ReplaceAll(b, by) }

// ReplaceAllString replaces all matches.
func (p *Pattern) ReplaceAllString(s, by string) string { return p.get().ReplaceAllString(s, by) }

// ReplaceAllStringFunc replaces all matches by what f makes of them.
func (p *Pattern) ReplaceAllStringFunc(s string, f func(string) string) string {
	return p.get().ReplaceAllStringFunc(s, f)
}
