package division

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/agree"
	"github.com/moiety-go/moiety/internal/normals"
	"github.com/moiety-go/moiety/internal/par"
)

// judged makes divisions of the fits to all records, and judges them by those to the halves.
func (s *Sample) judged(ctx context.Context, jobs []*job, parts [][]int, o Settings) ([]*Division, error) {
	fits := map[[2]string]map[int][]placing{} // by view and method, number of groups, part
	for _, j := range jobs {
		for i, name := range j.names {
			at := [2]string{j.view.name, name}
			if fits[at] == nil {
				fits[at] = map[int][]placing{}
			}
			if fits[at][j.k] == nil {
				fits[at][j.k] = make([]placing, len(parts))
			}
			fits[at][j.k][j.part] = j.out[i]
		}
	}
	var list []*Division
	var of [][]placing
	var views []*view
	for _, j := range jobs {
		if j.part > 0 {
			continue
		}
		for i, name := range j.names {
			if size := smallest(j.out[i].label, j.k); size > 0 {
				list = append(list, &Division{Groups: j.k, Method: name, View: j.view.name, Logs: j.view.logs, Label: j.out[i].label, Size: size})
				of, views = append(of, fits[[2]string{j.view.name, name}][j.k]), append(views, j.view)
			}
		}
	}
	rivals := s.singles(parts)
	err := par.Do(ctx, o.Workers, len(list), func(i int) error {
		d := list[i]
		d.Repeat = repeat(of[i])
		d.Gap = gap(views[i].table, d.Label, d.Groups)
		d.Gain, d.Error = gain(of[i], parts, rivals)
		d.Agreement = agreement(list, d)
		return ctx.Err()
	})
	return list, err
}

// smallest is the size of the smallest of k groups; 0 without labels.
func smallest(label []int, k int) int {
	if label == nil {
		return 0
	}
	size := make([]int, k)
	for _, g := range label {
		size[g]++
	}
	return slices.Min(size)
}

// repeat is the agreement of the fits to two halves, in the mean over the splits that were fitted.
func repeat(fits []placing) float64 {
	sum, n := 0.0, 0.0
	for s := range splits {
		if a, b := fits[1+2*s].label, fits[2+2*s].label; a != nil && b != nil {
			sum += ari(a, b)
			n++
		}
	}
	return sum / max(n, 1)
}

// agreement is that of a division with the others of as many groups, in the mean.
func agreement(list []*Division, d *Division) float64 {
	sum, n := 0.0, 0.0
	for _, e := range list {
		if e != d && e.Groups == d.Groups {
			sum += ari(d.Label, e.Label)
			n++
		}
	}
	return sum / max(n, 1)
}

// ari is the adjusted Rand index; 0 where one side found nothing.
func ari(a, b []int) float64 {
	if a == nil || b == nil {
		return 0
	}
	v, err := agree.ARI(a, b)
	if err != nil { // of unlike lengths, which placings of one sample never are
		return 0
	}
	return v
}

// gain is by how many nats a fit predicts records kept aside better than the best of the
// single populations, and the standard error of that.
func gain(fits []placing, parts [][]int, rivals [][]float64) (least, err float64) {
	if fits[1].density == nil || len(rivals) == 0 {
		return math.NaN(), 0
	}
	mine := make([]float64, len(rivals[0]))
	for part := 1; part < len(parts); part++ {
		for _, i := range parts[other(part)] {
			mine[i] += fits[part].density[i] / splits
		}
	}
	least = math.Inf(1)
	n := float64(len(mine))
	for _, r := range rivals {
		sum, square := 0.0, 0.0
		for i, v := range mine {
			sum += v - r[i]
			square += (v - r[i]) * (v - r[i])
		}
		if sum < least {
			least, err = sum, math.Sqrt(max(square-sum*sum/n, 0))
		}
	}
	return least, err
}

const (
	gridPoints = 41
	shrink     = .1 // of the mean variance, added to that inside groups
)

// gap is 1 less the depth of the floor of the valley to the nearest group, in the mean over
// groups: a valley without a floor lower than its lower side has depth 1.
func gap(t normals.Table, label []int, k int) float64 {
	rows := make([][]int, k)
	for i, g := range label {
		rows[g] = append(rows[g], i)
	}
	middle := make([][]float64, k)
	for g := range k {
		middle[g] = mean(t, rows[g])
	}
	sum := 0.0
	for g := range k {
		near, least := -1, math.Inf(1)
		for h := range k {
			if h == g {
				continue
			}
			if d := squared(middle[g], middle[h]); d < least {
				near, least = h, d
			}
		}
		sum += valley(t, rows[g], rows[near], middle[g], middle[near]) / float64(k)
	}
	return 1 - sum
}

// valley is the depth of the floor between two groups on Fisher's line: the least density
// over that of the lower side, by a kernel estimate.
func valley(t normals.Table, a, b []int, from, to []float64) float64 {
	if min(len(a), len(b)) < 3 {
		return 1
	}
	line := fisher(t, a, b, from, to)
	at := func(rows []int) []float64 {
		out := make([]float64, len(rows))
		for e, i := range rows {
			for h, w := range line {
				out[e] += w * t.Row(i)[h]
			}
		}
		return out
	}
	x, y := at(a), at(b)
	all := append(slices.Clone(x), y...)
	_, sd := spread(all)
	mx, sx := spread(x)
	my, sy := spread(y)
	if sd == 0 {
		return 1
	}
	width := .9*min(sx, sy, sd)*math.Pow(float64(len(all)), -.2) + 1e-3*sd
	var f [gridPoints]float64
	for g := range f {
		place := mx + (my-mx)*float64(g)/(gridPoints-1)
		for _, v := range all {
			z := (v - place) / width
			f[g] += math.Exp(-z * z / 2)
		}
	}
	floor := 1
	for g := 1; g < gridPoints-1; g++ {
		if f[g] < f[floor] {
			floor = g
		}
	}
	return min(1, f[floor]/max(1e-12, min(slices.Max(f[:floor+1]), slices.Max(f[floor:]))))
}

// fisher is the direction that tells two groups best, in their pooled spread.
func fisher(t normals.Table, a, b []int, from, to []float64) []float64 {
	d := t.D
	pooled := mat.NewSymDense(d, nil)
	diff := make([]float64, d)
	add := func(rows []int, middle []float64) {
		for _, i := range rows {
			for h, v := range t.Row(i) {
				diff[h] = v - middle[h]
			}
			pooled.SymRankOne(pooled, 1, mat.NewVecDense(d, diff))
		}
	}
	add(a, from)
	add(b, to)
	pooled.ScaleSym(1/float64(len(a)+len(b)), pooled)
	ridge := shrink*mat.Trace(pooled)/float64(d) + 1e-9
	for h := range d {
		pooled.SetSym(h, h, pooled.At(h, h)+ridge)
		diff[h] = to[h] - from[h]
	}
	var chol mat.Cholesky
	if !chol.Factorize(pooled) {
		return diff
	}
	out := mat.NewVecDense(d, nil)
	if err := chol.SolveVecTo(out, mat.NewVecDense(d, diff)); err != nil {
		return diff
	}
	return out.RawVector().Data
}

// mean is the middle of some rows.
func mean(t normals.Table, rows []int) []float64 {
	out := make([]float64, t.D)
	for _, i := range rows {
		for h, v := range t.Row(i) {
			out[h] += v / float64(len(rows))
		}
	}
	return out
}

// spread is mean and standard deviation.
func spread(x []float64) (mean, sd float64) {
	for _, v := range x {
		mean += v / float64(len(x))
	}
	for _, v := range x {
		sd += (v - mean) * (v - mean)
	}
	return mean, math.Sqrt(sd / float64(len(x)))
}

// largest is the place of the largest number.
func largest(x []float64) int {
	best := 0
	for i, v := range x {
		if v > x[best] {
			best = i
		}
	}
	return best
}

// logSum is the logarithm of the sum of exponentials.
func logSum(x []float64) float64 {
	top, sum := slices.Max(x), 0.0
	for _, v := range x {
		sum += math.Exp(v - top)
	}
	return top + math.Log(sum)
}
