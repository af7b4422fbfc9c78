package agree

import (
	"math"
	"slices"
	"testing"

	"github.com/moiety-go/moiety/internal/stream"
	"gonum.org/v1/gonum/mat"
)

// exact allows for the rounding of a few operations on numbers near one.
const exact = 1e-14

func TestLabelsByHand(t *testing.T) {
	// Table 2 0 / 1 1 / 0 2 of the third case: pairs together in both 2, in a
	// 3, in b 6, of 15: expected 3*6/15 = 1.2, ARI = 0.8/(4.5-1.2).
	info := 2*(2.0/6)*math.Log(2*6/(2*3.0)) + 2*(1.0/6)*math.Log(1*6/(2*3.0))
	for _, c := range []struct {
		name     string
		a, b     []int
		ari, nmi float64
	}{
		{"same", []int{1, 1, 2, 3}, []int{1, 1, 2, 3}, 1, 1},
		{"renamed", []int{0, 0, 1, 1}, []int{7, 7, -2, -2}, 1, 1},
		{"three against two", []int{0, 0, 1, 1, 2, 2}, []int{0, 0, 0, 1, 1, 1}, 0.8 / 3.3, info / ((math.Log(3) + math.Ln2) / 2)},
		{"crossed", []int{0, 0, 1, 1}, []int{0, 1, 0, 1}, -0.5, 0},
		{"one group against two", []int{0, 0, 0, 0}, []int{0, 0, 1, 1}, 0, 0},
		{"one group each", []int{5, 5}, []int{1, 1}, 1, 1},
		{"all alone", []int{1, 2, 3}, []int{3, 1, 2}, 1, 1},
		{"one record", []int{4}, []int{9}, 1, 1},
		{"none", nil, nil, 1, 1},
	} {
		tab, err := Cross(c.a, c.b)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range []struct {
			what      string
			got, want float64
		}{{"ARI", tab.ARI(), c.ari}, {"NMI", tab.NMI(), c.nmi}} {
			if !(math.Abs(m.got-m.want) <= exact) {
				t.Errorf("%s: %s = %v, want %v", c.name, m.what, m.got, m.want)
			}
		}
	}
	if _, err := ARI([]int{1}, nil); err == nil {
		t.Error("ARI accepted labelings of different length")
	}
	if _, err := NMI([]int{1}, nil); err == nil {
		t.Error("NMI accepted labelings of different length")
	}
}

// The index by its definition, over all pairs of records, against the table's.
func TestARIAgainstPairs(t *testing.T) {
	r := stream.New(3, "ari")
	for range 50 {
		n := 2 + r.IntN(40)
		a, b := make([]int, n), make([]int, n)
		for i := range a {
			a[i], b[i] = r.IntN(4), r.IntN(3)
			if r.IntN(2) == 0 {
				b[i] = a[i]
			}
		}
		var both, inA, inB, all float64
		for i := range a {
			for j := range i {
				all++
				if a[i] == a[j] {
					inA++
				}
				if b[i] == b[j] {
					inB++
				}
				if a[i] == a[j] && b[i] == b[j] {
					both++
				}
			}
		}
		want := 1.0
		if both != inA || both != inB {
			want = (both - inA*inB/all) / ((inA+inB)/2 - inA*inB/all)
		}
		got, err := ARI(a, b)
		back, _ := ARI(b, a)
		if err != nil || !(math.Abs(got-want) <= 10*exact) || !(math.Abs(got-back) <= 10*exact) {
			t.Fatalf("ARI = %v (%v the other way), want %v; %v", got, back, want, err)
		}
	}
}

func TestAssignAgainstAllPermutations(t *testing.T) {
	r := stream.New(5, "assign")
	for range 200 {
		rows, cols := 1+r.IntN(5), 1+r.IntN(5)
		cost := mat.NewDense(rows, cols, nil)
		stream.Normals(r, cost.RawMatrix().Data)
		if r.IntN(3) == 0 { // many ties
			cost.Apply(func(_, _ int, v float64) float64 { return math.Round(v) }, cost)
		}
		match, err := Assign(cost)
		if err != nil {
			t.Fatal(err)
		}
		got, used := 0.0, make(map[int]bool)
		for i, j := range match {
			if j < 0 {
				continue
			}
			if used[j] {
				t.Fatalf("Assign gave column %d twice", j)
			}
			used[j] = true
			got += cost.At(i, j)
		}
		if len(used) != min(rows, cols) {
			t.Fatalf("Assign paired %d of %d×%d", len(used), rows, cols)
		}
		if want := least(cost, 0, make([]bool, cols), max(rows-cols, 0)); !(math.Abs(got-want) <= 10*exact) {
			t.Fatalf("Assign costs %v, the best %v, for\n%v", got, want, mat.Formatted(cost))
		}
	}
}

// least tries all assignments of rows i and up, leaving out spare of them.
func least(cost *mat.Dense, i int, used []bool, spare int) float64 {
	rows, _ := cost.Dims()
	if i == rows {
		return 0
	}
	best := math.Inf(1)
	if spare > 0 {
		best = least(cost, i+1, used, spare-1)
	}
	for j := range used {
		if !used[j] {
			used[j] = true
			best = min(best, cost.At(i, j)+least(cost, i+1, used, spare))
			used[j] = false
		}
	}
	return best
}

func TestColumns(t *testing.T) {
	a := mat.NewDense(2, 3, []float64{
		1, 0, 5,
		0, 1, 5,
	})
	b := mat.NewDense(2, 3, []float64{
		5.1, 0.9, 0.1,
		4.9, 0.1, 1.1,
	})
	match, err := Columns(a, b)
	if err != nil || !slices.Equal(match, []int{1, 2, 0}) {
		t.Errorf("Columns = %v, %v", match, err)
	}
	match, err = Columns(a, b.Slice(0, 2, 0, 1))
	if err != nil || !slices.Equal(match, []int{-1, -1, 0}) {
		t.Errorf("Columns against one = %v, %v", match, err)
	}
	if _, err := Columns(a, mat.NewDense(3, 3, nil)); err == nil {
		t.Error("Columns accepted different heights")
	}
	b.Set(0, 0, math.NaN())
	if _, err := Columns(a, b); err == nil {
		t.Error("Columns accepted NaN")
	}
}
