//go:build !amd64 || purego

package kernel

func fusedFast(_ *Fused) bool                                          { return false }
func widenFast(_ []float64, _ []float32) int                           { return 0 }
func rowTotalsFast(_ []float64, _ []int, _ []float32) (whole, ok bool) { return false, false }

func firstOrdersFast(_ []float64, _ []int, _ []uint32, _ []float32, _ []float64) bool { return false }

func pairsFast(_ []int32, _ []int, _ []uint32, _ int) bool       { return false }
func realPairsFast(_ []float64, _ []int, _ []uint32, _ int) bool { return false }
func packedMulFast(_ []float64, _ []int32, _ []float64) bool     { return false }

func mixRoundsFast(_, _ *Mix) bool { return false }

func mixPanelFast(_, _ []float32, _ int, _ []uint32) bool { return false }

func (m *Mix) logsFast() (float64, bool) { return 0, false }

func planeSumsFast(_ *Planes, _, _ int) (ff, hh, fh float64, ok bool) { return 0, 0, 0, false }
func planesFast(_ *Planes, _, _ int, _, _ float64) bool               { return false }
