package evaluate

import (
	"context"
	"math"

	"github.com/moiety-go/moiety/pass"
)

// Coherence tells how much the words of one topic belong together. All scores
// count documents that hold words, whatever their number. Words that occur in
// no document are left out.
type Coherence struct {
	// UMass is the mean over all pairs i<j of log((D(w_i,w_j)+1)/D(w_i)), words
	// by falling weight (Mimno et al. 2011): at best near 0. The mean is what
	// gensim and OCTIS print, which leave the +1 out; [T] Section 3.4.2 has the
	// sum.
	UMass float64 `json:"umass"`
	// NPMI is the mean over all pairs of log(p_ij/(p_i·p_j))/−log p_ij, from −1
	// to 1 (Bouma 2009).
	NPMI float64 `json:"npmi"`
	// CV is C_v of Röder, Both and Hinneburg (2015) with whole documents in the
	// place of windows, since bags of words have no order: the mean cosine of
	// each word's NPMI with all words of the topic against their sum.
	CV      float64 `json:"c_v"`
	Words   int     `json:"words"`   // that were judged
	Missing int     `json:"missing"` // words that occur in no document
}

// TopicCoherence judges topics, lists of word numbers by falling weight, on the
// records of the runner in one pass: one result a topic. TopWords and Lookup
// make such lists. Where counts are of people, those below least are not used: a
// word that fewer have is missing, and words that fewer share never meet. 0 uses
// all.
func TopicCoherence(ctx context.Context, run pass.Runner, topics [][]int, least int) ([]Coherence, error) {
	c, err := countPairs(ctx, run, topics)
	if err != nil {
		return nil, err
	}
	c.hide(float64(least))
	out := make([]Coherence, len(topics))
	for t, words := range topics {
		var places []int
		for i := range words {
			if c.single[t][i] > 0 {
				places = append(places, i)
			}
		}
		out[t] = Coherence{
			UMass: c.umass(t, places), NPMI: c.meanNPMI(t, places), CV: c.cv(t, places),
			Words: len(places), Missing: len(words) - len(places),
		}
	}
	return out, nil
}

// MeanCoherence returns the mean of each score over the topics.
func MeanCoherence(topics []Coherence) Coherence {
	var m Coherence
	n := float64(max(len(topics), 1))
	for _, t := range topics {
		m.UMass += t.UMass / n
		m.NPMI += t.NPMI / n
		m.CV += t.CV / n
		m.Words += t.Words
		m.Missing += t.Missing
	}
	return m
}

func (c *pairCounts) umass(topic int, places []int) float64 {
	sum := 0.0
	for x, j := range places {
		for _, i := range places[:x] {
			sum += math.Log((c.both(topic, i, j) + 1) / c.single[topic][i])
		}
	}
	return sum / float64(max(len(places)*(len(places)-1)/2, 1))
}

// npmi of places i and j: −1 for words that never meet, 1 for words that never
// part.
func (c *pairCounts) npmi(topic, i, j int) float64 {
	pi, pj := c.single[topic][i]/c.documents, c.single[topic][j]/c.documents
	both := c.both(topic, i, j) / c.documents
	switch both {
	case 0:
		return -1
	case 1:
		return 1
	}
	return math.Log(both/(pi*pj)) / -math.Log(both)
}

func (c *pairCounts) meanNPMI(topic int, places []int) float64 {
	if len(places) < 2 {
		return 0
	}
	sum := 0.0
	for x, j := range places {
		for _, i := range places[:x] {
			sum += c.npmi(topic, i, j)
		}
	}
	return sum / float64(len(places)*(len(places)-1)/2)
}

func (c *pairCounts) cv(topic int, places []int) float64 {
	l := len(places)
	if l < 2 {
		return 0
	}
	vectors, sum := make([][]float64, l), make([]float64, l)
	for x, i := range places {
		vectors[x] = make([]float64, l)
		for y, j := range places {
			vectors[x][y] = c.npmi(topic, i, j)
			sum[y] += vectors[x][y]
		}
	}
	total := 0.0
	for _, v := range vectors {
		total += cosine(v, sum)
	}
	return total / float64(l)
}

func cosine(a, b []float64) float64 {
	ab, aa, bb := 0.0, 0.0, 0.0
	for i, v := range a {
		ab += v * b[i]
		aa += v * v
		bb += b[i] * b[i]
	}
	if aa == 0 || bb == 0 {
		return 0
	}
	return ab / math.Sqrt(aa*bb)
}
