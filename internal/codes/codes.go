// Package codes knows diagnosis codes: how ICD-9-CM and ICD-10 codes are
// written, which exist, and the categories, chapters and CCS groups they roll
// up to.
//
// It takes codes as text and gives keys (upper case, no dot), names to show and
// titles. The ICD-9-CM table is built in (version 32, fiscal year 2015, CMS and
// CDC/NCHS; CCS groups from AHRQ HCUP $DXREF 2015), and so are the categories
// of ICD-10-CM (fiscal year 2026) with their titles and CCS groups (2019.1):
// public domain, see generate.go and generate10.go. Which codes of ICD-10 exist
// is recognised by their form, as countries have their own. The package does not know
// records, counts or thresholds.
package codes

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// System is a code system.
type System string

// Code systems.
const (
	None  System = "none"
	ICD9  System = "icd9"
	ICD10 System = "icd10"
)

// Prefix returns the mark in front of keys where both versions stand in one
// data set: "9:" or "10:".
func (s System) Prefix() string {
	switch s {
	case ICD9:
		return "9:"
	case ICD10:
		return "10:"
	}
	return ""
}

// Cut splits a key such as "9:V10" into its version and the code; the system is
// "" where the key has no mark.
func Cut(name string) (System, string) {
	if rest, ok := strings.CutPrefix(name, "9:"); ok {
		return ICD9, rest
	}
	if rest, ok := strings.CutPrefix(name, "10:"); ok {
		return ICD10, rest
	}
	return "", name
}

// Normalize returns the key of a code: trimmed, upper case, without dots and
// without the dagger and asterisk marks of ICD-10. " 428.0" becomes "4280".
func Normalize(code string) string {
	code = strings.TrimSpace(code)
	if plain(code) {
		return code
	}
	if key, ok := normalized(code); ok {
		return key
	}
	return strings.Map(func(r rune) rune {
		switch r {
		case '.', '*', '+', '†', '‡', ' ', '\u00a0':
			return -1
		}
		return r
	}, strings.ToUpper(code))
}

// normalized is Normalize for short codes of ASCII, of which there may be many.
func normalized(code string) (key string, ok bool) {
	var short [64]byte
	if len(code) > len(short) {
		return "", false
	}
	n := 0
	for i := range len(code) {
		c := code[i]
		switch {
		case c >= utf8.RuneSelf:
			return "", false
		case c == '.' || c == '*' || c == '+' || c == ' ':
			continue
		case 'a' <= c && c <= 'z':
			c -= 'a' - 'A'
		}
		short[n] = c
		n++
	}
	return string(short[:n]), true
}

// plain reports that a code is already its key.
func plain(code string) bool {
	for i := range len(code) {
		c := code[i]
		if (c < '0' || c > '9') && (c < 'A' || c > 'Z') {
			return false
		}
	}
	return true
}

// Display returns the way people write a key: with a dot after three
// characters, after four for the E codes of ICD-9, and without the placeholder
// X that ends some ICD-10-CM codes.
func Display(s System, key string) string {
	n := len(Category(s, key))
	if s != ICD9 && s != ICD10 || len(key) <= n {
		return key
	}
	if s == ICD10 && len(key) < 7 {
		if cut := strings.TrimRight(key, "X"); len(cut) > n {
			key = cut
		}
	}
	return key[:n] + "." + key[n:]
}

// Category returns the three-character category of a key (four characters for
// the E codes of ICD-9), or the key itself where it is shorter.
func Category(s System, key string) string {
	n := 3
	if s == ICD9 && strings.HasPrefix(key, "E") {
		n = 4
	}
	if s != ICD9 && s != ICD10 || len(key) <= n {
		return key
	}
	return key[:n]
}

// Level is a step of roll-up.
type Level string

// Levels from fine to coarse.
const (
	Full     Level = "full"
	Three    Level = "3"
	CCS      Level = "ccs"
	Chapters Level = "chapter"
)

// Levels lists the levels from fine to coarse.
func Levels() []Level { return []Level{Full, Three, CCS, Chapters} }

// ParseLevels reads "3" or several levels joined by "+", and returns them from
// fine to coarse without doubles.
func ParseLevels(text string) ([]Level, error) {
	asked := map[Level]bool{}
	for _, part := range strings.Split(text, "+") {
		level := Level(strings.ToLower(strings.TrimSpace(part)))
		switch level {
		case Full, Three, CCS, Chapters:
			asked[level] = true
		default:
			return nil, fmt.Errorf("codes: roll-up %q is not known: write full, 3, ccs or chapter, or several joined by +", part)
		}
	}
	var out []Level
	for _, level := range Levels() {
		if asked[level] {
			out = append(out, level)
		}
	}
	return out, nil
}

// Roll returns the name of what a key rolls up to. ok is false where the key
// has no place at that level, such as an unknown code, or a category whose codes
// are in several CCS groups.
func Roll(s System, key string, level Level) (name string, ok bool) {
	switch level {
	case Full:
		return key, true
	case Three:
		return Category(s, key), KnownCategory(s, key)
	case CCS:
		var group int
		switch s {
		case ICD9:
			group, ok = icd9().group(key)
		case ICD10:
			group, ok = icd10().group(key)
		}
		if !ok {
			return "", false
		}
		return fmt.Sprintf("ccs:%d", group), true
	case Chapters:
		c, ok := Chapter(s, key)
		return "chapter:" + c.Name(), ok
	}
	return "", false
}

// Title returns the built-in title of a rolled-up name, "" where there is none.
func Title(s System, name string, level Level) string {
	switch {
	case level == Chapters:
		for _, c := range chaptersOf(s) {
			if "chapter:"+c.Name() == name {
				return c.Title
			}
		}
	case level == CCS:
		return icd9().groupTitle[name] // the groups of both versions have one list of titles
	case level == Three:
		return categoryTitle(s, name)
	default:
		return fullTitle(s, name)
	}
	return ""
}

// categoryTitle returns the title of a category, "" where there is none.
func categoryTitle(s System, category string) string {
	switch s {
	case ICD9:
		return icd9().category[category]
	case ICD10:
		return icd10().category[category]
	}
	return ""
}

// fullTitle titles a full code by its category: the built-in table holds no
// titles below it.
func fullTitle(s System, key string) string {
	title := categoryTitle(s, Category(s, key))
	if title == "" || len(key) == len(Category(s, key)) {
		return title
	}
	return title + " [" + Display(s, key) + "]"
}

// Known reports whether the code exists: by the dictionary for ICD-9, by its
// shape and letter range for ICD-10.
func Known(s System, key string) bool {
	switch s {
	case ICD9:
		if !shape9(key) {
			return false // without unpacking the dictionary
		}
		_, ok := icd9().code[key]
		return ok
	case ICD10:
		return shape10(key)
	}
	return false
}

// shape9 reports a key that has the form of all ICD-9 keys: digits, the first of
// which may be a V or E instead.
func shape9(key string) bool {
	return key != "" && len(key) <= longest9 && (digit(key[0]) || key[0] == 'V' || key[0] == 'E') && digitsAfter(key)
}

// longest9 is the length of the longest ICD-9 key: 25000, V4581, E8120.
const longest9 = 5

// KnownCategory reports whether the category of a code exists.
func KnownCategory(s System, key string) bool {
	switch s {
	case ICD9:
		_, ok := icd9().category[Category(s, key)]
		return ok && len(key) <= longest9 && digitsAfter(key)
	case ICD10:
		return shape10(key)
	}
	return false
}
