package bernoulli_test

import (
	"context"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/decompose"
	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/family/familytest"
	"github.com/moiety-go/moiety/internal/family/bernoulli"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/moment"
)

func params() mixture.Params {
	r := stream.New(1, "bernoulli test")
	m := mat.NewDense(14, 3, nil)
	for i := range m.RawMatrix().Data {
		m.RawMatrix().Data[i] = .05 + .9*r.Float64()
	}
	return mixture.New(m, []float64{.5, .3, .2})
}

func scaled(src moment.Source, p mixture.Params) mixture.Params {
	s, ok := src.(*moment.Standard)
	if !ok {
		return p
	}
	out := mat.DenseCopyOf(p.Centers) // (μ − shift)/scale: 1 − μ over σ where flipped
	for h, f := range s.Scale {
		for j := range p.K() {
			v := out.At(h, j)
			if s.Shift != nil {
				v -= s.Shift[h]
			}
			out.Set(h, j, v/f)
		}
	}
	return mixture.New(out, p.Weights)
}

// TestCommonFeature has a feature in nearly every record: its mean lies eight
// standard deviations from zero.
func TestCommonFeature(t *testing.T) {
	p := params()
	for j := range p.K() {
		p.Centers.Set(0, j, .985)
	}
	f := bernoulli.New(bernoulli.Options{})
	for seed := range uint64(8) {
		draw, err := f.Sample(p, stream.New(seed, "common"), 2000, family.Shape{})
		if err != nil {
			t.Fatal(err)
		}
		src, err := f.Source(context.Background(), draw.Runner(1), p.K())
		if err != nil {
			t.Fatal(err)
		}
		raw, err := decompose.Auto(context.Background(), src, p.K(), decompose.Options{})
		if err != nil {
			t.Fatal(err)
		}
		got, _, err := f.Normalise(context.Background(), src, raw.Params)
		if err != nil {
			t.Fatal(err)
		}
		for j, w := range got.Weights {
			if w < .1 {
				t.Errorf("seed %d: component %d has weight %.3f, the least true one is .2", seed, j, w)
			}
		}
	}
}

func TestBattery(t *testing.T) {
	illegal := params()
	illegal.Centers.Set(2, 1, 1.1)
	for name, o := range map[string]bernoulli.Options{"alone": {}, "blocks": {Blocks: [][2]int{{2, 4}, {8, 11}}}} {
		t.Run(name, func(t *testing.T) {
			familytest.Run(t, bernoulli.New(o), familytest.Case{
				Params: params(), Coordinates: scaled, Illegal: []mixture.Params{illegal}, Free: 2 + 14*3,
			})
		})
	}
}
