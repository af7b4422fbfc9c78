package show

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/moiety-go/moiety/internal/outfile"
)

// Marks tell files that this package wrote from all others: they stand where the
// format has room for a remark that no reader minds. They are part of the
// formats: an earlier output that lacks its mark is not replaced.
const (
	markAbout  = "moiety: for whom these files are\n"
	markReport = "moiety report"
	markLDAvis = "moiety ldavis"
	markOCTIS  = "moiety octis"
	markNPZ    = "moiety npz"
	markPlaces = `"generator": "moiety places", `
	markDOT    = "// moiety dot\n"
	markSVG    = "<!-- moiety svg -->\n"
	markPNG    = "tEXtSoftware\x00moiety"
)

// Form is a kind of file that this package writes.
type Form struct {
	// Name is how people are told what was expected: "a report of moiety".
	Name string
	// Ours reports whether a file was written in this form, given its first and
	// last bytes, of each at most the 256 KiB that are looked at.
	Ours func(head, tail []byte) bool
}

// FormOf returns the form of an output, by which an earlier one is known: "csv"
// stands for any table, "report.html", "report.pdf", "ldavis.html", "ldavis.json"
// and the names of formats for the rest.
func FormOf(name string) Form {
	generator := func(mark string) func(head, _ []byte) bool {
		line := []byte(`<meta name="generator" content="` + mark + `">`)
		return func(head, _ []byte) bool { return bytes.Contains(head[:min(len(head), 4096)], line) }
	}
	first := func(mark string) func(head, _ []byte) bool {
		return func(head, _ []byte) bool { return bytes.HasPrefix(head, []byte(mark)) }
	}
	last := func(mark string) func(_, tail []byte) bool {
		return func(_, tail []byte) bool { return bytes.HasSuffix(tail, []byte(mark)) }
	}
	forms := map[string]Form{
		"about":       {Name: "a note of moiety", Ours: first(markAbout)},
		"report.html": {Name: "a report of moiety", Ours: generator(markReport)},
		"report.pdf":  {Name: "a report of moiety", Ours: func(_, tail []byte) bool { return bytes.Contains(tail, []byte("/Creator ("+markReport+")")) }},
		"ldavis.html": {Name: "a page of topics of moiety", Ours: generator(markLDAvis)},
		"ldavis.json": {Name: "a file of topics of moiety", Ours: first(`{"generator":"` + markLDAvis + `"`)},
		"octis":       {Name: "a file of topics of moiety", Ours: first(`{"generator":"` + markOCTIS + `"`)},
		"json":        {Name: "a report of moiety", Ours: first("{\n  \"format\": \"" + Format + "\"")},
		"npz":         {Name: "a file of arrays of moiety", Ours: last(markNPZ)},
		"places.npz":  {Name: "a file of arrays of moiety", Ours: last(markNPZ)},
		"places.npy":  {Name: "a file of probabilities", Ours: func(_, _ []byte) bool { return false }}, // the form has no room for a mark
		"places.json": {Name: "a file of places of moiety", Ours: first("{" + markPlaces)},
		"dot":         {Name: "a graph of moiety", Ours: first(markDOT)},
		"svg":         {Name: "a picture of moiety", Ours: first(svgHead)},
		"png":         {Name: "a picture of moiety", Ours: func(head, _ []byte) bool { return bytes.Contains(head[:min(len(head), 128)], []byte(markPNG)) }},
	}
	return forms[name]
}

// TableForm returns the form of a table by its file name: the header that is
// written, and cells that fit it.
func TableForm(name string) Form {
	id, any := regexp.MustCompile(`^[1-9][0-9]*(\.[1-9][0-9]*)*$`).MatchString, func(string) bool { return true }
	root := func(s string) bool { return s == "" || id(s) }
	whole := func(s string) bool { _, err := strconv.Atoi(s); return s == "" || err == nil }
	number := func(s string) bool { _, err := strconv.ParseFloat(s, 64); return s == "" || err == nil }
	tables := map[string]header{
		"assignments.csv":        {{"id", any}, {"group", id}, {"probability", number}},
		"steps.csv":              {{"id", any}, {"step", whole}, {"group", id}, {"probability", number}},
		"courses.csv":            {{"id", any}, {"course", id}, {"probability", number}},
		"course_transitions.csv": {{"course", id}, {"n", whole}, {"share", number}, {"from", id}, {"start", number}, {"time", number}},
		"weights.csv":            {{"group", id}, {"weight", number}},
		"nodes.csv":              {{"node", id}, {"parent", root}, {"level", whole}, {"n", whole}, {"share", number}, {"name", any}},
		"topics.csv":             {{"group", id}, {"rank", whole}, {"feature", any}, {"relevance", number}, {"probability", number}, {"ratio", number}},
		"parameters.csv": {
			{"group", id},
			{"question", any},
			{"feature", any},
			{"probability", number},
			{"se", number},
			{"se_outer", number},
			{"se_resampled", number},
			{"low", number},
			{"high", number},
			{"edge", whole},
		},
		"transitions.csv": {{"from", id}},
		"waits.csv": {
			{"state", id},
			{"unit", any},
			{"median", number},
			{"low", number},
			{"high", number},
			{"first_quartile", number},
			{"third_quartile", number},
			{"middle", number},
			{"last", number},
		},
		"classification.csv": {{"group", id}, {"n", whole}},
		"outcomes.csv":       {{"column", any}, {"answer", any}, {"group", id}, {"counted", number}, {"mean", number}},
		"trends.csv": {
			{"column", any},
			{"kind", any},
			{"value", any},
			{"n", whole},
			{"group", id},
			{"share", number},
			{"low", number},
			{"high", number},
			{"p", number},
			{"p_holm", number},
		},
		"trend-words.csv":   {{"column", any}, {"value", any}, {"group", id}, {"feature", any}, {"share", number}, {"low", number}, {"high", number}},
		"sides.csv":         {{"column", any}, {"kind", any}, {"test", any}, {"p", number}, {"p_holm", number}, {"used", whole}, {"withheld", whole}},
		"fit.csv":           {{"measure", any}, {"value", number}},
		"residuals.csv":     {{"a", any}, {"b", any}, {"residual", number}, {"x2", number}, {"df", whole}, {"dependent", whole}},
		"cohort_definition": {{"cohort_definition_id", whole}, {"group", any}, {"cohort_definition_name", any}},
		"omop-cohort":       {{"cohort_definition_id", whole}, {"subject_id", any}, {"cohort_start_date", any}, {"cohort_end_date", any}},
	}
	optional := map[string][][]string{
		"weights.csv": {{}, {"words"}, {"words", "documents"}, {"words", "documents", "alpha"}, {"start"}, {"se", "low", "high"}},
		"topics.csv":  {{}, {"average"}},
	}
	if name == "groups.csv" { // side columns of any name, numbers all
		return Form{Name: "a table of moiety", Ours: func(head, _ []byte) bool {
			line, _, _ := bytes.Cut(head, []byte("\n"))
			names, err := csv.NewReader(bytes.NewReader(line)).Read()
			if err != nil || names[0] != "group" {
				return false
			}
			all := header{{"group", id}}
			for _, n := range names[1:] {
				all = append(all, column{n, number})
			}
			return all.fits(head)
		}}
	}
	columns, ok := tables[name]
	ours := func(head, _ []byte) bool { return columns.fits(head) }
	if name == "assignments.csv" || name == "steps.csv" || name == "classification.csv" || name == "transitions.csv" || name == "course_transitions.csv" { // and a column for every group
		ours = func(head, _ []byte) bool { return widened(columns, head, id, number) }
	}
	if more := optional[name]; more != nil {
		ours = func(head, _ []byte) bool {
			return slices.ContainsFunc(more, func(names []string) bool {
				all := slices.Clone(columns)
				for _, m := range names {
					all = append(all, column{m, number})
				}
				return all.fits(head)
			})
		}
	}
	if !ok { // centers.csv: as many columns as groups
		ours = func(head, _ []byte) bool {
			return !bytes.HasPrefix(head, []byte("feature\n")) && widened(header{{"feature", any}}, head, id, number)
		}
	}
	return Form{Name: "a table of moiety", Ours: ours}
}

// widened reports whether a file that begins with head has these columns, and
// after them some of numbers whose names are ids.
func widened(columns header, head []byte, id, number func(string) bool) bool {
	line, _, _ := bytes.Cut(head, []byte("\n"))
	names := strings.Split(string(line), ",")
	all := slices.Clone(columns)
	for _, name := range names[min(len(columns), len(names)):] {
		if !id(name) {
			return false
		}
		all = append(all, column{name, number})
	}
	return all.fits(head)
}

// column is a name in a header and what its cells look like.
type column struct {
	name string
	like func(string) bool
}

// header is the columns of a table, in order.
type header []column

// fits reports whether a file that begins with head has these columns. The last
// line may be cut.
func (s header) fits(head []byte) bool {
	cut := len(head) == outfile.Sample
	if cut {
		head = head[:bytes.LastIndexByte(head, '\n')+1]
	}
	r := csv.NewReader(bytes.NewReader(head))
	r.FieldsPerRecord, r.ReuseRecord = len(s), true
	names, err := r.Read()
	for i := 0; i < len(s) && err == nil; i++ {
		if names[i] != s[i].name {
			return false
		}
	}
	if err != nil {
		return false
	}
	for {
		cells, err := r.Read()
		if err != nil {
			// A line break within quotes may be cut as well.
			return errors.Is(err, io.EOF) || cut && int(r.InputOffset()) == len(head)
		}
		for i, c := range s {
			if !c.like(cells[i]) {
				return false
			}
		}
	}
}
