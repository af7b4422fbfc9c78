package familytest

import (
	"context"
	"math"
	"testing"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/spectral"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/moment"
)

// checkHostile: records that no model can learn from give an error or a
// warning somewhere, never NaN, never a panic.
func checkHostile(t *testing.T, f family.Family, c Case) {
	d := draw(t, f, c, 300)
	n := count(d)
	cases := map[string]family.Draw{
		"one record":      records(d, []int{0}),
		"two records":     records(d, []int{0, 1}),
		"all rows equal":  records(d, make([]int, n)),
		"no records":      records(d, nil),
		"feature in each": records(d, with(d, 0)),
	}
	if !d.Rows.IsDense() && d.Steps == nil {
		empty := records(d, sequence(0, n))
		for i := range empty.Rows.Ptr {
			empty.Rows.Ptr[i] = 0
		}
		empty.Rows.Index = nil
		if empty.Rows.Value != nil {
			empty.Rows.Value = []float32{}
		}
		cases["empty rows"] = empty
	}
	for name, extra := range c.Hostile {
		cases[name] = extra
	}
	for name, d := range cases {
		t.Run(name, func(t *testing.T) { survive(t, f, c, d) })
	}
}

// with returns the records that hold feature h, or all where none does.
func with(d family.Draw, h int) []int {
	if d.Steps != nil {
		return sequence(0, count(d))
	}
	var out []int
	for i := range d.Rows.N() {
		if d.Rows.At(i, h) != 0 {
			out = append(out, i)
		}
	}
	if out == nil {
		return sequence(0, count(d))
	}
	return out
}

func survive(t *testing.T, f family.Family, c Case, d family.Draw) {
	ctx, k := context.Background(), c.Params.K()
	src, err := f.Source(ctx, d.Runner(2), k)
	if err == nil {
		surviveMoments(t, f, c, src)
	} else if err.Error() == "" {
		t.Error("Source fails without a word")
	}
	n := d.Rows.N()
	post := make([]float64, n*k)
	if err := f.Posterior(c.Params, whole(d), post); err == nil {
		finite(t, "Posterior", post)
	}
	p := c.Params
	for range 3 {
		sum, err := f.EStep(p, true)
		if err != nil {
			t.Fatalf("EStep refuses what MStep returned: %v", err)
		}
		states, err := d.Runner(2).Run(ctx, sum)
		if err != nil {
			return // an error is an answer
		}
		finite(t, "E-step", states[0])
		q, _, err := f.MStep(states[0], p, 1)
		if err != nil {
			return
		}
		finiteParams(t, "M-step", q)
		if math.IsNaN(f.Objective(states[0], p, 1)) {
			t.Error("Objective is NaN")
		}
		p = q
	}
}

// surviveMoments: what the source gives is finite, and centers that a
// decomposition might make of it are settled into legal ones.
func surviveMoments(t *testing.T, f family.Family, c Case, src moment.Source) {
	ctx, k := context.Background(), c.Params.K()
	m1, err := src.First(ctx)
	if err != nil {
		return
	}
	finite(t, "M1", m1)
	b := spectral.Random(stream.New(c.Seed, "familytest hostile"), src.Dim(), k)
	got, err := src.Project(ctx, b, moment.Second|moment.Core)
	if err != nil {
		return
	}
	finite(t, "M2·B", got.Second.RawMatrix().Data)
	finite(t, "M3(B,B,B)", got.Core.Data)
	wild := clone(c.Params)
	wild.Centers = spectral.Random(stream.New(c.Seed, "familytest wild"), src.Dim(), k)
	wild.Centers.Set(0, 0, math.NaN())
	wild.Extra = nil
	wild.Weights[0] = -0.5
	p, _, err := f.Normalise(ctx, src, wild)
	if err != nil {
		return
	}
	finiteParams(t, "Normalise", p)
	if err := f.Check(p); err != nil {
		t.Errorf("Normalise returned illegal parameters: %v", err)
	}
}
