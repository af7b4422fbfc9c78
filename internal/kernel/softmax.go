package kernel

import "math"

// Softmax turns rows of k scores, to each of which bias is added, into shares
// that sum to one. It sets logp to the logarithms of the rows' sums of
// exponentials and adds the shares to count (k). bias, logp and count may be
// nil. Scores that are all -Inf give equal shares and -Inf.
func Softmax(x []float64, k int, bias, logp, count []float64) {
	if active == plain || !softmaxFast(x, k, bias, logp, count) {
		softmaxPlain(x, k, bias, logp, count)
	}
}

func softmaxPlain(x []float64, k int, bias, logp, count []float64) {
	for i := 0; (i+1)*k <= len(x) && k > 0; i++ {
		row := x[i*k : (i+1)*k]
		for j, b := range bias {
			row[j] += b
		}
		log := softmaxRow(row)
		if logp != nil {
			logp[i] = log
		}
		if count != nil {
			for j, p := range row {
				count[j] += p
			}
		}
	}
}

func softmaxRow(x []float64) float64 {
	top := math.Inf(-1)
	for _, v := range x {
		if v > top {
			top = v
		}
	}
	if math.IsInf(top, -1) {
		for j := range x {
			x[j] = 1 / float64(len(x))
		}
		return top
	}
	sum := 0.0
	for j, v := range x {
		x[j] = math.Exp(v - top)
		sum += x[j]
	}
	for j := range x {
		x[j] /= sum
	}
	return top + math.Log(sum)
}
