package moment

import (
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// A sample that lies in memory is not copied, and gives the bits of a copy: also where the
// cut between its two blocks falls into a stretch.
func TestSampleInPlace(t *testing.T) {
	const d, l = 50, 16
	r := stream.New(1, "test/in place")
	for n, parts := range map[int]int{
		2*pass.BlockRecords + 1800: 3,
		2*pass.BlockRecords + 100:  4, // the first of three is cut
		7 * pass.BlockRecords:      9, // a third block of two records, which are summed up in double precision
	} {
		words := sparse.NewBuilder(d, false)
		for range n {
			var index []uint32
			var value []float32
			for h := r.IntN(3); h < d; h += 1 + r.IntN(6) {
				index, value = append(index, uint32(h)), append(value, float32(1+r.IntN(4)))
			}
			if err := words.Add(index, value); err != nil {
				t.Fatal(err)
			}
		}
		f := Formula{Law: Factorial(), Weigh: Documents{}.weigh(), Single: true}
		src := NewSampled(pass.NewLocal(words.Rows(), 2), f, false)
		first, own, err := firstPass(t.Context(), src.run, &f)
		if err != nil {
			t.Fatal(err)
		}
		src.first = first[bagHeads:]
		var want *mat.Dense
		for _, kept := range []*weights32{&own.weights32, nil} {
			src.kept = kept
			some := src.inPlace(newStretches(min(n/2, mostSample), n))
			if (some != nil) != (kept != nil) {
				t.Fatalf("%d records with kept weights: %v, in place: %v", n, kept != nil, some != nil)
			}
			if some != nil && len(slices.Concat(some.blocks...)) != parts {
				t.Errorf("%d records: %d stretches, want %d", n, len(slices.Concat(some.blocks...)), parts)
			}
			got, err := Sketch(t.Context(), src, l, 1, stream.New(2, "test/in place"))
			if err != nil {
				t.Fatal(err)
			}
			if want == nil {
				want = got
			}
			if !mat.Equal(got, want) {
				t.Errorf("%d records: other bits than a copy gives", n)
			}
		}
	}
}
