package encode

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/moiety-go/moiety/internal/codes"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/warn"
)

// decide looks at the whole dictionary and fixes the plan.
func (e *encoder) decide() error {
	e.plan.Kind = e.kind.String()
	e.plan.Sparse = e.schema.Sparse
	e.sum.Format, e.sum.OfPatients = e.schema.Format, e.schema.OfPatients
	isWords := e.kind == record.Text
	areWords := e.asksForWords() || e.countsWords() // were counted before
	if isWords {
		if err := e.decideWords(); err != nil {
			return err
		}
	} else {
		e.decideCodes()
		if areWords && !e.plan.isCodes() && !hasColumns(e.kind) {
			isWords = true
			if err := e.decideWords(); err != nil {
				return err
			}
		}
		if err := e.checkAsked(isWords); err != nil {
			return err
		}
	}
	e.plan.Words, e.plan.Presence = isWords, e.asPresence()
	var err error
	if e.terms, err = newTerms(e.plan); err != nil {
		return err
	}
	if !isWords && !e.plan.isCodes() {
		e.terms.dict, e.terms.own = e.raw, true
	}
	e.terms.grow(e.raw.Names())
	e.reportCodes()
	return e.selectRecords()
}

func (e *encoder) asksForWords() bool {
	named := e.s.Stopwords != "" && e.s.Stopwords != "auto" && e.s.Stopwords != "none"
	return named || len(e.s.StopList) > 0 || e.s.Stem
}

// checkAsked refuses settings that mean nothing for the data at hand.
func (e *encoder) checkAsked(isWords bool) error {
	switch {
	case e.s.Ngrams > 1:
		return fmt.Errorf("encode: n-grams need running text; these are %s records", e.kind)
	case e.asksForWords() && !isWords:
		return fmt.Errorf("encode: stop words and stems are for words; these are %s", e.describe())
	case hasColumns(e.kind) && (e.s.System == string(codes.ICD9) || e.s.System == string(codes.ICD10)):
		return fmt.Errorf("encode: code system %s does not go with %s: give codes as a list, not as columns", e.s.System, e.describe())
	case e.s.Rollup != "" && e.s.Rollup != string(codes.Full) && !e.plan.isCodes():
		return fmt.Errorf("encode: roll-up %s needs ICD codes, and the features do not look like them (%s): name the code system, or leave roll-up out", e.s.Rollup, e.plan.Vote)
	case hasColumns(e.kind) && !(e.s.MaxDF.IsZero() && e.s.Vocab.IsZero()):
		return fmt.Errorf("encode: ‹max-df› and ‹vocab› are for words and codes; these are %s: choose columns with ‹include› or ‹exclude›", e.describe())
	}
	return nil
}

func (e *encoder) describe() string {
	if e.plan.isCodes() {
		return string(e.plan.System) + " codes"
	}
	return e.kind.String() + " records"
}

// decideWords finds the language and the stop words.
func (e *encoder) decideWords() error {
	p, s := e.plan, e.s
	p.Stopwords = "none"
	asked := languageName(s.Stopwords)
	auto := asked == "" || asked == "auto"
	if !auto && asked != "none" {
		p.Language, p.Stopwords = asked, asked
	} else if p.Language = e.language(); auto && p.Language != "" {
		p.Stopwords = p.Language
	}
	if len(s.StopList) > 0 {
		p.Stopwords, p.StopList = "list", s.StopList
	}
	p.Stem = s.Stem
	if e.kind == record.Text && e.inPairs() {
		e.sum.warn(warn.Note, "pairs", "Cut the texts into words with a program for their language and give them with blanks between the words, if pairs are too short.",
			"These texts have no blanks between words: every two neighbouring characters are taken as a word.")
	}
	if p.Stopwords == "none" && auto && e.kind == record.Text && !e.inPairs() {
		e.sum.warn(warn.Note, "no-language", "Name it with --stopwords LANG, or give a list of your own.",
			"The language of the texts was not recognised, so no stop words were taken out.")
	}
	return nil
}

// inPairs reports that many of the words are pairs of characters.
func (e *encoder) inPairs() bool {
	n := 0
	for _, name := range e.raw.Names() {
		if r, _ := utf8.DecodeRuneInString(name); unspaced(r) {
			n++
		}
	}
	return 5*n > e.raw.Len()
}

// codeFormats are the formats whose features may be codes without being said
// so; in the others a feature is a number, a word or a column.
var codeFormats = []string{"", "long", "wide", "binary", "jsonl", "parquet", "mimic", "fhir", "sequences"}

// decideCodes finds the code system, the versions and the roll-up.
func (e *encoder) decideCodes() {
	p := e.plan
	raw, marked := e.asCodes()
	p.Vote.System = codes.None
	if e.couldBeCodes() || marked[codes.ICD9]+marked[codes.ICD10] > 0 || e.s.Rollup != "" {
		p.Vote = e.vote(raw)
	}
	switch asked := codes.System(e.s.System); {
	case hasColumns(e.kind) || asked == codes.None:
		return
	case asked == codes.ICD9 || asked == codes.ICD10:
		p.System = asked
	case marked[codes.ICD9]+marked[codes.ICD10] > 0:
		p.System = codes.ICD9
		if marked[codes.ICD10] > marked[codes.ICD9] {
			p.System = codes.ICD10
		}
		p.Mixed, p.Marked = marked[codes.ICD9] > 0 && marked[codes.ICD10] > 0, true
	case declared(e.schema.System) != "":
		p.System = declared(e.schema.System)
	case e.mayBeCodes():
		p.System, p.Mixed = p.Vote.System, p.Vote.Mixed
	}
	if !p.isCodes() {
		return
	}
	p.Zeros = codes.FindZeros(raw)
	p.Levels = []codes.Level{codes.Three}
	if e.s.Rollup != "" {
		p.Levels, _ = codes.ParseLevels(e.s.Rollup) // Check has read it before
	}
}

// couldBeCodes reports that names are asked whether they look like codes.
func (e *encoder) couldBeCodes() bool {
	asked := codes.System(e.s.System)
	return asked == codes.ICD9 || asked == codes.ICD10 || declared(e.schema.System) != "" || e.mayBeCodes()
}

// declared reads the system a source states.
func declared(system string) codes.System {
	switch strings.ToLower(strings.NewReplacer("-", "", ":", "", " ", "").Replace(system)) {
	case "9", "icd9", "icd9cm":
		return codes.ICD9
	case "10", "icd10", "icd10cm":
		return codes.ICD10
	case "", "icd": // codes of either version, marked one by one
		return ""
	}
	return codes.None
}

func (e *encoder) mayBeCodes() bool {
	if e.kind != record.Presence && e.kind != record.Counts {
		return false
	}
	for _, f := range codeFormats {
		if f == e.schema.Format {
			return true
		}
	}
	return false
}

// has reports whether a raw feature is the one a condition asks for: a code
// that begins so, or any other feature of that name.
func (p *Plan) has(asked, raw string) bool {
	if !p.isCodes() {
		return strings.EqualFold(strings.TrimSpace(asked), raw)
	}
	system, rest := codes.Cut(asked)
	c := p.code(raw)
	return (system == "" || system == c.system) && strings.HasPrefix(c.key, codes.Normalize(rest))
}

// reportCodes adds the remarks on versions and the choice of roll-up.
func (e *encoder) reportCodes() {
	p := e.plan
	if !p.isCodes() {
		return
	}
	if p.Mixed {
		e.sum.warn(warn.Caution, "two-versions", "Every code carries its version (9: or 10:); one disease may stand under two codes.",
			"ICD-9 and ICD-10 codes stand side by side: %s.", p.Vote)
	} else if p.Vote.Codes > 0 {
		e.problems.Note("code system %s: %s", p.System, p.Vote)
	}
	for _, level := range codes.Levels() {
		seen := map[string]bool{}
		for _, name := range e.raw.Names() {
			seen[p.code(name).roll(level, p.Mixed)] = true
		}
		e.sum.Rollup = append(e.sum.Rollup, Choice{level, len(seen)})
	}
}
