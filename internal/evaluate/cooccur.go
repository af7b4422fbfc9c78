package evaluate

import (
	"context"

	"github.com/moiety-go/moiety/pass"
)

// pairCounts holds in how many documents the words of topics occur, alone and
// in pairs of one topic.
type pairCounts struct {
	documents float64
	topics    [][]int
	single    [][]float64 // topic, place
	pair      [][]float64 // topic, place(i<j): see pairAt
}

// pairAt is the place of the pair i < j among the pairs of a topic.
func pairAt(i, j int) int { return j*(j-1)/2 + i }

// both returns in how many documents places i and j of a topic occur together.
func (c *pairCounts) both(topic, i, j int) float64 {
	switch {
	case i == j:
		return c.single[topic][i]
	case i > j:
		i, j = j, i
	}
	return c.pair[topic][pairAt(i, j)]
}

// countPairs counts documents for the words of the topics only, in one pass.
func countPairs(ctx context.Context, run pass.Runner, topics [][]int) (*pairCounts, error) {
	if err := checkTopics(topics, run.Dim()); err != nil {
		return nil, err
	}
	s := newPairSum(run.Dim(), topics)
	state, err := pass.RunOne(ctx, run, s)
	if err != nil {
		return nil, err
	}
	c := &pairCounts{documents: state[0], topics: topics}
	at := 1
	for _, words := range topics {
		l := len(words)
		pairs := l * (l - 1) / 2
		c.single = append(c.single, state[at:at+l])
		c.pair = append(c.pair, state[at+l:at+l+pairs])
		at += l + pairs
	}
	return c, nil
}

// hide puts the next count that may be reported in the place of every one that may
// not: a single pair of words would give it back otherwise. So it does with those
// who have one of two words and not the other, and those who lack a word.
func (c *pairCounts) hide(least float64) {
	small := func(n float64) bool { return n > 0 && n < least }
	for t, single := range c.single {
		for i, n := range single {
			switch {
			case small(n):
				single[i] = 0
			case small(c.documents - n):
				single[i] = c.documents
			}
		}
		for j := range single {
			for i := range j {
				both := &c.pair[t][pairAt(i, j)]
				most := min(single[i], single[j])
				switch {
				case small(*both):
					*both = 0
				case *both > most || small(most-*both):
					*both = most
				}
			}
		}
	}
}

// place is a word's place in a topic.
type place struct{ topic, at int }

// pairSum counts, for each topic in turn, its words and then its pairs of
// words; the first number counts documents.
type pairSum struct {
	where  [][]place // of each feature, topics in order
	start  []int     // of each topic in the state
	length []int     // words of each topic
	size   int
}

func newPairSum(d int, topics [][]int) *pairSum {
	s := &pairSum{where: make([][]place, d), size: 1}
	for t, words := range topics {
		for at, h := range words {
			s.where[h] = append(s.where[h], place{t, at})
		}
		s.start = append(s.start, s.size)
		s.length = append(s.length, len(words))
		s.size += len(words) + len(words)*(len(words)-1)/2
	}
	return s
}

// Len implements pass.Sum.
func (s *pairSum) Len() int { return s.size }

// Add implements pass.Sum. A word occurs where its value is not zero.
func (s *pairSum) Add(state []float64, b pass.Block) error {
	present := make([][]int, len(s.start)) // places of each topic in this document
	used := make([]int, 0, len(s.start))   // topics with any
	state[0] += float64(b.Rows.N())
	see := func(h int) {
		for _, p := range s.where[h] {
			if len(present[p.topic]) == 0 {
				used = append(used, p.topic)
			}
			present[p.topic] = append(present[p.topic], p.at)
		}
	}
	for i := range b.Rows.N() {
		if b.Rows.IsDense() {
			for h, v := range b.Rows.DenseRow(i) {
				if v != 0 && v == v {
					see(h)
				}
			}
		} else {
			index, value := b.Rows.Row(i)
			for e, h := range index {
				if value == nil || value[e] == value[e] {
					see(int(h))
				}
			}
		}
		for _, t := range used {
			s.addTopic(state[s.start[t]:], t, present[t])
			present[t] = present[t][:0]
		}
		used = used[:0]
	}
	return nil
}

func (s *pairSum) addTopic(state []float64, t int, present []int) {
	pairs := state[s.length[t]:]
	for x, i := range present {
		state[i]++
		for _, j := range present[:x] {
			pairs[pairAt(min(i, j), max(i, j))]++
		}
	}
}
