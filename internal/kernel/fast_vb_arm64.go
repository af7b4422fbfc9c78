//go:build !purego

package kernel

// holds reports whether all numbers of the Mix lie in its slices.
func (m *Mix) holds() bool {
	n := m.N
	return n >= MixLanes && n%MixLanes == 0 && m.M >= MixRows && m.M%MixRows == 0 &&
		len(m.Panel)/n >= m.M && len(m.X) >= n && len(m.P) >= n && len(m.F) >= n &&
		len(m.Alpha) >= m.M && len(m.Gamma) >= m.M && len(m.E) >= m.M && len(m.Sum) >= m.M
}

func mixRoundsFast(rows []*Mix) bool {
	for _, m := range rows {
		if !m.holds() {
			return false
		}
	}
	for _, m := range rows {
		m.rounds()
	}
	return true
}

// rounds is roundsPlain, a call a round; how far γ goes beyond it is done here.
func (m *Mix) rounds() {
	old := make([]float32, m.M)
	for m.Rounds = 0; m.Rounds < m.Most; {
		copy(old, m.Gamma)
		mixRound128(&m.Panel[0], &m.X[0], &m.Alpha[0], &m.Gamma[0], &m.E[0], &m.Sum[0], &m.P[0], &m.F[0], m.N, m.M, &m.Change)
		for j, g := range m.Gamma[:m.M] {
			m.Gamma[j] = m.further(old[j], g)
		}
		m.Rounds++
		if !(m.Change > m.Tol) {
			return
		}
	}
}

func mixPanelFast(dst, table []float32, k int, l *MixList) bool {
	n := len(l.index)
	if k < MixRows || k%MixRows != 0 || !l.below(len(table)/k) || len(dst)/n < k {
		return false
	}
	mixPanel128(&dst[0], &table[0], &l.index[0], n, k)
	return true
}

func mixLogsFast(x, p []float32) (sum float64, ok bool) {
	n := len(p)
	if n < MixLanes || n%MixLanes != 0 || len(x) < n {
		return 0, false
	}
	mixLogs128(&sum, &x[0], &p[0], n)
	return sum, true
}
