package kernel

import (
	"os"
	"runtime"

	"golang.org/x/sys/cpu"
)

// tier is a set of instructions.
type tier int

const (
	plain tier = iota
	avx2
	avx512
	neon
	simd128 // of WebAssembly, in a module beside the program (internal/kernel/simd)
)

var tierNames = [...]string{plain: "plain", avx2: "avx2", avx512: "avx512", neon: "neon", simd128: "simd128"}

// active is the tier at work. Only tests change it.
var active = chosen(os.Getenv("MOIETY_TIER"), available())

// available is the best tier of this machine: every arm64 that Go runs on has
// NEON.
func available() tier {
	x := cpu.X86
	switch {
	case onPage:
		return simd128
	case !compiled:
		return plain
	case runtime.GOARCH == "arm64":
		return neon
	case !x.HasAVX2 || !x.HasFMA:
		return plain
	case !x.HasAVX512F || !x.HasAVX512DQ || !x.HasAVX512BW || !x.HasAVX512VL:
		return avx2
	}
	return avx512
}

// upTo returns the tiers of a machine whose best one is given, faster ones
// later.
func upTo(best tier) []tier {
	if best == neon || best == simd128 {
		return []tier{plain, best}
	}
	return []tier{plain, avx2, avx512}[:best+1]
}

// chosen returns the named tier or, where the machine lacks it or there is no
// such name, the best there is.
func chosen(name string, best tier) tier {
	for _, t := range upTo(best) {
		if tierNames[t] == name {
			return t
		}
	}
	return best
}

// Tier returns the name of the tier at work: plain, avx2, avx512,
// neon or simd128.
func Tier() string { return tierNames[active] }

// lanes is the number of float64 in a vector of the tier, where kernels have one
// version for each.
func (t tier) lanes() int { return [...]int{plain: 1, avx2: 4, avx512: 8, neon: 2, simd128: 2}[t] }

// inLanes repeats every number of a table in as many lanes: what the assembly
// takes constants from.
func inLanes[T uint8 | uint32 | uint64](lanes int, list ...T) []T {
	var out []T
	for _, v := range list {
		for range lanes {
			out = append(out, v)
		}
	}
	return out
}
