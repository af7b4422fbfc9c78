//go:build (!amd64 && !arm64) || purego

package kernel

// Where there is no assembly at all; fast_other.go has what only amd64 has.

func available() tier { return plain }

func gatherFast(_ []float64, _ []int, _ []uint32, _ []float32, _ []float64, _ int) bool { return false }

func scatterFast(_ []float64, _ []int, _ []uint32, _ []float32, _ []float64, _ int) bool {
	return false
}

func denseMulFast(_, _ []float64, _ int, _ []float64, _ int) bool      { return false }
func denseTransMulFast(_, _ []float64, _ int, _ []float64, _ int) bool { return false }
func gemmFast(_, _, _ Matrix, _ bool) bool                             { return false }
func cubeFast(_, _, _ []float64, _ int) bool                           { return false }
func outerFast(_, _, _ []float64, _ int) bool                          { return false }
func softmaxFast(_ []float64, _ int, _, _, _ []float64) bool           { return false }
func axpyFast(_ []float64, _ float64, _ []float64) bool                { return false }
func rotateFast(_, _ []float64, _, _ float64) bool                     { return false }

func marksFast(_ []uint64, _ []byte, _ [4]byte) int { return 0 }

func fusedFast(_ *Fused) bool                { return false }
func widenFast(_ []float64, _ []float32) int { return 0 }

func rowTotalsFast(_ []float64, _ []int, _ []float32) (whole, ok bool) { return false, false }

func firstOrdersFast(_ []float64, _ []int, _ []uint32, _ []float32, _ []float64) bool { return false }

func planeSumsFast(_ *Planes, _, _ int) (ff, hh, fh float64, ok bool) { return 0, 0, 0, false }
func planesFast(_ *Planes, _, _ int, _, _ float64) bool               { return false }

func cleanFast(_ []byte) int { return 0 }

func mixRoundsFast(_ []*Mix) bool                         { return false }
func mixPanelFast(_, _ []float32, _ int, _ *MixList) bool { return false }
func mixLogsFast(_, _ []float32) (float64, bool)          { return 0, false }

func packedMulFast(_ []float64, _ []int32, _ []float64) bool { return false }
