package explain

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/internal/encode"
	"github.com/moiety-go/moiety/report"
)

const (
	snippetLetters = 420 // of a text that are shown
	longestText    = 200_000
)

// shades are the parts of the log-ratio of a word that no other group has, at
// most mostRatio, from which a word is shaded.
var shades = [3]float64{.25, .55, .8}

const mostRatio = 8

// locator returns what finds words in texts, nil where none were kept.
func (b *builder) locator() (*encode.Locator, error) {
	if !b.words() || b.params.Centers == nil || b.s.Read == nil || b.s.Read.Plan == nil {
		return nil, nil
	}
	plan := &encode.Plan{}
	if err := json.Unmarshal(b.s.Read.Plan, plan); err != nil {
		return nil, fmt.Errorf("explain: the plan of encoding cannot be read: %w", err)
	}
	return encode.NewLocator(plan, b.d.vocab)
}

// snippet returns the part of a kept text that speaks most for group j, in
// pieces. Health data and reports to be shared get here never (showsRecords), and
// under a limit on small cells no text is shown whatever was asked for.
func (b *builder) snippet(l *encode.Locator, part *dataset.Dataset, i, j int) []report.Piece {
	side, ok := part.SideColumn(dataset.KeptText)
	if !ok || l == nil || b.open.limit > 0 || b.s.Health {
		return nil
	}
	text := side.Values[i]
	text = text[:min(len(text), longestText)]
	type mark struct {
		from, to int
		weight   float64
	}
	var marks []mark
	for _, f := range l.Find(text) {
		w := b.pull(f.Feature, j)
		if n := len(marks); n > 0 && marks[n-1].from == f.From {
			marks[n-1].weight = max(marks[n-1].weight, w)
			continue
		}
		marks = append(marks, mark{f.From, f.To, w})
	}
	falling(marks, func(m mark) float64 { return -float64(m.from) })
	// The window of words that speak most.
	best, from, to, sum, first := -1.0, 0, 0, 0.0, 0
	for last, m := range marks {
		sum += max(m.weight, 0)
		for m.to-marks[first].from > snippetLetters {
			sum -= max(marks[first].weight, 0)
			first++
		}
		if sum > best+1e-12 {
			best, from, to = sum, marks[first].from, marks[last].to
		}
	}
	from, to = window(text, from, to)
	var out []report.Piece
	add := func(s string, shade int) {
		if s != "" {
			out = append(out, report.Piece{Text: s, Shade: shade})
		}
	}
	at, most := from, math.Log(min(1/max(b.params.Weights[j], 1e-9), mostRatio))
	if from > 0 {
		add("… ", 0)
	}
	for _, m := range marks {
		if m.from < at || m.to > to {
			continue
		}
		shade := 0
		for shade < len(shades) && m.weight > shades[shade]*most {
			shade++
		}
		if shade > 0 {
			add(oneBlank(text[at:m.from]), 0)
			add(text[m.from:m.to], shade)
			at = m.to
		}
	}
	add(oneBlank(text[at:to]), 0)
	if to < len(text) {
		add(" …", 0)
	}
	return out
}

// pull is how much a word speaks for a group: log(μ_hj/Σ_g ω_g μ_hg).
func (b *builder) pull(h, j int) float64 {
	row, overall := b.params.Centers.RawRowView(h), 0.0
	for g, w := range b.params.Weights {
		overall += w * row[g]
	}
	if v := math.Log(row[j] / overall); !math.IsNaN(v) && !math.IsInf(v, 0) {
		return v
	}
	return 0
}

// window widens a stretch of a text to as many letters as are shown, at the ends
// of words.
func window(text string, from, to int) (int, int) {
	spare := snippetLetters - (to - from)
	if spare > 0 {
		before := min(spare/3, from)
		from, to = from-before, to+spare-before
	}
	if to >= len(text)-20 {
		to = len(text)
	} else {
		for to > from && !unicode.IsSpace(rune(text[to])) {
			to--
		}
	}
	if from < 20 {
		from = 0
	}
	for from > 0 && from < to && !unicode.IsSpace(rune(text[from-1])) {
		from++
	}
	for to < len(text) && !utf8.RuneStart(text[to]) {
		to++
	}
	for from > 0 && from < len(text) && !utf8.RuneStart(text[from]) {
		from++
	}
	return from, max(to, from)
}

// oneBlank puts breaks of lines and other runs of blanks into one blank.
func oneBlank(s string) string {
	words := strings.Join(strings.Fields(s), " ")
	if words == "" {
		if s != "" {
			return " "
		}
		return ""
	}
	if r, _ := utf8.DecodeRuneInString(s); unicode.IsSpace(r) {
		words = " " + words
	}
	if r, _ := utf8.DecodeLastRuneInString(s); unicode.IsSpace(r) {
		words += " "
	}
	return words
}
