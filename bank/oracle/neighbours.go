package oracle

import (
	"cmp"
	"slices"
)

// neighbours places a row where most of the ten nearest rows are.
func neighbours(rows [][]float64, group []int, groups int) func([]float64) int {
	type near struct {
		distance float64
		group    int
	}
	all := make([]near, len(rows))
	return func(row []float64) int {
		for i, other := range rows {
			all[i] = near{squaredDistance(row, other), group[i]}
		}
		slices.SortFunc(all, func(a, b near) int {
			return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.group, b.group))
		})
		votes := make([]float64, groups)
		for _, one := range all[:min(10, len(all))] {
			votes[one.group]++
		}
		return best(votes)
	}
}

// squaredDistance is the squared Euclidean distance.
func squaredDistance(a, b []float64) float64 {
	sum := 0.0
	for j, x := range a {
		sum += (x - b[j]) * (x - b[j])
	}
	return sum
}
