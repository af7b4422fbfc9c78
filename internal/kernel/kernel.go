// Package kernel holds the hot loops over records. Every kernel has a plain Go
// version, which is the definition and the test oracle of all others; beside it,
// where they pay, one for AVX2 with FMA, one for AVX-512 and one for NEON. The
// tier is chosen when the program starts.
//
// Kernels take raw slices and whole runs of rows: a call per non-zero would
// cost more than its work. Matrices are row by row with no gaps unless said
// otherwise. The package knows numbers and offsets, not what a row means.
//
// # What holds for the bits
//
// In one tier every number of a result is a sum in an order that follows from
// its row and its column alone. It does not depend on how many rows a call
// brings, on where a slice begins in memory, or on the number of workers. Two
// calls on the halves of a run of rows give the bits of one call on the whole.
//
// Between tiers the last bits differ: the assembly rounds a product and a sum
// once (fused multiply-add), divides the entries of a short row among several sums,
// and has its own exponential (relative error below 1e-15) and logarithm. Tiers
// agree to 1e-13 of the sum of the moduli of what is added, which the tests
// check. Infinities and NaN come out at the same places in all tiers.
//
// # Choosing a tier
//
// The build tag purego leaves the assembly out. The environment variable
// MOIETY_TIER, read when the program starts, chooses the best tier not above
// the named one: plain, avx2 or avx512, on arm64 plain or neon. Tier says which
// one is at work.
//
// # Assembly
//
// The assembly is written by the program gen, and so are the files calls_*.go:
// callX goes to the tier at work, hasX says whether that has the kernel. No other
// file depends on the processor. The assembly checks no bounds: the Go side
// proves that all offsets and indices lie inside the slices, and leaves a call
// where they do not to the plain version, which panics as Go does. Calls are cut
// to about a millisecond, since assembly cannot be interrupted for the garbage
// collector, and on amd64 each ends with VZEROUPPER, without which the
// SSE code of the Go compiler would run many times slower.
package kernel

//go:generate go run ./gen
