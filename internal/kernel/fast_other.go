//go:build !amd64 || purego

package kernel

func (p *Presences) prove() {}

func (p *Presences) pairsFast(_, _ []int32, _, _ int) bool             { return false }
func (p *Presences) sumsFast(_, _ []float64, _ []int32, _, _ int) bool { return false }
func (p *Presences) sums2Fast(_, _ []float32, _ []int32, _, _ int) bool {
	return false
}
func (p *Presences) countFast(_, _ []int32, _, _ int) bool { return false }

func packedMul2Fast(_ [2][]float64, _ []int32, _ [2][]float64, _ []float32) bool { return false }

func realPairsFast(_ []float64, _ []int, _ []uint32, _ int) bool { return false }
