package verdict_test

import (
	"testing"

	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/sparse"
)

// kinds draws n records of two kinds of d/2 codes each: the first of a kind are in everybody
// of it, the others in .6 of them, and no code is in both.
func kinds(seed uint64, n, d, first int) sparse.Rows {
	r, b := stream.New(seed, "test/kinds"), sparse.NewBuilder(d, true)
	for range n {
		from := r.IntN(2) * d / 2
		var row []uint32
		for j := range d / 2 {
			if j < first || r.Float64() < .6 {
				row = append(row, uint32(from+j))
			}
		}
		if err := b.Add(row, nil); err != nil {
			panic(err)
		}
	}
	return b.Rows()
}

// withKind draws n records of two kinds that have features in .8 or in .1, and one more that
// is in all of the first kind and in none of the second.
func withKind(seed uint64, n, d int) sparse.Rows {
	r, b := stream.New(seed, "test/kind"), sparse.NewBuilder(d+1, true)
	for range n {
		var row []uint32
		p := .1
		if r.IntN(2) == 0 {
			row, p = append(row, 0), .8
		}
		for j := range d {
			if r.Float64() < p {
				row = append(row, uint32(j+1))
			}
		}
		if err := b.Add(row, nil); err != nil {
			panic(err)
		}
	}
	return b.Rows()
}

// A code that everybody of a kind has stands for the kind: a tree of features that hangs on
// it is a mixture of kinds, and no single population.
func TestKindsWithACodeOfTheirOwn(t *testing.T) {
	seeds := uint64(3)
	if testing.Short() {
		seeds = 1
	}
	for _, c := range []struct {
		name  string
		rows  func(seed uint64) sparse.Rows
		short bool
	}{
		{"6,000 of 24 codes", func(seed uint64) sparse.Rows { return kinds(seed, 6000, 24, 1) }, false},
		{"2,000 of 16 codes", func(seed uint64) sparse.Rows { return kinds(seed, 2000, 16, 1) }, false},
		{"2,000 of 8 codes", func(seed uint64) sparse.Rows { return kinds(seed, 2000, 8, 1) }, false},
		{"600 of 16 codes", func(seed uint64) sparse.Rows { return kinds(seed, 600, 16, 1) }, true},
		{"600 of 8 codes", func(seed uint64) sparse.Rows { return kinds(seed, 600, 8, 1) }, true},
		{"600 of 16 codes, three in everybody", func(seed uint64) sparse.Rows { return kinds(seed, 600, 16, 3) }, true},
		{"600 of twelve columns and the kind", func(seed uint64) sparse.Rows { return withKind(seed, 600, 12) }, true},
		{"2,000 of twelve columns and the kind", func(seed uint64) sparse.Rows { return withKind(seed, 2000, 12) }, false},
	} {
		if testing.Short() && !c.short {
			continue
		}
		for seed := range seeds {
			if v := judged(t, c.rows(seed), nil); v.Groups != 2 {
				t.Errorf("%s, seed %d: %d groups %v, sure: %v, want 2: %s", c.name, seed, v.Groups, v.Range, v.Sure, v.Reason)
			}
		}
	}
}
