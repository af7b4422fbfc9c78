package phrases

import (
	"cmp"
	_ "embed"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

//go:embed sentences.es.json.gz
var sentencesPacked []byte

// translation is a sentence of another package: how it is found, and what it is in another
// language.
type translation struct {
	find *regexp.Regexp
	text string
}

var valueOf = regexp.MustCompile(`\\\{\d\\\}`)

// sentences are the sentences by which verdicts are kept with a run, which is in English: each
// is a message by its English words, as a catalogue of gettext has them. Longer ones come
// first.
var sentences = sync.OnceValue(func() []translation {
	words := unpacked(sentencesPacked)
	var out []translation
	for _, k := range longestFirst(words, func(k string) string { return k }) {
		pattern := valueOf.ReplaceAllString(regexp.QuoteMeta(k), `([^.:;]+?(?:\.\d+)?)`)
		out = append(out, translation{regexp.MustCompile(`^` + pattern + `( |$)`), words[k]})
	}
	return out
})

// longestFirst lists words of a catalogue, those of which more is said first: a text is tried
// with them in that order.
func longestFirst(words map[string]string, said func(key string) string) []string {
	by := make(map[string]string, len(words))
	for k := range words {
		by[k] = said(k)
	}
	return slices.SortedFunc(maps.Keys(words), func(a, b string) int {
		return cmp.Or(len(by[b])-len(by[a]), strings.Compare(by[a], by[b]), strings.Compare(a, b))
	})
}

// Translate says what another package wrote in English, sentence by sentence; one that has no
// words in the language stays as it is.
func (l Language) Translate(text string) string {
	if l != Spanish {
		return text
	}
	var b strings.Builder
	for text != "" {
		said, n := l.sentence(text)
		b.WriteString(said)
		text = text[n:]
	}
	return b.String()
}

// sentence says the first sentence of a text, and how long that was.
func (l Language) sentence(text string) (said string, n int) {
	for _, s := range sentences() {
		m := s.find.FindStringSubmatch(text)
		if m == nil {
			continue
		}
		values := make([]any, len(m)-2)
		for i := range values {
			values[i] = l.noun(m[i+1])
		}
		return filled(s.text, values) + m[len(m)-1], len(m[0])
	}
	if at := strings.Index(text, ". "); at >= 0 {
		return text[:at+2], at + 2
	}
	return text, len(text)
}

// noun says a word, which may begin a sentence.
func (l Language) noun(word string) string {
	r, size := utf8.DecodeRuneInString(word)
	if !unicode.IsUpper(r) {
		return l.Word(word)
	}
	said := l.Word(string(unicode.ToLower(r)) + word[size:])
	first, size := utf8.DecodeRuneInString(said)
	return string(unicode.ToUpper(first)) + said[size:]
}
