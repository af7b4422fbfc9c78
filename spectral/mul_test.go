package spectral

import (
	"fmt"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/stream"
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
