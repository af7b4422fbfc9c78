package kernel

// holds reports whether all numbers of the Mix lie in its slices.
func (m *Mix) holds() bool {
	n, buffer := m.N, (m.M+MixLanes-1)/MixLanes*MixLanes
	return n >= MixLanes && n%MixLanes == 0 && m.M >= MixRows && m.M%MixRows == 0 &&
		len(m.Panel)/n >= m.M && len(m.X) >= n && len(m.P) >= n && len(m.F) >= n &&
		len(m.Alpha) >= buffer && len(m.Gamma) >= buffer && len(m.E) >= buffer && len(m.Sum) >= buffer
}

// mixRoundsFast cuts the rounds of long rows to calls of what the budget has,
// but one round at least.
func mixRoundsFast(rows []*Mix) bool {
	if hasMixRound() {
		return mixRoundByRound(rows)
	}
	if !hasMixRounds() {
		return false
	}
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
	callMixRounds(&rows[0], len(rows))
}

// mixRoundByRound takes a call for each round of each row.
func mixRoundByRound(rows []*Mix) bool {
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
		callMixRound(&m.Panel[0], &m.X[0], &m.Alpha[0], &m.Gamma[0], &m.E[0], &m.Sum[0], &m.P[0], &m.F[0], m.N, m.M, &m.Change)
		for j, g := range m.Gamma[:m.M] {
			m.Gamma[j] = m.further(old[j], g)
		}
		m.Rounds++
		if !(m.Change > m.Tol) {
			return
		}
	}
}
