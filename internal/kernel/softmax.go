package kernel

import (
	"math"
	"unsafe"
)

// Softmax turns rows of k scores, to each of which bias is added, into shares
// that sum to one. It sets logp to the logarithms of the rows' sums of
// exponentials and adds the shares to count (k). bias, logp and count may be
// nil. Scores that are all -Inf give equal shares and -Inf.
func Softmax(x []float64, k int, bias, logp, count []float64) {
	if active == simd128 && softmaxPage(x, k, bias, logp, count) {
		return
	}
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

// softmaxRows is the largest number of rows of a call, softmaxSize of numbers:
// they stay in the first-level cache for three rounds.
const (
	softmaxRows = 256
	softmaxSize = 1 << 12
)

func softmaxFast(x []float64, k int, bias, logp, count []float64) bool {
	if !hasSoftmax() || k < 1 {
		return false
	}
	n := len(x) / k
	if bias != nil && len(bias) != k || count != nil && len(count) < k || logp != nil && len(logp) < n {
		return false
	}
	var sums, tops [softmaxRows]float64
	share := 1 / float64(k)
	most := min(softmaxRows, max(1, softmaxSize/k))
	for lo := 0; lo < n; lo += most {
		rows := min(most, n-lo)
		sum := &sums[0]
		if logp != nil {
			sum = &logp[lo]
		}
		callSoftmax(&x[lo*k], rows, k, unsafe.SliceData(bias), unsafe.SliceData(count), sum, &tops[0], share)
		if logp != nil {
			callLogSum(sum, &tops[0], rows)
		}
	}
	return true
}
