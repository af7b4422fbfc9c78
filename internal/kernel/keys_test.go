package kernel

import (
	"math/rand/v2"
	"testing"
)

// table returns rows of fields of 0 to 11 bytes, and the places behind them with
// NoNumber in front.
func table(r *rand.Rand, rows, width int) (text []byte, ends []uint32) {
	ends = []uint32{NoNumber}
	for range rows * width {
		for range r.IntN(12) {
			text = append(text, byte(1+r.IntN(255)))
		}
		ends = append(ends, uint32(len(text)))
		text = append(text, ',')
	}
	return text, ends
}

func TestKeys(t *testing.T) {
	eachTier(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(5, 4))
		for rows := range 100 {
			width := 1 + r.IntN(5)
			text, ends := table(r, rows, width)
			for field := range width {
				dst := make([]uint64, rows)
				Keys(dst, text, ends, width, field)
				if n := keysFast(dst, append(text, make([]byte, 8)...), ends, width, field); active == avx512 && n != rows&^7 {
					t.Fatalf("the kernel takes %d of %d rows", n, rows)
				}
				for i, got := range dst {
					want := uint64(NoKey)
					if f := text[ends[i*width+field]+1 : ends[i*width+field+1]]; len(f) > 0 && len(f) <= 8 {
						want = 0
						for k, c := range f {
							want |= uint64(c) << (8 * k)
						}
					}
					if got != want {
						t.Fatalf("%d rows of %d: row %d, field %d is %x, want %x", rows, width, i, field, got, want)
					}
				}
			}
		}
	})
}

// TestKeysBounds demands Go's panic for places outside the text.
func TestKeysBounds(t *testing.T) {
	eachTier(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(6, 4))
		for name, spoil := range map[string]func(ends []uint32) []uint32{
			"short":   func(ends []uint32) []uint32 { return ends[: len(ends)-1 : len(ends)-1] },
			"outside": func(ends []uint32) []uint32 { ends[14], ends[15] = 1<<31, 1<<31+3; return ends },
		} {
			text, ends := table(r, 20, 2)
			ends = spoil(ends)
			func() {
				defer func() {
					if recover() == nil {
						t.Errorf("%s: no panic", name)
					}
				}()
				Keys(make([]uint64, 20), text, ends, 2, 0)
				Keys(make([]uint64, 20), text, ends, 2, 1)
			}()
		}
	})
}
