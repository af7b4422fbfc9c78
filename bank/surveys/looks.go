package surveys

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"

	"github.com/moiety-go/moiety/bank/law"
)

// notAnswered is the code of a missing answer in a record of whole numbers.
const notAnswered = -1

// itemNames numbers the items of a questionnaire in one of several usual styles; an
// empty stem takes a general one.
func itemNames(r *rand.Rand, stem string, items int) []string {
	if stem == "" {
		stem = []string{"q", "Q", "item", "v", "x"}[r.IntN(5)]
	}
	style := r.IntN(3)
	first := 1
	if chance(r, 0.15) {
		first = between(r, 5, 60)
	}
	names := make([]string, items)
	for i := range names {
		switch style {
		case 0:
			names[i] = fmt.Sprintf("%s%d", stem, first+i)
		case 1:
			names[i] = fmt.Sprintf("%s_%02d", stem, first+i)
		default:
			names[i] = fmt.Sprintf("%s%02d", stem, first+i)
		}
	}
	return names
}

// questionnaire fills a table of whole numbers under numbered items. answers draws one
// record's codes from 0, to which base is added; notAnswered becomes an empty cell.
// The items stand in the order in which answers gives them or, half of the time, in a
// random one, as balanced questionnaires do.
func questionnaire(r *rand.Rand, stem string, base, n, items int, answers func(i int) []int) law.Data {
	order := itemOrder(r, items)
	names := itemNames(r, stem, items)
	table := make([][]string, n)
	for i := range table {
		codes := answers(i)
		row := make([]string, items)
		for place, j := range order {
			row[place] = cell(codes[j], base)
		}
		table[i] = row
	}
	return law.Data{Columns: names, Table: table}
}

// choices is a questionnaire whose answers are labels without an order: labels[j] are
// those of item j.
func choices(r *rand.Rand, names []string, labels [][]string, n int, answers func(i int) []int) law.Data {
	order := itemOrder(r, len(labels))
	columns := make([]string, len(order))
	for place, j := range order {
		columns[place] = names[j]
	}
	table := make([][]string, n)
	for i := range table {
		codes := answers(i)
		row := make([]string, len(order))
		for place, j := range order {
			if codes[j] != notAnswered {
				row[place] = labels[j][codes[j]]
			}
		}
		table[i] = row
	}
	return law.Data{Columns: columns, Table: table}
}

// itemOrder is the order of the items as they are or, half of the time, a random one.
func itemOrder(r *rand.Rand, items int) []int {
	if chance(r, 0.5) {
		return r.Perm(items)
	}
	order := make([]int, items)
	for i := range order {
		order[i] = i
	}
	return order
}

// cell writes a code, counted from base.
func cell(code, base int) string {
	if code == notAnswered {
		return ""
	}
	return strconv.Itoa(code + base)
}

// form fills a table of named columns of different kinds.
func form(columns []string, n int, record func(i int) []string) law.Data {
	table := make([][]string, n)
	for i := range table {
		table[i] = record(i)
	}
	return law.Data{Columns: columns, Table: table}
}

// lists fills n lists; in half of the draws every list is in a random order, else in
// the order of the vocabulary.
func lists(r *rand.Rand, n int, record func(i int) []string) law.Data {
	mix := chance(r, 0.5)
	all := make([][]string, n)
	for i := range all {
		list := record(i)
		if mix {
			r.Shuffle(len(list), func(a, b int) { list[a], list[b] = list[b], list[a] })
		}
		all[i] = list
	}
	return law.Data{Lists: all}
}

// basket lists the words that are present, each by its own log odds.
func basket(r *rand.Rand, words []string, logOdds func(j int) float64) []string {
	list := []string{}
	for j, w := range words {
		if bernoulli(r, logOdds(j)) == 1 {
			list = append(list, w)
		}
	}
	return list
}

// withoutReplacement draws up to size different words, each time in proportion to the
// weights of those left.
func withoutReplacement(r *rand.Rand, words []string, weights []float64, size int) []string {
	left := append([]float64(nil), weights...)
	taken := make([]bool, len(words))
	for range min(size, len(words)) {
		j := categorical(r, left)
		taken[j] = true
		left[j] = 0
	}
	list := []string{}
	for j, w := range words {
		if taken[j] {
			list = append(list, w)
		}
	}
	return list
}

// some returns k words of a vocabulary in a random order.
func some(r *rand.Rand, vocabulary []string, k int) []string {
	k = min(k, len(vocabulary))
	out := make([]string, k)
	for i, j := range r.Perm(len(vocabulary))[:k] {
		out[i] = vocabulary[j]
	}
	return out
}

// coin makes up a pronounceable word.
func coin(r *rand.Rand) string {
	onsets := []string{"b", "br", "d", "f", "g", "k", "l", "m", "n", "p", "pr", "r", "s", "st", "t", "v", "z"}
	vowels := []string{"a", "e", "i", "o", "u"}
	ends := []string{"", "", "n", "r", "l", "x", "s"}
	word := ""
	for range between(r, 2, 3) {
		word += onsets[r.IntN(len(onsets))] + vowels[r.IntN(len(vowels))]
	}
	return word + ends[r.IntN(len(ends))]
}

// coins makes up k different pronounceable words.
func coins(r *rand.Rand, k int) []string {
	seen := make(map[string]bool, k)
	words := make([]string, 0, k)
	for len(words) < k {
		w := coin(r)
		if !seen[w] {
			seen[w] = true
			words = append(words, w)
		}
	}
	return words
}

// decimal writes a number with the given number of decimals.
func decimal(x float64, decimals int) string {
	s := strconv.FormatFloat(x, 'f', decimals, 64)
	if zero, err := strconv.ParseFloat(s, 64); err == nil && zero == 0 {
		return strconv.FormatFloat(0, 'f', decimals, 64)
	}
	return s
}

// whole writes a number rounded to a whole one.
func whole(x float64) string { return decimal(x, 0) }

// to rounds a number to a multiple of unit.
func to(x, unit float64) float64 { return math.Round(x/unit) * unit }

// heaped rounds a number to the nearest coarse unit with probability p, else to the
// fine unit, as people do who are asked for an age or an amount.
func heaped(r *rand.Rand, x, fine, coarse, p float64) float64 {
	if chance(r, p) {
		return to(x, coarse)
	}
	return to(x, fine)
}

// yesNo writes a code of 0 or 1 as a word, or as the digit where digits is set.
func yesNo(code int, digits bool) string {
	if digits {
		return strconv.Itoa(code)
	}
	return []string{"no", "yes"}[code]
}

// blank empties cells at random, each with the given probability; skip columns keep
// theirs.
func blank(r *rand.Rand, table [][]string, rate float64) {
	for _, row := range table {
		for j := range row {
			if chance(r, rate) {
				row[j] = ""
			}
		}
	}
}
