package kernel

import "fmt"

// Curves sets gradients and curvatures of log-odds whose probabilities are p, in rows of
// k numbers, where sum of total records have the feature of the row: prior holds totals,
// records of the prior and half counts, k each, and overall the frequency of each row.
//
//	grad = sum + records·overall + halves − total·p,  curve = total·p·(1−p)
//
// Lists that do not fit panic.
func Curves(grad, curve, sum, p, overall, prior []float64) {
	k, n := len(prior)/3, len(overall)
	if k < 1 || len(prior) != 3*k || len(grad) != n*k || len(curve) != n*k || len(sum) < n*k || len(p) < n*k {
		panic(fmt.Sprintf("kernel: curvatures of %d features in %d numbers of a prior do not fit %d", n, len(prior), len(grad)))
	}
	if active == simd128 && curvesPage(grad, curve, sum, p, overall, prior) {
		return
	}
	total, records, halves := prior[:k], prior[k:2*k], prior[2*k:]
	for j, o := range overall {
		g, c, s, q := grad[j*k:][:k], curve[j*k:][:k], sum[j*k:][:k], p[j*k:][:k]
		for i, t := range total {
			there := t * q[i]
			g[i] = s[i] + records[i]*o + halves[i] - there
			c[i] = there * (1 - q[i])
		}
	}
}

// Shifts sets rows of groups×q numbers, one row a feature, to the log-odds of the groups (b,
// groups×features) plus what the row of shift (features×q) adds, cut off at ±steep. Lists
// that do not fit panic.
func Shifts(dst, b, shift []float64, features, steep int) {
	if features < 1 || len(b)%features != 0 || len(shift)%features != 0 || len(dst) != len(b)*(len(shift)/features) {
		panic(fmt.Sprintf("kernel: %d numbers are not those of %d features, of which there are %d and %d numbers", len(dst), features, len(b), len(shift)))
	}
	if active == simd128 && shiftsPage(dst, b, shift, features, steep) {
		return
	}
	groups, q, limit := len(b)/features, len(shift)/features, float64(steep)
	for j := range features {
		s := shift[j*q:][:q]
		for k := range groups {
			row, v := dst[(j*groups+k)*q:][:q], b[k*features+j]
			for i, w := range s {
				x := v + w
				if x > limit { // the built-in min and max are calls where there is no instruction
					x = limit
				} else if x < -limit {
					x = -limit
				}
				row[i] = x
			}
		}
	}
}
