//go:build !amd64 || purego

package kernel

func mixSpreadFast(_ []float32, _ *MixList, _ int, _, _ []float32) bool { return false }
func mixKeepFast(_, _ []float32, _ int, _ []int32) bool                 { return false }
func gammasFast(_, _, _ []float64) bool                                 { return false }

func mixWordsFast(_ []float32, _ *MixList, _ []float64) (total, scaled float64, above int, ok bool) {
	return 0, 0, 0, false
}
