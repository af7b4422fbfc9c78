package spectral

import (
	"fmt"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/stream"
)

func TestMul(t *testing.T) {
	const tol = 1e-12 // sums of at most 300 products near one
	r := stream.New(1, "mul")
	for _, s := range [][3]int{{1, 1, 1}, {5, 7, 3}, {40, 20, 300}, {9, 25, 8}} {
		m, n, k := s[0], s[1], s[2]
		a, at, b := Random(r, m, k), Random(r, k, m), Random(r, k, n)
		var want, wantTrans, got mat.Dense
		want.Mul(a, b)
		wantTrans.Mul(at.T(), b)
		for range 2 { // empty, then used
			Mul(&got, a, b)
			if !mat.EqualApprox(&got, &want, tol) {
				t.Errorf("Mul %v is not gonum's", s)
			}
		}
		wide := mat.NewDense(m, n+3, nil)
		view := wide.Slice(0, m, 1, n+1).(*mat.Dense)
		MulTrans(view, at, b)
		AddMulTrans(view, at, b)
		view.Scale(0.5, view)
		if !mat.EqualApprox(view, &wantTrans, tol) {
			t.Errorf("MulTrans %v is not gonum's", s)
		}
		if mat.Norm(wide.Slice(0, m, n+1, n+3), 1) != 0 {
			t.Errorf("MulTrans %v wrote beside its view", s)
		}
	}
}

func BenchmarkMul(b *testing.B) {
	r := stream.New(1, "mul")
	for _, s := range [][3]int{{20, 20, 3000}, {400, 20, 256}, {3600, 60, 256}} {
		at, x := Random(r, s[2], s[0]), Random(r, s[2], s[1])
		var dst mat.Dense
		b.Run(fmt.Sprint("gonum ", s), func(b *testing.B) {
			for b.Loop() {
				dst.Reset()
				dst.Mul(at.T(), x)
			}
		})
		b.Run(fmt.Sprint("kernel ", s), func(b *testing.B) {
			for b.Loop() {
				dst.Reset()
				MulTrans(&dst, at, x)
			}
		})
	}
}

// Products on a team are those on one core, and have the same bits on any number
// of workers.
func TestTeam(t *testing.T) {
	const tol = 1e-11 // sums of 5000 products near one
	r := stream.New(2, "team")
	for _, s := range [][3]int{{1, 3, 2}, {300, 5, 7}, {teamRows, 70, 60}, {teamRows + 1, 70, 60}, {5000, 40, 33}} {
		a, b, c := Random(r, s[0], s[1]), Random(r, s[1], s[2]), Random(r, s[0], s[2])
		var want, wantTrans mat.Dense
		Mul(&want, a, b)
		MulTrans(&wantTrans, a, c)
		var first mat.Dense
		for _, team := range []Team{1, 2, 8} {
			var got, gotTrans mat.Dense
			team.Mul(&got, a, b)
			team.MulTrans(&gotTrans, a, c)
			if !mat.Equal(&got, &want) || !mat.EqualApprox(&gotTrans, &wantTrans, tol) {
				t.Errorf("%v on %d workers: not the product of one core", s, team)
			}
			if first.IsEmpty() {
				first.CloneFrom(&gotTrans)
			}
			if !mat.Equal(&gotTrans, &first) {
				t.Errorf("%v on %d workers: other bits", s, team)
			}
			q := team.Orthonormalise(mat.DenseCopyOf(a))
			if !mat.EqualApprox(q, Orth(a), tol) {
				t.Errorf("%v on %d workers: not the basis of one core", s, team)
			}
		}
	}
}
