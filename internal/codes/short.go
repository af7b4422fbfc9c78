package codes

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/moiety-go/moiety/internal/pattern"
)

//go:embed short_titles.txt
var shortTitles string

// shortTable is the table of short titles by the official ones, lower case.
var shortTable = sync.OnceValue(func() map[string]string {
	out := make(map[string]string)
	for _, line := range strings.Split(shortTitles, "\n") {
		if long, short, ok := strings.Cut(line, " = "); ok && !strings.HasPrefix(line, "#") {
			out[strings.ToLower(long)] = short
		}
	}
	return out
})

// Short returns the title of a code, a category or a CCS group as a ward says
// it aloud: "stroke" for "Occlusion of cerebral arteries". It begins with a
// small letter unless a name does. Titles that are not in the table lose what
// says nothing to a listener: "not elsewhere classified", "Other and
// unspecified", remarks in brackets.
func Short(title string) string {
	title = strings.Join(strings.Fields(title), " ")
	if s, ok := shortTable()[strings.ToLower(title)]; ok {
		return s
	}
	s, lower := title, strings.ToLower(title)
	if t := strings.Trim(s, " ,;"); t != s && !empty.MatchString(t) {
		s = t
	}
	for _, r := range shortRules {
		if !r.may(lower) { // titles are looked at by the hundred, most rules say nothing of most
			continue
		}
		if t := strings.Trim(r.find.ReplaceAllString(s, r.put), " ,;"); t != s && !empty.MatchString(t) {
			s, lower = t, strings.ToLower(t)
		}
	}
	for _, cut := range shortCuts {
		if at := strings.Index(s, cut); at >= leastTitle && utf8.RuneCountInString(s) > longTitle && !empty.MatchString(s[:at]) {
			s = s[:at]
		}
	}
	return small(s)
}

// A title that is still longer than longTitle ends before the first of
// shortCuts that leaves at least leastTitle letters.
const (
	longTitle  = 36
	leastTitle = 8
)

// empty finds what says nothing alone.
var empty = pattern.New(`(?i)^$|^(other|certain|activit(y|ies)|observation|complications|accidents?|drugs|agents|symptoms|poisoning|injury|late effects|foreign body|nonspecific abnormal findings|multiple fractures)$|[ ](other|certain|primarily|purposes|specified|unspecified|by|of|the)$`)

var shortCuts = []string{", ", " complicating ", " due to ", " associated with ", " affecting ", " involving ", " following ", " injured in ", " other than ", " except ", " with ", " in ", " and ", " or "}

// shortRules are tried in order; each leaves a title that it would empty.
var shortRules = []shortRule{
	{pattern.New(`\s*[\[(][^\])]*[\])]`), "", []string{"[", "("}},
	{pattern.New(`(?i),? (not elsewhere classified|NEC|NOS|unspecified|organism unspecified|site unspecified|not specified as .*)$`), "", []string{"classified", "nec", "nos", "unspecified", "not specified"}},
	{pattern.New(`(?i),? (but )?without (mention|evidence) of .*$`), "", []string{"without"}},
	{pattern.New(`(?i)^(certain )?other (and|or) (unspecified|ill-defined) (forms? of )?`), "other ", []string{"other and", "other or"}},
	{pattern.New(`(?i) other and (unspecified|ill-defined) (parts of )?`), " other ", []string{"other and"}},
	{pattern.New(`(?i),? (and|or) (other|allied|related|similar|certain|unspecified) .*$`), "", []string{" and ", " or "}},
	{pattern.New(`(?i)^(other )?(disorders|diseases) of (?:the )?([a-z]+)$`), "$1$3 $2", []string{"disorders of", "diseases of"}},
	{pattern.New(` Disorders$`), " disorders", []string{" disorders"}},
	{pattern.New(` Diseases$`), " diseases", []string{" diseases"}},
	{pattern.New(`(?i)^(malignant neoplasms?|cancer) of (the )?`), "cancer of ", []string{"malignant", "cancer"}},
	{pattern.New(`(?i)^benign neoplasms? of (the )?`), "benign tumor of ", []string{"benign"}},
	{pattern.New(`(?i)^neoplasms? of (uncertain behavior|unspecified nature) of `), "uncertain tumor of ", []string{"neoplasm"}},
	{pattern.New(`(?i)^personal history of `), "history of ", []string{"personal history"}},
	{pattern.New(`(?i)^fracture of `), "broken ", []string{"fracture"}},
	{pattern.New(`(?i)^calculus of `), "stones in ", []string{"calculus"}},
}

// shortRule replaces what it finds in a title. One of some words, in small letters, is in
// every title in which it finds anything.
type shortRule struct {
	find  *pattern.Pattern
	put   string
	words []string
}

// may reports that a title, in small letters, has one of the words of a rule.
func (r *shortRule) may(lower string) bool {
	return slices.ContainsFunc(r.words, func(w string) bool { return strings.Contains(lower, w) })
}

// small makes the first letter small, unless the word is a name or an
// abbreviation.
func small(s string) string {
	word, _, _ := strings.Cut(s, " ")
	word = strings.TrimRight(word, ",;:")
	if strings.HasSuffix(word, "'s") || strings.HasSuffix(word, "’s") || eponyms[word] {
		return s
	}
	if s == "" {
		return s
	}
	first, n := utf8.DecodeRuneInString(s)
	for _, r := range word[n:] {
		if unicode.IsUpper(r) || unicode.IsDigit(r) {
			return s
		}
	}
	return string(unicode.ToLower(first)) + s[n:]
}

// eponyms are names that titles begin with.
var eponyms = map[string]bool{
	"Down": true, "Hodgkin": true, "Non-Hodgkin": true, "Parkinson": true, "Alzheimer": true, "Crohn": true, "Huntington": true,
	"Kaposi": true, "Burkitt": true, "Klinefelter": true, "Turner": true, "Marfan": true, "Vincent": true, "Merkel": true,
	"Streptococcus": true, "Staphylococcus": true, "Chlamydia": true, "Salmonella": true,
}
