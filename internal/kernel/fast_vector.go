//go:build (amd64 || arm64) && !purego

package kernel

import "unsafe"

// softmaxRows is the largest number of rows of a call, softmaxSize of numbers:
// they stay in the first-level cache for three rounds.
const (
	softmaxRows = 256
	softmaxSize = 1 << 12
)

func softmaxFast(x []float64, k int, bias, logp, count []float64) bool {
	if k < 1 {
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
		active.softmax(&x[lo*k], rows, k, unsafe.SliceData(bias), unsafe.SliceData(count), sum, &tops[0], share)
		if logp != nil {
			active.logSum(sum, &tops[0], rows)
		}
	}
	return true
}
