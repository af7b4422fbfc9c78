package moment_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// TestFilledByDefinition compares a dense fill with p + (x − p)/π by hand.
func TestFilledByDefinition(t *testing.T) {
	nan := math.NaN()
	// feature 0 real with one value missing of four; block {1,2}: record 2 has
	// no answer; feature 3 complete.
	rows := sparse.Rows{Dim: 4, Dense: []float64{
		2, 1, 0, 5,
		nan, 0, 1, 6,
		4, 0, 0, 7,
		6, 1, 0, 8,
	}}
	f, err := moment.NewFilled(context.Background(), pass.NewLocal(rows, 1), [][2]int{{1, 3}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	p0, pi := 4.0, 3.0/4
	p1, p2 := 2.0/3, 1.0/3
	at := func(p, x float64) float64 { return p + (x-p)/pi }
	want := []float64{
		at(p0, 2), at(p1, 1), at(p2, 0), 5,
		p0, at(p1, 0), at(p2, 1), 6,
		at(p0, 4), p1, p2, 7,
		at(p0, 6), at(p1, 1), at(p2, 0), 8,
	}
	_, err = f.Own(context.Background(), func(b pass.Block) error {
		for i, v := range want {
			near(t, "filled", b.Rows.Dense[i], v)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if f.Complete() || f.Share[3] != 1 || numtest.Off(f.Share[1], pi, twinTol) {
		t.Errorf("shares %v", f.Share)
	}
}

// TestFilledUnbiased: cross moments of records with a third of the values
// missing at random stay close to those of the complete records.
func TestFilledUnbiased(t *testing.T) {
	const n = 60000
	r := stream.New(5, "filled")
	full, holes := sparse.Rows{Dim: 3}, sparse.Rows{Dim: 3}
	for range n {
		y := float64(r.IntN(2)) // two groups make the columns dependent
		for range 3 {
			v := 3*y + r.NormFloat64()
			full.Dense = append(full.Dense, v)
			if r.Float64() < 1.0/3 {
				v = math.NaN()
			}
			holes.Dense = append(holes.Dense, v)
		}
	}
	third := func(run pass.Runner) float64 {
		state, err := pass.RunOne(context.Background(), run, product{})
		if err != nil {
			t.Fatal(err)
		}
		return state[0] / n
	}
	f, err := moment.NewFilled(context.Background(), pass.NewLocal(holes, 2), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	// The mean of x0·x1·x2 is 13.5; its standard error after filling is about .25.
	if a, b := third(pass.NewLocal(full, 2)), third(f); numtest.Off(a, b, 1) {
		t.Errorf("mean of triple products %v complete, %v filled", a, b)
	}
}

type product struct{}

func (product) Len() int { return 1 }

func (product) Add(state []float64, b pass.Block) error {
	for i := range b.Rows.N() {
		x := b.Rows.DenseRow(i)
		state[0] += x[0] * x[1] * x[2]
	}
	return nil
}

// TestFilledPasses: where nothing is missing the blocks are the runner's own.
func TestFilledPasses(t *testing.T) {
	_, rows := randomTable("valued", 10, 4)
	f, err := moment.NewFilled(context.Background(), pass.NewLocal(rows, 1), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !f.Complete() {
		t.Error("complete records are not seen as such")
	}
}

func TestOneAnswerEach(t *testing.T) {
	for _, bad := range [][]float64{{1, 1, 0, 0}, {0, 0, 1, 1}} {
		rows := sparse.FromDense([][]float64{{1, 0, 0, 1}, bad}, 4, true)
		_, err := moment.NewFilled(context.Background(), pass.NewLocal(rows, 1), [][2]int{{0, 2}, {2, 4}}, nil)
		var value *moment.ValueError
		if !errors.As(err, &value) || value.Record != 1 {
			t.Errorf("two answers to a question: %v", err)
		}
	}
}
