package moment_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/moiety-go/moiety/internal/spectral"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// twinTol is a few hundred roundings of numbers of size one.
const twinTol = 1e-13

// twin computes M1, M2, M3 by the definition: for every record and every
// triple of features, the product with the diagonal entries replaced.
type twin struct {
	m1 []float64
	m2 [][]float64
	m3 [][][]float64
}

func newTwin(table [][]float64, f moment.Formula, l law) twin {
	d := len(table[0])
	t := twin{m1: make([]float64, d), m2: make([][]float64, d), m3: make([][][]float64, d)}
	for h := range d {
		t.m2[h] = make([]float64, d)
		t.m3[h] = make([][]float64, d)
		for m := range d {
			t.m3[h][m] = make([]float64, d)
		}
	}
	n1, n2, n3 := 0.0, 0.0, 0.0
	for _, row := range table {
		total := 0.0
		for _, v := range row {
			total += v
		}
		r, u, v := 1.0, 1.0, 1.0
		l1, l2, l3 := 1.0, 1.0, 1.0
		if f.Weigh != nil {
			r, u, v = f.Weigh(total)
			l1, l2, l3 = total, total*(total-1), total*(total-1)*(total-2)
		}
		n1, n2, n3 = n1+r*l1, n2+u*l2, n3+v*l3
		x := append([]float64(nil), row...)
		for h := range x {
			if f.Scale != nil {
				x[h] /= f.Scale[h]
			}
		}
		for a := range d {
			t.m1[a] += r * x[a]
			for b := range d {
				p := x[a] * x[b]
				if a == b {
					p = l.d2(row[a]) / square(f, a)
				}
				t.m2[a][b] += u * p
				for c := range d {
					q := x[a] * x[b] * x[c]
					switch {
					case a == b && b == c:
						q = l.d3(row[a]) / (square(f, a) * math.Sqrt(square(f, a)))
					case a == b:
						q = l.d2(row[a]) / square(f, a) * x[c]
					case b == c:
						q = l.d2(row[b]) / square(f, b) * x[a]
					case a == c:
						q = l.d2(row[a]) / square(f, a) * x[b]
					}
					t.m3[a][b][c] += v * q
				}
			}
		}
	}
	for a := range d {
		t.m1[a] /= n1
		for b := range d {
			t.m2[a][b] /= n2
			for c := range d {
				t.m3[a][b][c] /= n3
			}
		}
	}
	return t
}

func square(f moment.Formula, h int) float64 {
	if f.Scale == nil {
		return 1
	}
	return f.Scale[h] * f.Scale[h]
}

// law is a law with its d2 and d3 written down again.
type law struct {
	of     moment.Law
	d2, d3 func(x float64) float64
}

func laws() map[string]law {
	zero := func(float64) float64 { return 0 }
	binomial := func(m float64) law {
		l := law{d2: func(x float64) float64 { return x * (x - 1) * m / (m - 1) }, d3: zero}
		if m > 2 {
			l.d3 = func(x float64) float64 { return x * (x - 1) * (x - 2) * m * m / ((m - 1) * (m - 2)) }
		}
		l.of = moment.LawOf(l.d2, l.d3)
		return l
	}
	out := map[string]law{
		"factorial": {of: moment.Factorial(), d2: func(x float64) float64 { return x * (x - 1) }, d3: func(x float64) float64 { return x * (x - 1) * (x - 2) }},
		"raw":       {of: moment.Raw(), d2: func(x float64) float64 { return x * x }, d3: func(x float64) float64 { return x * x * x }},
		"distinct":  {of: moment.Distinct(), d2: zero, d3: zero},
		"binomial4": binomial(4), "binomial2": binomial(2),
		"geometric": {
			d2: func(x float64) float64 { return x * (x - 1) / 2 },
			d3: func(x float64) float64 { return x * (x - 1) * (x - 2) / 6 },
		},
	}
	g := out["geometric"]
	g.of = moment.LawOf(g.d2, g.d3)
	out["geometric"] = g
	return out
}

func TestProjectAgreesWithTwin(t *testing.T) {
	saturating := func(t float64) (r, u, v float64) {
		return 1 / (1 + t/3), 1 / (1 + t*(t-1)/9), 1 / (1 + t*(t-1)*(t-2)/27)
	}
	scale := []float64{.5, 2, 1, 3, .7}
	all := laws()
	for _, c := range []struct {
		law string
		f   moment.Formula
	}{
		{"factorial", moment.Formula{}},
		{"factorial", moment.Formula{Weigh: saturating}},
		{"factorial", moment.Formula{Weigh: saturating, Pairs: true}},
		{"distinct", moment.Formula{}},
		{"distinct", moment.Formula{Scale: scale, Pairs: true}},
		{"distinct", moment.Formula{Scale: scale}},
		{"raw", moment.Formula{Scale: scale}},
		{"raw", moment.Formula{Pairs: true}},
		{"geometric", moment.Formula{}},
		{"binomial4", moment.Formula{}},
		{"binomial2", moment.Formula{Scale: scale}},
	} {
		c.f.Law = all[c.law].of
		for _, layout := range []string{"valued", "binary", "dense"} {
			name := fmt.Sprintf("%s weights %t scale %t pairs %t %s", c.law, c.f.Weigh != nil, c.f.Scale != nil, c.f.Pairs, layout)
			t.Run(name, func(t *testing.T) { compareWithTwin(t, c.f, all[c.law], layout) })
		}
	}
}

func compareWithTwin(t *testing.T, f moment.Formula, law law, layout string) {
	const n, d, l = 23, 5, 3
	r := stream.New(1, "twin")
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
	rows := sparse.FromDense(table, d, layout == "binary")
	if layout == "dense" {
		rows = sparse.Rows{Dim: d}
		for _, row := range table {
			rows.Dense = append(rows.Dense, row...)
		}
	}
	src := moment.NewSampled(pass.NewLocal(rows, 2), f, layout == "binary")
	b := spectral.Random(r, d, l)
	p, err := src.Project(context.Background(), b, moment.Second|moment.Core|moment.Slices|moment.Rows)
	if err != nil {
		t.Fatal(err)
	}
	want := newTwin(table, f, law)
	m1, err := src.First(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for h := range d {
		near(t, "M1", m1[h], want.m1[h])
		for a := range l {
			s := 0.0
			for m := range d {
				s += want.m2[h][m] * b.At(m, a)
			}
			near(t, "M2·B", p.Second.At(h, a), s)
		}
		slice := p.Slice(h, l)
		for a := range l {
			for c := range l {
				s := 0.0
				for m := range d {
					for q := range d {
						s += want.m3[h][m][q] * b.At(m, a) * b.At(q, c)
					}
				}
				near(t, "slice", slice.At(a, c), s)
				if a == c {
					near(t, "row", p.Rows.At(h, a), s)
				}
			}
		}
	}
	for a := range l {
		for c := range l {
			for e := range l {
				s := 0.0
				for h := range d {
					for m := range d {
						for q := range d {
							s += want.m3[h][m][q] * b.At(h, a) * b.At(m, c) * b.At(q, e)
						}
					}
				}
				near(t, "core", p.Core.At(a, c, e), s)
			}
		}
	}
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= twinTol*math.Max(1, math.Abs(want))*10) {
		t.Errorf("%s: got %.17g, want %.17g", what, got, want)
	}
}
