package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// mixTol is the agreement of tiers, and with float64, after one round: some
// roundings of float32 in sums of positive numbers.
const mixTol = 5e-6

// mixture returns a Mix of n entries and m components, by the page where room
// says how to make one.
func mixOf(r *rand.Rand, n, m int, room func(n int) []float32) *Mix {
	up := func(n, by int) int { return (n + by - 1) / by * by }
	x := &Mix{N: up(n, MixLanes), M: up(m, MixRows)}
	k := up(m, MixLanes)
	x.Panel, x.X, x.P, x.F = room(x.M*x.N), room(x.N), room(x.N), room(x.N)
	x.Alpha, x.Gamma, x.E, x.Sum = room(k), room(k), room(k), room(k)
	for j := range k {
		x.Alpha[j], x.Gamma[j] = 1, 1
	}
	for w := range n {
		x.X[w] = float32(1 + r.IntN(4))
	}
	for j := range m {
		x.Alpha[j] = float32(math.Exp(2 * r.NormFloat64()))
		x.Gamma[j] = x.Alpha[j] + float32(r.ExpFloat64())*float32(n)/float32(m)
		for w := range n {
			x.Panel[j*x.N+w] = float32(math.Exp(3*r.NormFloat64() - 6))
		}
	}
	return x
}

func plainRoom(n int) []float32 { return make([]float32, n) }

// mixTwin is one round in float64.
func mixTwin(m *Mix) (gamma []float64) {
	gamma = make([]float64, m.M)
	e := make([]float64, m.M)
	for j := range e {
		e[j] = math.Exp(psi(float64(m.Gamma[j])))
		gamma[j] = float64(m.Alpha[j])
	}
	for w, x := range m.X {
		p := mixTiny
		for j, v := range e {
			p += v * float64(m.Panel[j*m.N+w])
		}
		for j, v := range e {
			gamma[j] += v * float64(m.Panel[j*m.N+w]) * float64(x) / p
		}
	}
	return gamma
}

// psi is ψ by its recurrence up to where its series has all digits.
func psi(x float64) float64 {
	sub := 0.0
	for x < 30 {
		sub += 1 / x
		x++
	}
	f := 1 / (x * x)
	return math.Log(x) - 0.5/x - f*(1.0/12-f*(1.0/120-f/252)) - sub
}

func TestMixRound(t *testing.T) {
	eachTier(t, func(t *testing.T) {
		for _, n := range []int{1, 15, 16, 17, 110, 300} {
			for _, k := range []int{1, 2, 4, 5, 8, 10, 12, 13, 16, 17, 20, 33, 50, 64, 100} {
				r := rand.New(rand.NewPCG(uint64(n), uint64(k)))
				m := mixOf(r, n, k, plainRoom)
				want := mixTwin(m)
				old := append([]float32(nil), m.Gamma...)
				rounds, change := m.Rounds(1, 0)
				if rounds != 1 {
					t.Fatalf("%d rounds", rounds)
				}
				total := 0.0
				for j, g := range want {
					total += math.Abs(g - float64(old[j]))
					if got := float64(m.Gamma[j]); !(math.Abs(got-g) <= mixTol*g) {
						t.Fatalf("n=%d k=%d: γ of component %d is %v, want %v", n, k, j, got, g)
					}
				}
				if !(math.Abs(float64(change)-total) <= mixTol*float64(10*n)) {
					t.Fatalf("n=%d k=%d: moved by %v, want %v", n, k, change, total)
				}
				for j := m.M; j < len(m.Sum); j++ {
					if m.Sum[j] != 0 || m.Gamma[j] != 1 {
						t.Fatalf("n=%d k=%d: component %d beyond the last was moved", n, k, j)
					}
				}
			}
		}
	})
}

// Rounds in one call are the rounds of many, to the bit, and stop by the rule.
func TestMixRounds(t *testing.T) {
	eachTier(t, func(t *testing.T) {
		for _, k := range []int{3, 10, 30} {
			one := mixOf(rand.New(rand.NewPCG(5, uint64(k))), 90, k, plainRoom)
			many := mixOf(rand.New(rand.NewPCG(5, uint64(k))), 90, k, plainRoom)
			rounds, change := one.Rounds(200, 0.01)
			if !(change <= 0.01) || rounds == 200 {
				t.Fatalf("moved by %v after %d rounds", change, rounds)
			}
			last := float32(0)
			for range rounds {
				_, last = many.Rounds(1, 0)
			}
			if last != change {
				t.Errorf("moved by %v, in single rounds by %v", change, last)
			}
			for name, pair := range map[string][2][]float32{
				"γ": {one.Gamma, many.Gamma}, "e": {one.E, many.E}, "p": {one.P, many.P}, "f": {one.F, many.F},
			} {
				for i, v := range pair[0] {
					if pair[1][i] != v {
						t.Fatalf("k=%d: %s of %d is %v, in single rounds %v", k, name, i, v, pair[1][i])
					}
				}
			}
		}
	})
}

// exp ψ over all sizes: from where it is zero for practical purposes to
// documents of a million words.
func TestMixExpPsi(t *testing.T) {
	const most = 1e-6 // some roundings
	eachTier(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(1, 2))
		m := mixOf(r, 16, 16, plainRoom)
		for range 2000 {
			for j := range m.Gamma {
				m.Gamma[j] = float32(math.Exp(r.Float64()*16 - 2))
			}
			gamma := append([]float32(nil), m.Gamma...)
			m.Rounds(1, 0)
			for j, g := range gamma {
				want := math.Exp(psi(float64(g)))
				if got := float64(m.E[j]); !(math.Abs(got-want) <= most*want*math.Max(1, 1/float64(g))) {
					t.Fatalf("exp ψ(%v) is %v, want %v", g, got, want)
				}
			}
		}
		for _, g := range []float32{1e-30, 1e-6, 1e-3, 0.015} {
			m.Gamma[3] = g
			m.Rounds(1, 0)
			if e := m.E[3]; !(e > 0) || e > 1e-20 {
				t.Errorf("exp ψ(%v) is %v", g, e)
			}
		}
	})
}

func TestMixPanel(t *testing.T) {
	eachTier(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(7, 7))
		for _, n := range []int{16, 48, 112} {
			for _, cols := range [][]int32{{0}, {2, 0, 4}, {0, 1, 2, 3, 4}} {
				table := make([]float32, 5*40)
				for i := range table {
					table[i] = r.Float32()
				}
				at := make([]int32, n)
				for w := range at {
					at[w] = 5 * int32(r.IntN(40))
				}
				at[n-1] = 5 * 39
				dst := make([]float32, n*len(cols))
				MixPanel(dst, table, at, cols)
				for c, col := range cols {
					for w, a := range at {
						if got := dst[c*n+w]; got != table[a+col] {
							t.Fatalf("n=%d: entry %d of column %d is %v", n, w, col, got)
						}
					}
				}
			}
		}
		for name, f := range map[string]func(){
			"far":      func() { MixPanel(make([]float32, 16), make([]float32, 10), make([]int32, 16), []int32{10}) },
			"negative": func() { MixPanel(make([]float32, 16), make([]float32, 10), make([]int32, 16), []int32{-1}) },
			"room":     func() { MixPanel(make([]float32, 15), make([]float32, 10), make([]int32, 16), []int32{0}) },
			"panel": func() {
				m := mixOf(r, 20, 5, plainRoom)
				m.Panel = m.Panel[1:]
				m.Rounds(1, 0)
			},
		} {
			t.Run(name, func(t *testing.T) {
				defer func() {
					if recover() == nil {
						t.Error("no panic")
					}
				}()
				f()
			})
		}
	})
}

func BenchmarkMixRounds(b *testing.B) {
	best := active
	defer func() { active = best }()
	for _, c := range [][2]int{{110, 4}, {110, 8}, {110, 10}, {110, 50}} {
		for active = plain; active <= available(); active++ {
			b.Run(fmt.Sprintf("%s/k=%d", Tier(), c[1]), func(b *testing.B) {
				m := mixOf(rand.New(rand.NewPCG(1, 1)), c[0], c[1], plainRoom)
				start := append([]float32(nil), m.Gamma...)
				for b.Loop() {
					copy(m.Gamma, start)
					m.Rounds(20, 0)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/20, "ns/round")
				b.ReportMetric(20*4*float64(c[0]*c[1])*float64(b.N)/float64(b.Elapsed().Nanoseconds()), "GF/s")
			})
		}
	}
}
