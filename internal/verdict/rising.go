package verdict

import "math"

// risen returns the weights with one mode that are likeliest to have given these records:
// up to some place they do not fall, behind it they do not rise. A record in all is
// spread over the places, so that none is impossible.
func risen(records []float64) []float64 {
	q, total := len(records), 1.0
	rest := make([]float64, q)
	for i, v := range records {
		rest[i] = v + 1/float64(q)
		total += v
	}
	best, top := make([]float64, q), math.Inf(-1)
	one := make([]float64, q)
	for mode := range q {
		rising(one[:mode+1], rest[:mode+1])
		back := reversed(rest[mode+1:])
		rising(back, append([]float64(nil), back...))
		copy(one[mode+1:], reversed(back))
		// What lies behind the mode may be higher than it: then another place is the mode.
		sum := 0.0
		for i, v := range one {
			sum += rest[i] * math.Log(v)
		}
		if (mode == q-1 || one[mode+1] <= one[mode]) && sum > top {
			top = sum
			copy(best, one)
		}
	}
	for i := range best {
		best[i] /= total
	}
	return best
}

// rising sets out to the nearest values that do not fall: where they would, neighbours
// share their mean.
func rising(out, of []float64) {
	type run struct {
		sum float64
		n   int
	}
	var runs []run
	for _, v := range of {
		runs = append(runs, run{v, 1})
		for l := len(runs); l > 1 && runs[l-2].sum*float64(runs[l-1].n) >= runs[l-1].sum*float64(runs[l-2].n); l-- {
			runs[l-2].sum += runs[l-1].sum
			runs[l-2].n += runs[l-1].n
			runs = runs[:l-1]
		}
	}
	at := 0
	for _, r := range runs {
		for range r.n {
			out[at] = r.sum / float64(r.n)
			at++
		}
	}
}

func reversed(v []float64) []float64 {
	out := make([]float64, len(v))
	for i, x := range v {
		out[len(v)-1-i] = x
	}
	return out
}
