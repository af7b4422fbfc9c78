package kernel

import (
	"math"
	"unsafe"
)

// MixLanes is what the number of entries of a Mix, and of its parameters, is
// rounded up to; MixRows that of the components of its panel.
const (
	MixLanes = 16
	MixRows  = 4
)

// mixTiny stands for a sum that underflowed, mixMost for the exponents whose
// exponentials are told apart; smaller ones are too small to matter, and
// their products would be slow.
const (
	mixTiny = 1e-30
	mixMost = 50
)

// mixLeast is the least share of its plain step that a round leaves of γ, however
// far it goes beyond.
const mixLeast = 0.3

// Mix is the work space of the fixed point
//
//	e_j = exp ψ(γ_j),  p_w = Σ_j e_j μ_jw,  f_w = x_w/p_w,  γ_j = α_j + e_j Σ_w f_w μ_jw
//
// of one row of N entries under M components, in float32. Entries beyond those
// of the row have x and μ zero, components beyond those of the model μ zero
// and α and γ one.
type Mix struct {
	N, M  int       // multiples of MixLanes and of MixRows
	Panel []float32 // M×N: μ, component by component
	X     []float32 // N
	Alpha []float32 // M rounded up to MixLanes, as are Gamma, E and Sum
	Gamma []float32
	E     []float32 // of γ before the last round
	Sum   []float32 // Σ_w f_w μ_jw of the last round; zero beyond M
	P, F  []float32 // N: of the last round

	Most   int     // rounds to take at the most; none where zero
	Tol    float32 // move of γ, summed over components, that ends them
	Change float32 // γ would have moved by so much in the last of them
	Rounds int     // taken by the last call
	Over   float32 // how much further γ goes than the fixed point says, as a share of its way

	moving int // of the assembly, which knows the places of all these: gen/vb.go
}

// MixBuffer returns n zeros that begin at the border of a cache line, where the
// slices of a Mix are read fastest.
func MixBuffer(n int) []float32 {
	const line = 64
	all := make([]float32, n+line/4-1)
	at := 0
	if n > 0 {
		at = int(-uintptr(unsafe.Pointer(&all[0]))%line) / 4
	}
	return all[at : at+n : at+n]
}

// MixRounds takes rounds of the fixed points of some rows, each until its γ
// would move by no more than Tol, or Most of them. Rows together take less time
// than one after another.
func MixRounds(rows []*Mix) {
	if active != plain && mixRoundsFast(rows) {
		return
	}
	for _, m := range rows {
		m.roundsPlain()
	}
}

func (m *Mix) roundsPlain() {
	for m.Rounds = 0; m.Rounds < m.Most; {
		m.Change = m.roundPlain()
		m.Rounds++
		if !(m.Change > m.Tol) {
			return
		}
	}
}

func (m *Mix) roundPlain() float32 {
	for j, g := range m.Gamma[:m.M] {
		m.E[j] = expPsi(g)
	}
	if m.M == MixRows {
		m.fewPlain()
	} else {
		m.manyPlain()
	}
	change := float32(0)
	for j, s := range m.Sum[:m.M] {
		g := m.Alpha[j] + m.E[j]*s
		change += max(g-m.Gamma[j], m.Gamma[j]-g)
		m.Gamma[j] = m.further(m.Gamma[j], g)
	}
	return change
}

// further returns where γ goes that the fixed point moves from old to g.
func (m *Mix) further(old, g float32) float32 { return max(g+m.Over*(g-old), mixLeast*g) }

// fewPlain sums up a round of four components in one loop.
func (m *Mix) fewPlain() {
	x := m.X[:m.N]
	p, f := m.P[:len(x)], m.F[:len(x)]
	e0, e1, e2, e3 := m.E[0], m.E[1], m.E[2], m.E[3]
	r0, r1, r2, r3 := m.rows(0)
	r0, r1, r2, r3 = r0[:len(x)], r1[:len(x)], r2[:len(x)], r3[:len(x)]
	var s0, s1, s2, s3 float32
	for w, x := range x {
		b0, b1, b2, b3 := r0[w], r1[w], r2[w], r3[w]
		sum := (e0*b0 + e1*b1) + (e2*b2 + e3*b3) + mixTiny
		q := x / sum
		p[w], f[w] = sum, q
		s0 += q * b0
		s1 += q * b1
		s2 += q * b2
		s3 += q * b3
	}
	m.Sum[0], m.Sum[1], m.Sum[2], m.Sum[3] = s0, s1, s2, s3
}

// manyPlain sums up a round of any number, four components at a time.
func (m *Mix) manyPlain() {
	x := m.X[:m.N]
	p, f := m.P[:len(x)], m.F[:len(x)]
	for w := range p {
		p[w] = mixTiny
	}
	for j := 0; j < m.M; j += MixRows {
		e0, e1, e2, e3 := m.E[j], m.E[j+1], m.E[j+2], m.E[j+3]
		r0, r1, r2, r3 := m.rows(j)
		r0, r1, r2, r3 = r0[:len(p)], r1[:len(p)], r2[:len(p)], r3[:len(p)]
		for w, v := range p {
			p[w] = v + (e0*r0[w] + e1*r1[w]) + (e2*r2[w] + e3*r3[w])
		}
	}
	for w, x := range x {
		f[w] = x / p[w]
	}
	for j := 0; j < m.M; j += MixRows {
		r0, r1, r2, r3 := m.rows(j)
		r0, r1, r2, r3 = r0[:len(f)], r1[:len(f)], r2[:len(f)], r3[:len(f)]
		var s0, s1, s2, s3 float32
		for w, q := range f {
			s0 += q * r0[w]
			s1 += q * r1[w]
			s2 += q * r2[w]
			s3 += q * r3[w]
		}
		m.Sum[j], m.Sum[j+1], m.Sum[j+2], m.Sum[j+3] = s0, s1, s2, s3
	}
}

// rows returns rows j to j+3 of the panel.
func (m *Mix) rows(j int) (a, b, c, d []float32) {
	n := m.N
	return m.Panel[j*n:][:n], m.Panel[(j+1)*n:][:n], m.Panel[(j+2)*n:][:n], m.Panel[(j+3)*n:][:n]
}

// expPsi returns exp(ψ(x)) for x > 0 to about 3e-7 relative: up by four to
// where the series of exp(ψ(y+½)) in 1/y has that accuracy.
func expPsi(x float32) float32 {
	u := x * (x + 3)
	sub := (2*x + 3) / (u + 2) * (2/u + 2)
	y := x + 3.5
	r := 1 / y
	f := r * r
	series := y + r*(1.0/24+f*(-37.0/5760+f*(10313.0/2903040)))
	return series * float32(math.Exp(-math.Min(float64(sub), mixMost)))
}
