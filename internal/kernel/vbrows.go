package kernel

import "math"

// MixList is the entries of a row, in memory of its own: what is proved of them
// once holds.
type MixList struct {
	index []uint32
	top   uint32 // the largest
}

// Set takes a copy of the indices of a row and fills it up with others.
func (l *MixList) Set(index []uint32, fill uint32) {
	l.index = append(l.index[:0], index...)
	for len(l.index)%MixLanes != 0 {
		l.index = append(l.index, fill)
	}
	l.top = Largest(l.index)
}

// Index returns the indices, which nobody may change.
func (l *MixList) Index() []uint32 { return l.index }

// below reports whether there are entries and all of them are below n.
func (l *MixList) below(n int) bool { return len(l.index) > 0 && int64(l.top) < int64(n) }

// MixPanel sets row t of the k×n matrix dst, for n entries, to column t of the
// rows of table, of k columns each, that they name; k is a multiple of MixRows.
func MixPanel(dst, table []float32, k int, l *MixList) {
	if active != plain && mixPanelFast(dst, table, k, l) {
		return
	}
	n := len(l.index)
	for w, h := range l.index {
		row := table[int(h)*k:][:k]
		for t, v := range row {
			dst[t*n+w] = v
		}
	}
}

// MixLogs returns Σ x·log p, logarithms to single precision, of numbers p, at
// least 1e-30 where x is not zero.
// Their number is a multiple of MixLanes.
func MixLogs(x, p []float32) float64 {
	if active != plain {
		if sum, ok := mixLogsFast(x, p); ok {
			return sum
		}
	}
	sum := 0.0
	for w, p := range p {
		if x := x[w]; x != 0 {
			sum += float64(x) * math.Log(float64(p))
		}
	}
	return sum
}

// MixSpread adds f[w]·e to the row, as long as e, of table that entry w names, for
// the first n of them. Its length is a multiple of MixLanes.
func MixSpread(table []float32, l *MixList, n int, f, e []float32) {
	if active != plain && mixSpreadFast(table, l, n, f, e) {
		return
	}
	for w, h := range l.index[:n] {
		row, x := table[int(h)*len(e):][:len(e)], f[w]
		for j, v := range e {
			row[j] += x * v
		}
	}
}

// MixWords returns Σ x, Σ x·scale, each x with the scale that its entry names, and
// the number of x above zero.
func MixWords(x []float32, l *MixList, scale []float64) (total, scaled float64, above int) {
	if active != plain {
		if total, scaled, above, ok := mixWordsFast(x, l, scale); ok {
			return total, scaled, above
		}
	}
	for w, h := range l.index {
		v := float64(x[w])
		total += v
		scaled += v * scale[h]
		if v > 0 {
			above++
		}
	}
	return total, scaled, above
}

// MixKeep sets row i of dst to row keep[i] of src, all of n numbers, a multiple
// of MixLanes. Where keep rises dst may be src.
func MixKeep(dst, src []float32, n int, keep []int32) {
	if active != plain && mixKeepFast(dst, src, n, keep) {
		return
	}
	for i, from := range keep {
		copy(dst[i*n:][:n], src[int(from)*n:][:n])
	}
}

// mixPanelFast gives a row in one call, as do those below, which is well below a
// millisecond but for rows of more than a hundred thousand entries.
func mixPanelFast(dst, table []float32, k int, l *MixList) bool {
	n := len(l.index)
	if !hasMixPanel() || k < MixRows || k%MixRows != 0 || !l.below(len(table)/k) || len(dst)/n < k {
		return false
	}
	callMixPanel(&dst[0], &table[0], &l.index[0], n, 4*k)
	return true
}

func mixLogsFast(x, p []float32) (sum float64, ok bool) {
	n := len(p)
	if !hasMixLogs() || n < MixLanes || n%MixLanes != 0 || len(x) < n {
		return 0, false
	}
	callMixLogs(&sum, &x[0], &p[0], n)
	return sum, true
}

func mixSpreadFast(table []float32, l *MixList, n int, f, e []float32) bool {
	k := len(e)
	if !hasMixSpread() || n < 1 || n > len(l.index) || k < MixLanes || k%MixLanes != 0 || len(f) < n || !l.below(len(table)/k) {
		return false
	}
	const lanes = 8 // of AVX2
	for at, nv := 0, 0; at < k; at += nv * lanes {
		nv = fusedBlock((k - at) / lanes)
		callMixSpread(&table[at], 4*k, &l.index[0], &f[0], n, &e[at], nv)
	}
	return true
}

func mixWordsFast(x []float32, l *MixList, scale []float64) (total, scaled float64, above int, ok bool) {
	n := len(l.index)
	if !hasMixWords() || !l.below(min(len(scale), math.MaxInt32)) || len(x) < n {
		return 0, 0, 0, false
	}
	var sums [2]float64
	callMixWords(&sums[0], &above, &x[0], &l.index[0], &scale[0], n)
	return sums[0], sums[1], above, true
}

func mixKeepFast(dst, src []float32, n int, keep []int32) bool {
	if !hasMixKeep() || n < MixLanes || n%MixLanes != 0 || len(keep) < 1 || len(dst)/n < len(keep) {
		return false
	}
	top := uint32(0) // of a number below zero it is large
	for _, i := range keep {
		top = max(top, uint32(i))
	}
	if int64(top) >= int64(len(src)/n) {
		return false
	}
	callMixKeep(&dst[0], &src[0], 4*n, &keep[0], len(keep))
	return true
}
