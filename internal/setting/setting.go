// Package setting names settings in errors. A room below the doors does not know
// whether somebody typed a flag, filled in a field or clicked: it writes the name of
// the setting in marks, "lower ‹min-codes›", and the door says it in its own words.
// ‹groups› is the number of groups, ‹out› the place of what is written; all other
// names are those of the flags, without their dashes.
package setting

import (
	"regexp"
	"strings"
)

var marked = regexp.MustCompile(`‹([a-z][a-z0-9-]*)›`)

// Say words every setting that a text names.
func Say(text string, word func(name string) string) string {
	if !strings.Contains(text, "‹") {
		return text
	}
	return marked.ReplaceAllStringFunc(text, func(mark string) string {
		return word(strings.TrimSuffix(strings.TrimPrefix(mark, "‹"), "›"))
	})
}

// Flag is the word of the command line.
func Flag(name string) string {
	switch name {
	case "groups":
		return "-k"
	case "out":
		return "-o"
	}
	return "--" + name
}

// Plain is the word for people who see a form.
func Plain(name string) string { return strings.ReplaceAll(name, "-", " ") }
