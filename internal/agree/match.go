package agree

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// Assign solves the assignment problem: it pairs rows of the cost matrix with
// different columns so that the sum of the costs is least, and returns the
// column of each row, -1 for rows left over when there are more rows than
// columns. It is the Hungarian method with potentials, O(r²c), and fails on
// costs that are not finite. Ties go to the lower column.
func Assign(cost mat.Matrix) ([]int, error) {
	r, c := cost.Dims()
	for i := range r {
		for j := range c {
			if v := cost.At(i, j); math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, fmt.Errorf("agree: cost of pair (%d, %d) is %v, want a finite number", i+1, j+1, v)
			}
		}
	}
	if r <= c {
		return hungarian(r, c, cost.At), nil
	}
	of := hungarian(c, r, func(i, j int) float64 { return cost.At(j, i) })
	match := make([]int, r)
	for i := range match {
		match[i] = -1
	}
	for j, i := range of {
		match[i] = j
	}
	return match, nil
}

// hungarian assigns each of r rows one of c >= r columns. Rows join one by one:
// each grows a shortest augmenting path under the reduced costs
// cost(i,j) − u_i − v_j ≥ 0. Row and column numbers are one higher inside; 0
// stands for "none".
func hungarian(r, c int, cost func(i, j int) float64) []int {
	u, v := make([]float64, r+1), make([]float64, c+1)
	row := make([]int, c+1) // the row that column j is given to
	for i := 1; i <= r; i++ {
		row[0] = i
		augment(row, u, v, cost)
	}
	match := make([]int, r)
	for j := 1; j <= c; j++ {
		if row[j] > 0 {
			match[row[j]-1] = j - 1
		}
	}
	return match
}

// augment finds a place for the row in row[0], moving others where needed.
func augment(row []int, u, v []float64, cost func(i, j int) float64) {
	n := len(row)
	least := make([]float64, n) // least reduced cost of a way to column j
	from := make([]int, n)      // the column before j on that way
	done := make([]bool, n)
	for j := range least {
		least[j] = math.Inf(1)
	}
	at := 0
	for row[at] != 0 {
		done[at] = true
		i, step, next := row[at], math.Inf(1), -1
		for j := 1; j < n; j++ {
			if done[j] {
				continue
			}
			if w := cost(i-1, j-1) - u[i] - v[j]; w < least[j] {
				least[j], from[j] = w, at
			}
			if least[j] < step {
				step, next = least[j], j
			}
		}
		for j := range n {
			if done[j] {
				u[row[j]] += step
				v[j] -= step
			} else {
				least[j] -= step
			}
		}
		at = next
	}
	for at != 0 {
		row[at] = row[from[at]]
		at = from[at]
	}
}

// Columns pairs the columns of a (d×k) with those of b (d×k') so that the sum
// of squared distances is least: column match[j] of b belongs to column j of a,
// -1 where b has too few.
func Columns(a, b mat.Matrix) (match []int, err error) {
	d, k := a.Dims()
	e, m := b.Dims()
	if d != e {
		return nil, fmt.Errorf("agree: columns of %d and of %d entries cannot be matched", d, e)
	}
	if k == 0 || m == 0 {
		return nil, fmt.Errorf("agree: %d columns against %d: nothing to match", k, m)
	}
	cost := mat.NewDense(k, m, nil)
	for i := range k {
		for j := range m {
			sum := 0.0
			for h := range d {
				diff := a.At(h, i) - b.At(h, j)
				sum += diff * diff
			}
			cost.Set(i, j, sum)
		}
	}
	return Assign(cost)
}
