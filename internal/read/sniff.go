package read

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/moiety-go/moiety/internal/pattern"
	"github.com/moiety-go/moiety/internal/read/biom"
	"github.com/moiety-go/moiety/internal/read/delimited"
	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/internal/read/texts"
	"github.com/moiety-go/moiety/record"
)

// Guess is what inputs seem to hold.
type Guess struct {
	Format string // a word of Formats
	Reason string // why, in words for people: "looks like …"

	seen  *delimited.Profile // of the first input, where it was looked at as a table
	table bool               // it is a table, also where the format is text
	with  func(*Options)     // names the columns of a table that is known; may be nil
}

// sniffBytes is what tells formats apart; tables are looked at more closely.
const sniffBytes = 64 << 10

var (
	svmLine     = pattern.New(`^[-+]?[\d.]+([eE][-+]?\d+)?(,[-+]?[\d.]+)*(\s+(qid:\d+|\d+:[-+.\deE]+))*\s*(#.*)?$`)
	svmPair     = pattern.New(`\s\d+:[-+.\d]`)
	docwordLine = pattern.New(`^\d+ \d+ \d+\s*$`)
	numberLine  = pattern.New(`^\d+\s*$`)
	docwordName = pattern.New(`(?i)^docword\..*`)
)

// Sniff finds out what the inputs hold, from their names and the start of the
// first one.
func Sniff(ctx context.Context, inputs []source.Input, o Options) (Guess, error) {
	in := first(inputs)
	if g, ok, err := contained(ctx, in); ok || err != nil {
		return g, err
	}
	lines, _, err := in.Lines(ctx, sniffBytes)
	if err != nil {
		return Guess{}, err
	}
	if len(lines) == 0 {
		return Guess{}, fmt.Errorf("%s: no line with content: %w", in.Name, source.ErrEmpty)
	}
	if g, ok := byContent(in, lines); ok {
		return g, nil
	}
	g, prof, err := byTable(ctx, in, inputs, lines, o)
	if prof != nil && in.Name == inputs[0].Name {
		g.seen = prof
	}
	return g, err
}

// first skips vocabulary files, which come before their docword in no order
// that can be relied on, and the files that name what a matrix holds.
func first(inputs []source.Input) source.Input {
	for _, in := range inputs {
		if docwordName.MatchString(in.Base()) {
			return in
		}
	}
	for _, in := range inputs {
		if strings.HasSuffix(strings.ToLower(in.Base()), ".mtx") {
			return in
		}
	}
	for _, in := range inputs {
		if !strings.HasPrefix(strings.ToLower(in.Base()), "vocab.") {
			return in
		}
	}
	return inputs[0]
}

// byContent recognises the formats that show what they are.
func byContent(in source.Input, lines []string) (Guess, bool) {
	top := strings.TrimSpace(lines[0])
	switch {
	case strings.HasPrefix(top, "%%MatrixMarket"):
		return Guess{Format: "mtx", Reason: "is a Matrix Market file"}, true
	case strings.HasPrefix(top, "{") && biom.Is([]byte(strings.Join(lines, "\n"))):
		return Guess{Format: "biom", Reason: "is a matrix of observations by samples (BIOM); the samples are the records"}, true
	case strings.HasPrefix(top, "{") && strings.Contains(top, `"resourceType"`):
		return Guess{Format: "fhir", Reason: "looks like a FHIR bulk export: lines of JSON with a resourceType"}, true
	case strings.HasPrefix(top, "{"):
		return Guess{Format: "jsonl", Reason: "looks like JSON lines"}, true
	case len(lines) >= 4 && all(numberLine, lines[:3]) && docwordLine.MatchString(lines[3]):
		return Guess{Format: "uci", Reason: "looks like a UCI bag of words: three numbers, then document, word, count"}, true
	case docwordName.MatchString(in.Base()) && numberLine.MatchString(lines[0]):
		return Guess{Format: "uci", Reason: "is named like a UCI bag of words"}, true
	case isSVMlight(lines):
		return Guess{Format: "svmlight", Reason: "looks like SVMlight: a label and index:value pairs"}, true
	case delimited.AreDigits(lines[:min(len(lines), 20)]):
		return Guess{Format: "digits", Reason: fmt.Sprintf("looks like lines of digits: %d a line", len(top))}, true
	}
	return Guess{}, false
}

// isSVMlight recognises labels with index:value pairs behind them; lines may
// be remarks, and records may be empty.
func isSVMlight(lines []string) bool {
	const enough = 20
	n, pairs := 0, 0
	for _, l := range lines {
		if strings.HasPrefix(strings.TrimSpace(l), "#") {
			continue
		}
		if !strings.Contains("+-.0123456789", l[:1]) || !svmLine.MatchString(l) {
			return false
		}
		if svmPair.MatchString(l) {
			pairs++
		}
		if n++; n == enough {
			break
		}
	}
	return pairs > 0 && pairs*2 >= n
}

func all(re *pattern.Pattern, lines []string) bool {
	for _, l := range lines {
		if !re.MatchString(l) {
			return false
		}
	}
	return true
}

// byTable tells tables from texts, and returns what it saw.
func byTable(ctx context.Context, in source.Input, inputs []source.Input, lines []string, o Options) (Guess, *delimited.Profile, error) {
	d := o.delimited(delimited.Long)
	prof, err := delimited.Survey(ctx, in, d)
	if err != nil {
		return Guess{}, nil, err
	}
	if !o.names() || o.namesFiles(inputs) {
		notes, err := areNotes(ctx, inputs, prof)
		if err != nil {
			return Guess{}, nil, err
		}
		if g, ok := labelledTexts(lines); ok {
			return g, nil, nil
		}
		if !notes && len(inputs) == 1 {
			if g, ok, err := codesBehindIDs(ctx, in, lines, o); ok || err != nil {
				return g, nil, err
			}
		}
		if !notes && !tabular(prof) && !strayCommas(in, prof) && len(inputs) == 1 {
			if g, ok, err := ways(ctx, in, o); ok || err != nil {
				return g, nil, err
			}
			if g, ok, err := baskets(ctx, in, o); (ok || err != nil) && !prof.Quoted && !oneColumn(in, prof) {
				return g, nil, err
			}
		}
		sentence := prof.Separator == ' ' && (prof.Rows == 0 || prof.Sentences()) // one line with blanks, or lines of as many words
		if notes || sentence || !tabular(prof) && !oneColumn(in, prof) && !cutOff(in, prof) && !strayCommas(in, prof) {
			if g, ok := textsBelow(lines); ok && len(inputs) == 1 {
				return g, nil, nil
			}
			if len(inputs) == 1 && prof.Complete {
				if err := wordless(in, prof, lines); err != nil {
					return Guess{}, nil, err
				}
			}
			return prose(inputs, lines), prof, nil
		}
	}
	return classify(ctx, inputs, prof, o)
}

// word is what texts are made of: two signs or more, one of them a letter.
var word = pattern.New(`\p{L}[\p{L}\p{N}]|\p{N}\p{L}`)

// wordless refuses what is neither a table, as its lines have different numbers of
// fields, nor a text, as it holds no words.
func wordless(in source.Input, p *delimited.Profile, lines []string) error {
	if slices.ContainsFunc(lines, word.MatchString) {
		return nil
	}
	if len(lines) == 1 {
		return &record.ParseError{File: in.Name, Line: 1, Text: lines[0], Msg: "this line is all there is, and it holds no words; a header and a row for each record are wanted"}
	}
	fields := func(l string) int { return 1 + strings.Count(l, string(p.Separator)) }
	if !slices.ContainsFunc(lines, func(l string) bool { return fields(l) != 1 }) {
		fields = func(l string) int { return len(strings.Fields(l)) }
	}
	counts := []string{}
	for _, l := range lines[:min(len(lines), 4)] {
		counts = append(counts, fmt.Sprint(fields(l)))
	}
	return &record.ParseError{
		File: in.Name, Line: 2, Text: lines[1],
		Msg: fmt.Sprintf("the lines have different numbers of fields (%s …), so it is no table, and hold no words, so it is no text; give every line all its separators, or name the separator with ‹separator›", strings.Join(counts, ", ")),
	}
}

// classify says what kind of table was seen; where a column is a feature, all
// rows are looked at.
func classify(ctx context.Context, inputs []source.Input, prof *delimited.Profile, o Options) (Guess, *delimited.Profile, error) {
	d := o.delimited(delimited.Long)
	if o.Like != nil && prof.Knows(o.Like) {
		return Guess{Format: string(o.Like.Shape), Reason: "has the columns of the run's data and is read like them", table: true}, prof, nil
	}
	if g, ok := hospital(first(inputs), prof, o); ok {
		return g, prof, nil
	}
	if g, ok := longCounts(prof, o); ok {
		return g, prof, nil
	}
	if o.Time != "" && o.Code == "" && o.Text == "" {
		if shape, reason := prof.Classify(d); shape != delimited.Long && shape != delimited.Text { // texts have topics over time
			return Guess{Format: "sequences", Reason: "has a column of times (" + o.Time + "); " + reason}, prof, nil
		}
	}
	shape, reason := prof.Classify(d)
	if delimited.Wide(shape) {
		var err error
		if prof, err = prof.Survey(ctx, inputs, d); err != nil {
			return Guess{}, nil, err
		}
		shape, reason = prof.Classify(d)
	}
	return Guess{Format: string(shape), Reason: reason, table: true}, prof, nil
}

// lineSeparator parts nothing: a line is one cell.
const lineSeparator = '\x1f'

// asLists are the options of a table of one column: lines of symbols.
func asLists(d delimited.Options) delimited.Options {
	d.Separator, d.Header = lineSeparator, delimited.NoHeader
	return d
}

// ways recognises lines that are lists of symbols, of different lengths.
func ways(ctx context.Context, in source.Input, o Options) (Guess, bool, error) {
	d := asLists(o.delimited(delimited.Sequences))
	prof, err := delimited.Survey(ctx, in, d)
	if err != nil {
		return Guess{}, false, err
	}
	reason, ok := prof.Ways(d)
	return Guess{Format: "sequences", Reason: strings.TrimSuffix(reason, " in column column1"), with: func(o *Options) { o.ways = true }}, ok, nil
}

// baskets recognises lines that are lists of names, of different lengths.
func baskets(ctx context.Context, in source.Input, o Options) (Guess, bool, error) {
	prof, err := delimited.Survey(ctx, in, asLists(o.delimited(delimited.List)))
	if err != nil {
		return Guess{}, false, err
	}
	how, n := prof.Baskets()
	return Guess{
		Format: "wide", with: func(o *Options) { o.ways = true },
		Reason: fmt.Sprintf("looks like lists of %s, %d different ones or more; as running text: --format lines", how, n),
	}, how != "", nil
}

// names reports that a column of a table is named.
func (o Options) names() bool {
	return o.Like != nil || o.ID != "" || o.Code != "" || len(o.Columns) > 0 || len(o.Label) > 0 || o.Freq != "" || o.Separator != ""
}

// namesFiles reports that all columns that are named are made of the names of the
// files.
func (o Options) namesFiles(inputs []source.Input) bool {
	made := texts.Columns(inputs)
	labels := o.Label
	o.Label = nil
	return len(labels) > 0 && len(inputs) > 1 && !o.names() && !slices.ContainsFunc(labels, func(l string) bool { return !slices.Contains(made, l) })
}

// areNotes reports several plain text files that are documents, one each,
// whatever the first one looks like: they do not share the first line of a
// table, and blanks alone part no columns.
func areNotes(ctx context.Context, inputs []source.Input, p *delimited.Profile) (bool, error) {
	if len(inputs) < 2 {
		return false, nil
	}
	for _, in := range inputs {
		if ext := path.Ext(in.Base()); ext != ".txt" && ext != "" && ext != ".md" {
			return false, nil
		}
	}
	if p.Separator == ' ' || len(p.Columns) < 2 {
		return true, nil
	}
	var heads [2]string
	for i, in := range inputs[:2] {
		head, err := in.Head(ctx, sniffBytes)
		if err != nil {
			return false, err
		}
		heads[i], _, _ = strings.Cut(string(head), "\n")
	}
	same := heads[0] == heads[1]
	if !p.Header {
		sep := string(p.Separator)
		same = p.Rows >= 3 && strings.Count(heads[0], sep) == strings.Count(heads[1], sep)
	}
	return !same, nil
}

// oneColumn reports a table of one column: numbers, or what is named a table
// and has a header or quotes.
func oneColumn(in source.Input, p *delimited.Profile) bool {
	if len(p.Columns) != 1 || p.Rows < 2 || p.Ragged*4 > p.Rows {
		return false
	}
	c := &p.Columns[0]
	if c.Rows > 0 && c.Numbers == c.Rows {
		return true
	}
	ext := strings.ToLower(path.Ext(in.Base()))
	return (ext == ".csv" || ext == ".tsv") && (p.Header || p.Quoted)
}

// cutOff reports a file that is named a table and has so few rows that one that
// was cut off makes them uneven: none is longer than the first.
func cutOff(in source.Input, p *delimited.Profile) bool {
	ext := strings.ToLower(path.Ext(in.Base()))
	return (ext == ".csv" || ext == ".tsv") && p.Separator != ' ' && p.Tapers()
}

// strayCommas reports a file that is named a table, has a header, and has as many fields
// as it in most rows: the others have separators inside cells without quotes. It is read
// as a table, which says so, and never as text.
func strayCommas(in source.Input, p *delimited.Profile) bool {
	ext := strings.ToLower(path.Ext(in.Base()))
	return (ext == ".csv" || ext == ".tsv") && p.Separator != ' ' && p.Header && len(p.Columns) >= 3 && p.Ragged*2 < p.Rows
}

// tabular reports whether most rows have the same number of fields, and more
// than one.
func tabular(p *delimited.Profile) bool {
	return len(p.Columns) >= 2 && p.Ragged*4 <= p.Rows
}

// prose decides between one document a file and one a line.
func prose(inputs []source.Input, lines []string) Guess {
	if len(inputs) > 1 {
		return Guess{Format: "text", Reason: fmt.Sprintf("looks like running text: %d files, one document each", len(inputs))}
	}
	return Guess{Format: "lines", Reason: fmt.Sprintf("looks like running text: one document a line, %d or more lines", len(lines))}
}
