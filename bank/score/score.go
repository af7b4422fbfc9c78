// Package score says how well groups that were found agree with the true ones.
package score

// Rand returns the adjusted Rand index of two labelings of the same records (Hubert
// and Arabie 1985): 1 where they are the same up to the names of the groups, about 0
// where they have nothing to do with each other. It panics where the lengths differ.
func Rand[A, B comparable](truth []A, found []B) float64 {
	if len(truth) != len(found) {
		panic("score: labelings of different lengths")
	}
	rows, columns, both := count(truth, found)
	total := pairs(len(truth))
	if total == 0 {
		return 1
	}
	a, b, same := sumOfPairs(rows), sumOfPairs(columns), sumOfPairs(both)
	expected, most := a*b/total, (a+b)/2
	if most == expected { // both all in one group, or both all alone
		return 1
	}
	return (same - expected) / (most - expected)
}

// cell is a pair of groups, one of each labeling.
type cell[A, B comparable] struct {
	truth A
	found B
}

// count counts the records of every group and of every pair of groups.
func count[A, B comparable](truth []A, found []B) (map[A]int, map[B]int, map[cell[A, B]]int) {
	rows, columns, both := map[A]int{}, map[B]int{}, map[cell[A, B]]int{}
	for i, t := range truth {
		rows[t]++
		columns[found[i]]++
		both[cell[A, B]{t, found[i]}]++
	}
	return rows, columns, both
}

// sumOfPairs adds up the pairs of records that are in one group. The sum is of whole
// numbers, so that the order of the map does not matter.
func sumOfPairs[K comparable](sizes map[K]int) float64 {
	sum := 0.0
	for _, n := range sizes {
		sum += pairs(n)
	}
	return sum
}

// pairs is the number of pairs of n records.
func pairs(n int) float64 { return float64(n) * float64(n-1) / 2 }

// Distinct counts the different labels.
func Distinct[K comparable](labels []K) int {
	seen := map[K]bool{}
	for _, l := range labels {
		seen[l] = true
	}
	return len(seen)
}
