//go:build !purego

package kernel

import "math"

// holds reports whether all numbers of the Mix lie in its slices.
func (m *Mix) holds() bool {
	n, room := m.N, (m.M+MixLanes-1)/MixLanes*MixLanes
	return n >= MixLanes && n%MixLanes == 0 && m.M >= MixRows && m.M%MixRows == 0 &&
		len(m.Panel)/n >= m.M && len(m.X) >= n && len(m.P) >= n && len(m.F) >= n &&
		len(m.Alpha) >= room && len(m.Gamma) >= room && len(m.E) >= room && len(m.Sum) >= room
}

// mixRoundsFast cuts the rounds of long rows to calls of what the budget has,
// but one round at least.
func mixRoundsFast(rows []*Mix) bool {
	work := 0 // of all rounds
	for _, m := range rows {
		if !m.holds() {
			return false
		}
		m.Rounds, m.moving = 0, min(m.Most, 1)
		work += m.N / 8 * m.M * m.Most
	}
	if work > budget {
		for _, m := range rows {
			m.roundsLong()
		}
		return true
	}
	for i, m := range rows {
		if m.M*m.N > together {
			mixRounds(rows[i : i+1])
		}
	}
	mixRounds(rows)
	return true
}

// together is the size of a panel above which a row takes its rounds alone: a
// few of them fill the nearest cache.
const together = 2560

func (m *Mix) roundsLong() {
	most, some := m.Most, max(1, budget/(m.N/8*m.M))
	row := []*Mix{m}
	for m.Rounds < most && (m.Rounds == 0 || m.Change > m.Tol) {
		m.Most, m.moving = min(m.Rounds+some, most), 1
		mixRounds(row)
	}
	m.Most = most
}

func mixRounds(rows []*Mix) {
	if len(rows) == 0 {
		return
	}
	if active == avx512 {
		mixRounds512(&rows[0], len(rows))
	} else {
		mixRounds256(&rows[0], len(rows))
	}
}

// mixPanelFast gives a row in one call, as do those below, which is well below a
// millisecond but for rows of more than a hundred thousand entries.
func mixPanelFast(dst, table []float32, k int, l *MixList) bool {
	n := len(l.index)
	if k < MixRows || k%MixRows != 0 || !l.below(len(table)/k) || len(dst)/n < k {
		return false
	}
	if active == avx512 {
		mixPanel512(&dst[0], &table[0], &l.index[0], n, 4*k)
	} else {
		mixPanel256(&dst[0], &table[0], &l.index[0], n, 4*k)
	}
	return true
}

func mixLogsFast(x, p []float32) (sum float64, ok bool) {
	n := len(p)
	if n < MixLanes || n%MixLanes != 0 || len(x) < n {
		return 0, false
	}
	if active == avx512 {
		mixLogs512(&sum, &x[0], &p[0], n)
	} else {
		mixLogs256(&sum, &x[0], &p[0], n)
	}
	return sum, true
}

func mixSpreadFast(table []float32, l *MixList, n int, f, e []float32) bool {
	k := len(e)
	if n < 1 || n > len(l.index) || k < MixLanes || k%MixLanes != 0 || len(f) < n || !l.below(len(table)/k) {
		return false
	}
	lanes := 2 * active.lanes()
	for at := 0; at < k; at += 4 * lanes {
		nv := min(4, (k-at)/lanes)
		if active == avx512 {
			mixSpread512(&table[at], 4*k, &l.index[0], &f[0], n, &e[at], nv)
		} else {
			mixSpread256(&table[at], 4*k, &l.index[0], &f[0], n, &e[at], nv)
		}
	}
	return true
}

func mixWordsFast(x []float32, l *MixList, scale []float64) (total, scaled float64, above int, ok bool) {
	n := len(l.index)
	if !l.below(min(len(scale), math.MaxInt32)) || len(x) < n {
		return 0, 0, 0, false
	}
	var sums [2]float64
	if active == avx512 {
		mixWords512(&sums[0], &above, &x[0], &l.index[0], &scale[0], n)
	} else {
		mixWords256(&sums[0], &above, &x[0], &l.index[0], &scale[0], n)
	}
	return sums[0], sums[1], above, true
}

func mixKeepFast(dst, src []float32, n int, keep []int32) bool {
	if n < MixLanes || n%MixLanes != 0 || len(keep) < 1 || len(dst)/n < len(keep) {
		return false
	}
	top := uint32(0) // of a number below zero it is large
	for _, i := range keep {
		top = max(top, uint32(i))
	}
	if int64(top) >= int64(len(src)/n) {
		return false
	}
	if active == avx512 {
		mixKeep512(&dst[0], &src[0], 4*n, &keep[0], len(keep))
	} else {
		mixKeep256(&dst[0], &src[0], 4*n, &keep[0], len(keep))
	}
	return true
}

// gammasFast leaves numbers to the plain way whose logarithms the assembly does
// not know.
func gammasFast(lg, psi, x []float64) bool {
	n := len(x)
	if n < GammaLanes || n%GammaLanes != 0 || len(lg) < n || len(psi) < n {
		return false
	}
	for _, v := range x {
		if !(v > 1e-25 && v < 1e200) {
			return false
		}
	}
	for lo := 0; lo < n; lo += budget {
		some := min(budget, n-lo)
		if active == avx512 {
			mixGamma512(&lg[lo], &psi[lo], &x[lo], some)
		} else {
			mixGamma256(&lg[lo], &psi[lo], &x[lo], some)
		}
	}
	return true
}
