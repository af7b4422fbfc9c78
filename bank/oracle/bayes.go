package oracle

import "math"

// naiveBayes learns how frequent each level of each column is in each group, and takes
// the columns as independent. Rows hold small whole numbers.
func naiveBayes(rows [][]float64, group []int, groups int) func([]float64) int {
	sizes := frequencies(group, groups)
	seen := make([]map[[2]int]float64, groups) // by column and level
	for g := range seen {
		seen[g] = map[[2]int]float64{}
	}
	levels := make([]float64, len(rows[0]))
	for i, row := range rows {
		for j, level := range row {
			seen[group[i]][[2]int{j, int(level)}]++
			levels[j] = max(levels[j], level+1)
		}
	}
	return func(row []float64) int {
		scores := logs(sizes)
		for g := range scores {
			for j, level := range row {
				scores[g] += math.Log((seen[g][[2]int{j, int(level)}] + 0.5) / (sizes[g] + 0.5*levels[j]))
			}
		}
		return best(scores)
	}
}

// multinomial learns how frequent each column is among all counts of a group, as of
// the words of texts.
func multinomial(rows [][]float64, group []int, groups int) func([]float64) int {
	weights := make([][]float64, groups)
	for g := range weights {
		weights[g] = make([]float64, len(rows[0]))
	}
	for i, row := range rows {
		add(weights[group[i]], row)
	}
	for _, w := range weights {
		total := 0.0
		for j := range w {
			w[j] += 0.1
			total += w[j]
		}
		for j := range w {
			w[j] = math.Log(w[j] / total)
		}
	}
	prior := logs(frequencies(group, groups))
	return func(row []float64) int {
		scores := make([]float64, groups)
		for g := range scores {
			scores[g] = prior[g] + dot(weights[g], row)
		}
		return best(scores)
	}
}

// frequencies counts the records of every group.
func frequencies(group []int, groups int) []float64 {
	sizes := make([]float64, groups)
	for _, g := range group {
		sizes[g]++
	}
	return sizes
}

// logs returns the logarithms; that of 0 is so low that such a group is never best.
func logs(sizes []float64) []float64 {
	out := make([]float64, len(sizes))
	for g, n := range sizes {
		out[g] = math.Log(max(n, 1e-300))
	}
	return out
}

// add adds a row to a sum.
func add(sum, row []float64) {
	for j, x := range row {
		sum[j] += x
	}
}

// dot is the inner product.
func dot(a, b []float64) float64 {
	sum := 0.0
	for j, x := range a {
		sum += x * b[j]
	}
	return sum
}
