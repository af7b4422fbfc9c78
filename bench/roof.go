package main

import (
	"context"
	"fmt"
	"time"
	"unsafe"

	"github.com/moiety-go/moiety/internal/kernel"
)

// roofs are the measured limits of one core.
type roofs struct {
	single, double float64 // fused products and sums, GF/s
	sizes          []int   // bytes of sets that are read over and over
	read           []float64
}

// measureRoofs runs loops that do nothing but multiply, or nothing but read.
func measureRoofs() roofs {
	r := roofs{double: fastest(peakFlops, func() { peak(peakRounds) })}
	r.single = 2 * r.double // twice the lanes, the same units
	for size := 16 << 10; size <= 64<<20; size *= 2 {
		set := make([]uint64, size/8)
		for i := range set {
			set[i] = uint64(i) // touched, so that every page is its own
		}
		times := max(1, (64<<20)/size)
		r.sizes = append(r.sizes, size)
		r.read = append(r.read, fastest(float64(size*times), func() { sweep(unsafe.Pointer(&set[0]), size, times) }))
	}
	return r
}

// fastest returns the rate, in 1e9 a second, of the quickest of many runs of
// something that does so much work.
func fastest(work float64, run func()) float64 {
	best := time.Duration(1 << 62)
	for range 30 {
		from := time.Now()
		run()
		best = min(best, time.Since(from))
	}
	return work / best.Seconds() / 1e9
}

// bandwidth returns the rate at which a set of so many bytes is read.
func (r roofs) bandwidth(bytes int) float64 {
	for i, s := range r.sizes {
		if bytes <= s {
			return r.read[i]
		}
	}
	return r.read[len(r.read)-1]
}

// stage is a part of a fit, run alone on one core: what it computes and what
// it moves between the core and its tables.
type stage struct {
	name   string
	flops  float64 // 0 where the units are not what binds it
	bytes  float64
	table  int  // bytes of the tables that are read or written at random
	single bool // the roof of its units is that of single precision
	run    func()
}

func runRoof(_ context.Context, b *bench) error {
	if !canMeasureRoof() {
		fmt.Println("\nroof: skipped, there is no measuring loop for this processor")
		return nil
	}
	r := measureRoofs()
	fmt.Printf("\nRoof of one core, kernels %s: %.0f GF/s double, %.0f single. Reading over and over: ", kernel.Tier(), r.double, r.single)
	for i, s := range r.sizes {
		if i%2 == 0 {
			fmt.Printf("%d kB %.0f GB/s; ", s>>10, r.read[i])
		}
	}
	fmt.Print("\n\n| stage, one core | ms | GF/s | share | GB/s | of the roof at its size | share |\n|---|---|---|---|---|---|---|\n")
	for _, s := range roofStages() {
		s.print(r)
	}
	return nil
}

// print runs a stage and writes its row.
func (s stage) print(r roofs) {
	rate := fastest(1, s.run) * 1e9 // runs a second
	fmt.Printf("| %s | %.2f |", s.name, 1000/rate)
	top := r.double
	if s.single {
		top = r.single
	}
	if s.flops > 0 {
		fmt.Printf(" %.1f | %.0f %% |", s.flops*rate/1e9, 100*s.flops*rate/1e9/top)
	} else {
		fmt.Print(" | |")
	}
	if s.bytes > 0 {
		roof := r.bandwidth(s.table)
		fmt.Printf(" %.0f | %.0f | %.0f %% |", s.bytes*rate/1e9, roof, 100*s.bytes*rate/1e9/roof)
	} else {
		fmt.Print(" | | |")
	}
	fmt.Println()
}
