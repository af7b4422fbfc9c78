package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"
)

// mixTol is the agreement of tiers, and with float64, after one round: some
// roundings of float32 in sums of positive numbers.
const mixTol = 5e-6

// mixture returns a Mix of n entries and m components, by the page where room
// says how to make one.
func mixOf(r *rand.Rand, n, m int, buffer func(n int) []float32) *Mix {
	up := func(n, by int) int { return (n + by - 1) / by * by }
	x := &Mix{N: up(n, MixLanes), M: up(m, MixRows)}
	k := up(m, MixLanes)
	x.Panel, x.X, x.P, x.F = buffer(x.M*x.N), buffer(x.N), buffer(x.N), buffer(x.N)
	x.Alpha, x.Gamma, x.E, x.Sum = buffer(k), buffer(k), buffer(k), buffer(k)
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

func plainBuffer(n int) []float32 { return make([]float32, n) }

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

// one takes one round.
func one(m *Mix) {
	m.Most, m.Tol = 1, 0
	MixRounds([]*Mix{m})
}

func TestMixRound(t *testing.T) {
	eachTier(t, func(t *testing.T) {
		for _, n := range []int{1, 15, 16, 17, 110, 300} {
			for _, k := range []int{1, 2, 4, 5, 8, 10, 12, 13, 16, 17, 20, 33, 50, 64, 100} {
				r := rand.New(rand.NewPCG(uint64(n), uint64(k)))
				m := mixOf(r, n, k, plainBuffer)
				m.Over = float32(n%2) * 0.5
				want := mixTwin(m)
				old := append([]float32(nil), m.Gamma...)
				one(m)
				change := m.Change
				if m.Rounds != 1 {
					t.Fatalf("%d rounds", m.Rounds)
				}
				total := 0.0
				for j, g := range want {
					total += math.Abs(g - float64(old[j]))
					scale := g + float64(old[j])
					g = max(g+float64(m.Over)*(g-float64(old[j])), mixLeast*g)
					if got := float64(m.Gamma[j]); !(math.Abs(got-g) <= mixTol*scale) {
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

// Rounds in one call, alone or beside others, are the rounds of many, to the
// bit, and stop by the rule.
func TestMixRounds(t *testing.T) {
	eachTier(t, func(t *testing.T) {
		for _, k := range []int{3, 10, 30} {
			made := func() *Mix {
				m := mixOf(rand.New(rand.NewPCG(5, uint64(k))), 90, k, plainBuffer)
				m.Over, m.Most, m.Tol = 0.4, 200, 0.01
				return m
			}
			alone, first, second, single := made(), made(), made(), made()
			MixRounds([]*Mix{alone})
			if !(alone.Change <= 0.01) || alone.Rounds == 200 {
				t.Fatalf("moved by %v after %d rounds", alone.Change, alone.Rounds)
			}
			short, none := mixOf(rand.New(rand.NewPCG(6, 6)), 20, 5, plainBuffer), mixOf(rand.New(rand.NewPCG(6, 6)), 20, 5, plainBuffer)
			short.Most = 2
			MixRounds([]*Mix{none, first, short, second})
			for range alone.Rounds {
				one(single)
			}
			if short.Rounds != 2 || none.Rounds != 0 || none.E[0] != 0 {
				t.Errorf("%d rounds instead of two, %d instead of none", short.Rounds, none.Rounds)
			}
			for _, other := range []*Mix{first, second, single} {
				if other.Change != alone.Change || other != single && other.Rounds != alone.Rounds {
					t.Errorf("moved by %v after %d rounds, in company by %v after %d", alone.Change, alone.Rounds, other.Change, other.Rounds)
				}
				for name, pair := range map[string][2][]float32{
					"γ": {alone.Gamma, other.Gamma}, "e": {alone.E, other.E}, "p": {alone.P, other.P}, "f": {alone.F, other.F},
				} {
					for i, v := range pair[0] {
						if pair[1][i] != v {
							t.Fatalf("k=%d: %s of %d is %v, otherwise %v", k, name, i, v, pair[1][i])
						}
					}
				}
			}
		}
		MixRounds(nil)
	})
}

// Long rows take more than one call.
func TestMixLong(t *testing.T) {
	eachTier(t, func(t *testing.T) {
		m := mixOf(rand.New(rand.NewPCG(8, 8)), 5000, 100, plainBuffer)
		start := append([]float32(nil), m.Gamma...)
		m.Most = 5
		MixRounds([]*Mix{m})
		if m.Rounds != 5 || m.Most != 5 {
			t.Fatalf("%d rounds of %d", m.Rounds, m.Most)
		}
		got := append([]float32(nil), m.Gamma...)
		copy(m.Gamma, start)
		for range 5 {
			one(m)
		}
		for j, g := range got {
			if m.Gamma[j] != g {
				t.Fatalf("γ of %d is %v, in single rounds %v", j, g, m.Gamma[j])
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
		m := mixOf(r, 16, 16, plainBuffer)
		for range 2000 {
			for j := range m.Gamma {
				m.Gamma[j] = float32(math.Exp(r.Float64()*16 - 2))
			}
			gamma := append([]float32(nil), m.Gamma...)
			one(m)
			for j, g := range gamma {
				want := math.Exp(psi(float64(g)))
				if got := float64(m.E[j]); !(math.Abs(got-want) <= most*want*math.Max(1, 1/float64(g))) {
					t.Fatalf("exp ψ(%v) is %v, want %v", g, got, want)
				}
			}
		}
		for _, g := range []float32{1e-30, 1e-6, 1e-3, 0.015} {
			m.Gamma[3] = g
			one(m)
			if e := m.E[3]; !(e > 0) || e > 1e-20 {
				t.Errorf("exp ψ(%v) is %v", g, e)
			}
		}
	})
}

func TestMixBuffer(t *testing.T) {
	for _, n := range []int{0, 1, 16, 100, 1 << 12} {
		for range 20 {
			s := MixBuffer(n)
			if len(s) != n || n > 0 && uintptr(unsafe.Pointer(&s[0]))%64 != 0 {
				t.Fatalf("%d numbers at %p", len(s), &s[0])
			}
		}
	}
}

func BenchmarkMixRounds(b *testing.B) {
	best := active
	defer func() { active = best }()
	for _, k := range []int{4, 8, 10, 50} {
		for _, active = range upTo(available()) {
			for _, n := range []int{1, 4} {
				b.Run(fmt.Sprintf("%s/k=%d/rows=%d", Tier(), k, n), func(b *testing.B) {
					var rows []*Mix
					for range n {
						m := mixOf(rand.New(rand.NewPCG(1, 1)), 110, k, MixBuffer)
						m.Most = 20
						rows = append(rows, m)
					}
					start := append([]float32(nil), rows[0].Gamma...)
					for b.Loop() {
						for _, m := range rows {
							copy(m.Gamma, start)
						}
						MixRounds(rows)
					}
					taken := 20 * float64(n) * float64(b.N)
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/taken, "ns/round")
					b.ReportMetric(4*110*float64(k)*taken/float64(b.Elapsed().Nanoseconds()), "GF/s")
				})
			}
		}
	}
}
