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

// mixSpreadFast, like those below, does a row in one call, as mixPanelFast does.
func mixSpreadFast(table []float32, index []uint32, f, e []float32) bool {
	n, k := len(index), len(e)
	if n < 1 || k < MixLanes || k%MixLanes != 0 || len(f) < n || int64(largest(index)) >= int64(len(table)/k) {
		return false
	}
	lanes := 2 * active.lanes()
	for at := 0; at < k; at += 4 * lanes {
		nv := min(4, (k-at)/lanes)
		if active == avx512 {
			mixSpread512(&table[at], 4*k, &index[0], &f[0], n, &e[at], nv)
		} else {
			mixSpread256(&table[at], 4*k, &index[0], &f[0], n, &e[at], nv)
		}
	}
	return true
}

func mixWordsFast(x []float32, index []uint32, scale []float64) (total, scaled float64, above int, ok bool) {
	n := len(index)
	if n < MixLanes || n%MixLanes != 0 || len(x) < n || int64(largest(index)) >= int64(len(scale)) || len(scale) > math.MaxInt32 {
		return 0, 0, 0, false
	}
	var sums [2]float64
	if active == avx512 {
		mixWords512(&sums[0], &above, &x[0], &index[0], &scale[0], n)
	} else {
		mixWords256(&sums[0], &above, &x[0], &index[0], &scale[0], n)
	}
	return sums[0], sums[1], above, true
}

func mixKeepFast(dst, src []float32, n int, keep []int32) bool {
	if n < MixLanes || n%MixLanes != 0 || len(keep) < 1 || len(dst)/n < len(keep) {
		return false
	}
	for _, i := range keep {
		if i < 0 || int(i) >= len(src)/n {
			return false
		}
	}
	if active == avx512 {
		mixKeep512(&dst[0], &src[0], 4*n, &keep[0], len(keep))
	} else {
		mixKeep256(&dst[0], &src[0], 4*n, &keep[0], len(keep))
	}
	return true
}
