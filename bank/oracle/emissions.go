package oracle

import "math"

// shownLevels learns how frequent each small whole number is in each state.
func shownLevels(values []float64, state []int, states int) func(int, float64) float64 {
	sizes, levels := frequencies(state, states), 0
	seen := make([]map[int]float64, states)
	for s := range seen {
		seen[s] = map[int]float64{}
	}
	for i, v := range values {
		seen[state[i]][int(v)]++
		levels = max(levels, int(v)+1)
	}
	return func(s int, v float64) float64 {
		return math.Log((seen[s][int(v)] + 0.5) / (sizes[s] + 0.5*float64(levels+1)))
	}
}

// shownNormal learns a normal law for each state. What is missing says nothing.
func shownNormal(values []float64, state []int, states int) func(int, float64) float64 {
	n, sum, squares := make([]float64, states), make([]float64, states), make([]float64, states)
	for i, v := range values {
		if !math.IsNaN(v) {
			n[state[i]]++
			sum[state[i]] += v
			squares[state[i]] += v * v
		}
	}
	mean, spread := make([]float64, states), make([]float64, states)
	for s := range states {
		mean[s] = sum[s] / max(n[s], 1)
		spread[s] = math.Sqrt(max(squares[s]/max(n[s], 1)-mean[s]*mean[s], 1e-6*(1+mean[s]*mean[s])))
		if n[s] == 0 {
			spread[s] = 1e6 // a state that was not seen shows nothing in particular
		}
	}
	return func(s int, v float64) float64 {
		if math.IsNaN(v) {
			return 0
		}
		z := (v - mean[s]) / spread[s]
		return -z*z/2 - math.Log(spread[s])
	}
}
