package moment_test

import (
	"math"
	"sync"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/spectral"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/internal/synth"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/pass/passtest"
	"github.com/moiety-go/moiety/sparse"
)

// singleTol is what sums of 4096 records in single precision may lose, as a
// share of the largest entry of a result: some roundings of 6e-8.
const singleTol = 1e-5

// corpus is documents enough for three blocks.
var corpus = sync.OnceValue(func() sparse.Rows { return synth.Corpus(3, 9000, 200, 5, true).Rows })

// sampled returns the moments of documents by scans in one precision, whether
// or not keeping pairs would pay.
func sampled(t *testing.T, run pass.Runner, single bool) *moment.Sampled {
	t.Helper()
	src, err := moment.Documents{}.Source(t.Context(), run, 5)
	if err != nil {
		t.Fatal(err)
	}
	f := src.Formula()
	f.Pairs, f.Single = false, single
	return moment.NewSampled(run, f, false)
}

func TestSinglePrecision(t *testing.T) {
	rows := corpus()
	single, double := sampled(t, pass.NewLocal(rows, 2), true), sampled(t, pass.NewLocal(rows, 2), false)
	for _, l := range []int{1, 10, 16, 30} {
		b := spectral.Orth(spectral.Random(stream.New(uint64(l), "test/single"), rows.Dim, l))
		for _, want := range []moment.Want{moment.Second, moment.Core, moment.Second | moment.Core} {
			x, err := single.Project(t.Context(), b, want)
			if err != nil {
				t.Fatal(err)
			}
			y, err := double.Project(t.Context(), b, want)
			if err != nil {
				t.Fatal(err)
			}
			if want&moment.Second != 0 {
				nearSingle(t, "M2·B", x.Second.RawMatrix().Data, y.Second.RawMatrix().Data)
			}
			if want&moment.Core != 0 {
				nearSingle(t, "M3(B,B,B)", x.Core.Data, y.Core.Data)
			}
		}
	}
}

func nearSingle(t *testing.T, name string, got, want []float64) {
	t.Helper()
	size, far := 0.0, 0.0
	for i, v := range want {
		size, far = math.Max(size, math.Abs(v)), math.Max(far, math.Abs(v-got[i]))
	}
	if !(far <= singleTol*size) {
		t.Errorf("%s in single precision is off by %g of %g", name, far, size)
	}
}

// The bits of a result depend neither on the workers nor on where records are.
func TestSingleSameBits(t *testing.T) {
	rows := corpus()
	var want *moment.Projection
	for _, run := range []pass.Runner{pass.NewLocal(rows, 1), pass.NewLocal(rows, 2), pass.NewLocal(rows, 8), passtest.Streamed(rows, 2)} {
		src := sampled(t, run, true)
		q, err := moment.Sketch(t.Context(), src, 12, 2, stream.New(1, "test/single"))
		if err != nil || q == nil {
			t.Fatalf("a sketch of %v: %v", q, err)
		}
		got, err := src.Project(t.Context(), q, moment.Second|moment.Core)
		if err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = got
		}
		if !mat.Equal(got.Second, want.Second) || !mat.Equal(mat.NewVecDense(len(got.Core.Data), got.Core.Data), mat.NewVecDense(len(want.Core.Data), want.Core.Data)) {
			t.Errorf("%T: other bits", run)
		}
	}
}

// A sketch lies near the leading subspace: a power step changes it little.
func TestSketch(t *testing.T) {
	rows := corpus()
	src := sampled(t, pass.NewLocal(rows, 0), true)
	const k = 5
	q, err := moment.Sketch(t.Context(), src, k, 2, stream.New(2, "test/sketch"))
	if err != nil || q == nil {
		t.Fatalf("a sketch of %v: %v", q, err)
	}
	p, err := src.Project(t.Context(), q, moment.Second)
	if err != nil {
		t.Fatal(err)
	}
	var c mat.Dense
	c.Mul(spectral.Orth(p.Second).T(), q)
	var svd mat.SVD
	if !svd.Factorize(&c, mat.SVDNone) {
		t.Fatal("no singular values")
	}
	const near = 0.95 // cosine of the largest angle
	if least := svd.Values(nil)[k-1]; least < near {
		t.Errorf("cosine of the largest angle is %v", least)
	}
	few := moment.NewSampled(pass.NewLocal(rows.Slice(0, 100), 0), src.Formula(), false)
	if q, err := moment.Sketch(t.Context(), few, k, 2, stream.New(2, "test/sketch")); err != nil || q != nil {
		t.Errorf("a hundred records: a sketch of %v, %v", q, err)
	}
}
