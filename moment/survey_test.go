package moment_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

func TestSurvey(t *testing.T) {
	nan := math.NaN()
	table := [][]float64{{1, 0, 5}, {3, nan, 5}, {0, 4, 5}}
	dense := sparse.Rows{Dim: 3}
	for _, row := range table {
		dense.Dense = append(dense.Dense, row...)
	}
	for name, rows := range map[string]sparse.Rows{"dense": dense, "valued": sparse.FromDense(table, 3, false)} {
		s, err := moment.NewSurvey(context.Background(), pass.NewLocal(rows, 1), nil)
		if err != nil {
			t.Fatal(err)
		}
		for h, want := range []struct{ sum, squares, present, mean, deviation float64 }{
			{4, 10, 3, 4. / 3, math.Sqrt(10./3 - 16./9)},
			{4, 16, 2, 2, 2},
			{15, 75, 3, 5, 1}, // constant: nothing to divide by
		} {
			near(t, name+" sum", s.Sum[h], want.sum)
			near(t, name+" squares", s.SumSquares[h], want.squares)
			near(t, name+" present", s.Present[h], want.present)
			near(t, name+" mean", s.Mean()[h], want.mean)
			near(t, name+" deviation", s.Deviation()[h], want.deviation)
		}
	}
}

func TestSurveyRefuses(t *testing.T) {
	var few *moment.ErrTooFew
	_, err := moment.NewSurvey(context.Background(), pass.NewLocal(sparse.Rows{Dim: 2}, 1), nil)
	if !errors.As(err, &few) {
		t.Errorf("no records: %v", err)
	}
	rows := sparse.FromDense([][]float64{{1, 0}, {0, 7}}, 2, false)
	legal := func(_ int, x float64) string {
		if x > 5 {
			return "five at the most"
		}
		return ""
	}
	_, err = moment.NewSurvey(context.Background(), pass.NewLocal(rows, 1), legal)
	const want = "record 2, feature 2 is 7: five at the most"
	if err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

func TestStandard(t *testing.T) {
	s := moment.Standard{
		Shift: []float64{10, 0, 0}, Scale: []float64{2, math.Inf(1), 3}, Mean: []float64{12, 7, 1}, N: 10,
	}
	raw := mat.NewDense(3, 2, []float64{1, -1, 5, 0, math.NaN(), 2})
	want := []float64{12, 8, 7, 7, 1, 6}
	for i, v := range s.Unscale(raw).RawMatrix().Data {
		near(t, "unscaled", v, want[i])
	}
	if raw.At(0, 0) != 1 {
		t.Error("Unscale changed its input")
	}
	for j, v := range s.Weights([]float64{-1, .5, math.NaN()}) {
		near(t, "weight", v, []float64{.02 / .54, .5 / .54, .02 / .54}[j])
	}
}
