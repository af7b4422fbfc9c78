package tree

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"gonum.org/v1/gonum/floats"

	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/synth"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/pass/passtest"
	"github.com/moiety-go/moiety/sparse"
)

// elsewhere is a runner whose rows are not at hand, as those of a file are not.
type elsewhere struct{ pass.Runner }

func (e elsewhere) Can() pass.Ability {
	can := e.Runner.Can()
	can.Rows, can.Kept = nil, false
	return can
}

// twinTol is for gains, which are sums over records in another order: relative.
const twinTol = 1e-6

// same says what differs between two trees over the same records but for rounding.
func same(got, want *Result, first int) error {
	a, b := got.Tree, want.Tree
	if len(a.Nodes) != len(b.Nodes) {
		return fmt.Errorf("%d nodes, want %d", len(a.Nodes), len(b.Nodes))
	}
	for i := range a.Nodes {
		x, y := &a.Nodes[i], &b.Nodes[i]
		if x.ID != y.ID || x.N != y.N || !slices.Equal(x.Children, y.Children) {
			return fmt.Errorf("node %s of %d records, want %s of %d", x.ID, x.N, y.ID, y.N)
		}
		if !floats.EqualApprox(x.Center, y.Center, twinTol) {
			return fmt.Errorf("node %s: other means", x.ID)
		}
		if (x.Split == nil) != (y.Split == nil) || x.Split != nil && numtest.Off(x.Split.Gain, y.Split.Gain, twinTol*math.Max(1, math.Abs(y.Split.Gain))) {
			return fmt.Errorf("node %s: split %+v, want %+v", x.ID, x.Split, y.Split)
		}
	}
	for i, l := range got.Leaf {
		if l != want.Leaf[first+i] {
			return fmt.Errorf("record %d lies in node %d, want %d", first+i, l, want.Leaf[first+i])
		}
	}
	return nil
}

// Binary rows that are counted, rows that are scanned as those of a file are, and
// rows at three places grow the same tree, by every splitter.
func TestTwins(t *testing.T) {
	rows := emptied(synth.HierarchicalBernoulli(11, 1400, 40, 1).Rows)
	for _, splitter := range []string{Sidiwo, DSidiwo, Skew} {
		for _, steps := range []int{0, -1} {
			s := settings(t, "bernoulli", 40)
			s.Splitter, s.Steps, s.Leaves = splitter, steps, 6
			name := fmt.Sprintf("%s, %d steps", splitter, s.steps())
			want := grow(t, rows, s)
			got, err := Grow(ctx, elsewhere{pass.NewLocal(rows, 2)}, s)
			if err == nil {
				err = same(got, want, 0)
			}
			if err != nil {
				t.Errorf("%s, scanned: %v", name, err)
			}
			overPlaces(t, name, rows, s, want)
		}
	}
}

// A growth that is ended gives a tree or an error.
func TestGrowEnded(t *testing.T) {
	rows := synth.HierarchicalBernoulli(11, 1400, 40, 1).Rows
	for _, splitter := range []string{Sidiwo, DSidiwo, Skew} {
		s := settings(t, "bernoulli", 40)
		s.Splitter, s.Leaves = splitter, 6
		for after := range 40 {
			ended, end := context.WithTimeout(ctx, time.Duration(after)*50*time.Microsecond)
			r, err := Grow(ended, pass.NewLocal(rows, 4), s)
			if end(); err == nil && r.Tree == nil {
				t.Errorf("%s, ended: neither a tree nor an error", splitter)
			}
		}
	}
	_, root := binaryBuilder(t, 5000, 40)
	ended, end := context.WithCancel(ctx)
	end()
	if sum, err := root.added(ended, 3, make([]float64, 40), func([]float64, int, [][]float64) {}); err == nil {
		t.Errorf("ended, the sums are %v", sum)
	}
}

// Counts and measurements, which have one implementation, grow the same tree at
// several places.
func TestGrowOverPlaces(t *testing.T) {
	for _, name := range []string{"poisson", "gaussian", "single-topic"} {
		rows := cases(t)[name]
		s := settings(t, name, rows.Dim)
		s.Leaves = 4
		overPlaces(t, name, rows, s, grow(t, rows, s))
	}
}

func overPlaces(t *testing.T, name string, rows sparse.Rows, s Settings, want *Result) {
	t.Helper()
	err := passtest.Split(rows, nil, 3, 1).Each(ctx, func(ctx context.Context, place int, r pass.Runner) error {
		got, err := Grow(ctx, r, s)
		if err != nil {
			return err
		}
		if err := same(got, want, r.Can().First); err != nil {
			return fmt.Errorf("place %d: %w", place, err)
		}
		return nil
	})
	if err != nil {
		t.Errorf("%s: %v", name, err)
	}
}
