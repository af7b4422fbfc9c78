package oracle

import "math"

// linear returns Fisher's discriminant with the common covariance shrunk to its
// diagonal by the given share.
func linear(shrink float64) learner {
	return func(rows [][]float64, group []int, groups int) func([]float64) int {
		sizes, means := frequencies(group, groups), groupMeans(rows, group, groups)
		common := factor(towardsDiagonal(scatter(rows, group, means, -1), float64(len(rows)), shrink))
		prior := logs(sizes)
		weights, offsets := make([][]float64, groups), make([]float64, groups)
		for g := range weights {
			weights[g] = solve(common, means[g])
			offsets[g] = prior[g] - dot(weights[g], means[g])/2
		}
		return func(row []float64) int {
			scores := make([]float64, groups)
			for g := range scores {
				scores[g] = offsets[g] + dot(weights[g], row)
			}
			return best(scores)
		}
	}
}

// quadratic is the discriminant with a covariance for every group, shrunk to the
// common one the more, the fewer records there are for the columns.
func quadratic(rows [][]float64, group []int, groups int) func([]float64) int {
	sizes, means := frequencies(group, groups), groupMeans(rows, group, groups)
	common := towardsDiagonal(scatter(rows, group, means, -1), float64(len(rows)), 0.1)
	prior, factors := logs(sizes), make([][][]float64, groups)
	for g := range factors {
		own := scatter(rows, group, means, g)
		share := max(0.1, float64(len(rows[0]))/(float64(len(rows[0]))+sizes[g]))
		factors[g] = factor(mixed(own, common, max(sizes[g], 1), share))
	}
	return func(row []float64) int {
		scores := make([]float64, groups)
		for g := range scores {
			scores[g] = prior[g] + logDensity(row, means[g], factors[g])
		}
		return best(scores)
	}
}

// logDensity is that of a normal law with the given factor of its covariance, up to a
// constant.
func logDensity(row, mean []float64, l [][]float64) float64 {
	x := make([]float64, len(row))
	sum := 0.0
	for j := range x {
		x[j] = (row[j] - mean[j] - dot(l[j][:j], x[:j])) / l[j][j]
		sum -= x[j]*x[j]/2 + math.Log(l[j][j])
	}
	return sum
}

// groupMeans returns the mean row of every group.
func groupMeans(rows [][]float64, group []int, groups int) [][]float64 {
	means, sizes := make([][]float64, groups), frequencies(group, groups)
	for g := range means {
		means[g] = make([]float64, len(rows[0]))
	}
	for i, row := range rows {
		add(means[group[i]], row)
	}
	for g, mean := range means {
		for j := range mean {
			mean[j] /= max(sizes[g], 1)
		}
	}
	return means
}

// scatter sums up the products of the distances from the groups' means, of one group
// or, where it is below 0, of all; the lower half of the matrix is filled.
func scatter(rows [][]float64, group []int, means [][]float64, only int) [][]float64 {
	p := len(rows[0])
	s, x := square(p), make([]float64, p)
	for i, row := range rows {
		if only >= 0 && group[i] != only {
			continue
		}
		for j := range x {
			x[j] = row[j] - means[group[i]][j]
		}
		for j, a := range x {
			for k, b := range x[:j+1] {
				s[j][k] += a * b
			}
		}
	}
	return s
}

// towardsDiagonal divides a scatter by n, shrinks what is off the diagonal and lifts
// the diagonal a little.
func towardsDiagonal(s [][]float64, n, shrink float64) [][]float64 {
	for j := range s {
		for k := range s[j][:j] {
			s[j][k] *= (1 - shrink) / n
		}
		s[j][j] = s[j][j]/n + 1e-3
	}
	return s
}

// mixed is a scatter divided by n, mixed with a share of another covariance.
func mixed(s, other [][]float64, n, share float64) [][]float64 {
	for j := range s {
		for k := range s[j][:j+1] {
			s[j][k] = (1-share)*s[j][k]/n + share*other[j][k]
		}
	}
	return s
}
