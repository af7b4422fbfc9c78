package evaluate

import (
	"cmp"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// TopicWords is the number L of leading words by which a topic is judged
// ([T] Section 3.4.2).
const TopicWords = 20

// TopWords returns the words of largest entry in every column of topics (d×k),
// at most l of each, largest first; words whose entry is not above zero do not
// count, equal ones stand in the order of their numbers.
func TopWords(topics mat.Matrix, l int) [][]int {
	d, k := topics.Dims()
	out := make([][]int, k)
	for j := range k {
		order := make([]int, 0, d)
		for h := range d {
			if topics.At(h, j) > 0 {
				order = append(order, h)
			}
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(topics.At(b, j), topics.At(a, j)) })
		out[j] = slices.Clip(order[:min(l, len(order))])
	}
	return out
}

// Lookup turns topics given in words, as other tools write them, into word
// numbers. Words that are not in the vocabulary are left out and returned,
// each once, in the order of their first use.
func Lookup(topics [][]string, number func(word string) (int, bool)) (found [][]int, unknown []string) {
	found = make([][]int, len(topics))
	seen := map[string]bool{}
	for j, words := range topics {
		for _, w := range words {
			if h, ok := number(w); ok {
				found[j] = append(found[j], h)
			} else if !seen[w] {
				seen[w] = true
				unknown = append(unknown, w)
			}
		}
	}
	return found, unknown
}

// checkTopics reports the first word that is no feature or stands twice in a
// topic.
func checkTopics(topics [][]int, d int) error {
	if len(topics) == 0 {
		return fmt.Errorf("evaluate: no topics to judge")
	}
	for j, words := range topics {
		seen := make(map[int]bool, len(words))
		for _, h := range words {
			if h < 0 || h >= d {
				return fmt.Errorf("evaluate: topic %d has word number %d, want 0 to %d", j+1, h, d-1)
			}
			if seen[h] {
				return fmt.Errorf("evaluate: topic %d names word number %d twice", j+1, h)
			}
			seen[h] = true
		}
	}
	return nil
}

// Diversity returns the share of different words among the words of all topics
// (Dieng, Ruiz and Blei 2020): 1 when no two topics share a word.
func Diversity(topics [][]int) float64 {
	different, all := map[int]bool{}, 0
	for _, words := range topics {
		for _, h := range words {
			different[h] = true
			all++
		}
	}
	if all == 0 {
		return 0
	}
	return float64(len(different)) / float64(all)
}

// exclusiveWeight is the weight of exclusivity against frequency, as in the R
// package stm.
const exclusiveWeight = 0.7

// Exclusivity returns, for every column of topics (d×k), how far its l leading
// words belong to it alone: the mean over these words of the FREX score
// (Bischof and Airoldi 2012; Roberts et al. 2014)
//
//	1 / (0.7/E + 0.3/F)
//
// where E is the share of words whose share of this topic among all topics is
// no larger, F the share of words that are no more frequent in it. It lies
// between 0 and 1; the R package stm gives the sum over the words instead.
func Exclusivity(topics mat.Matrix, l int) []float64 {
	d, k := topics.Dims()
	share := mat.DenseCopyOf(topics)
	for h := range d {
		sum := mat.Sum(share.RowView(h))
		if sum > 0 {
			for j, v := range share.RawRowView(h) {
				share.Set(h, j, v/sum)
			}
		}
	}
	out := make([]float64, k)
	for j, words := range TopWords(topics, l) {
		alone := ranks(mat.Col(nil, j, share))
		often := ranks(mat.Col(nil, j, topics))
		for _, h := range words {
			out[j] += 1 / (exclusiveWeight*float64(d)/alone[h] + (1-exclusiveWeight)*float64(d)/often[h])
		}
		out[j] /= float64(max(len(words), 1))
	}
	return out
}

// ranks returns the rank of every number, 1 for the least; equal numbers share
// the mean of their ranks.
func ranks(v []float64) []float64 {
	order := make([]int, len(v))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(v[a], v[b]) })
	out := make([]float64, len(v))
	for lo := 0; lo < len(order); {
		hi := lo
		for hi < len(order) && v[order[hi]] == v[order[lo]] {
			hi++
		}
		for _, i := range order[lo:hi] {
			out[i] = float64(lo+hi+1) / 2
		}
		lo = hi
	}
	return out
}
