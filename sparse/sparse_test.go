package sparse

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

func TestBuilder(t *testing.T) {
	for _, c := range []struct {
		name      string
		binary    bool
		index     []uint32
		value     []float32
		wantIndex []uint32
		wantValue []float32
	}{
		{"sorts", false, []uint32{4, 0, 2}, []float32{1, 2, 3}, []uint32{0, 2, 4}, []float32{2, 3, 1}},
		{"merges", false, []uint32{2, 1, 2, 2}, []float32{1, 5, 2, 4}, []uint32{1, 2}, []float32{5, 7}},
		{"drops zeros", false, []uint32{0, 1, 2, 1}, []float32{0, 3, 1, -3}, []uint32{2}, []float32{1}},
		{"ones", false, []uint32{3, 3}, nil, []uint32{3}, []float32{2}},
		{"binary", true, []uint32{3, 1, 3}, nil, []uint32{1, 3}, nil},
		{"binary with values", true, []uint32{3, 1}, []float32{0, 9}, []uint32{1}, nil},
		{"empty", false, nil, nil, []uint32{}, []float32{}},
		{"empty binary", true, nil, nil, []uint32{}, nil},
	} {
		b := NewBuilder(5, c.binary)
		for range 2 { // the second row must not see the first
			if err := b.Add(c.index, c.value); err != nil {
				t.Fatal(err)
			}
		}
		if b.N() != 2 {
			t.Errorf("%s: N = %d", c.name, b.N())
		}
		rows := b.Rows()
		index, value := rows.Row(1)
		if !slices.Equal(index, c.wantIndex) || !slices.Equal(value, c.wantValue) || (value == nil) != c.binary {
			t.Errorf("%s: %v %v, want %v %v", c.name, index, value, c.wantIndex, c.wantValue)
		}
		if rows.IsBinary() != c.binary || rows.IsDense() || rows.NNZ() != 2*len(c.wantIndex) {
			t.Errorf("%s: binary %v, dense %v, NNZ %d", c.name, rows.IsBinary(), rows.IsDense(), rows.NNZ())
		}
	}
}

func TestBuilderRefuses(t *testing.T) {
	b := NewBuilder(5, false)
	if b.Add([]uint32{1, 5}, nil) == nil {
		t.Error("feature 5 of 5 accepted")
	}
	if b.Add([]uint32{1}, []float32{float32(math.Inf(1))}) == nil {
		t.Error("an infinite value accepted")
	}
	if b.N() != 0 || b.Rows().NNZ() != 0 {
		t.Error("a refused row left traces")
	}
}

func TestBuilderKeepsMissing(t *testing.T) {
	b := NewBuilder(2, false)
	if err := b.Add([]uint32{0, 1}, []float32{float32(math.NaN()), 3}); err != nil {
		t.Fatal(err)
	}
	rows := b.Rows()
	if !math.IsNaN(rows.At(0, 0)) || rows.Totals()[0] != 3 {
		t.Errorf("missing value: %v, total %v", rows.At(0, 0), rows.Totals())
	}
}

// table returns a random n×d table with empty rows.
func table(r *rand.Rand, n, d int, binary bool) [][]float64 {
	out := make([][]float64, n)
	for i := range out {
		out[i] = make([]float64, d)
		for h := range d {
			if i%5 != 2 && r.IntN(3) == 0 {
				out[i][h] = 1
				if !binary {
					out[i][h] = float64(1 + r.IntN(9))
				}
			}
		}
	}
	return out
}

// dense returns dense rows of the table.
func dense(tab [][]float64, d int) Rows {
	r := Rows{Dim: d, Dense: []float64{}}
	for _, row := range tab {
		r.Dense = append(r.Dense, row...)
	}
	return r
}

// layouts runs f on the three layouts of random tables.
func layouts(t *testing.T, f func(t *testing.T, r *rand.Rand, rows Rows, tab [][]float64)) {
	r := rand.New(rand.NewPCG(3, 1))
	for _, s := range [][2]int{{1, 1}, {4, 1}, {5, 8}, {23, 13}, {40, 3}, {9, 70}} {
		counts, binary := table(r, s[0], s[1], false), table(r, s[0], s[1], true)
		t.Run("valued", func(t *testing.T) { f(t, r, FromDense(counts, s[1], false), counts) })
		t.Run("binary", func(t *testing.T) { f(t, r, FromDense(binary, s[1], true), binary) })
		t.Run("dense", func(t *testing.T) { f(t, r, dense(counts, s[1]), counts) })
	}
}

// same fails unless rows show the table.
func same(t *testing.T, name string, rows Rows, tab [][]float64) {
	t.Helper()
	if rows.N() != len(tab) {
		t.Fatalf("%s: %d rows, want %d", name, rows.N(), len(tab))
	}
	totals := rows.Totals()
	for i, row := range tab {
		sum := 0.0
		for h, v := range row {
			sum += v
			if got := rows.At(i, h); got != v {
				t.Fatalf("%s: entry (%d, %d) is %v, want %v", name, i, h, got, v)
			}
		}
		if totals[i] != sum {
			t.Fatalf("%s: total of row %d is %v, want %v", name, i, totals[i], sum)
		}
	}
}

func TestSliceAndPick(t *testing.T) {
	layouts(t, func(t *testing.T, r *rand.Rand, rows Rows, tab [][]float64) {
		before := rows.Pick(all(rows.N()))
		var again Rows
		same(t, "whole", rows, tab)
		for range 10 {
			lo := r.IntN(len(tab) + 1)
			hi := lo + r.IntN(len(tab)+1-lo)
			part := rows.Slice(lo, hi)
			same(t, "slice", part, tab[lo:hi])
			if part.N() == 0 {
				continue
			}
			mid := r.IntN(part.N() + 1)
			same(t, "slice of a slice", part.Slice(mid, part.N()), tab[lo+mid:hi])
			pick, want := make([]int, r.IntN(2*part.N())), [][]float64{}
			for j := range pick {
				pick[j] = r.IntN(part.N())
				want = append(want, tab[lo+pick[j]])
			}
			got := part.Pick(pick)
			same(t, "pick", got, want)
			list := make([]int32, len(pick))
			for j, i := range pick {
				list[j] = int32(i)
			}
			part.PickInto(&again, list) // into what the last one left
			same(t, "pick into", again, want)
			if !reflect.DeepEqual(again, got) && len(pick) > 0 {
				t.Errorf("PickInto gives %+v, Pick %+v", again, got)
			}
			if got.IsBinary() != rows.IsBinary() || got.IsDense() != rows.IsDense() || got.Dim != rows.Dim {
				t.Error("Pick changed the layout")
			}
		}
		if !reflect.DeepEqual(before, rows.Pick(all(rows.N()))) {
			t.Error("the rows were changed")
		}
	})
}

// Rows that several workers copy are those that one copies, at the borders of their parts too.
// Memory of one layout serves another.
func TestPickOn(t *testing.T) {
	var left Rows
	layouts(t, func(t *testing.T, r *rand.Rand, rows Rows, _ [][]float64) {
		list := make([]int32, 2*pickedRows+17)
		pick := make([]int, len(list))
		for j := range list {
			list[j] = int32(r.IntN(rows.N()))
			pick[j] = int(list[j])
		}
		want := rows.Pick(pick)
		for _, workers := range []int{1, 3} {
			var got Rows
			if err := rows.PickOn(t.Context(), workers, &got, list); err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%d workers: other rows (%v)", workers, err)
			}
		}
		if rows.PickInto(&left, list); left.IsDense() != rows.IsDense() || left.IsBinary() != rows.IsBinary() || left.N() != len(list) {
			t.Error("the layout of rows that were there before")
		}
	})
}

func all(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// tol is for sums of at most 40 terms below 100, added in another order.
const tol = 1e-13 * 100

func TestProductsAgainstTwin(t *testing.T) {
	layouts(t, func(t *testing.T, r *rand.Rand, rows Rows, tab [][]float64) {
		lo := r.IntN(len(tab))
		rows, tab = rows.Slice(lo, len(tab)), tab[lo:]
		for _, l := range []int{1, 3, 8} {
			b, z, dst := normals(r, rows.Dim*l), normals(r, len(tab)*l), normals(r, rows.Dim*l)
			mul, trans := make([]float64, len(tab)*l), slices.Clone(dst)
			for i, row := range tab {
				for h, v := range row {
					for a := range l {
						mul[i*l+a] += v * b[h*l+a]
						trans[h*l+a] += v * z[i*l+a]
					}
				}
			}
			got := normals(r, len(tab)*l)
			rows.MulTo(got, b, l)
			rows.AddTransMul(dst, z, l)
			for i := range mul {
				if !(math.Abs(got[i]-mul[i]) <= tol) {
					t.Fatalf("MulTo: entry %d is %v, want %v", i, got[i], mul[i])
				}
			}
			for i := range trans {
				if !(math.Abs(dst[i]-trans[i]) <= tol) {
					t.Fatalf("AddTransMul: entry %d is %v, want %v", i, dst[i], trans[i])
				}
			}
		}
	})
}

func normals(r *rand.Rand, n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = r.NormFloat64()
	}
	return v
}
