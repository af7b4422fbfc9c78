//go:build !purego

package kernel

import "math"

// mixArgs are the arguments of the assembly; gen/vb.go knows their places.
type mixArgs struct {
	panel, x, alpha, gamma, e, sum, p, f *float32
	n, m, most, done                     int
	tol, change                          float32
}

// holds reports whether all numbers of the Mix lie in its slices.
func (m *Mix) holds() bool {
	n, room := m.N, (m.M+MixLanes-1)/MixLanes*MixLanes
	return n >= MixLanes && n%MixLanes == 0 && m.M >= MixRows && m.M%MixRows == 0 &&
		len(m.Panel)/n >= m.M && len(m.X) >= n && len(m.P) >= n && len(m.F) >= n &&
		len(m.Alpha) >= room && len(m.Gamma) >= room && len(m.E) >= room && len(m.Sum) >= room
}

func (m *Mix) args() mixArgs {
	return mixArgs{
		panel: &m.Panel[0], x: &m.X[0], alpha: &m.Alpha[0], gamma: &m.Gamma[0], e: &m.E[0], sum: &m.Sum[0], p: &m.P[0], f: &m.F[0],
		n: m.N, m: m.M, tol: m.Tol, change: float32(math.Inf(1)),
	}
}

// grant allows a row's next call so many rounds as the budget has, but one at
// least, and reports whether the row needs any.
func (m *Mix) grant(a *mixArgs) bool {
	if m.Rounds >= m.Most || m.Rounds > 0 && !(m.Change > m.Tol) {
		return false
	}
	a.done, a.most = 0, min(max(1, budget/(m.N/8*m.M)), m.Most-m.Rounds)
	return true
}

func (m *Mix) took(a *mixArgs) {
	m.Rounds += a.done
	m.Change = a.change
}

func mixRoundsFast(a, b *Mix) bool {
	if !a.holds() || b != nil && !b.holds() {
		return false
	}
	var args [2]mixArgs
	args[0], a.Rounds = a.args(), 0
	if b != nil {
		args[1], b.Rounds = b.args(), 0
	}
	for {
		first, second := a.grant(&args[0]), b != nil && b.grant(&args[1])
		switch {
		case first && second:
			mixRounds(&args[0], &args[1])
		case first:
			mixRounds(&args[0], nil)
		case second:
			mixRounds(&args[1], nil)
		default:
			return true
		}
		if first {
			a.took(&args[0])
		}
		if second {
			b.took(&args[1])
		}
	}
}

func mixRounds(a, b *mixArgs) {
	if active == avx512 {
		mixRounds512(a, b)
	} else {
		mixRounds256(a, b)
	}
}

// mixPanelFast gives a row in one call, which is well below a millisecond but
// for rows of more than a hundred thousand entries.
func mixPanelFast(dst, table []float32, k int, index []uint32) bool {
	n := len(index)
	if n < MixLanes || n%MixLanes != 0 || k < MixRows || k%MixRows != 0 || len(dst)/n < k {
		return false
	}
	if int64(largest(index)) >= int64(len(table)/k) {
		return false
	}
	if active == avx512 {
		mixPanel512(&dst[0], &table[0], &index[0], n, 4*k)
	} else {
		mixPanel256(&dst[0], &table[0], &index[0], n, 4*k)
	}
	return true
}

func (m *Mix) logsFast() (sum float64, ok bool) {
	if m.N < MixLanes || m.N%MixLanes != 0 || len(m.X) < m.N || len(m.P) < m.N {
		return 0, false
	}
	if active == avx512 {
		mixLogs512(&sum, &m.X[0], &m.P[0], m.N)
	} else {
		mixLogs256(&sum, &m.X[0], &m.P[0], m.N)
	}
	return sum, true
}

func mixSpreadFast(table []float64, k int, index []uint32, f []float32, column []int32, e []float64) bool {
	n := len(index)
	if n < 1 || k < 1 || len(f) < n || len(column) < 1 || len(column) > 4 || len(e) < len(column) || int64(largest(index)) >= int64(len(table)/k) {
		return false
	}
	// Columns beyond the last are the first one again, which then gains nothing.
	var at [4]int
	var by [4]float64
	for i, j := range column {
		if j < 0 || int(j) >= k {
			return false
		}
		at[i], by[i] = 8*int(j), e[i]
	}
	for i := len(column); i < 4; i++ {
		at[i] = at[0]
	}
	for lo := 0; lo < n; lo += budget / 4 {
		words := min(budget/4, n-lo)
		if active == avx512 {
			mixSpread512(&table[0], 8*k, &index[lo], &f[lo], words, &at[0], &by[0])
		} else {
			mixSpread256(&table[0], 8*k, &index[lo], &f[lo], words, &at[0], &by[0])
		}
	}
	return true
}
