package kernel

import (
	"math/rand/v2"
	"testing"
	"unsafe"
)

// TestGuardedScan runs the kernels of text on texts that end at a forbidden page.
func TestGuardedScan(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	most := 60
	if testing.Short() {
		most = 36 // more than two vectors
	}
	for n := range most {
		made := lines(r, n)
		buffer := guarded(t, max(1, (len(made)+7)/8))
		text := unsafe.Slice((*byte)(unsafe.Pointer(&buffer[0])), 8*len(buffer))[8*len(buffer)-len(made):]
		copy(text, made)
		eachTier(t, func(t *testing.T) {
			Clean(text)
			all := ends(text)
			if len(all) < n {
				t.Errorf("%d places of %d lines", len(all), n)
			}
			for at := range all {
				tr := Triples{Records: 1 << 20, Features: 1 << 20, Feature: guardedAs(t, make([]uint32, n)), Small: guardedAs(t, make([]uint8, n))}
				tr.Scan(text, all[at:])
			}
		})
	}
}

// TestGuardedRearranger runs it on memory that ends at a forbidden page.
func TestGuardedRearranger(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 8))
		a := rowsToArrange(r, 1+r.IntN(9), 1+r.IntN(200), 1+r.IntN(30), seed%2 == 0)
		a.Ptr, a.Feature, a.Number, a.Cells = guardedAs(t, a.Ptr), guardedAs(t, a.Feature), guardedAs(t, a.Number), guardedAs(t, a.Cells)
		a.Index, a.End = guardedAs(t, a.Index), guardedAs(t, a.End)
		if a.Value != nil {
			a.Value, a.Real = guardedAs(t, a.Value), guardedAs(t, a.Real)
		}
		eachTier(t, func(*testing.T) { a.Run(0) })
	}
}

// TestGuardedKeys does the same.
func TestGuardedKeys(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 8))
	for rows := 1; rows < 40; rows++ {
		text, ends := table(r, rows, 3)
		text, ends = guardedAs(t, text), guardedAs(t, ends)
		eachTier(t, func(t *testing.T) {
			for field := range 3 {
				Keys(guardedAs(t, make([]uint64, rows)), text, ends, 3, field)
			}
		})
	}
}
