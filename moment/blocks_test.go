package moment_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/spectral"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// across computes moments by the definition: products of x/scale over features
// of different blocks, zero otherwise.
func across(table [][]float64, block []int, scale []float64) twin {
	d := len(block)
	t := twin{m1: make([]float64, d), m2: make([][]float64, d), m3: make([][][]float64, d)}
	for a := range d {
		t.m2[a], t.m3[a] = make([]float64, d), make([][]float64, d)
		for b := range d {
			t.m3[a][b] = make([]float64, d)
		}
	}
	n := float64(len(table))
	for _, row := range table {
		at := func(h int) float64 { return row[h] / scale[h] }
		for a := range d {
			t.m1[a] += at(a) / n
			for b := range d {
				if block[a] == block[b] {
					continue
				}
				t.m2[a][b] += at(a) * at(b) / n
				for c := range d {
					if block[c] != block[a] && block[c] != block[b] {
						t.m3[a][b][c] += at(a) * at(b) * at(c) / n
					}
				}
			}
		}
	}
	return t
}

// compareSource compares everything that a source offers with whole moments.
func compareSource(t *testing.T, src moment.Source, want twin) {
	t.Helper()
	const l = 3
	d, ctx := len(want.m1), context.Background()
	b := spectral.Random(stream.New(2, "basis"), d, l)
	p, err := src.Project(ctx, b, moment.Second|moment.Core|moment.Slices|moment.Rows)
	if err != nil {
		t.Fatal(err)
	}
	m1, err := src.First(ctx)
	if err != nil {
		t.Fatal(err)
	}
	core := moment.NewCube(l)
	for h := range d {
		near(t, "M1", m1[h], want.m1[h])
		slice := mat.NewDense(l, l, nil)
		for a := range l {
			s := 0.0
			for m := range d {
				s += want.m2[h][m] * b.At(m, a)
				for c := range l {
					for q := range d {
						slice.Set(a, c, slice.At(a, c)+want.m3[h][m][q]*b.At(m, a)*b.At(q, c))
					}
				}
			}
			near(t, "M2·B", p.Second.At(h, a), s)
		}
		got := p.Slice(h, l)
		for a := range l {
			near(t, "row", p.Rows.At(h, a), slice.At(a, a))
			for c := range l {
				near(t, "slice", got.At(a, c), slice.At(a, c))
				for e := range l {
					core.Data[(a*l+c)*l+e] += b.At(h, a) * slice.At(c, e)
				}
			}
		}
	}
	for i, v := range core.Data {
		near(t, "core", p.Core.Data[i], v)
	}
	u, ok := src.(moment.Unbounded)
	if !ok {
		return
	}
	m2, err := u.Matrix(ctx)
	if err != nil || m2 == nil {
		return
	}
	for a := range d {
		for c := range d {
			near(t, "M2", m2.At(a, c), want.m2[a][c])
		}
	}
}

func TestBlockedAgreesWithTwin(t *testing.T) {
	blocks := [][2]int{{1, 4}, {4, 6}}
	block := []int{2, 0, 0, 0, 1, 1, 3}
	scale := []float64{.5, 2, 1, 3, .7, 1.5, math.Inf(1)}
	ones := []float64{1, 1, 1, 1, 1, 1, 1}
	for _, layout := range []string{"valued", "binary", "dense"} {
		for _, o := range []moment.BlockedOptions{{}, {Scale: scale}, {Pairs: true}, {Scale: scale, Pairs: true}} {
			t.Run(fmt.Sprintf("%s scale %t pairs %t", layout, o.Scale != nil, o.Pairs), func(t *testing.T) {
				table, rows := randomTable(layout, 29, len(block))
				src, err := moment.NewBlocked(pass.NewLocal(rows, 2), blocks, o)
				if err != nil {
					t.Fatal(err)
				}
				s := ones
				if o.Scale != nil {
					s = o.Scale
				}
				compareSource(t, src, across(table, block, s))
			})
		}
	}
}

func randomTable(layout string, n, d int) ([][]float64, sparse.Rows) {
	r := stream.New(3, "blocked")
	table := make([][]float64, n)
	for i := range table {
		table[i] = make([]float64, d)
		for h := range d {
			table[i][h] = float64(r.IntN(4))
			if layout == "binary" {
				table[i][h] = float64(r.IntN(2))
			}
		}
	}
	if layout != "dense" {
		return table, sparse.FromDense(table, d, layout == "binary")
	}
	rows := sparse.Rows{Dim: d}
	for _, row := range table {
		rows.Dense = append(rows.Dense, row...)
	}
	return table, rows
}

// TestBlockedAlone: without blocks the sums are those of distinct products.
func TestBlockedAlone(t *testing.T) {
	_, rows := randomTable("valued", 40, 6)
	blocked, err := moment.NewBlocked(pass.NewLocal(rows, 1), nil, moment.BlockedOptions{})
	if err != nil {
		t.Fatal(err)
	}
	distinct := moment.NewSampled(pass.NewLocal(rows, 1), moment.Formula{Law: moment.Distinct()}, false)
	b := spectral.Random(stream.New(4, "basis"), 6, 2)
	want := moment.Second | moment.Core | moment.Slices
	p, err := blocked.Project(context.Background(), b, want)
	if err != nil {
		t.Fatal(err)
	}
	q, err := distinct.Project(context.Background(), b, want)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range q.Core.Data {
		near(t, "core", p.Core.Data[i], v)
	}
	for i, v := range q.Slices.RawMatrix().Data {
		near(t, "slices", p.Slices.RawMatrix().Data[i], v)
	}
	for i, v := range q.Second.RawMatrix().Data {
		near(t, "M2·B", p.Second.RawMatrix().Data[i], v)
	}
}

func TestBlockedRefuses(t *testing.T) {
	_, rows := randomTable("valued", 3, 5)
	run := pass.NewLocal(rows, 1)
	for _, blocks := range [][][2]int{{{0, 2}, {1, 3}}, {{2, 2}}, {{3, 6}}, {{3, 4}, {0, 1}}} {
		if _, err := moment.NewBlocked(run, blocks, moment.BlockedOptions{}); err == nil {
			t.Errorf("blocks %v are accepted", blocks)
		}
	}
	if _, err := moment.NewBlocked(run, nil, moment.BlockedOptions{Scale: []float64{1}}); err == nil {
		t.Error("one scale for five features is accepted")
	}
}
