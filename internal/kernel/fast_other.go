//go:build !amd64 || purego

package kernel

func pairsFast(_ []int32, _ []int, _ []uint32, _ int) bool       { return false }
func realPairsFast(_ []float64, _ []int, _ []uint32, _ int) bool { return false }

func mixSpreadFast(_ []float64, _ int, _ []uint32, _ []float32, _ []int32, _ []float64) bool {
	return false
}
