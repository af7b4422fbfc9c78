package show

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/simplex"
	"github.com/moiety-go/moiety/report"
)

// groupDistances returns the k×k distances between the groups proper: the square
// root of the Jensen-Shannon divergence of their words, or the mean of that of
// their features where every feature has a frequency of its own.
func groupDistances(r *report.Report) *mat.SymDense {
	k := len(r.Leaves)
	d := mat.NewSymDense(max(k, 1), nil)
	for i := range k {
		for j := range i {
			d.SetSym(i, j, groupDistance(r, i, j))
		}
	}
	return d
}

func groupDistance(r *report.Report, i, j int) float64 {
	var p, q []float64 // words
	sum, features := 0.0, 0
	for f, of := range r.Table.Of {
		a, open := guess(r, i, f)
		b, too := guess(r, j, f)
		switch {
		case of == report.OfWords: // what is withheld is next to nothing
			p, q = append(p, a), append(q, b)
			continue
		case !open || !too:
			continue
		}
		features++
		switch of {
		case report.OfRecords:
			sum += simplex.JS([]float64{a, 1 - a}, []float64{b, 1 - b})
		case report.Average:
			sum += bounded((math.Sqrt(a) - math.Sqrt(b)) * (math.Sqrt(a) - math.Sqrt(b)) / 2)
		case report.Value:
			gap := measureGap(r, i, f) - measureGap(r, j, f)
			sum += bounded(gap * gap / 8)
		}
	}
	if len(p) > 0 && total(p) > 0 && total(q) > 0 {
		sum += simplex.JS(scaled(p), scaled(q))
		features++
	}
	if features == 0 {
		return 0
	}
	return math.Sqrt(math.Max(sum/float64(features), 0))
}

// guess returns a parameter of group j. One that is withheld is nearly always of
// few records: half the limit stands for it, the same for all, so that places on
// the map tell nothing of it.
func guess(r *report.Report, j, f int) (float64, bool) {
	v, ok := r.Table.Centers[j][f].Value()
	if ok || r.Table.Of[f] != report.OfRecords || r.Table.Overall[f].Masked() {
		return v, ok
	}
	n, known := r.Leaf(j).N.Value()
	if !known || n == 0 {
		return 0, false
	}
	for _, x := range r.Leaf(j).Frequent {
		if x.Index == f && x.NearlyAll {
			return 1 - float64(r.Limit)/2/float64(n), true
		}
	}
	return min(float64(r.Limit)/2/float64(n), r.Table.Overall[f].Or(0)), true
}

// bounded maps a distance without end into the range of a divergence, 0 to
// log 2, and leaves small ones as they are.
func bounded(x float64) float64 { return math.Ln2 * (1 - math.Exp(-x/math.Ln2)) }

// measureGap returns how far the mean of real feature f lies from the overall
// mean in group j, in standard deviations.
func measureGap(r *report.Report, j, f int) float64 {
	for _, m := range r.Leaf(j).Measures {
		if m.Index == f {
			return m.Difference.Or(0)
		}
	}
	return 0
}

func total(x []float64) float64 {
	s := 0.0
	for _, v := range x {
		s += v
	}
	return s
}

func scaled(x []float64) []float64 {
	s, out := total(x), make([]float64, len(x))
	for i, v := range x {
		out[i] = v / s
	}
	return out
}

// classicalScaling places k things in the plane so that their distances are
// about those given (Torgerson 1952). Axes point so that the coordinate of
// largest size is positive, which makes the answer one.
func classicalScaling(d *mat.SymDense) (x, y []float64) {
	k := d.SymmetricDim()
	x, y = make([]float64, k), make([]float64, k)
	b := mat.NewSymDense(k, nil) // −½ of the doubly centered squares
	rows, all := make([]float64, k), 0.0
	for i := range k {
		for j := range k {
			v := d.At(i, j) * d.At(i, j) / float64(k)
			rows[i] += v
			all += v / float64(k)
		}
	}
	for i := range k {
		for j := range i + 1 {
			b.SetSym(i, j, -(d.At(i, j)*d.At(i, j)-rows[i]-rows[j]+all)/2)
		}
	}
	var eig mat.EigenSym
	if !eig.Factorize(b, true) {
		return x, y // no two axes: all in one place
	}
	var v mat.Dense
	eig.VectorsTo(&v)
	values := eig.Values(nil) // rising
	for axis, dst := range [][]float64{x, y} {
		c := k - 1 - axis
		if c < 0 || values[c] <= leastEigen*math.Max(values[k-1], leastEigen) {
			continue
		}
		largest := 0
		for i := range k {
			dst[i] = v.At(i, c) * math.Sqrt(values[c])
			if math.Abs(dst[i]) > math.Abs(dst[largest])*(1+1e-9) {
				largest = i
			}
		}
		if dst[largest] < 0 {
			for i := range dst {
				dst[i] = -dst[i]
			}
		}
	}
	return x, y
}

// leastEigen is the size of an eigenvalue, against the largest, that is rounding
// only.
const leastEigen = 1e-10
