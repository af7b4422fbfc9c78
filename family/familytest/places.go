package familytest

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/assign"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/pass/passtest"
)

const (
	// placeTol is how far parameters learned at three places may be from those
	// of one: sums differ by 1e-12, and a decomposition near two equal
	// eigenvalues makes that larger.
	placeTol = 1e-7
	// placeSteps of EM are enough to see whether they look at all records.
	placeSteps = 3
)

// checkPlaces: records that lie at three places, none of which sees those of
// another, are learned and placed as if they were in one.
func checkPlaces(t *testing.T, f family.Family, c Case) {
	d := draw(t, f, c, c.n())
	k := c.Params.K()
	one := d.Runner(2)
	want, err := learn(t.Context(), f, one, k, placeSteps)
	if err != nil {
		t.Logf("in one place: %v", err)
	}
	var placed *assign.Assignment
	if err == nil {
		if placed, err = assign.All(t.Context(), f, want, one); err != nil {
			t.Fatal(err)
		}
	}
	err2 := passtest.Split(d.Rows, d.Steps, 3, 2).Each(t.Context(), func(ctx context.Context, place int, r pass.Runner) error {
		got, err := learn(ctx, f, r, k, placeSteps)
		if err != nil || placed == nil {
			return err
		}
		if far := apart(got, want); !(far <= placeTol) {
			return fmt.Errorf("place %d: parameters are off by %g", place, far)
		}
		return samePlaces(ctx, f, got, r, d, placed)
	})
	if (err2 == nil) != (err == nil) {
		t.Errorf("at three places: %v; in one: %v", err2, err)
	}
}

// samePlaces compares the groups of the own records with those that the whole
// gave them.
func samePlaces(ctx context.Context, f family.Family, p mixture.Params, r pass.Runner, d family.Draw, want *assign.Assignment) error {
	can := r.Can()
	first := can.First
	if d.Steps != nil {
		first = d.Steps[can.First]
	}
	got, err := assign.All(ctx, f, p, r)
	if err != nil {
		return err
	}
	for i, g := range got.Group {
		q, sure := want.Group[first+i], want.Probability[first+i]
		if math.Abs(float64(got.Probability[i]-sure)) > 1e-6 || g != q && sure > 0.5+1e-6 {
			return fmt.Errorf("row %d goes to group %d with %v, by the whole to %d with %v", first+i, g, got.Probability[i], q, sure)
		}
	}
	return nil
}

// apart returns the largest difference of two sets of parameters, relative to
// numbers above one.
func apart(a, b mixture.Params) float64 {
	far := 0.0
	see := func(x, y float64) {
		if x == y || math.IsNaN(x) && math.IsNaN(y) {
			return
		}
		if v := math.Abs(x-y) / math.Max(1, math.Abs(y)); !(v <= far) {
			far = v
		}
	}
	for j, w := range a.Weights {
		see(w, b.Weights[j])
	}
	rows, cols := a.Centers.Dims()
	for h := range rows {
		for j := range cols {
			see(a.Centers.At(h, j), b.Centers.At(h, j))
		}
	}
	for name, m := range a.Extra {
		rows, cols := m.Dims()
		for h := range rows {
			for j := range cols {
				see(m.At(h, j), b.Extra[name].At(h, j))
			}
		}
	}
	return far
}
