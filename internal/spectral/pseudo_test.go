package spectral

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/stream"
)

// The Moore-Penrose conditions for the truncated matrix, and the rank.
func TestPseudoInverse(t *testing.T) {
	r := stream.New(1, "pseudo")
	var low mat.Dense // 6×5 of rank 3
	low.Mul(Random(r, 6, 3), Random(r, 3, 5))
	const tol = 1e-10
	for _, k := range []int{3, 5} {
		p, rank := PseudoInverse(&low, k)
		if rank != 3 {
			t.Errorf("k=%d: rank %d, want 3", k, rank)
		}
		var ap, apa, pap mat.Dense
		ap.Mul(&low, p)
		apa.Mul(&ap, &low)
		pap.Mul(p, &ap)
		if !mat.EqualApprox(&apa, &low, tol) || !mat.EqualApprox(&pap, p, tol) || !mat.EqualApprox(&ap, ap.T(), tol) {
			t.Errorf("k=%d: no pseudo-inverse", k)
		}
	}
	if p, rank := PseudoInverse(&low, 2); rank != 2 || mat.Norm(p, 2) == 0 {
		t.Errorf("truncation to rank 2 gave rank %d", rank)
	}
	if p, rank := PseudoInverse(mat.NewDense(2, 3, nil), 2); rank != 0 || mat.Norm(p, 2) != 0 {
		t.Errorf("zeros have rank %d", rank)
	}
}
