package kernel

import "math"

// Exps replaces numbers, none of them above 660, by their exponentials.
func Exps(x []float64) {
	if active == simd128 && expsPage(x) || expsFast(x) {
		return
	}
	for i, v := range x {
		x[i] = math.Exp(v)
	}
}

// Logs replaces numbers, all of them positive and normal, by their logarithms.
func Logs(x []float64) {
	if active == simd128 && logsPage(x) || logsFast(x) {
		return
	}
	for i, v := range x {
		x[i] = math.Log(v)
	}
}

// Rates replaces odds, in rows as long as product, by probabilities, and multiplies
// product by one and the odds of every row.
func Rates(x, product []float64) {
	if len(product) == 0 || active == simd128 && ratesPage(x, product) {
		return
	}
	for k := len(product); len(x) >= k; x = x[k:] {
		row := x[:k]
		for i, e := range row {
			row[i] = e / (1 + e)
			product[i] *= 1 + e
		}
	}
}

func expsFast(x []float64) bool {
	if !hasExps() {
		return false
	}
	for ; len(x) > 0; x = x[min(len(x), budget):] {
		callExps(&x[0], min(len(x), budget))
	}
	return true
}

func logsFast(x []float64) bool {
	if !hasLogs() {
		return false
	}
	for ; len(x) > 0; x = x[min(len(x), budget):] {
		callLogs(&x[0], min(len(x), budget))
	}
	return true
}
