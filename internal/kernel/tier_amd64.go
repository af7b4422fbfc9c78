//go:build !purego

package kernel

import "golang.org/x/sys/cpu"

// available is the best tier of this machine.
func available() tier {
	x := cpu.X86
	switch {
	case !x.HasAVX2 || !x.HasFMA:
		return plain
	case !x.HasAVX512F || !x.HasAVX512DQ || !x.HasAVX512BW || !x.HasAVX512VL:
		return avx2
	}
	return avx512
}

// lanes is the number of float64 in a vector of the tier.
func (t tier) lanes() int {
	if t == avx512 {
		return 8
	}
	return 4
}
