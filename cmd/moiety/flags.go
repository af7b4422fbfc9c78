package main

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/internal/codes"
	"github.com/moiety-go/moiety/internal/encode"
	"github.com/moiety-go/moiety/internal/read"
	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/internal/suggest"
)

// reading are the flags that say how data lie in files.
type reading struct {
	o         read.Options
	malformed string
	flags     *pflag.FlagSet
}

// textFlag is a flag with a word as its value.
type textFlag struct {
	name, help string
	of         func(*read.Options) *string
}

func textFlags() []textFlag {
	return []textFlag{
		{"format", "auto, or one of: " + strings.Join(read.Formats(), ", "), func(o *read.Options) *string { return &o.Format }},
		{"id", "column or field of the record's id", func(o *read.Options) *string { return &o.ID }},
		{"code", "column of codes, or field of words; a pattern such as 'dx*' for wide lists", func(o *read.Options) *string { return &o.Code }},
		{"count", "column of counts in long tables", func(o *read.Options) *string { return &o.Count }},
		{"text", "column or field of running text", func(o *read.Options) *string { return &o.Text }},
		{"time", "column of times", func(o *read.Options) *string { return &o.Time }},
		{"freq", "column that says how many records a row stands for", func(o *read.Options) *string { return &o.Freq }},
		{"unit", "what one record is: patient, stay or row", func(o *read.Options) *string { return &o.Unit }},
		{"header", "whether tables have a header line: yes or no", func(o *read.Options) *string { return &o.Header }},
		{"separator", "between columns: , ; tab | space ^ ~", func(o *read.Options) *string { return &o.Separator }},
		{"decimal", "decimal sign of numbers: . or ,", func(o *read.Options) *string { return &o.Decimal }},
		{"lines", "layout of documents in lines: plain, id, mallet or fasttext", func(o *read.Options) *string { return &o.Lines }},
		{"vocab-file", "names of the features, one a line", func(o *read.Options) *string { return &o.VocabFile }},
		{"ids-file", "names of the records, one a line (mtx)", func(o *read.Options) *string { return &o.IDsFile }},
		{"encoding", "encoding of texts and tables, such as windows-1250, gbk or shift_jis; guessed if left out", func(o *read.Options) *string { return &o.Encoding }},
		{"sheet", "sheet of a workbook (xlsx), the first one if left out", func(o *read.Options) *string { return &o.Sheet }},
		{"fhir-system", "code system to take from FHIR resources", func(o *read.Options) *string { return &o.System }},
		{"omop-schema", "schema of the OMOP tables", func(o *read.Options) *string { return &o.OMOP.Schema }},
		{"omop-table", "condition, drug or procedure", func(o *read.Options) *string { return &o.OMOP.Table }},
		{"cohort-schema", "schema of the OMOP cohort table", func(o *read.Options) *string { return &o.OMOP.CohortSchema }},
	}
}

// add defines the flags of reading on a command.
func (r *reading) add(c *cobra.Command) {
	r.flags = c.Flags()
	section(c, "Flags")
	for _, f := range textFlags() {
		r.flags.StringVar(f.of(&r.o), f.name, "", f.help)
	}
	for _, w := range r.words() {
		complete(c, w.flag, w.known...)
	}
	c.PreRunE = func(*cobra.Command, []string) error { return r.check() }
	r.flags.StringSliceVar(&r.o.Label, "label", nil, "columns that describe records and never enter a fit")
	r.flags.StringSliceVar(&r.o.Columns, "columns", nil, "columns of features in wide tables, names or patterns; NAME=answers (or counts, measurements, presence) says what one holds")
	r.flags.BoolVar(&r.o.Transpose, "transpose", false, "records are the columns (mtx, tables)")
	r.flags.BoolVar(&r.o.OMOP.SourceValues, "source-values", false, "codes of the source instead of OMOP concepts")
	r.flags.Int64Var(&r.o.OMOP.Cohort, "cohort", 0, "cohort_definition_id whose persons to take from OMOP")
	r.flags.IntVar(&r.o.SkipLines, "skip-lines", 0, "lines above the table that are not part of it")
	r.flags.BoolVar(&r.o.Strict, "strict", false, "stop at the first malformed line")
	r.flags.StringVar(&r.malformed, "skip-malformed", "", "malformed records that may be left out, such as 5% (default 1%)")
	section(c, "How the data lie in files")
}

// word is a flag that takes one of some words.
type word struct {
	flag, value string
	known       []string
}

// words lists the flags of reading that take one of some words.
func (r *reading) words() []word {
	return []word{
		{"format", r.o.Format, append([]string{"auto"}, read.Formats()...)},
		{"unit", r.o.Unit, []string{"patient", "stay", "row"}},
		{"header", r.o.Header, []string{"yes", "no"}},
		{"separator", r.o.Separator, []string{",", ";", "tab", "|", "space"}},
		{"decimal", r.o.Decimal, []string{".", ","}},
		{"lines", r.o.Lines, []string{"plain", "id", "mallet", "fasttext"}},
		{"omop-table", r.o.OMOP.Table, []string{"condition", "drug", "procedure"}},
	}
}

// check refuses words that the reader does not know, before any file is opened.
func (r *reading) check() error {
	for _, w := range r.words() {
		if err := oneOf(w.flag, w.value, w.known...); err != nil {
			return err
		}
	}
	if err := encodingKnown(r.o.Encoding); err != nil {
		return err
	}
	if r.o.SkipLines < 0 {
		return misuse("--skip-lines %d: write how many lines, 0 or more", r.o.SkipLines)
	}
	return r.checkMalformed()
}

// checkMalformed reads the share of records that may be left out.
func (r *reading) checkMalformed() error {
	if r.malformed == "" {
		return nil
	}
	a, err := dataset.ParseAmount(r.malformed)
	if err != nil || a.Share == 0 {
		return misuse("--skip-malformed %s: write a share of the records, such as 5%%", r.malformed)
	}
	r.o.SkipMalformed = a.Share
	return nil
}

// encodingKnown refuses encodings that nobody knows.
func encodingKnown(name string) error {
	if name == "" {
		return nil
	}
	if _, err := source.Encoding(name); err != nil {
		return misuse("--encoding: %w", err)
	}
	return nil
}

// over returns base with the flags that were given laid over it.
func (r *reading) over(base read.Options) read.Options {
	for _, f := range textFlags() {
		if r.flags.Changed(f.name) {
			*f.of(&base) = *f.of(&r.o)
		}
	}
	for _, f := range []struct {
		name string
		set  func()
	}{
		{"label", func() { base.Label = r.o.Label }},
		{"columns", func() { base.Columns = r.o.Columns }},
		{"transpose", func() { base.Transpose = r.o.Transpose }},
		{"source-values", func() { base.OMOP.SourceValues = r.o.OMOP.SourceValues }},
		{"cohort", func() { base.OMOP.Cohort = r.o.OMOP.Cohort }},
		{"skip-lines", func() { base.SkipLines = r.o.SkipLines }},
		{"strict", func() { base.Strict = r.o.Strict }},
		{"skip-malformed", func() { base.SkipMalformed = r.o.SkipMalformed }},
	} {
		if r.flags.Changed(f.name) {
			f.set()
		}
	}
	return base
}

// encoding are the flags that say how records become rows.
type encoding struct {
	s                   encode.Settings
	minDF, maxDF, vocab string
	stopwords, titles   string
}

// add defines the flags of encoding on a command.
func (e *encoding) add(c *cobra.Command) {
	f := c.Flags()
	section(c, "Flags")
	f.StringVar(&e.s.Where, "where", "", "which records to take: 'age < 100 and has code 428'")
	f.IntVar(&e.s.MinCodes, "min-codes", 0, "leave records with fewer features out of the learning; they are placed all the same")
	f.StringSliceVar(&e.s.Include, "include", nil, "features to keep, names or patterns")
	f.StringSliceVar(&e.s.Exclude, "exclude", nil, "features to leave out, names or patterns")
	f.StringVar(&e.s.System, "system", "", "code system: auto, icd9, icd10 or none")
	f.StringVar(&e.s.Rollup, "rollup", "", "how fine codes are: full, 3, ccs, chapter, or several joined by +")
	f.BoolVar(&e.s.Counts, "counts", false, "count codes instead of noting their presence")
	f.StringVar(&e.titles, "titles", "", "file of titles: code,title, or the table CONCEPT of OMOP")
	f.StringVar(&e.minDF, "min-df", "", "fewest records of a feature: 5 or 1%")
	f.StringVar(&e.maxDF, "max-df", "", "most records of a feature: 1000 or 90%")
	f.StringVar(&e.vocab, "vocab", "", "most frequent features: 2000, 70% of all words, or all (texts lose rare and very frequent words without it)")
	f.StringVar(&e.stopwords, "stopwords", "", "language, file, auto or none")
	f.IntVar(&e.s.Ngrams, "ngrams", 0, "longest run of words that is a feature: 1, 2 or 3")
	f.BoolVar(&e.s.Stem, "stem", false, "cut words to their stems")
	f.IntVar(&e.s.MinLength, "min-length", 0, "letters of the shortest word (2)")
	f.BoolVar(&e.s.Numbers, "numbers", false, "keep words without a letter")
	section(c, "Which records and features, and how fine")
}

// settings reads the flags' words.
func (e *encoding) settings() (encode.Settings, error) {
	s := e.s
	if s.AllWords = e.vocab == "all"; s.AllWords {
		e.vocab = ""
	}
	for _, a := range []struct {
		flag, text string
		to         *dataset.Amount
	}{{"min-df", e.minDF, &s.MinDF}, {"max-df", e.maxDF, &s.MaxDF}, {"vocab", e.vocab, &s.Vocab}} {
		amount, err := dataset.ParseAmount(a.text)
		if err != nil {
			return s, misuse("--%s: %w", a.flag, err)
		}
		*a.to = amount
	}
	if err := e.stopList(&s); err != nil {
		return s, err
	}
	if e.titles != "" {
		f, err := openText(e.titles, mostText)
		if err != nil {
			return s, misuse("--titles: %w", err)
		}
		defer f.Close()
		if s.Titles, err = codes.ReadTitles(f); err != nil {
			return s, misuse("--titles %s: %w", e.titles, err)
		}
	}
	if err := s.Check(); err != nil {
		return s, usage{err}
	}
	return s, nil
}

// stopList reads --stopwords: a language, or a file that is there.
func (e *encoding) stopList(s *encode.Settings) error {
	s.Stopwords = e.stopwords
	if e.stopwords == "" || (encode.Settings{Encoding: dataset.Encoding{Stopwords: e.stopwords}}).Check() == nil {
		return nil
	}
	f, err := openText(e.stopwords, mostText)
	if errors.Is(err, fs.ErrNotExist) {
		return misuse("--stopwords %s: no language and no file of that name; languages are %s", e.stopwords, strings.Join(encode.Languages(), ", "))
	}
	if err != nil {
		return misuse("--stopwords: %w", err)
	}
	defer f.Close()
	s.Stopwords = ""
	if s.StopList, err = encode.ReadStopList(f); err != nil {
		return misuse("--stopwords %s: %w", e.stopwords, err)
	}
	return nil
}

// needData refuses a command line without data.
func needData(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return misuse("no data: name files, folders, patterns, or - for standard input, as in \"%s FILE.csv\"", c.CommandPath())
	}
	return nil
}

// oneOf refuses words that a flag does not know.
func oneOf(flag, value string, known ...string) error {
	if value == "" || slices.Contains(known, value) {
		return nil
	}
	return misuse("--%s %s%s: write %s", flag, value, suggest.Hint(value, known), list(known))
}

// list writes "a, b or c".
func list(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return fmt.Sprintf("%s or %s", strings.Join(words[:len(words)-1], ", "), words[len(words)-1])
}
