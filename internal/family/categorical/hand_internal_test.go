package categorical

import (
	"context"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/moment"
)

// An answer that the moments give to nobody starts with a thousandth, one that
// nobody gave with none; the answers of a question add up to one.
func TestStartByHand(t *testing.T) {
	f, err := New(Options{Blocks: [][2]int{{0, 3}}})
	if err != nil {
		t.Fatal(err)
	}
	src := &moment.Standard{Mean: []float64{.4, .6, 0}, Scale: []float64{1, 1, 1}, N: 10, Completed: &moment.Completed{}}
	p, _, err := f.Normalise(context.Background(), src, mixture.New(mat.NewDense(3, 1, []float64{-.2, .9, .3}), []float64{1}))
	if err != nil {
		t.Fatal(err)
	}
	for h, want := range []float64{.001 / .901, .9 / .901, 0} {
		if got := p.Centers.At(h, 0); numtest.Off(got, want, 1e-12) {
			t.Errorf("answer %d starts with %v, want %v", h, got, want)
		}
	}
}

// Answers that add up to a half are none.
func TestSumsAreChecked(t *testing.T) {
	f, err := New(Options{Blocks: [][2]int{{0, 2}}})
	if err != nil {
		t.Fatal(err)
	}
	for second, legal := range map[float64]bool{.75: true, .25: false, 1: false} {
		err := f.Check(mixture.New(mat.NewDense(2, 1, []float64{.25, second}), []float64{1}))
		if (err == nil) != legal {
			t.Errorf("answers .25 and %v: %v", second, err)
		}
	}
}
