package encode

import (
	"bufio"
	"bytes"
	"compress/gzip"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

//go:generate gzip -9 -n -k -f stopwords.txt
//go:embed stopwords.txt.gz
var packedStops []byte

// mostLanguages is how many a set of them holds.
const mostLanguages = 32

// stopWords reads the built-in lists at their first use; they are never changed.
var stopWords = sync.OnceValue(func() (s stopLists) {
	z, err := gzip.NewReader(bytes.NewReader(packedStops))
	if err != nil {
		return s // it is ours: a test reads it
	}
	text, _ := io.ReadAll(z)
	s.of = make(map[string]tongues, len(text)/len("a word"))
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '[':
			s.languages = append(s.languages, strings.Trim(line, "[]"))
		default:
			for word := range strings.FieldsSeq(line) {
				s.of[word] |= 1 << (len(s.languages) - 1)
			}
		}
	}
	return s
})

type stopLists struct {
	languages []string
	of        map[string]tongues // by word: the languages, by their place in the list, whose stop word it is
}

// Languages lists the languages that have stop words.
func Languages() []string { return stopWords().languages }

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

// stopSetOf returns the stop words of a language.
func stopSetOf(language string) (set map[string]bool, ok bool) {
	lists := stopWords()
	at := slices.Index(lists.languages, language)
	if at < 0 {
		return nil, false
	}
	set = make(map[string]bool, len(lists.of)/len(lists.languages))
	for word, of := range lists.of {
		if of>>at&1 == 1 {
			set[word] = true
		}
	}
	return set, true
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
	if !slices.Contains(Languages(), languageName(text)) {
		return fmt.Errorf("encode: no stop words for %q: write one of %s, a file, auto or none", text, strings.Join(Languages(), ", "))
	}
	return nil
}
