// Package counterexample is [H] App. A: three centers in three dimensions whose
// third moment, whitened to two dimensions, has no orthogonal decomposition.
//
// Claim of the paper: Lemma A.1's equation is violated, because T111 differs
// from T221, so methods that assume an orthogonal tensor have nothing to find
// for l < k. (SIDIWO asks for the least sum off the diagonals of all slices,
// which always exists.)
//
// Command: go run -C experiments . counterexample
//
// Ours: docs/results.md, row "counterexample".
package counterexample

import (
	"context"
	"fmt"
	"io"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/decompose"
	"github.com/moiety-go/moiety/experiments/lab"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/moment"
)

// Result holds the entries of the whitened tensor and what the methods make
// of it.
type Result struct {
	T111, T221, T112, T222 float64
	// Gap is the difference of the two sides of Lemma A.1, zero for orthogonal
	// tensors.
	Gap float64
	// Off is the least share of the squared entries that any rotation leaves
	// off the diagonal, zero for orthogonal tensors.
	Off float64
}

// published entries of the whitened tensor.
func published() (t111, t221 float64) {
	s := math.Sqrt(3)
	root := math.Sqrt(9 + 5*s)
	return 2*math.Pow((1+s)/(2*root), 3) + math.Pow((2+s)/root, 3), (1 + s) / (2 * root)
}

// Measure whitens the example to two dimensions.
func Measure(ctx context.Context) (*Result, error) {
	p := mixture.New(mat.NewDense(3, 3, []float64{1, 0, 1, 0, 1, 1, 0, 0, 1}), []float64{1, 1, 1})
	src := moment.NewExact(p)
	w, err := decompose.Whiten(ctx, src, 2, decompose.Options{})
	if err != nil {
		return nil, err
	}
	at := w.Core.At
	r := &Result{T111: math.Abs(at(0, 0, 0)), T221: math.Abs(at(1, 1, 0)), T112: math.Abs(at(0, 0, 1)), T222: math.Abs(at(1, 1, 1))}
	r.Gap = at(0, 0, 0)*at(1, 1, 0) + at(1, 0, 0)*at(1, 1, 1) - at(1, 0, 0)*at(1, 0, 0) - at(1, 1, 0)*at(1, 1, 0)
	r.Off = leastOff(at)
	return r, nil
}

// leastOff turns the tensor through all angles.
func leastOff(at func(a, b, c int) float64) float64 {
	total := 0.0
	for e := range 8 {
		v := at(e>>2, e>>1&1, e&1)
		total += v * v
	}
	const steps = 100000
	best := 1.0
	for s := range steps {
		sin, cos := math.Sincos(math.Pi / 2 * float64(s) / steps)
		on := 0.0
		for _, v := range [2][2]float64{{cos, sin}, {-sin, cos}} {
			sum := 0.0
			for e := range 8 {
				sum += at(e>>2, e>>1&1, e&1) * v[e>>2] * v[e>>1&1] * v[e&1]
			}
			on += sum * sum
		}
		best = math.Min(best, 1-on/total)
	}
	return best
}

// Run prints the entries beside the published ones.
func Run(ctx context.Context, w io.Writer, _ bool) error {
	lab.Heading(w, "Three centers whitened to two dimensions ([H] App. A)")
	r, err := Measure(ctx)
	if err != nil {
		return err
	}
	t111, t221 := published()
	t := lab.NewTable("entry", "ours", "published formula")
	t.Add("T111", fmt.Sprintf("%.6f", r.T111), fmt.Sprintf("%.6f", t111))
	t.Add("T221", fmt.Sprintf("%.6f", r.T221), fmt.Sprintf("%.6f", t221))
	t.Add("T112, T222", fmt.Sprintf("%.1e, %.1e", r.T112, r.T222), "0, 0")
	t.Add("Lemma A.1, left less right", fmt.Sprintf("%.6f", r.Gap), "not 0")
	t.Add("least share off the diagonal, any rotation", fmt.Sprintf("%.4f", r.Off), "not 0")
	t.Write(w)
	fmt.Fprintf(w, "- the tensor is not orthogonally decomposable: %s\n\n", lab.Verdict(math.Abs(r.Gap) > .01 && r.Off > .01 && math.Abs(r.T111-t111) < 1e-6 && math.Abs(r.T221-t221) < 1e-6))
	return nil
}
