package main

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/moiety-go/moiety/experiments/lab"
)

// figure names a cell of the tables and the method that it is of.
type figure struct{ name, experiment, heading, row, col string }

// row is one line of the summary: an item of a paper, our figure beside that of the
// paper's own method on the same draws, and what the paper prints.
type row struct {
	item, says   string
	ours, theirs *figure // nil where there is none
	printed      string  // by the paper; "" where it prints no figure
	less         bool    // smaller is better
	claim        *claim
	command      string // what runs it; "" is the experiment
	note         string
}

// claim is what the paper says of two methods, both measured here.
type claim struct {
	first, second *figure
	less          bool
	says          string // "tie", "better" or "behind": the first against the second
}

// outcome is a comparison by the written rule.
type outcome struct {
	word        string
	diff, error float64
	paired      bool
}

// compare applies the rule: figures of the same seeds are compared seed by seed, and a
// difference within two standard errors is a tie.
func compare(a, b lab.Series, less bool) outcome {
	o := outcome{word: "tie"}
	if len(a) == 0 || len(b) == 0 {
		o.word = "–"
		return o
	}
	o.diff = a.Mean() - b.Mean()
	if o.paired = len(a) == len(b) && len(a) > 1; o.paired {
		o.error = a.Less(b).Error()
	}
	gain := o.diff
	if less {
		gain = -gain
	}
	switch {
	case gain > 2*o.error && !sameDigits(a, b):
		o.word = "better"
	case gain < -2*o.error && !sameDigits(a, b):
		o.word = "behind"
	}
	return o
}

// sameDigits says that two figures print alike.
func sameDigits(a, b lab.Series) bool { return short(a.Mean()) == short(b.Mean()) }

func (o outcome) String() string {
	switch {
	case o.word == "–":
		return o.word
	case !o.paired:
		return o.word + ", one run"
	}
	return fmt.Sprintf("%s (%s ± %s)", o.word, signed(o.diff), short(o.error))
}

// short writes a figure with three digits after the point, without a leading zero.
func short(v float64) string {
	if v != 0 && math.Abs(v) < 5e-4 {
		return strconv.FormatFloat(v, 'e', 0, 64)
	}
	prec := 3
	if math.Abs(v) >= 10 {
		prec = 1
	}
	s := strconv.FormatFloat(v, 'f', prec, 64)
	return strings.Replace(strings.Replace(s, "-0.", "−.", 1), "0.", ".", btoi(strings.HasPrefix(s, "0.")))
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func signed(v float64) string {
	if v >= 0 {
		return "+" + short(v)
	}
	return strings.Replace(short(v), "-", "−", 1)
}

// find returns the figures of a cell, seed by seed where it has them.
func (f *figure) find(b *lab.Book) (lab.Series, string, error) {
	c, err := b.Find(f.experiment, f.heading, f.row, f.col)
	if err != nil {
		return nil, "", err
	}
	if len(c.Values) == 0 {
		text := strings.Fields(strings.ReplaceAll(c.Text, "−", "-"))
		if len(text) > 0 {
			if v, err := strconv.ParseFloat(text[0], 64); err == nil {
				return lab.Series{v}, c.Text, nil
			}
		}
		return nil, c.Text, nil
	}
	if len(c.Values) == 1 {
		return c.Values, short(c.Values.Mean()), nil
	}
	return c.Values, short(c.Values.Mean()) + " ± " + short(c.Values.Error()), nil
}

// summarise makes the summary of a book.
func summarise(b *lab.Book) ([]byte, error) {
	var out bytes.Buffer
	out.WriteString(rule)
	for _, part := range ledger() {
		fmt.Fprintf(&out, "\n### %s\n\n", part.title)
		out.WriteString("| item | what the paper says | ours | its method, measured here | printed | verdict | command |\n|---|---|---|---|---|---|---|\n")
		for _, r := range part.rows {
			line, err := r.write(b)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", r.item, err)
			}
			out.WriteString(line)
		}
	}
	return out.Bytes(), nil
}

const rule = `Verdicts follow one rule. A figure is the mean over seeds with its standard error. Two
methods that met the same seeds are compared seed by seed: where the mean difference is
within two of its standard errors (in brackets) it is a **tie**, else ours is **better** or **behind**.
Figures of a single run, such as those of real data, have no error: they are called "one run"
and prove little. "Printed" are figures that a paper prints; runs of reference code stand in
the tables under that name. Times are CPU seconds on one core.
`

func (r row) write(b *lab.Book) (string, error) {
	cells := []string{r.item, r.says}
	var found [2]lab.Series
	for i, f := range []*figure{r.ours, r.theirs} {
		if f == nil {
			cells = append(cells, "–")
			continue
		}
		s, text, err := f.find(b)
		if err != nil {
			return "", err
		}
		found[i] = s
		cells = append(cells, strings.TrimSpace(f.name+" "+text))
	}
	verdict := "–"
	if r.ours != nil && r.theirs != nil {
		verdict = compare(found[0], found[1], r.less).String()
	}
	if r.claim != nil {
		text, err := r.claim.judge(b)
		if err != nil {
			return "", err
		}
		verdict += "; " + text
	}
	if r.note != "" {
		verdict += "; " + r.note
	}
	command := r.command
	if command == "" && r.ours != nil {
		command = "go run -C experiments . " + r.ours.experiment
	}
	if command != "" && command != "–" {
		command = "`" + command + "`"
	}
	printed := r.printed
	if printed == "" {
		printed = "–"
	}
	verdict = strings.TrimPrefix(verdict, "–; ")
	return "| " + strings.Join(append(cells, printed, verdict, command), " | ") + " |\n", nil
}

// judge says whether a claim on two of the papers' methods holds here.
func (c *claim) judge(b *lab.Book) (string, error) {
	var found [2]lab.Series
	for i, f := range []*figure{c.first, c.second} {
		s, _, err := f.find(b)
		if err != nil {
			return "", err
		}
		found[i] = s
	}
	o := compare(found[0], found[1], c.less)
	word := "does not hold"
	if o.word == c.says {
		word = "holds"
	}
	return fmt.Sprintf("the paper's claim on %s and %s %s (%s ± %s)", c.first.name, c.second.name, word, signed(o.diff), short(o.error)), nil
}
