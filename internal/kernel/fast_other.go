//go:build !amd64 || purego

package kernel

func rowTotalsFast(_ []float64, _ []int, _ []float32) (whole, ok bool) { return false, false }

func pairsFast(_ []int32, _ []int, _ []uint32, _ int) bool       { return false }
func realPairsFast(_ []float64, _ []int, _ []uint32, _ int) bool { return false }

func mixSpreadFast(_ []float64, _ int, _ []uint32, _ []float32, _ []int32, _ []float64) bool {
	return false
}
