package inference

import (
	"math"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
)

// resampled is the number of parts whose sums of scores are drawn again. Records
// are assigned to them by a hash of their number: files are often sorted, and every
// hundredth record of a sorted file is no sample of it.
const resampled = 100

// part returns the part of a record (the finaliser of SplitMix64).
func part(number int) int {
	x := uint64(number) + 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return int((x ^ x>>31) % resampled)
}

// scores is the Sum of what standard errors need. Its state, with P parameters,
// k classes and m questions:
//
//	outer    P×P   Σ_i s_i s_iᵀ, upper half           s_i = Σ_c r_ic S_ic
//	within   P×P   Σ_i Σ_c r_ic S_ic S_icᵀ, upper half
//	answered k×m   Σ_i r_ic [question answered]
//	parts    resampled×P   Σ s_i over the records of each part
//
// S_ic is the score of record i were its class c known, in log-odds: x − p for
// every answer of a question that was answered.
type scores struct {
	f     family.Family
	p     mixture.Params
	l     *layout
	first int // number of the first own record among all
}

func (s scores) Len() int {
	return 2*s.l.n*s.l.n + s.l.k*s.l.Questions() + resampled*s.l.n
}

func (s scores) split(state []float64) (outer, within, answered, parts []float64) {
	n := s.l.n
	return state[:n*n], state[n*n : 2*n*n], state[2*n*n:][:s.l.k*s.l.Questions()], state[2*n*n+s.l.k*s.l.Questions():]
}

func (s scores) Add(state []float64, b pass.Block) error {
	l := s.l
	outer, within, answered, parts := s.split(state)
	post := make([]float64, b.N()*l.k)
	if err := s.f.Posterior(s.p, b, post); err != nil {
		return err
	}
	code, score := make([]int32, l.Questions()), make([]float64, l.n)
	known := make([][]float64, l.k) // S_c, weights first
	for c := range known {
		known[c] = make([]float64, l.n)
	}
	for i := range b.N() {
		if err := l.Code(b, i, code); err != nil {
			return err
		}
		r := post[i*l.k:][:l.k]
		l.known(code, known)
		clear(score)
		for c, v := range r {
			s.addClass(c, v, known[c], score, within)
			for q, j := range code {
				if int(j) < l.Columns() {
					answered[c*l.Questions()+q] += v
				}
			}
		}
		upper(outer, score, 1, l.n)
		own := parts[part(s.first+b.First+i)*l.n:][:l.n]
		for a, v := range score {
			own[a] += v
		}
	}
	return nil
}

// addClass adds a class's share of a record to its score and to within.
func (s scores) addClass(c int, r float64, known, score, within []float64) {
	l := s.l
	if r == 0 {
		return
	}
	heads := l.heads()
	own := l.class[c]
	lo, hi := 0, 0
	if len(own) > 0 {
		lo, hi = own[0], own[len(own)-1]+1
	}
	add := func(a int) {
		v := r * known[a]
		if v == 0 {
			return
		}
		score[a] += v
		row := within[a*l.n:]
		for b := a; b < heads; b++ {
			row[b] += v * known[b]
		}
		for b := max(a, lo); b < hi; b++ {
			row[b] += v * known[b]
		}
	}
	for a := range heads {
		add(a)
	}
	for _, a := range own {
		add(a)
	}
}

// heads is the number of parameters of the weights, which come first.
func (l *layout) heads() int {
	n := 0
	for _, w := range l.weight {
		if w >= 0 {
			n++
		}
	}
	return n
}

// known sets out to the score of a record for every class it might be of.
func (l *layout) known(code []int32, out [][]float64) {
	for c := range l.k {
		for o, w := range l.weight {
			if w < 0 {
				continue
			}
			out[c][w] = -l.m.Weights[o]
			if o == c {
				out[c][w]++
			}
		}
		place := l.answer[c]
		for q, j := range code {
			from := l.First(q)
			for col := from; col < from+l.Answers(q); col++ {
				a := place[col]
				if a < 0 {
					continue
				}
				out[c][a] = 0
				if int(j) < l.Columns() {
					out[c][a] = -l.p(c, col)
					if int(j) == col {
						out[c][a]++
					}
				}
			}
		}
	}
}

// upper adds w·x·xᵀ to the upper half of a matrix.
func upper(m, x []float64, w float64, n int) {
	for a, v := range x {
		if v *= w; v == 0 {
			continue
		}
		row := m[a*n:][:n]
		for b := a; b < n; b++ {
			row[b] += v * x[b]
		}
	}
}

// complete returns the information of records whose classes are known, upper
// half: n(diag π − ππᵀ), and for every class and question the records that
// answered times diag p − ppᵀ.
func (l *layout) complete(records float64, answered []float64) []float64 {
	out := make([]float64, l.n*l.n)
	put := func(a, b int, x, y, n float64) {
		if a < 0 || b < 0 {
			return
		}
		v := -n * x * y
		if a == b {
			v += n * x
		}
		out[min(a, b)*l.n+max(a, b)] += v
	}
	for c, a := range l.weight {
		for o := c; o < l.k; o++ {
			put(a, l.weight[o], l.m.Weights[c], l.m.Weights[o], records)
		}
	}
	for c := range l.k {
		for q := range l.Questions() {
			from, to := l.First(q), l.First(q)+l.Answers(q)
			for i := from; i < to; i++ {
				for j := i; j < to; j++ {
					put(l.answer[c][i], l.answer[c][j], l.p(c, i), l.p(c, j), answered[c*l.Questions()+q])
				}
			}
		}
	}
	return out
}

// quantile is that of the normal law for 95 %.
var quantile = math.Sqrt2 * math.Erfinv(.95)
