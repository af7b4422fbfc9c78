package moment_test

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/spectral"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/moment"
)

// completeTol: the filled-in entries converge linearly and stop at a relative
// change of 1e-7, so what is left of their error is a small multiple of that.
const completeTol = 1e-5

// masked holds exact moments with the entries inside blocks set to zero, as
// records show them; it forms M3 whole.
type masked struct {
	p      mixture.Params
	block  []int // block of each feature
	triple bool
}

func (m masked) Dim() int { return m.p.Dim() }

func (m masked) First(ctx context.Context) ([]float64, error) {
	return moment.NewExact(m.p).First(ctx)
}

func (m masked) entry(h ...int) float64 {
	missing := false
	if m.triple {
		missing = len(h) == 3 && h[0] == h[1] && h[1] == h[2]
	} else {
		for i := range h {
			for j := range i {
				missing = missing || m.block[h[i]] == m.block[h[j]]
			}
		}
	}
	if missing {
		return 0
	}
	s := 0.0
	for j, w := range m.p.Weights {
		for _, f := range h {
			w *= m.p.Centers.At(f, j)
		}
		s += w
	}
	return s
}

func (m masked) Project(_ context.Context, b *mat.Dense, want moment.Want) (*moment.Projection, error) {
	d, l := b.Dims()
	out := &moment.Projection{
		Second: mat.NewDense(d, l, nil), Core: moment.NewCube(l),
		Slices: mat.NewDense(d, l*(l+1)/2, nil), Rows: mat.NewDense(d, l, nil),
	}
	for h := range d {
		slice := mat.NewDense(l, l, nil)
		for g := range d {
			for a := range l {
				out.Second.Set(h, a, out.Second.At(h, a)+m.entry(h, g)*b.At(g, a))
			}
			for f := range d {
				if want == moment.Second {
					break
				}
				v := m.entry(h, g, f)
				if v == 0 {
					continue
				}
				for a := range l {
					for c := range l {
						slice.Set(a, c, slice.At(a, c)+v*b.At(g, a)*b.At(f, c))
					}
				}
			}
		}
		at := 0
		for a := range l {
			out.Rows.Set(h, a, slice.At(a, a))
			for c := a; c < l; c++ {
				out.Slices.Set(h, at, slice.At(a, c))
				at++
			}
			for c := range l {
				for e := range l {
					out.Core.Data[(a*l+c)*l+e] += b.At(h, a) * slice.At(c, e)
				}
			}
		}
	}
	if want&moment.Second == 0 {
		out.Second = nil
	}
	if want&moment.Core == 0 {
		out.Core = nil
	}
	if want&moment.Slices == 0 {
		out.Slices = nil
	}
	if want&moment.Rows == 0 {
		out.Rows = nil
	}
	return out, nil
}

func TestCompleteRestoresMissingEntries(t *testing.T) {
	const d, k = 18, 3
	r := stream.New(3, "complete")
	m := mat.NewDense(d, k, nil)
	for i := range m.RawMatrix().Data {
		m.RawMatrix().Data[i] = .1 + r.Float64()
	}
	p := mixture.New(m, []float64{.5, .3, .2})
	alone := make([]int, d)
	pairs := make([]int, d)
	var blocks [][2]int
	for h := range d {
		alone[h] = h
		pairs[h] = h / 2
		if h%2 == 0 && h < 14 { // the last four features stand alone
			blocks = append(blocks, [2]int{h, h + 2})
		}
		if h >= 14 {
			pairs[h] = h
		}
	}
	for _, c := range []struct {
		name   string
		src    masked
		blocks [][2]int
		triple bool
	}{
		{"alone", masked{p, alone, false}, nil, false},
		{"blocks", masked{p, pairs, false}, blocks, false},
		{"triple only", masked{p, alone, true}, nil, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			ctx := context.Background()
			done, err := moment.Complete(ctx, c.src, k, moment.CompleteOptions{
				Blocks: c.blocks, TripleOnly: c.triple, Updates: 3000, Tol: 1e-9,
			})
			if err != nil {
				t.Fatal(err)
			}
			b := spectral.Random(r, d, 4)
			const all = moment.Second | moment.Core | moment.Slices | moment.Rows
			got, err := done.Project(ctx, b, all)
			if err != nil {
				t.Fatal(err)
			}
			want, err := moment.NewExact(p).Project(ctx, b, all)
			if err != nil {
				t.Fatal(err)
			}
			compare(t, "M2·B", got.Second.RawMatrix().Data, want.Second.RawMatrix().Data)
			compare(t, "core", got.Core.Data, want.Core.Data)
			compare(t, "slices", got.Slices.RawMatrix().Data, want.Slices.RawMatrix().Data)
			compare(t, "rows", got.Rows.RawMatrix().Data, want.Rows.RawMatrix().Data)
			for _, w := range done.Warnings() {
				t.Error(w)
			}
		})
	}
}

func compare(t *testing.T, what string, got, want []float64) {
	t.Helper()
	worst, size := 0.0, 0.0
	for i, v := range want {
		worst = math.Max(worst, math.Abs(got[i]-v))
		size = math.Max(size, math.Abs(v))
	}
	if !(worst <= completeTol*size) {
		t.Errorf("%s: off by %.3g of %.3g", what, worst, size)
	}
}
