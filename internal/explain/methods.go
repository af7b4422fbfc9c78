package explain

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/moiety-go/moiety/report"
)

// methods writes the paragraph for a paper: what was read and left out, the
// model, the settings, and what it takes to repeat it.
func (b *builder) methods() string {
	r := b.r
	var s []string
	add := func(format string, args ...any) { s = append(s, fmt.Sprintf(format, args...)) }
	if n, ok := r.Data.Records.Value(); ok {
		add("We analysed %s described by %s %s (%s).", quantity(n, r.Unit), report.Thousands(r.Data.Features), b.featureNoun(r.Data.Features), r.Data.Kind)
	}
	if r.Data.Period != "" {
		add("The records are from %s.", r.Data.Period)
	}
	s = append(s, b.exclusions()...)
	switch r.Shape {
	case report.Tree:
		if b.o.Verdict != nil {
			add("Numbers of groups were compared on records kept aside, with one population that differs by degree as the rival; the groups of the claim were joined into a tree, those first that lose least log-likelihood, which gave %s; the model was %s.", plural(len(r.Leaves), "leaf", "leaves"), r.Fit.InWords)
			break
		}
		add("They were split in two, again and again, by a method of moments, which gave a tree with %s; the model was %s.", plural(len(r.Leaves), "leaf", "leaves"), r.Fit.InWords)
	case report.States:
		add("The model was %s with %s, learned by a method of moments.", r.Fit.InWords, plural(len(r.Leaves), "state", "states"))
	default:
		add("The model was that of %s, with %s, learned by a method of moments.", r.Fit.InWords, plural(len(r.Leaves), b.groupNoun(), b.groupNoun()+"s"))
	}
	s = append(s, b.refinement()...)
	if b.soft() {
		add("Every %s was placed in the topic of its largest share.", rowNoun(b))
	} else {
		add("Every %s was placed in the %s of its largest probability.", rowNoun(b), b.groupNoun())
	}
	if b.has(report.OfRecords) || b.has(report.OfWords) || b.has(report.Average) {
		add("%s are called typical by their relevance (Sievert and Shirley, 2014) with λ = %g.", sentence(r.Unit.Features), r.Lambda)
	}
	switch inf := r.Inference; {
	case !b.classes() && b.has(report.OfRecords):
		add("Shares are counted among the %s put into a %s; their intervals are 95 %% Wilson intervals, which hold the %s for known.", b.stepUnit().Many, b.groupNoun(), b.groupNoun())
	case inf != nil && inf.Together && !inf.Singular:
		add("Shares are the model's own parameters, to which every %s contributes by its probability; their 95 %% intervals are symmetric in log-odds, by the observed information of all parameters.", r.Unit.One)
	case inf != nil && !inf.Together:
		add("Shares are the model's own parameters, to which every %s contributes by its probability; their 95 %% intervals are symmetric in log-odds, by the scores of each parameter as if the others were known.", r.Unit.One)
	case b.classes():
		add("Shares are the model's own parameters, to which every %s contributes by its probability.", r.Unit.One)
	}
	if r.Limit > 0 {
		add("Counts below %d are withheld, with secondary suppression.", r.Limit)
	}
	if r.Ring == report.Shared {
		add("Counts are rounded to %s or more, and all other numbers are worked out from them.", report.Thousands(r.Rounded))
		add("Program: %s; seed %d.", r.Fit.Program, r.Fit.Seed)
		return strings.Join(s, " ")
	}
	add("Program: %s; seed %d; fingerprint of the data %s; settings %s.", r.Fit.Program, r.Fit.Seed, orUnknown(r.Fit.Fingerprint), settingsText(r.Fit.Settings))
	return strings.Join(s, " ")
}

// refinement tells how the moments' answer was refined: the prior, and the
// starts of maximum likelihood.
func (b *builder) refinement() []string {
	f := b.r.Fit
	records, known := f.Prior.Value()
	switch {
	case known && records == 0 && f.Starts > 1:
		return []string{fmt.Sprintf("Its likelihood was maximised without a prior, by expectation maximisation from %s, of which %s reached the best maximum.",
			plural(f.Starts, "start", "starts"), report.Thousands(f.Reached))}
	case known && records == 0:
		return []string{"Its likelihood was maximised without a prior, by expectation maximisation."}
	case f.Iterations > 0 && known:
		return []string{fmt.Sprintf("It was refined by %s of expectation maximisation, with a prior worth %s in every %s.",
			plural(f.Iterations, "step", "steps"), recordsWorth(records), b.groupNoun())}
	case f.Iterations > 0:
		return []string{fmt.Sprintf("It was refined by %s of expectation maximisation.", plural(f.Iterations, "step", "steps"))}
	}
	return nil
}

func recordsWorth(n float64) string {
	if n == 1 {
		return "one record"
	}
	return fmt.Sprintf("%g records", n)
}

// intervalMeaning says what an interval holds.
func (b *builder) intervalMeaning() string {
	if b.classes() {
		return fmt.Sprintf("A range that holds the true share in 95 of 100 cases, if the model is right; it allows for not knowing for sure who belongs to a %s.", b.groupNoun())
	}
	return "A range that holds the true share in 95 of 100 cases, if chance is the only source of doubt."
}

// has reports whether a feature of that kind is among the data.
func (b *builder) has(of report.Of) bool { return slices.Contains(b.of, of) }

// groupNoun is the word for what the model learns: the topic that a record is of is a
// group, unless it is a document.
func (b *builder) groupNoun() string {
	if b.words() && !b.texts() && !b.soft() {
		return "group"
	}
	return b.info.Group
}

func rowNoun(b *builder) string { return b.stepUnit().One }

// exclusions tells who was left out and why.
func (b *builder) exclusions() []string {
	d := b.r.Data
	if len(d.LeftOut) == 0 {
		return nil
	}
	var parts []string
	for _, p := range d.LeftOut {
		if n, ok := p.N.Value(); ok {
			parts = append(parts, fmt.Sprintf("%s: %s", p.Name, report.Thousands(n)))
		} else {
			parts = append(parts, fmt.Sprintf("%s: fewer than %d", p.Name, b.r.Limit))
		}
	}
	out := "Left out were " + strings.Join(parts, "; ") + "."
	if n, ok := d.Read.Value(); ok {
		out = fmt.Sprintf("Of %s read, some were left out (%s).", quantity(n, b.r.Unit), strings.Join(parts, "; "))
	}
	return []string{out}
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return report.Thousands(n) + " " + many
}

func orUnknown(s string) string {
	if s == "" {
		return "unknown"
	}
	return s
}

// settingsText returns the settings as they are stored.
func settingsText(s json.RawMessage) string {
	if len(s) == 0 {
		return "unknown"
	}
	return string(s)
}

// glossary explains the words the report uses, those only.
func (b *builder) glossary() []report.Term {
	u := b.r.Unit
	rows, noun := b.stepUnit(), b.groupNoun()
	t := []report.Term{{Word: noun, Meaning: fmt.Sprintf("%s that are alike. The computer found it; nobody defined it beforehand.", sentence(rows.Many))}}
	if b.soft() {
		t[0].Meaning = fmt.Sprintf("%s that go together. The computer found it; nobody defined it beforehand. A %s may have several.", sentence(u.Features), u.One)
	}
	if b.has(report.OfRecords) {
		share := fmt.Sprintf("The part of the %s of a %s that have a %s, or of all %s that are in a %s.", rows.Many, noun, u.Feature, rows.Many, noun)
		if b.classes() {
			share += fmt.Sprintf(" Every %s counts by its probability; the shares among those put into a %s are called counted.", rows.One, noun)
		}
		t = append(t, report.Term{Word: "share", Meaning: share},
			report.Term{Word: "95 % interval", Meaning: b.intervalMeaning()})
	}
	if b.has(report.OfWords) {
		t = append(t, report.Term{Word: "share of " + u.Counted(), Meaning: fmt.Sprintf("The part of the %s of a %s that are this one.", u.Counted(), noun)})
	}
	if b.has(report.OfRecords) || b.has(report.OfWords) || b.has(report.Average) {
		t = append(t, report.Term{Word: "times as often", Meaning: fmt.Sprintf("The share in the %s divided by the share overall, among all %s.", noun, rows.Many)},
			report.Term{Word: "typical", Meaning: fmt.Sprintf("Both frequent in the %s and more frequent than elsewhere. Lists are in order of relevance, which weighs the two (λ = %g).", noun, b.r.Lambda)})
	}
	if b.has(report.Value) {
		t = append(t, report.Term{Word: "standard deviation (sd)", Meaning: "How far measurements usually lie from their mean; two thirds lie closer in many cases."})
	}
	t = append(t, report.Term{Word: "how sure", Meaning: fmt.Sprintf("The probability, under the model, that a %s belongs to its %s rather than to another.", rows.One, noun)},
		report.Term{Word: "distance", Meaning: fmt.Sprintf("How little two %ss overlap: 0 for %ss that are the same.", noun, noun)})
	if b.r.Shape == report.Tree {
		t = append(t,
			report.Term{Word: "tree", Meaning: "Groups inside groups. The root, 1, holds everything; 1.1 and 1.2 are its two parts, the larger first when it was split."},
			report.Term{Word: "gain", Meaning: "How much better two groups describe the records than one; a split must gain more than is asked for."},
			report.Term{Word: "how repeatable", Meaning: "How well the same split is found again from samples of the records: 1 is the same, 0 is chance."})
	}
	if b.r.Limit > 0 {
		if b.r.Ring == report.Shared {
			t = append(t, report.Term{Word: "rounded", Meaning: fmt.Sprintf("Counts are multiples of %s, large ones of more; parts need not add up to the whole.", report.Thousands(b.r.Rounded))})
		}
		t = append(t, report.Term{Word: "withheld", Meaning: fmt.Sprintf("A number is not shown where it, or a difference of numbers shown, would be of fewer than %d %s.", b.r.Limit, u.Many)})
	}
	return t
}
