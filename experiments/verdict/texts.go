package verdict

import (
	"math"
	"math/rand/v2"

	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"
)

// TextLaws are documents of one topic each, or that mix several.
func TextLaws() []Law {
	one := []Law{
		{Name: "one topic", draw: texts{length: 100}.draw},
		{Name: "one topic, long", draw: texts{length: 400}.draw},
		{Name: "one topic, short", draw: texts{length: 20}.draw},
		{Name: "one topic, bursts 50", draw: texts{length: 100, bursts: 50}.draw},
		{Name: "one topic, bursts 200", draw: texts{length: 300, bursts: 200}.draw},
		{Name: "one topic, bursts 20, short", draw: texts{length: 40, bursts: 20}.draw},
	}
	many := []Law{
		{Name: "4 of one each, 100 words", Groups: 4, draw: texts{topics: 4, length: 100}.draw},
		{Name: "8 of one each, 100 words", Groups: 8, draw: texts{topics: 8, length: 100}.draw},
		{Name: "16 of one each, 300 words", Groups: 16, draw: texts{topics: 16, length: 300}.draw},
		{Name: "4 of one each, bursts 100", Groups: 4, draw: texts{topics: 4, length: 100, bursts: 100}.draw},
		{Name: "4 of one each, 30 words", Groups: 4, Hard: true, draw: texts{topics: 4, length: 30}.draw},
		{Name: "8 of one each, 30 words", Groups: 8, Hard: true, draw: texts{topics: 8, length: 30}.draw},
		{Name: "mix 4, total 1", Groups: 4, Mixed: true, draw: texts{topics: 4, length: 100, mix: 1}.draw},
		{Name: "mix 8, total 1", Groups: 8, Mixed: true, draw: texts{topics: 8, length: 100, mix: 1}.draw},
		{Name: "mix 4, total 4", Groups: 4, Mixed: true, draw: texts{topics: 4, length: 200, mix: 4}.draw},
		{Name: "mix 8, total 2, bursts 200", Groups: 8, Mixed: true, draw: texts{topics: 8, length: 200, mix: 2, bursts: 200}.draw},
	}
	return ofKind("texts", one, many)
}

// texts is a law of documents over 800 words, frequent ones shared by all topics.
type texts struct {
	topics int
	length float64
	bursts float64 // words of a document ~ Dirichlet(bursts · topic)
	mix    float64 // α0; 0: one topic each
}

func (t texts) draw(r *rand.Rand, n int) Draw {
	const words, common = 800, 30
	k := max(t.topics, 1)
	order := r.Perm(words)
	topic := make([][]float64, k)
	for g := range topic {
		topic[g] = make([]float64, words)
		total := 0.0
		for rank, j := range order {
			v := gamma(r, .3) / .3
			if rank < common {
				v = gamma(r, 50) / 50
			}
			topic[g][j] = math.Pow(float64(rank+1), -1.05)*v + 1e-9
			total += topic[g][j]
		}
		for j := range topic[g] {
			topic[g][j] /= total
		}
	}
	y := labels(r, n, k, false)
	b := sparse.NewBuilder(words, false)
	for i := range n {
		share := make([]float64, k)
		share[y[i]] = 1
		if t.mix > 0 {
			share = dirichlet(r, t.mix/float64(k), k)
			for g := range share {
				if share[g] > share[y[i]] {
					y[i] = g
				}
			}
		}
		_ = b.Add(t.document(r, topic, share))
	}
	rows := b.Rows()
	return Draw{Rows: &rows, Kind: record.Counts, System: vocab.Text, Labels: y}
}

// document draws the words of one document.
func (t texts) document(r *rand.Rand, topic [][]float64, share []float64) (index []uint32, value []float32) {
	p, total := make([]float64, len(topic[0])), 0.0
	for j := range p {
		for g, s := range share {
			p[j] += s * topic[g][j]
		}
		if t.bursts > 0 {
			p[j] = gamma(r, t.bursts*p[j])
		}
		total += p[j]
	}
	for j := range p {
		p[j] /= total
		if j > 0 {
			p[j] += p[j-1]
		}
	}
	count := make([]float32, len(p))
	for range max(5, int(t.length*gamma(r, 3)/3)) {
		u := r.Float64()
		lo, hi := 0, len(p)-1
		for lo < hi {
			if m := (lo + hi) / 2; p[m] < u {
				lo = m + 1
			} else {
				hi = m
			}
		}
		count[lo]++
	}
	for j, v := range count {
		if v > 0 {
			index, value = append(index, uint32(j)), append(value, v)
		}
	}
	return index, value
}
