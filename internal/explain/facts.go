package explain

import (
	"math"
	"strconv"
	"strings"

	"github.com/moiety-go/moiety/internal/pattern"
	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/warn"
)

// facts tells what was read and how it was fitted.
func (b *builder) facts() {
	b.r.Data = b.dataFacts()
	pr := b.o.Model.Provenance
	if b.o.Tree != nil {
		pr = b.o.Tree.Provenance
	}
	b.r.Fit = report.Fit{
		Model: b.info.Name, InWords: b.modelWords(), Noun: b.groupNoun(), Groups: len(b.h.leaf),
		Settings: pr.Settings, Seed: pr.Seed, Program: pr.Program, Fingerprint: pr.Data, Iterations: pr.Iterations,
	}
	if b.o.Tree != nil {
		b.r.Fit.Levels = b.o.Tree.Depth()
	}
	if pr.Objective != 0 {
		b.r.Fit.Objective = report.NumberOf(pr.Objective)
	}
	b.r.Fit.Bound = b.info.Soft
	if pr.Prior != nil {
		b.r.Fit.Prior = report.NumberOf(*pr.Prior)
	}
	if pr.Starts != nil {
		b.r.Fit.Starts, b.r.Fit.Reached = pr.Starts.Tried, pr.Starts.Reached
	}
	if b.r.Ring == report.Shared {
		// Nothing that changes with every record, or tells the data.
		f := &b.r.Fit
		f.Settings, f.Fingerprint, f.Iterations, f.Objective = nil, "", 0, report.Number{}
		f.Starts, f.Reached = 0, 0
	}
	b.warnings(pr.Warnings)
}

// dataFacts counts the records, those left out, and the short ones.
func (b *builder) dataFacts() report.Data {
	d := report.Data{
		Features: b.d.vocab.Len(), Kind: kindWords(b.d.kind, b.d.vocab), System: b.d.vocab.System,
		Health: b.s.Health, Period: b.period(),
	}
	if b.r.Ring != report.Shared { // the name of a file, and when it was read, tell the data
		d.Files, d.Date = b.s.Files, b.s.Made
	}
	n := b.d.records
	if b.open.limit == 0 || n == 0 || n >= b.open.limit {
		d.Records = report.CountOf(n)
	}
	if b.r.Ring == report.Shared {
		d.Features, d.Records = len(b.listed), b.shared(n, b.rounded.people, partOfSizes)
	}
	if b.open.sizeOpen(0) {
		d.Rows = report.CountOf(b.c.n[0])
	}
	b.shortRecords(&d)
	if n > 0 && !b.d.dense && !b.d.sequences {
		entries := float64(b.d.entries)
		if b.words() {
			entries = b.entries
		}
		d.Entries = report.NumberOf(entries / float64(n))
		if b.open.limit > 0 {
			// The exact mean is the sum of all counts: with one of them masked,
			// it would tell it.
			d.Entries = report.NumberOf(math.Round(entries / float64(n)))
		}
	}
	b.leftOut(&d)
	return d
}

// shortRecords counts empty and short records, and tells the numbers as far as
// they may be reported: of the three classes empty, short and long.
func (b *builder) shortRecords(d *report.Data) {
	if b.d.dense || b.d.sequences {
		return
	}
	if r := b.rounded.rows; b.r.Ring == report.Shared { // rounded before
		if n := b.d.lengths[0]; r.reaches(float64(n), partOfFeatures, b.open.limit) {
			d.Empty = report.CountOf(n)
		}
		if n := b.d.lengths[0] + b.d.lengths[1]; r.reaches(float64(b.d.lengths[1]), partOfFeatures, b.open.limit) {
			d.Short = report.CountOf(n)
		}
		return
	}
	var class [3][]int
	for c, n := range b.d.lengths {
		class[c] = []int{n}
	}
	_, hidden := mergeRare(division{classes: class[:], limit: b.open.limit})
	if !hidden[0] {
		d.Empty = report.CountOf(class[0][0])
	}
	if hidden[0] == hidden[1] && (!hidden[0] || !hidden[2]) {
		d.Short = report.CountOf(class[0][0] + class[1][0])
	}
}

// leftOut tells the records that were left out; where one of the numbers is
// masked, the number read is too.
func (b *builder) leftOut(d *report.Data) {
	if b.s.Read == nil {
		return
	}
	gate := Gate{b.r.Ring, b.open.limit, b.rounded.people}
	pass := func(c report.Count, let func(int) report.Count) report.Count { // what the gate let pass once may be too much now
		if n, ok := c.Value(); ok {
			return let(n)
		}
		return c
	}
	masked := false
	for _, p := range b.s.Read.LeftOut {
		n := pass(p.N, gate.Count)
		masked = masked || n.Masked()
		d.LeftOut = append(d.LeftOut, report.Part{Name: p.Name, N: n})
	}
	if b.r.Ring == report.Shared || !masked && !d.Records.Masked() {
		d.Read = pass(b.s.Read.Records, gate.Size)
	}
}

// shared returns a count that stands alone, rounded, where it may be reported.
func (b *builder) shared(n int, r rounding, part int) report.Count {
	v := r.near(float64(n), part)
	if !r.reaches(v, part, b.open.limit) {
		return report.Count{}
	}
	return report.CountOf(int(v))
}

// period returns the first and the last date of the date column: days, or
// months where records are of people.
func (b *builder) period() string {
	if b.d.first == "" || b.r.Ring == report.Shared { // the first and the last day are those of one record
		return ""
	}
	digits := len("2006-01-02")
	if b.s.Health || b.open.limit > 0 {
		digits = len("2006-01")
	}
	first, last := b.d.first[:digits], b.d.last[:digits]
	if first == last {
		return first
	}
	return first + " to " + last
}

// RowsOfPeople is the code of the warning that says what a record is.
const RowsOfPeople = "rows-of-people"

// warnings gathers those of reading, of the fit and of the caller, by falling
// weight.
func (b *builder) warnings(ofFit []warn.Warning) {
	var list []warn.Warning
	if b.s.Read != nil {
		list = append(list, b.s.Read.Warnings...)
	}
	list = append(append(append(list, ofFit...), b.inferenceWarnings()...), b.s.Warnings...)
	seen := make(map[warn.Warning]bool)
	gate := Gate{Ring: b.r.Ring, Limit: b.open.limit}
	for _, w := range gate.Warnings(WithoutFewRecords(list, b.o.Verdict)) {
		if w.Code != RowsOfPeople { // which says what a record is
			w.Text, w.Remedy = b.inUnits(w.Text), b.inUnits(w.Remedy)
		}
		if !seen[w] {
			seen[w] = true
			b.r.Warnings = append(b.r.Warnings, w)
		}
	}
	warn.Sort(b.r.Warnings)
}

// counted finds counts of records in a sentence, "3 records" or "3 of the 200
// records", with a share behind them.
var counted = pattern.New(`\b(\d[\d,]*)( | of | of the | of all | of [\d,]+ | of the [\d,]+ )(records?|patients?|stays?|visits?|claims?|encounters?|admissions?|episodes?|cases?|spells?|persons?|people|rows?|documents?|sequences?)\b(\s*\([^)]*%\))?`)

// figure finds numbers in a sentence, as words of their own.
var figure = pattern.New(`(^|[\s(])\d[\d,.]*\d( %)?|(^|[\s(])\d( %)?`)

// aside finds remarks in brackets that hold a number.
var aside = pattern.New(` ?\([^()]*\d[^()]*\)`)

// MaskWords takes small counts of records out of a sentence that others wrote;
// of one to be shared it takes all numbers, because what they count is not known.
func MaskWords(s string, ring report.Ring, limit int) string {
	if ring == report.Shared {
		masked := figure.ReplaceAllString(aside.ReplaceAllString(s, ""), "${1}${3}some")
		masked = strings.NewReplacer("some of the some", "some of the", "some of some", "some of the").Replace(masked)
		if masked != s {
			masked = sentence(masked)
		}
		return masked
	}
	if limit == 0 {
		return s
	}
	masked := counted.ReplaceAllStringFunc(s, func(m string) string {
		parts := counted.FindStringSubmatch(m)
		n, err := strconv.Atoi(strings.ReplaceAll(parts[1], ",", ""))
		if err != nil || n == 0 || n >= limit {
			return m
		}
		return "a few" + parts[2] + manyOf(parts[3])
	})
	if masked != s {
		masked = sentence(alone.ReplaceAllStringFunc(masked, func(m string) string {
			parts := alone.FindStringSubmatch(m)
			return parts[1] + map[string]string{"has": "have", "was": "were", "is": "are"}[parts[2]]
		}))
	}
	return masked
}

// alone finds a verb that would tell that a few were one.
var alone = pattern.New(`(a few \pL+ )(has|was|is)\b`)

func manyOf(word string) string {
	if word == "people" || strings.HasSuffix(word, "s") {
		return word
	}
	return word + "s"
}
