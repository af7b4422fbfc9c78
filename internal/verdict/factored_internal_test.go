package verdict

import (
	"fmt"
	"math"
	"testing"

	"github.com/moiety-go/moiety/internal/kernel"
	"github.com/moiety-go/moiety/internal/stream"
)

// Steps by factors are those over all pairs of a group and a node: the same densities,
// counts and sums, where exponentials vanish too.
func TestFactored(t *testing.T) {
	lay := presenceLayout(60)
	for _, kind := range []continuum{amount, twoHeaps, oneTrend, bentTrend, twoTrends, threeTrends} {
		for _, far := range []bool{false, true} {
			t.Run(fmt.Sprintf("%d, %v", kind, far), func(t *testing.T) {
				r := stream.New(3, "test")
				rows := randomRows(r, lay, 700)
				m := randomModel(r, lay, 4, kind, nil)
				if far { // a group with nearly all features, one with next to none, and a record with all
					for j := range lay.cols {
						m.group(0)[j], m.group(1)[j] = 9, -9
					}
					full := make([]uint32, lay.cols)
					for j := range full {
						full[j] = uint32(j)
					}
					rows = append(rows, full)
				}
				s := newSample(rows, lay.cols)
				var st stats
				m.estep(s, &st)
				if !st.few {
					t.Fatalf("log-odds up to %v are not looked at by factors", m.reach)
				}
				c, q, d, k := m.components(), m.nodes.q(), m.nodes.dims, m.groups
				share := make([]float64, s.rows()*c)
				log, n := make([]float64, s.rows()), make([]float64, c)
				kernel.Gather(share, s.ptr, s.index, nil, m.table, c)
				for i := range s.rows() {
					kernel.Softmax(share[i*c:][:c], c, m.bias, log[i:i+1], nil)
					for j := range c {
						share[i*c+j] *= s.count[i]
						n[j] += share[i*c+j]
					}
				}
				sum := make([]float64, lay.cols*c)
				kernel.Scatter(sum, s.ptr, s.index, nil, share, c)
				total := 0.0
				for i, v := range m.score(s, &stats{}) {
					near(t, "log density", v, log[i], 1e-12*(1+math.Abs(log[i])))
					total += s.count[i] * log[i]
				}
				if kind != twoHeaps {
					for i, g := range m.labels(s, &stats{}) {
						if want := m.likeliest(share[i*c:][:c]); g != want {
							t.Errorf("record %d is of group %d, want %d", i, g, want)
						}
					}
				}
				near(t, "log-likelihood", st.loglik, total, 1e-12*math.Abs(total))
				for i, v := range n {
					near(t, "count", st.n[i], v, 1e-10)
				}
				for j := range lay.cols {
					want := make([]float64, k+d)
					for at, v := range sum[j*c:][:c] {
						want[at/q] += v
						for x := range d {
							want[k+x] += v * m.nodes.at[at%q*d+x]
						}
					}
					for i, v := range want[:k] {
						near(t, "share", st.s[j*k+i], v, 1e-9)
					}
					for i, v := range want[k:] {
						near(t, "position", st.s[lay.cols*k+j*d+i], v, 1e-9)
					}
				}
				away := st.densities.away
				for _, l := range st.lanes {
					away += l.densities.away
				}
				if far != (away > 0) {
					t.Errorf("the products of %d records vanish", away)
				}
			})
		}
	}
}

// Where records answer all questions, a step by factors is the one over all pairs of a group
// and a node, in double precision: the same densities, and the same parameters afterwards.
func TestFactoredAnswers(t *testing.T) {
	r := stream.New(4, "test")
	lay := answerLayout(3, 2, 4, 3, 2)
	rows := make([][]uint32, 300)
	for i := range rows {
		for _, it := range lay.items {
			rows[i] = append(rows[i], uint32(it.first+r.IntN(it.answers)))
		}
	}
	s := newSample(rows, lay.cols)
	blank := newSample(append(rows, rows[0][1:]), lay.cols)
	for _, kind := range []continuum{amount, oneTrend, twoTrends} {
		m := randomModel(r, lay, 4, kind, nil)
		other := m.copied()
		pr := prior{2, lay.overall(s, nil)}
		quick, slow := stats{alone: true}, stats{}
		m.estep(s, &quick)
		other.estep(s, &slow)
		if !quick.few || slow.few {
			t.Fatalf("%d: by factors %v, want it where all records are here: %v", kind, quick.few, slow.few)
		}
		near(t, "log-likelihood", quick.loglik, slow.loglik, 1e-9)
		m.maximise(&quick, pr)
		other.maximise(&slow, pr)
		for i, v := range other.b {
			near(t, "log-odds", m.b[i], v, 1e-9)
		}
		for i, v := range other.a {
			near(t, "slope", m.a[i], v, 1e-9)
		}
		if m.byFactors(blank) {
			t.Errorf("%d: records with a blank are looked at by factors", kind)
		}
	}
}
