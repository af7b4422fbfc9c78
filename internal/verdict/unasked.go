package verdict

import (
	"math"
	"slices"
)

// Counts are often made set by set: panels of a laboratory, pages of a form, machines.
// A set that was not asked for is all zeros, and every combination of sets would be a
// heap of its own with gaps around it. Features whose zeros go together make a set; where
// there are three or more and which of them a record has tells nothing of the others,
// a set of zeros says that it was not asked for, and no more. Features that groups have
// of their own are zero together too, but their sets exclude each other.

const (
	unaskedCore   = .3  // correlation of zeros that begins a set
	unaskedErrors = 5   // standard errors of a correlation, for all pairs of features
	unaskedLeast  = 3   // features of a set, and sets
	unaskedApart  = .12 // correlation of two sets, at most, beside two standard errors
	unaskedShare  = .05 // of the records that have a set, and that do not, at least
	unaskedCounts = 4   // expected counts of a set below which chance may leave it empty
)

// unasked are sets of columns that records have or do not have as a whole.
type unasked struct {
	set   []int // of every column, −1: none
	sets  int
	share []float64 // of the columns, in records that have their set
}

// asked finds sets that were not asked for everywhere, keeps records that lack few of them
// and puts what is usual in their place.
func (d *drawnBag) asked() {
	if d.trials > 0 {
		return
	}
	z := d.zeros()
	u := &unasked{set: make([]int, d.cols)}
	for j := range u.set {
		u.set[j] = -1
	}
	for _, list := range z.cores() {
		for _, j := range list {
			u.set[j] = u.sets
		}
		u.sets++
	}
	if u.sets < unaskedLeast || !z.apart(u) {
		return
	}
	z.joined(u)
	u.learn(&d.bag)
	d.sets = u
	d.only(u.fullest(&d.bag))
	out := &bag{cols: d.cols, ptr: []int{0}, places: d.places}
	for i := range d.n() {
		out.add(u.filled(d.row(i)))
	}
	d.bag = *out
}

// fullest are the records that lack the fewest sets, enough of them to be sure: what is
// filled in is of no group, and would hide them. The others are placed by what they have.
func (u *unasked) fullest(b *bag) []int {
	of, count := make([]int, b.n()), make([]float64, u.sets+1)
	for i := range of {
		lacks, _ := u.lacks(b.row(i))
		for _, l := range lacks {
			of[i] += boolInt(l)
		}
		count[of[i]]++
	}
	b.places.add(count)
	most, enough := 0, count[0]
	for most < u.sets && enough < sureRecords {
		most++
		enough += count[most]
	}
	var out []int
	for i, n := range of {
		if n <= most {
			out = append(out, i)
		}
	}
	return out
}

// filled returns a record with the usual counts of the sets that it lacks.
func (u *unasked) filled(index []uint32, value []float32) ([]uint32, []float32) {
	lacks, rate := u.lacks(index, value)
	if lacks == nil {
		return index, value
	}
	row := make([]float32, len(u.set))
	for e, j := range index {
		row[j] = value[e]
	}
	for j, s := range u.set {
		if s >= 0 && lacks[s] {
			row[j] = float32(rate * u.share[j])
		}
	}
	index, value = nil, nil
	for j, v := range row {
		if v > 0 {
			index, value = append(index, uint32(j)), append(value, v)
		}
	}
	return index, value
}

// lacks returns the sets that a record has nothing of though it would have some, and what
// it would have of all columns; nil where it lacks none.
func (u *unasked) lacks(index []uint32, value []float32) (lacks []bool, rate float64) {
	has, seen := make([]bool, u.sets), 0.0
	for e, j := range index {
		seen += float64(value[e])
		if s := u.set[j]; s >= 0 {
			has[s] = true
		}
	}
	part, whole := make([]float64, u.sets), 0.0
	for j, s := range u.set {
		switch {
		case s < 0 || has[s]:
			whole += u.share[j]
		default:
			part[s] += u.share[j]
		}
	}
	rate = seen / max(whole, tiny)
	any := false
	lacks = make([]bool, u.sets)
	for s := range lacks {
		lacks[s] = !has[s] && rate*part[s] >= unaskedCounts
		any = any || lacks[s]
	}
	if !any || whole < unaskedShare {
		return nil, rate
	}
	return lacks, rate
}

// learn finds the shares of the columns in records that have their sets.
func (u *unasked) learn(b *bag) {
	u.share = make([]float64, b.cols)
	fill(u.share, 1/float64(b.cols))
	const turns = 5
	for range turns {
		count, due := make([]float64, b.cols), make([]float64, b.cols)
		for i := range b.n() {
			index, value := b.row(i)
			has := make([]bool, u.sets)
			for _, j := range index {
				if s := u.set[j]; s >= 0 {
					has[s] = true
				}
			}
			whole, seen := 0.0, 0.0
			for j, s := range u.set {
				if s < 0 || has[s] {
					whole += u.share[j]
				}
			}
			for e, j := range index {
				count[j] += float64(value[e])
				seen += float64(value[e])
			}
			for j, s := range u.set {
				if s < 0 || has[s] {
					due[j] += seen / max(whole, tiny)
				}
			}
		}
		b.places.add(count, due)
		total := 0.0
		for j := range u.share {
			u.share[j] = (count[j] + half) / (due[j] + 1)
			total += u.share[j]
		}
		for j := range u.share {
			u.share[j] /= total
		}
	}
}

// zeros tell which columns of which records are zero.
type zeros struct {
	*bag
	is     [][]bool  // of every column
	n      float64   // records, of all places
	common []float64 // share of zeros of every column
	close  []float64 // correlation of every two columns
}

// mostZeros is the number of records that show which zeros go together.
const mostZeros = 1000

// zeros looks at the zeros of some records.
func (b *bag) zeros() *zeros {
	var list []int
	n, before := b.places.ranked(b.n())
	for i := range b.n() {
		if (before+i)%(n/mostZeros+1) == 0 {
			list = append(list, i)
		}
	}
	d := b.pick(list)
	z := &zeros{bag: d, is: make([][]bool, d.cols), n: float64(d.all()), common: make([]float64, d.cols), close: make([]float64, d.cols*d.cols)}
	both := make([]float64, d.cols*d.cols) // records that have both
	have := make([]float64, d.cols)
	for j := range z.is {
		z.is[j] = make([]bool, d.n())
		for i := range z.is[j] {
			z.is[j][i] = true
		}
	}
	for i := range d.n() {
		index, _ := d.row(i)
		for e, j := range index {
			z.is[j][i] = false
			have[j]++
			for _, h := range index[:e] {
				both[int(j)*d.cols+int(h)]++
			}
		}
	}
	d.places.add(have)
	d.places.addTriangle(both, d.cols)
	for j := range have {
		z.common[j] = 1 - have[j]/z.n
		for h := range j {
			p, q := have[j]/z.n, have[h]/z.n
			r := (max(both[j*d.cols+h], both[h*d.cols+j])/z.n - p*q) / math.Sqrt(max(p*(1-p)*q*(1-q), tiny))
			z.close[j*d.cols+h], z.close[h*d.cols+j] = r, r
		}
	}
	return z
}

// cores are sets of columns whose zeros clearly go together, each with one of the others.
func (z *zeros) cores() [][]int {
	limit := max(unaskedCore, unaskedErrors/math.Sqrt(z.n))
	seen := make([]bool, z.cols)
	var out [][]int
	for first := range z.cols {
		if seen[first] {
			continue
		}
		seen[first] = true
		list := []int{first}
		for at := 0; at < len(list); at++ {
			for j, r := range z.close[list[at]*z.cols:][:z.cols] {
				if !seen[j] && r >= limit {
					seen[j] = true
					list = append(list, j)
				}
			}
		}
		if len(list) < unaskedLeast {
			continue
		}
		if empty := z.empty(list); min(empty, 1-empty) >= unaskedShare {
			slices.Sort(list)
			out = append(out, list)
		}
	}
	return out
}

// empty is the share of the records that have nothing of a set.
func (z *zeros) empty(list []int) float64 {
	return z.places.one(sum(z.lacking(list))) / z.n
}

func (z *zeros) lacking(list []int) []float64 {
	out := make([]float64, z.bag.n())
	for i := range out {
		out[i] = 1
		for _, j := range list {
			if !z.is[j][i] {
				out[i] = 0
				break
			}
		}
	}
	return out
}

// lacked are the records that lack every set.
func (z *zeros) lacked(u *unasked) [][]float64 {
	lists := make([][]int, u.sets)
	for j, s := range u.set {
		if s >= 0 {
			lists[s] = append(lists[s], j)
		}
	}
	out := make([][]float64, u.sets)
	for s := range out {
		out[s] = z.lacking(lists[s])
	}
	return out
}

// apart reports that no set tells which others a record has.
func (z *zeros) apart(u *unasked) bool {
	const errors = 2
	lacked, k := z.lacked(u), u.sets
	both := make([]float64, k*k) // records that lack two sets, and one
	for s := range lacked {
		for t := range s + 1 {
			for i, v := range lacked[s] {
				both[s*k+t] += v * lacked[t][i]
			}
		}
	}
	z.places.add(both)
	for s := range k {
		for t := range s {
			p, q := both[s*k+s]/z.n, both[t*k+t]/z.n
			r := (both[s*k+t]/z.n - p*q) / math.Sqrt(max(p*(1-p)*q*(1-q), tiny))
			if math.Abs(r) > unaskedApart+errors/math.Sqrt(z.n) {
				return false
			}
		}
	}
	return true
}

// joined adds columns that are always zero where a set is missing.
func (z *zeros) joined(u *unasked) {
	lacked := z.lacked(u)
	some := make([]float64, len(u.set)*u.sets) // records that lack a set and have a column
	for j := range u.set {
		for t := range lacked {
			for i, v := range lacked[t] {
				some[j*u.sets+t] += float64(boolInt(v == 1 && !z.is[j][i]))
			}
		}
	}
	z.places.add(some)
	for j, s := range u.set {
		if s >= 0 {
			continue
		}
		for t := range lacked {
			if some[j*u.sets+t] == 0 && z.common[j] < 1-unaskedShare {
				u.set[j] = t
				break
			}
		}
	}
}
