package explain

// share rounds the table to be shared. A cell is told where every number that is
// rounded to it reaches the limit; further cells are left out where what is left
// of a row or column could be few and not much more.
func (f *flows) share(limit int, r rounding) {
	f.limit, f.rounded = limit, r
	f.told = make([][]Count, f.ka+1)
	for i := range f.told {
		f.told[i] = make([]Count, f.kb+1)
		for j := range f.told[i] {
			f.told[i][j] = f.alone(f.x[i][j], partOfFeatures)
		}
	}
	for f.widen() {
	}
}

// alone returns a rounded count where it may be told.
func (f *flows) alone(n, part int) Count {
	v := f.rounded.near(float64(n), part)
	if !f.rounded.tells(v, part, f.limit) {
		return Count{}
	}
	return CountOf(int(v))
}

// widen leaves out one more cell where the rest of its row or column, whose sum
// is told, is known to less than the limit.
func (f *flows) widen() bool {
	for side := range 2 {
		for i := range f.size[side] {
			low := f.rounded.low(float64(f.rounded.size(f.size[side][i])), partOfSizes)
			high := f.rounded.high(float64(f.rounded.size(f.size[side][i])), partOfSizes)
			least, hidden := -1, 0
			for j := range f.size[1-side] {
				n, told := f.cell(side, i, j).Value()
				if !told {
					hidden++
					continue
				}
				low -= f.rounded.high(float64(n), partOfFeatures)
				high -= f.rounded.low(float64(n), partOfFeatures)
				if least < 0 || n < f.cell(side, i, least).n {
					least = j
				}
			}
			if low = max(low, 0); hidden > 0 && least >= 0 && high > 0 && low < float64(f.limit) && high-low < float64(f.limit) {
				*f.cell(side, i, least) = Count{}
				return true
			}
		}
	}
	return false
}

// cell returns a cell of row i, or of column i where side is 1.
func (f *flows) cell(side, i, j int) *Count {
	if side == 1 {
		return &f.told[j][i]
	}
	return &f.told[i][j]
}
