package verdict

// parts returns the numbers of groups that two parts of the records kept aside
// would claim, each alone.
func (j *judge) parts() [2]int {
	middle := len(j.folds) / 2
	return [2]int{j.only(0, middle).decide().groups, j.only(middle, len(j.folds)).decide().groups}
}

// only is the judge that has seen the records of some folds.
func (j *judge) only(from, to int) *judge {
	out := &judge{lay: j.lay, limit: j.limit, scores: map[candidate][]float64{}}
	lo, hi := 0, 0
	for i, f := range j.folds {
		switch {
		case i < from:
			lo += f.test.rows()
			hi = lo
		case i < to:
			hi += f.test.rows()
			out.n += f.test.n
		}
	}
	out.count = j.count[lo:hi]
	for c, v := range j.scores {
		if v != nil {
			out.scores[c] = v[lo:hi]
		}
	}
	return out
}
