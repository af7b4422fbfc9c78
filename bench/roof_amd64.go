//go:build !purego

package main

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

// peakRounds of the loop of products do peakFlops floating point operations:
// 24 independent sums of eight lanes each, a product and a sum a lane.
const (
	peakRounds = 20000
	peakFlops  = peakRounds * 24 * 8 * 2
)

// canMeasureRoof says whether the loops run on this machine: they are of the
// widest tier.
func canMeasureRoof() bool { return cpu.X86.HasAVX512F && avx512() }

// peak multiplies and adds in registers, and nothing else.
//
//go:noescape
func peak(rounds int)

// sweep reads a set of bytes, a multiple of 512, so many times.
//
//go:noescape
func sweep(set unsafe.Pointer, bytes, times int)
