package phrases

import (
	_ "embed"
	"html"
	"regexp"
	"slices"
	"strings"
	"sync"
)

//go:embed screens.es.json.gz
var screensPacked []byte

// shown are the words of drawings, tables and messages, by their English: exact ones, and
// those with values in them.
type shown struct {
	exact    map[string]string
	patterns []pattern
}

// pattern is words with values: part is the longest of them between two values, by which
// most texts are told apart before the expression is tried.
type pattern struct {
	translation
	part string
}

var screens = sync.OnceValue(func() shown {
	out, words := shown{exact: make(map[string]string)}, unpacked(screensPacked)
	for _, en := range longestFirst(words, literal) {
		if !strings.Contains(en, "{0}") {
			out.exact[en] = words[en]
			continue
		}
		parts := placeOf.Split(en, -1)
		part := slices.MaxFunc(parts, func(a, b string) int { return len(a) - len(b) })
		find := regexp.MustCompile(`^` + valueOf.ReplaceAllString(regexp.QuoteMeta(en), value) + `$`)
		out.patterns = append(out.patterns, pattern{translation{find, words[en]}, part})
	}
	return out
})

// value is what may stand in the place of a value: not several things side by side.
const value = `([^·]+?)`

var placeOf = regexp.MustCompile(`\{\d\}`)

// literal is what words say besides their values.
func literal(en string) string { return valueOf.ReplaceAllString(regexp.QuoteMeta(en), "") }

// between are signs that stand between things said side by side.
var between = []string{" · ", "; "}

// Shown says a text of a drawing, a table or a message: a whole text that the catalogue
// knows, or its sentences, or the things side by side in it.
func (l Language) Shown(text string) string {
	if l != Spanish {
		return text
	}
	if said, ok := l.whole(text); ok {
		return said
	}
	if before, after, more := strings.Cut(text, ". "); more {
		first, ok := l.whole(before + ".")
		if !ok {
			first = l.Translate(before + ".")
		}
		return first + " " + l.Shown(after)
	}
	for _, sign := range between {
		if !strings.Contains(text, sign) {
			continue
		}
		parts := strings.Split(text, sign)
		for i, p := range parts {
			parts[i] = l.Shown(p)
		}
		return strings.Join(parts, sign)
	}
	return l.Translate(text)
}

// whole says a text that the catalogue knows as a whole.
func (l Language) whole(text string) (string, bool) {
	s := screens()
	if said, ok := s.exact[text]; ok {
		return said, true
	}
	for _, p := range s.patterns {
		if !strings.Contains(text, p.part) {
			continue
		}
		m := p.find.FindStringSubmatch(text)
		if m == nil {
			continue
		}
		values := make([]any, len(m)-1)
		for i, v := range m[1:] {
			said, ok := s.exact[v]
			if !ok {
				if said, ok = l.whole(v); !ok {
					said = l.noun(v)
				}
			}
			values[i] = said
		}
		return filled(p.text, values), true
	}
	return "", false
}

var (
	tags      = regexp.MustCompile(`(?s)<style.*?</style>|<script.*?</script>|<[^>]*>`)
	lengthOf  = regexp.MustCompile(` (?:textLength|lengthAdjust)="[^"]*"`)
	spokenFor = regexp.MustCompile(`( (?:aria-label|title|alt)=")([^"]+)"`)
)

// Page says the words of a piece of a page: its texts, and what is read aloud in
// their place.
func (l Language) Page(page string) string {
	if l != Spanish {
		return page
	}
	var b strings.Builder
	at := 0
	tag := "" // whose text comes next
	for _, m := range tags.FindAllStringIndex(page, -1) {
		text := l.node(page[at:m[0]])
		if text != page[at:m[0]] { // other words are of another length
			tag = lengthOf.ReplaceAllString(tag, "")
		}
		b.WriteString(tag + text)
		tag = spokenFor.ReplaceAllStringFunc(page[m[0]:m[1]], func(s string) string {
			x := spokenFor.FindStringSubmatch(s)
			return x[1] + l.node(x[2]) + `"`
		})
		at = m[1]
	}
	b.WriteString(tag + l.node(page[at:]))
	return b.String()
}

// node says a text of a page, and leaves the space around it.
func (l Language) node(text string) string {
	bare := strings.TrimSpace(text)
	if bare == "" {
		return text
	}
	plain := html.UnescapeString(bare)
	said := l.Shown(plain)
	if said == plain {
		return text
	}
	return strings.Replace(text, bare, html.EscapeString(said), 1)
}
