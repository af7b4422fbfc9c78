package main

import (
	"fmt"
	"strings"

	"github.com/moiety-go/moiety/internal/inspect"
)

// printBounds tells what the theorems promise, each with what it takes for granted.
func (a *app) printBounds(b *inspect.Bounds) {
	if b == nil {
		return
	}
	words := append(sampleInWords(b), groupsInWords(b)...)
	if m, ok := b.Trials.Value(); ok {
		words = append(words, fmt.Sprintf("Taken as one group of binomial counts, they are of %.1f trials ([L]).", m))
	}
	words = append(words, "Bounds hold in the worst case. The light does not rest on them: it goes by records that were kept aside.")
	a.print("\n%s\n", wrap(strings.Join(words, " "), 100, ""))
}

// sampleInWords tells how far the moments may be off.
func sampleInWords(b *inspect.Bounds) []string {
	if !b.Documents {
		return []string{fmt.Sprintf("Bounds (19 in 20 samples): of products of two different features the mean is within %.2g of that of endless records, of products of three within %.2g, all of them together "+
			"(Chebyshev's inequality, with the fourth and sixth powers of the lengths of these records; [T] Thm 3.2.2 and [S] Thm 2.2 are of documents, and no theorem of the papers is of these).", b.Second, b.Third)}
	}
	out := []string{fmt.Sprintf("Bounds (19 in 20 samples): the second moment, longer documents counting more, is within %.2g of that of endless documents, the third within %.2g, whatever the topics, if documents are independent of each other ([T] Thm 3.2.2).", b.Second, b.Third)}
	two, ok := b.SecondOfWords.Value()
	if three, known := b.ThirdOfWords.Value(); ok && known {
		out = append(out, fmt.Sprintf("They would be within %.2g and %.2g if all words of all documents were independent, which those of a topic are not ([S] Thm 2.2).", two, three))
	}
	return out
}

// groupsInWords tells what follows for the groups of the model.
func groupsInWords(b *inspect.Bounds) []string {
	if b.Groups < 2 {
		return nil
	}
	out := []string{fmt.Sprintf("The model of %d groups has moments of size %.2g and %.2g.", b.Groups, b.Norm2, b.Norm3)}
	far, ok := b.Centers.Value()
	switch {
	case ok:
		out = append(out, fmt.Sprintf("If it is true, a feature is off by %.2g over all groups at the most ([T] Thm 2.2.1, for errors of the moments below γ = %.2g; the groups differ by %.2g in %s, the squares of the singular values by %.2g).", far, b.Gamma, b.AlphaR, b.Feature, b.AlphaM2))
	case !(b.Gamma > 0):
		out = append(out, "[T] Thm 2.2.1, on errors of the groups, says nothing here: no single feature tells all of them apart.")
	case b.Error() < b.Gamma:
		out = append(out, fmt.Sprintf("[T] Thm 2.2.1, on errors of the groups, says nothing here: it needs the moments of features with themselves, which presences do not show (γ = %.2g).", b.Gamma))
	default:
		out = append(out, fmt.Sprintf("[T] Thm 2.2.1, on errors of the groups, says nothing here: needs errors below γ = %.2g, the errors here are up to %.2g.", b.Gamma, b.Error()))
	}
	if b.Unique {
		return append(out, fmt.Sprintf("No other groups have the moments of this model (Kruskal: any %d of them are independent).", b.KRank))
	}
	return append(out, fmt.Sprintf("Other groups may have the moments of this model (Kruskal: only any %d of them are independent).", b.KRank))
}
