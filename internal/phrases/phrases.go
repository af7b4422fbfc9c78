// Package phrases has the sentences of reports in several languages. Logic says the id of
// a message and its values; which words that makes, and in which order, stands in one
// catalogue a language.
//
// Step in the flow: on the ground floor, below explain and show. It must not know what
// a group is.
package phrases

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"sync"
)

// Language is the language of a report: "" and "en" are English, "es" is Spanish.
type Language string

// Languages.
const (
	English Language = "en"
	Spanish Language = "es"
)

// Known reports whether there is a catalogue of the language.
func (l Language) Known() bool { return l == "" || l == English || l == Spanish }

// Say gives the words of a message, with values in the place of {0}, {1} and so on.
// A message that a language lacks is said in English; a test holds that there is none.
func (l Language) Say(id string, values ...any) string {
	text, ok := l.catalogue()[id]
	if !ok {
		if text, ok = English.catalogue()[id]; !ok {
			return id
		}
	}
	return filled(text, values)
}

// filled puts values into their places.
func filled(text string, values []any) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "{")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		number, after, _ := strings.Cut(rest, "}")
		if i, err := strconv.Atoi(number); err == nil && i >= 0 && i < len(values) {
			fmt.Fprint(&b, values[i])
		}
		text = after
	}
}

// Word gives a single word of reports, such as "patients"; one that the catalogue does
// not know, such as a unit that a person has named, stays as it is.
func (l Language) Word(word string) string {
	if text, ok := l.catalogue()["word."+word]; ok {
		return text
	}
	return word
}

//go:generate gzip -9 -n -k -f en.json es.json screens.es.json sentences.es.json

//go:embed en.json.gz
var enPacked []byte

//go:embed es.json.gz
var esPacked []byte

// catalogues are unpacked when they are asked for: mostly one of them is.
var catalogues = map[Language]func() map[string]string{
	English: sync.OnceValue(func() map[string]string { return unpacked(enPacked) }),
	Spanish: sync.OnceValue(func() map[string]string { return unpacked(esPacked) }),
}

// unpacked returns the words of a catalogue by their names, or by their English.
func unpacked(catalogue []byte) map[string]string {
	words := make(map[string]string)
	if z, err := gzip.NewReader(bytes.NewReader(catalogue)); err == nil {
		_ = json.NewDecoder(z).Decode(&words) // it is ours: a test reads it
	}
	return words
}

func (l Language) catalogue() map[string]string {
	if l == "" {
		l = English
	}
	if words, ok := catalogues[l]; ok {
		return words()
	}
	return nil
}
