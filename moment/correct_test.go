package moment

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/spectral"
	"github.com/moiety-go/moiety/internal/stream"
)

// correctTol is what the correction in single precision may lose, as a share of
// its largest entry.
const correctTol = 1e-6

// The correction in single precision is that in double, whatever the sizes of
// its parts, and has the same bits on any number of workers.
func TestCorrectSingle(t *testing.T) {
	for _, d := range []int{701, manyFeatures + 13} {
		testCorrectSingle(t, d)
	}
}

func testCorrectSingle(t *testing.T, d int) {
	const l = 19
	single := &single{s: &projectSum{d: d, l: l, stride: 32}, buffers: new(singleBuffers)}
	for _, size := range []float64{1e-7, 1, 1e7} {
		r := stream.New(1, "test/correct")
		b, g, c := spectral.Random(r, d, l), spectral.Random(r, d, l), make([]float64, d)
		for h := range c { // words are rarer and rarer
			rare := 1 / float64(1+h)
			for a := range l {
				b.Set(h, a, rare*b.At(h, a))
				g.Set(h, a, rare*size*g.At(h, a))
			}
			c[h] = size * r.Float64() * rare
		}
		want := NewCube(l)
		correctCore(want, b, g, c)
		takeThird(1, g, b, c)
		var first []float64
		for _, workers := range []int{1, 2, 8} {
			packed := make([]float64, PackedLen(l))
			if err := single.correct(t.Context(), workers, packed, b, g); err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = packed
			}
			for i, v := range packed {
				if v != first[i] {
					t.Fatalf("%d workers: entry %d is %v, want %v", workers, i, v, first[i])
				}
			}
		}
		far, largest, got := 0.0, 0.0, Unpack(first, l)
		for i, v := range want.Data {
			far, largest = math.Max(far, math.Abs(v-got.Data[i])), math.Max(largest, math.Abs(v))
		}
		t.Logf("size %g: off by %g of %g", size, far/largest, largest)
		if !(far <= correctTol*largest) {
			t.Errorf("size %g: off by %g of %g", size, far, largest)
		}
	}
	packed := make([]float64, PackedLen(l))
	packed[7] = 1
	if err := single.correct(t.Context(), 1, packed, spectral.Random(stream.New(2, "test/correct"), d, l), mat.NewDense(d, l, nil)); err != nil || packed[7] != 1 {
		t.Errorf("a correction of nothing: %v, %v", packed, err)
	}
}

// Squares of large matrices are added up in parts, the same on any number of workers.
func TestSquares(t *testing.T) {
	const d, l = 1<<18 + 3, 5
	m, want := spectral.Random(stream.New(3, "test/correct"), d, l), 0.0
	for _, v := range m.RawMatrix().Data {
		want += v * v
	}
	one := squares(1, m)
	if numtest.Off(one, want, 1e-11*want) {
		t.Errorf("%v, want %v", one, want)
	}
	if got := squares(8, m); got != one {
		t.Errorf("8 workers: %v, want %v", got, one)
	}
}
