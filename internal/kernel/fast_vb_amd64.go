//go:build !purego

package kernel

import "unsafe"

// mixArgs are the arguments of the assembly; gen/vb.go knows their places.
type mixArgs struct {
	panel, x, alpha, gamma, e, sum, p, f *float32
	n, m, most, done                     int
	tol, change                          float32
}

// roundsFast cuts calls to the budget, but never below one round.
func (m *Mix) roundsFast(most int, tol float32) (rounds int, change float32, ok bool) {
	n, rows, room := m.N, m.M, (m.M+MixLanes-1)/MixLanes*MixLanes
	if n < MixLanes || n%MixLanes != 0 || rows%MixRows != 0 || len(m.Panel)/n < rows || len(m.X) < n || len(m.P) < n || len(m.F) < n ||
		len(m.Alpha) < room || len(m.Gamma) < room || len(m.E) < room || len(m.Sum) < room {
		return 0, 0, false
	}
	a := mixArgs{
		panel: &m.Panel[0], x: &m.X[0], alpha: &m.Alpha[0], gamma: &m.Gamma[0], e: &m.E[0], sum: &m.Sum[0], p: &m.P[0], f: &m.F[0],
		n: n, m: rows, tol: tol,
	}
	once := max(1, budget/(n/4*rows))
	for rounds < most {
		a.most = min(once, most-rounds)
		if active == avx512 {
			mixRounds512(&a)
		} else {
			mixRounds256(&a)
		}
		rounds += a.done
		if !(a.change > tol) {
			break
		}
	}
	return rounds, a.change, true
}

func mixPanelFast(dst, table []float32, at, column []int32) bool {
	n, m := len(at), len(column)
	if n < MixLanes || n%MixLanes != 0 || m < 1 || len(dst)/n < m {
		return false
	}
	least, most := span(at)
	low, high := span(column)
	if least < 0 || low < 0 || int64(most)+int64(high) >= int64(len(table)) {
		return false
	}
	once := max(1, budget/n)
	for lo := 0; lo < m; lo += once {
		rows := min(once, m-lo)
		if active == avx512 {
			mixPanel512(&dst[lo*n], unsafe.SliceData(table), &at[0], n, &column[lo], rows)
		} else {
			mixPanel256(&dst[lo*n], unsafe.SliceData(table), &at[0], n, &column[lo], rows)
		}
	}
	return true
}

func span(x []int32) (least, most int32) {
	least, most = x[0], x[0]
	for _, v := range x {
		least, most = min(least, v), max(most, v)
	}
	return least, most
}
