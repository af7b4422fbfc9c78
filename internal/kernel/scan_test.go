package kernel

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
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
					if bytes.IndexByte([]byte{1, 0, 9, 250}, c) >= 0 {
						want = append(want, uint32(i))
					}
				}
				if got := Places([]uint32{7}, text, [4]byte{1, 0, 9, 250}); !slices.Equal(got, want) {
					t.Fatalf("%d bytes: %d places, want %d", n, len(got), len(want))
				}
			}
		}
	})
}

// fields returns fields with one byte behind each, and their ends.
func fields(r *rand.Rand, n int) (text []byte, ends []uint32) {
	for range n {
		switch r.IntN(12) {
		case 0:
			text = append(text, []string{"", "x", "1x", "-1", "123456789", "12345678901", " 1", "1\xb0", "/1", "1:", "00000000", "99999999"}[r.IntN(12)]...)
		default:
			text = strconv.AppendInt(text, int64(r.IntN(1<<r.IntN(27))), 10)
		}
		ends = append(ends, uint32(len(text)))
		text = append(text, " \n,"[r.IntN(3)])
	}
	return text, ends
}

func TestNumbers(t *testing.T) {
	eachTier(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(3, 4))
		for n := range 200 {
			text, ends := fields(r, n)
			dst := make([]uint32, n)
			Numbers(dst, text, 0, ends)
			start := 0
			for i, e := range ends {
				field := string(text[start:e])
				want := uint32(NoNumber)
				if v, err := strconv.ParseUint(field, 10, 32); err == nil && len(field) <= 8 {
					want = uint32(v)
				}
				if dst[i] != want {
					t.Fatalf("field %d of %d, %q: %d, want %d", i, n, field, dst[i], want)
				}
				start = int(e) + 1
			}
		}
	})
}

func BenchmarkScan(b *testing.B) {
	var text []byte
	for i := range 2000 {
		text = fmt.Appendf(text, "%d %d %d\n", 12345, 1+i*37%3000, 1+i%4)
	}
	ends := Places(nil, text, [4]byte{' ', '\n', ' ', '\n'})
	dst := make([]uint32, len(ends))
	for _, c := range []struct {
		name string
		work func()
	}{
		{"clean", func() { Clean(text) }},
		{"places", func() { Places(ends[:0], text, [4]byte{' ', '\n', ' ', '\n'}) }},
		{"numbers", func() { Numbers(dst, text, 0, ends) }},
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
