package kernel

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// presences draws rows of presences; some are empty, some long, the first row
// does not begin at 0.
func presences(r *rand.Rand, n, d, most int) (ptr []int, index []uint32) {
	index = make([]uint32, 3) // before the first row
	ptr = []int{3}
	for range n {
		row := r.Perm(d)[:r.IntN(min(d, most)+1)]
		slices.Sort(row)
		for _, h := range row {
			index = append(index, uint32(h))
		}
		ptr = append(ptr, len(index))
	}
	return ptr, index
}

// TestPairs compares all tiers with counts by definition, in one call and row
// by row.
func TestPairs(t *testing.T) {
	eachTier(t, func(t *testing.T) {
		for _, d := range []int{1, 2, 7, 16, 17, 40, 130} {
			for _, most := range []int{0, 1, 5, 16, 17, 33, 130} {
				r := rand.New(rand.NewPCG(uint64(d), uint64(most)))
				ptr, index := presences(r, 60, d, most)
				want := make([]int32, d*(d+1)/2)
				for i := range len(ptr) - 1 {
					for _, h := range index[ptr[i]:ptr[i+1]] {
						for _, m := range index[ptr[i]:ptr[i+1]] {
							if h <= m {
								want[int(h)*d-int(h*(h+1)/2)+int(m)]++
							}
						}
					}
				}
				got, single, real := make([]int32, len(want)), make([]int32, len(want)), make([]float64, len(want))
				Pairs(got, ptr, index, d)
				RealPairs(real, ptr, index, d)
				for i := range len(ptr) - 1 {
					Pairs(single, ptr[i:i+2], index, d)
				}
				for i, w := range want {
					if got[i] != w || single[i] != w || real[i] != float64(w) {
						t.Fatalf("d=%d most=%d: entry %d is %d, %d row by row, %v real, want %d", d, most, i, got[i], single[i], real[i], w)
					}
				}
			}
		}
	})
}

// TestBinaryRows compares sums, counts and pairs of listed rows, of all, and of
// runs of them, with their definitions.
func TestBinaryRows(t *testing.T) {
	eachTier(t, func(t *testing.T) {
		for _, d := range []int{1, 2, 17, 130} {
			for _, most := range []int{0, 1, 8, 15, 16, 17, 33, 130} {
				r := rand.New(rand.NewPCG(uint64(d), uint64(most)))
				ptr, index := presences(r, 60, d, most)
				p := NewBinaryRows(ptr, index, d, nil)
				w := normals(r, d)
				for _, list := range [][]int32{nil, {7}, {0, 59, 59, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 31}} {
					of := func(at int) []uint32 {
						if list != nil {
							at = int(list[at])
						}
						return index[ptr[at]:ptr[at+1]]
					}
					n := 60
					if list != nil {
						n = len(list)
					}
					for _, first := range []int{0, n / 3} {
						checkBinaryRows(t, p, d, w, list, first, n-first, of)
					}
				}
			}
		}
	})
}

func checkBinaryRows(t *testing.T, p *BinaryRows, d int, w []float64, list []int32, first, n int, of func(at int) []uint32) {
	t.Helper()
	z, count, pairs := make([]float64, n), make([]int32, d), make([]int32, d*(d+1)/2)
	p.Sums(z, w, list, first, n)
	other, two, both := make([]float64, d), make([]float64, n), make([]float64, 2*n)
	for h := range other {
		other[h] = 1 / (1 + w[h]*w[h])
	}
	p.Sums(two, other, list, first, n)
	if p.Sums(both, slices.Concat(w, other), list, first, n); !slices.Equal(both, slices.Concat(z, two)) {
		t.Errorf("d=%d, %d rows from %d, listed %v: other sums of two at a time", d, n, first, list != nil)
	}
	p.Count(count, list, first, n)
	p.Pairs(pairs, list, first, n)
	want, counts, table := make([]float64, n), make([]int32, d), make([]int32, len(pairs))
	for i := range n {
		for _, h := range of(first + i) {
			want[i] += w[h]
			counts[h]++
			for _, m := range of(first + i) {
				if h <= m {
					table[PairRow(int(h), d)+int(m)]++
				}
			}
		}
	}
	name := fmt.Sprintf("d=%d, %d rows from %d, listed %v", d, n, first, list != nil)
	agree(t, name, z, want, float64(d))
	if !slices.Equal(count, counts) {
		t.Errorf("%s: counts %v, want %v", name, count, counts)
	}
	if !slices.Equal(pairs, table) {
		t.Errorf("%s: other pairs", name)
	}
}

// singleDigits is what single precision rounds by against the tolerance of
// double.
const singleDigits = 1e7

func TestPackedMul(t *testing.T) {
	eachTier(t, func(t *testing.T) {
		for _, d := range append([]int{696}, hostile...) {
			r := rand.New(rand.NewPCG(uint64(d), 3))
			a, x := make([]int32, d*(d+1)/2), normals(r, d)
			for i := range a {
				a[i] = int32(r.IntN(2001) - 1000)
			}
			want := make([]float64, d)
			for h := range d {
				for m := range d {
					want[h] += float64(a[PairRow(min(h, m), d)+max(h, m)]) * x[m]
				}
			}
			y := normals(r, d) // what stood there does not count
			PackedMul(y, a, x)
			agree(t, fmt.Sprint(d), y, want, 1000*float64(d))
			both := [2][]float64{normals(r, d), normals(r, d)}
			PackedMul2(both, a, [2][]float64{x, want}, nil) // the second is large
			second := make([]float64, d)
			PackedMul(second, a, want)
			agree(t, fmt.Sprint(d, " of two"), both[0], y, 1000*float64(d)*singleDigits)
			agree(t, fmt.Sprint(d, " of two"), both[1], second, 1000*1000*float64(d*d)*singleDigits)
		}
	})
}

func TestPairsRefuseBadRows(t *testing.T) {
	eachTier(t, func(t *testing.T) {
		for name, f := range map[string]func(){
			"feature":     func() { Pairs(make([]int32, 6), []int{0, 1}, []uint32{3}, 3) },
			"offset":      func() { Pairs(make([]int32, 6), []int{0, 2}, []uint32{1}, 3) },
			"short table": func() { Pairs(make([]int32, 5), []int{0, 1}, []uint32{2}, 3) },
			"row":         func() { NewBinaryRows([]int{0, 1}, []uint32{1}, 3, nil).Count(make([]int32, 3), []int32{1}, 0, 1) },
			"negative": func() {
				NewBinaryRows([]int{0, 1}, []uint32{1}, 3, nil).Sums(make([]float64, 1), make([]float64, 3), []int32{-1}, 0, 1)
			},
			"place": func() {
				NewBinaryRows([]int{0, 1}, []uint32{1}, 3, nil).Sums(make([]float64, 2), make([]float64, 3), []int32{0}, 0, 2)
			},
			"short sums":  func() { NewBinaryRows([]int{0, 1}, []uint32{1}, 3, nil).Sums(nil, make([]float64, 3), nil, 0, 1) },
			"short count": func() { NewBinaryRows([]int{0, 1}, []uint32{2}, 3, nil).Count(make([]int32, 2), nil, 0, 1) },
			"packed":      func() { PackedMul(make([]float64, 3), make([]int32, 5), make([]float64, 3)) },
		} {
			func() {
				defer func() {
					if recover() == nil {
						t.Errorf("%s: no panic", name)
					}
				}()
				f()
			}()
		}
	})
}

func BenchmarkPairs(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	const n, d = 5000, 696
	ptr, index := []int{0}, []uint32{}
	for range n {
		row := r.Perm(d)[:5+r.IntN(11)]
		slices.Sort(row)
		for _, h := range row {
			index = append(index, uint32(h))
		}
		ptr = append(ptr, len(index))
	}
	best := active
	defer func() { active = best }()
	x, y, buffer := normals(r, d), make([]float64, d), make([]float32, PackedBuffer(d))
	for active = plain; active <= best; active++ {
		table, real := make([]int32, d*(d+1)/2), make([]float64, d*(d+1)/2)
		b.Run("pairs/"+Tier(), func(b *testing.B) {
			for b.Loop() {
				Pairs(table, ptr, index, d)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/row")
		})
		b.Run("real/"+Tier(), func(b *testing.B) {
			for b.Loop() {
				RealPairs(real, ptr, index, d)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/row")
		})
		p, z, count := NewBinaryRows(ptr, index, d, nil), make([]float64, n), make([]int32, d)
		b.Run("sums/"+Tier(), func(b *testing.B) {
			for b.Loop() {
				p.Sums(z, x, nil, 0, n)
			}
		})
		b.Run("sums2/"+Tier(), func(b *testing.B) {
			two, w := make([]float64, 2*n), slices.Concat(x, x)
			for b.Loop() {
				p.Sums(two, w, nil, 0, n)
			}
		})
		b.Run("count/"+Tier(), func(b *testing.B) {
			for b.Loop() {
				p.Count(count, nil, 0, n)
			}
		})
		b.Run("mul2/"+Tier(), func(b *testing.B) {
			for b.Loop() {
				PackedMul2([2][]float64{y, y}, table, [2][]float64{x, x}, buffer)
			}
		})
		b.Run("mul/"+Tier(), func(b *testing.B) {
			for b.Loop() {
				PackedMul(y, table, x)
			}
		})
	}
}

// A feature beyond the last, a row that ends before it begins: wherever they stand, such rows
// are not proved; the longest row is found wherever it stands.
func TestProve(t *testing.T) {
	if active == plain || !hasPairs() {
		t.Skip("nothing is proved in this tier")
	}
	n := provedRows + 3
	for _, at := range []int{0, provedRows - 1, provedRows, n - 1} {
		ptr, index := make([]int, n+1), make([]uint32, 2*n)
		for i := range ptr {
			ptr[i] = i
		}
		for i := at + 1; i <= n; i++ {
			ptr[i]++ // a row of two
		}
		if p := NewBinaryRows(ptr, index, 5, nil); !p.proved || p.longest != 2 {
			t.Errorf("row %d: longest %d, proved %v", at, p.longest, p.proved)
		}
		if NewBinaryRows(ptr, index, 5, func(n int, part func(int)) { part(n - 1) }).proved {
			t.Error("a part that nobody looked at is proved")
		}
		index[at] = 5
		if NewBinaryRows(ptr, index, 5, nil).proved {
			t.Errorf("row %d has a feature beyond the last, and is proved", at)
		}
		if index[at] = 4; at > 0 {
			ptr[at] = ptr[at+1] + 1
			if NewBinaryRows(ptr, index, 5, nil).proved {
				t.Errorf("row %d ends before it begins, and is proved", at)
			}
		}
	}
}
