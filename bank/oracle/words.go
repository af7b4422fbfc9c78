package oracle

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/moiety-go/moiety/bank/law"
)

// words returns the words of every text, or the codes of every list.
func words(d law.Data) [][]string {
	if d.Lists != nil {
		return d.Lists
	}
	all := make([][]string, len(d.Texts))
	for i, text := range d.Texts {
		all[i] = strings.Fields(strings.ToLower(text))
	}
	return all
}

// encodeWords encodes lists of words: counts, whether a word is there, and the square
// roots of the counts of the most frequent ones.
func encodeWords(lists [][]string) encoding {
	vocabulary := frequent(lists)
	e := encoding{counts: make([][]float64, len(lists)), levels: make([][]float64, len(lists))}
	roots := make([][]float64, len(lists))
	for i, list := range lists {
		e.counts[i], e.levels[i] = make([]float64, len(vocabulary)), make([]float64, len(vocabulary))
		for _, w := range list {
			if j, ok := vocabulary[w]; ok {
				e.counts[i][j]++
				e.levels[i][j] = 1
			}
		}
		for _, c := range e.counts[i][:min(mostColumns, len(vocabulary))] {
			roots[i] = append(roots[i], math.Sqrt(c))
		}
		roots[i] = append(roots[i], math.Log1p(float64(len(list))))
	}
	e.values = standard(transposed(roots, len(roots[0])))
	return e
}

// frequent numbers the words that two records or more have, the most frequent first.
func frequent(lists [][]string) map[string]int {
	records := map[string]int{}
	for _, list := range lists {
		for _, w := range slices.Compact(slices.Sorted(slices.Values(list))) {
			records[w]++
		}
	}
	var names []string
	for w, n := range records {
		if n > 1 {
			names = append(names, w)
		}
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(records[b]-records[a], strings.Compare(a, b)) })
	numbers := map[string]int{}
	for j, w := range names[:min(mostWords, len(names))] {
		numbers[w] = j
	}
	return numbers
}
