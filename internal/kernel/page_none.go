//go:build !wasm || !simd128 || purego

package kernel

// Where there is no module of vector instructions beside the program.

const onPage = false

func gatherPage(_ []float64, _ []int, _ []uint32, _ []float32, _ []float64, _ int) bool { return false }

func scatterPage(_ []float64, _ []int, _ []uint32, _ []float32, _ []float64, _ int) bool {
	return false
}
func softmaxPage(_ []float64, _ int, _, _, _ []float64) bool { return false }
func expsPage(_ []float64) bool                              { return false }
func logsPage(_ []float64) bool                              { return false }
func ratesPage(_, _ []float64) bool                          { return false }
func gemmPage(_, _, _ Matrix, _ bool) bool                   { return false }
func curvesPage(_, _, _, _, _, _ []float64) bool             { return false }
func shiftsPage(_, _, _ []float64, _, _ int) bool            { return false }
