package show

import (
	"fmt"
	"io"
	"strings"

	"github.com/moiety-go/moiety/report"
)

// Summary writes the facts of a report: what was read, how it was fitted, what
// came out, and what to keep in mind.
func Summary(w io.Writer, r *report.Report, o Options) error {
	p := &page{w: w, o: o}
	for _, s := range r.Summary {
		p.text("", s)
	}
	p.heading("Data")
	p.facts(dataFacts(r))
	p.heading("Fit")
	p.facts(fitFacts(r))
	p.features(r, "Most frequent overall", alone(r.Overall), o.top(pageTop))
	p.warnings(r)
	return p.err
}

// alone leaves out what compares a feature of the whole with itself.
func alone(list []report.Feature) []report.Feature {
	out := append([]report.Feature(nil), list...)
	for i := range out {
		out[i].Overall, out[i].Ratio, out[i].Relevance = report.Number{}, report.Number{}, report.Number{}
		out[i].About = false
	}
	return out
}

type fact struct{ name, value string }

func dataFacts(r *report.Report) []fact {
	d := r.Data
	count := func(c report.Count) string {
		if c.Masked() {
			return "withheld"
		}
		return c.String()
	}
	out := []fact{
		{r.Unit.Many, count(d.Records)},
		{r.Unit.Features, report.Thousands(d.Features)},
		{"kind", d.Kind},
	}
	if r.Shape == report.States {
		out = append(out, fact{"steps", count(d.Rows)})
	}
	if v, ok := d.Entries.Value(); ok {
		what := fmt.Sprintf("%s %s on average", strings.TrimRight(strings.TrimRight(fmt.Sprintf("%.2f", v), "0"), "."), r.Unit.Features)
		if r.Limit > 0 {
			what = "about " + what
		}
		out = append(out, fact{"a " + r.Unit.One, what})
	}
	if d.Period != "" {
		out = append(out, fact{"period", d.Period})
	}
	for _, p := range d.LeftOut {
		out = append(out, fact{"left out", count(p.N) + ": " + p.Name})
	}
	if n, ok := d.Short.Value(); ok && n > 0 {
		out = append(out, fact{"short", fmt.Sprintf("%s with fewer than 3 %s", report.Thousands(n), r.Unit.Features)})
	}
	if n, ok := d.Empty.Value(); ok && n > 0 {
		out = append(out, fact{"empty", fmt.Sprintf("%s without %s", report.Thousands(n), r.Unit.Features)})
	}
	return out
}

func fitFacts(r *report.Report) []fact {
	f := r.Fit
	out := []fact{{"model", f.Model + ": " + f.InWords}, {"groups", report.Thousands(f.Groups)}}
	if f.Levels > 0 {
		out = append(out, fact{"levels", report.Thousands(f.Levels)})
	}
	if f.Iterations > 0 {
		out = append(out, fact{"refined", steps(f.Iterations)})
	}
	if records, ok := f.Prior.Value(); ok {
		out = append(out, fact{"prior", priorWords(records)})
	}
	if f.Starts > 1 {
		out = append(out, fact{"starts", fmt.Sprintf("%d, of which %d reached the best maximum", f.Starts, f.Reached)})
	}
	if inf := r.Inference; inf != nil && !inf.LogLikelihood.Masked() {
		out = append(out, fact{"log-likelihood", digits(inf.LogLikelihood, 4)})
	}
	out = append(out, fact{"seed", fmt.Sprint(f.Seed)}, fact{"program", f.Program})
	if f.Fingerprint != "" {
		out = append(out, fact{"data", f.Fingerprint})
	}
	if words := r.RingWords(); words != "" {
		out = append(out, fact{"for whom", words})
	}
	return out
}

// priorWords names the prior of a fit.
func priorWords(records float64) string {
	switch records {
	case 0:
		return "none: maximum likelihood"
	case 1:
		return "worth one record in every group"
	}
	return fmt.Sprintf("worth %g records in every group", records)
}

func steps(n int) string {
	if n == 1 {
		return "1 step"
	}
	return report.Thousands(n) + " steps"
}

// facts writes names and values in two columns.
func (p *page) facts(list []fact) {
	width := 0
	for _, f := range list {
		width = max(width, columns(f.name))
	}
	for _, f := range list {
		lines := wrap(plain(f.value), p.o.width()-width-4)
		for i, l := range lines {
			name := f.name
			if i > 0 {
				name = ""
			}
			p.line("  %s  %s", padRight(name, width), l)
		}
	}
}
