package encode

import (
	"bufio"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"unicode/utf8"
)

//go:embed stopwords.txt
var stopText string

// stopSets reads the built-in lists at their first use; they are never changed.
var stopSets = sync.OnceValue(func() []stopSet {
	var sets []stopSet
	for line := range strings.Lines(stopText) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '[':
			sets = append(sets, stopSet{strings.Trim(line, "[]"), map[string]bool{}})
		default:
			for word := range strings.FieldsSeq(line) {
				sets[len(sets)-1].words[word] = true
			}
		}
	}
	return sets
})

type stopSet struct {
	language string
	words    map[string]bool
}

// Languages lists the languages that have stop words.
func Languages() []string {
	var list []string
	for _, s := range stopSets() {
		list = append(list, s.language)
	}
	return list
}

// ReadStopList reads stop words of the user's own: words separated by spaces or
// line ends; what follows a # is a remark. Words are cut like texts, so that
// "l'" stops "l".
func ReadStopList(r io.Reader) ([]string, error) {
	var list []string
	t := tokenizer{minLength: 1, numbers: true}
	s := bufio.NewScanner(r)
	for s.Scan() {
		line, _, _ := strings.Cut(s.Text(), "#")
		if !utf8.ValidString(line) {
			return nil, fmt.Errorf("encode: stop words: %q is not UTF-8: save the file as UTF-8", line)
		}
		t.cut(line, func(word []byte) { list = append(list, string(word)) })
	}
	if err := s.Err(); err != nil {
		return nil, fmt.Errorf("encode: stop words: %w", err)
	}
	if len(list) == 0 {
		return nil, errors.New("encode: stop words: the file holds no words: write one on each line, or ‹stopwords› none")
	}
	return list, nil
}

func stopSetOf(language string) (map[string]bool, bool) {
	for _, s := range stopSets() {
		if s.language == language {
			return s.words, true
		}
	}
	return nil, false
}

// languageName returns the long name of a language: "it" and "Italian" are
// "italian".
func languageName(text string) string {
	text = strings.ToLower(strings.TrimSpace(text))
	short := map[string]string{
		"en": "english", "it": "italian", "fr": "french", "es": "spanish", "pt": "portuguese", "ca": "catalan",
		"ro": "romanian", "de": "german", "nl": "dutch", "da": "danish", "no": "norwegian", "nb": "norwegian",
		"nn": "norwegian", "sv": "swedish", "pl": "polish", "cs": "czech", "uk": "ukrainian", "el": "greek",
		"ar": "arabic", "he": "hebrew", "fa": "persian", "hi": "hindi", "vi": "vietnamese", "fi": "finnish", "hu": "hungarian", "tr": "turkish", "ru": "russian",
	}
	if long, ok := short[text]; ok {
		return long
	}
	return text
}

func checkLanguage(text string) error {
	switch text {
	case "", "auto", "none":
		return nil
	}
	if _, ok := stopSetOf(languageName(text)); !ok {
		return fmt.Errorf("encode: no stop words for %q: write one of %s, a file, auto or none", text, strings.Join(Languages(), ", "))
	}
	return nil
}

// A language is recognised when its stop words are at least this share of all
// tokens, this many times those of the runner-up, and so many different ones: one
// word that happens to be one of them tells nothing ("word" is Dutch).
const (
	enoughStops    = 0.15
	clearStops     = 1.05
	differentStops = 3
)

// detectLanguage finds the language whose stop words are most frequent; "" when
// none stands out. freq returns the number of tokens of a word.
func detectLanguage(words []string, freq []float64) (language string, share float64) {
	total := 0.0
	for _, f := range freq {
		total += f
	}
	best, second, different := 0.0, 0.0, 0
	for _, set := range stopSets() {
		hits, kinds := 0.0, 0
		for i, w := range words {
			if set.words[w] {
				hits += freq[i]
				kinds++
			}
		}
		switch {
		case hits > best:
			language, best, second, different = set.language, hits, best, kinds
		case hits > second:
			second = hits
		}
	}
	if total == 0 || best < enoughStops*total || best < clearStops*second || different < differentStops {
		return "", 0
	}
	return language, best / total
}
