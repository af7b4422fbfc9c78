package explain

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/moiety-go/moiety/warn"
)

// facts tells what was read and how it was fitted.
func (b *builder) facts() {
	b.r.Data = b.dataFacts()
	pr := b.o.Model.Provenance
	if b.o.Tree != nil {
		pr = b.o.Tree.Provenance
	}
	b.r.Fit = Fit{
		Model: b.spec.Model, InWords: modelWords(b.spec, b.r.Shape), Groups: len(b.h.leaf),
		Settings: pr.Settings, Seed: pr.Seed, Program: pr.Program, Fingerprint: pr.Data, Iterations: pr.Iterations,
	}
	if b.o.Tree != nil {
		b.r.Fit.Levels = b.o.Tree.Depth()
	}
	if pr.Objective != 0 {
		b.r.Fit.Objective = NumberOf(pr.Objective)
	}
	b.warnings(pr.Warnings)
}

// dataFacts counts the records, those left out, and the short ones.
func (b *builder) dataFacts() Data {
	d := Data{
		Features: b.d.vocab.Len(), Kind: kindWords(b.d.kind, b.d.vocab), System: b.d.vocab.System,
		Health: b.s.Health, Period: b.period(),
	}
	n := b.d.records
	if b.open.limit == 0 || n == 0 || n >= b.open.limit {
		d.Records = CountOf(n)
	}
	if b.open.sizeOpen(0) {
		d.Rows = CountOf(b.c.n[0])
	}
	b.shortRecords(&d)
	if n > 0 && !b.d.dense && !b.d.sequences {
		entries := float64(b.d.entries)
		if b.words() {
			entries = b.tokens[0]
		}
		d.Entries = NumberOf(entries / float64(n))
		if b.open.limit > 0 {
			// The exact mean is the sum of all counts: with one of them masked,
			// it would tell it.
			d.Entries = NumberOf(math.Round(entries / float64(n)))
		}
	}
	b.leftOut(&d)
	return d
}

// shortRecords counts empty and short records, and tells the numbers as far as
// they may be told: of the three classes empty, short and long.
func (b *builder) shortRecords(d *Data) {
	if b.d.dense || b.d.sequences {
		return
	}
	var class [3][]int
	for c, n := range b.d.lengths {
		class[c] = []int{n}
	}
	_, hidden := mergeRare(class[:], b.open.limit)
	if !hidden[0] {
		d.Empty = CountOf(class[0][0])
	}
	if hidden[0] == hidden[1] && (!hidden[0] || !hidden[2]) {
		d.Short = CountOf(class[0][0] + class[1][0])
	}
}

// leftOut tells the records that were left out; where one of the numbers is
// masked, the number read is too.
func (b *builder) leftOut(d *Data) {
	if b.s.Read == nil {
		return
	}
	masked := false
	for _, p := range b.s.Read.LeftOut {
		part := Part{Name: p.Name, N: CountOf(p.N)}
		if p.N > 0 && p.N < b.open.limit {
			part.N = Count{}
			masked = true
		}
		d.LeftOut = append(d.LeftOut, part)
	}
	if !masked && !d.Records.Masked() {
		d.Read = CountOf(b.s.Read.Read)
	}
}

// period returns the first and the last date of the date column: days, or
// months where records are of people.
func (b *builder) period() string {
	if b.d.first == "" {
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

// warnings gathers those of reading, of the fit and of the caller, by falling
// weight.
func (b *builder) warnings(ofFit []warn.Warning) {
	var list []warn.Warning
	if b.s.Read != nil {
		list = append(list, b.s.Read.Warnings...)
	}
	list = append(append(list, ofFit...), b.s.Warnings...)
	seen := make(map[warn.Warning]bool)
	for _, w := range list {
		w.Text, w.Remedy = b.maskWords(w.Text), b.maskWords(w.Remedy)
		if !seen[w] {
			seen[w] = true
			b.r.Warnings = append(b.r.Warnings, w)
		}
	}
	b.sortWarnings()
}

func (b *builder) sortWarnings() {
	slices.SortStableFunc(b.r.Warnings, func(x, y warn.Warning) int { return cmp.Compare(y.Weight, x.Weight) })
}

// counted finds counts of records in a sentence, "3 records" or "3 of the 200
// records", with a share behind them.
var counted = regexp.MustCompile(`\b(\d[\d,]*)( | of | of the | of all | of [\d,]+ | of the [\d,]+ )(records?|patients?|stays?|visits?|persons?|people|rows?|documents?|sequences?)\b(\s*\([^)]*%\))?`)

// maskWords takes small counts of records out of a sentence.
func (b *builder) maskWords(s string) string {
	limit := b.open.limit
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
		masked = sentence(masked)
	}
	return masked
}

func manyOf(word string) string {
	if word == "people" || strings.HasSuffix(word, "s") {
		return word
	}
	return word + "s"
}
