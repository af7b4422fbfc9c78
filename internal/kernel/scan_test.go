package kernel

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

func isPlainText(c byte) bool { return c >= 32 && c < 128 || c >= 9 && c <= 13 }

func TestClean(t *testing.T) {
	eachTier(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(1, 4))
		for _, n := range []int{0, 1, 63, 64, 65, 127, 128, 129, 500, 4096, 70000} {
			text := make([]byte, n)
			for i := range text {
				for text[i] = byte(r.IntN(256)); !isPlainText(text[i]); text[i] = byte(r.IntN(256)) {
				}
			}
			if got := Clean(text); got != n/64*64 {
				t.Fatalf("%d of %d clean bytes", got, n)
			}
			for c := range 256 {
				if n == 0 || isPlainText(byte(c)) {
					continue
				}
				at := r.IntN(n)
				old := text[at]
				text[at] = byte(c)
				if got, want := Clean(text), min(at/64, n/64)*64; got != want {
					t.Fatalf("byte %d at %d of %d: %d clean bytes, want %d", c, at, n, got, want)
				}
				text[at] = old
			}
		}
	})
}

func TestPlaces(t *testing.T) {
	eachTier(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(2, 4))
		for _, n := range []int{0, 1, 63, 64, 65, 4095, 4096, 4097, 4096 + 63, 20000} {
			for _, dense := range []int{2, 10, 300} {
				text := make([]byte, n)
				for i := range text {
					text[i] = byte(r.IntN(dense))
				}
				want := []uint32{7}
				for i, c := range text {
					if bytes.IndexByte([]byte{1, 250}, c) >= 0 {
						want = append(want, uint32(i))
					}
				}
				if got := Places([]uint32{7}, text, [2]byte{1, 250}); !slices.Equal(got, want) {
					t.Fatalf("%d bytes: %d places, want %d", n, len(got), len(want))
				}
			}
		}
	})
}

func TestLargest(t *testing.T) {
	eachTier(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(4, 4))
		for n := range 200 {
			list := make([]uint32, n)
			for i := range list {
				list[i] = r.Uint32() >> r.IntN(32)
			}
			if got, want := Largest(list), slices.Max(append(list, 0)); got != want {
				t.Fatalf("the largest of %d is %d, want %d", n, got, want)
			}
		}
	})
}

func BenchmarkScan(b *testing.B) {
	var text []byte
	for i := range 2000 {
		text = fmt.Appendf(text, "%d %d %d\n", 12345, 1+i*37%3000, 1+i%4)
	}
	ends := Places(nil, text, [2]byte{' ', '\n'})
	three := &Triples{Records: 1 << 30, Features: 1 << 30, Feature: make([]uint32, 2000), Small: make([]uint8, 2000)}
	keys := make([]uint64, 2000)
	before := append([]uint32{NoNumber}, ends...)
	for _, c := range []struct {
		name string
		work func()
	}{
		{"clean", func() { Clean(text) }},
		{"places", func() { Places(ends[:0], text, [2]byte{' ', '\n'}) }},
		{"keys", func() { Keys(keys, text, before, 3, 1) }},
		{"triples", func() {
			three.Start, three.Record = three.Start[:0], three.Record[:0]
			three.Scan(text, before)
		}},
	} {
		best := active
		for _, active = range upTo(available()) {
			b.Run(c.name+"/"+Tier(), func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					c.work()
				}
			})
		}
		active = best
	}
}
