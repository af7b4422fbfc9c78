package stream

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// OneOf returns which of the n records of run i stands for it in a sample: a
// number below n that looks random in i. Samples of one record from every run
// of n hold as much of each stretch of a sorted file as the whole, and, unlike
// every n-th record, do not fall in step with what comes round regularly in it
// (the visits of a patient, the days of a week).
func OneOf(i, n int) int {
	// The finaliser of SplitMix64.
	z := uint64(i) + 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	z ^= z >> 31
	return int(z % uint64(n))
}

// Some returns k of the numbers below n, or all where there are no more, in rising
// order; every set of k is as likely as any other (Floyd's algorithm).
func Some(r *rand.Rand, n, k int) []int {
	k = min(n, k)
	out := make([]int, 0, k)
	has := make(map[int]bool, k)
	for i := n - k; i < n; i++ {
		v := r.IntN(i + 1)
		if has[v] {
			v = i
		}
		has[v] = true
		out = append(out, v)
	}
	slices.Sort(out)
	return out
}

// Binomial returns how many of n trials of probability p succeed, n a whole number of any
// size, in time that grows with its logarithm: of n points spread evenly over a line, the
// middle one is drawn and tells on which side of p half of them lie (Relles 1972).
func Binomial(r *rand.Rand, n, p float64) float64 {
	const few = 16 // trials, made one by one
	won := 0.0
	for n > few {
		middle := math.Floor(n/2) + 1
		at := distuv.Beta{Alpha: middle, Beta: n + 1 - middle, Src: r}.Rand()
		if at <= p {
			won, n, p = won+middle, n-middle, (p-at)/(1-at)
		} else {
			n, p = middle-1, p/at
		}
	}
	for ; n > 0; n-- {
		if r.Float64() < p {
			won++
		}
	}
	return won
}
