package synth

import (
	"context"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/sparse"
)

func compare(t *testing.T, real, fake sparse.Rows, o RealismOptions) *Realism {
	t.Helper()
	r, err := Compare(context.Background(), real, fake, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func halves(rows sparse.Rows) (a, b sparse.Rows) {
	return rows.Slice(0, rows.N()/2), rows.Slice(rows.N()/2, rows.N())
}

// Records of one law look alike. The area may stray from .5 by chance, with a
// standard error of .03 at 400 records a side.
func TestSameLawLooksAlike(t *testing.T) {
	for name, rows := range map[string]sparse.Rows{
		"patients": Patients(1, 800, 80, 4, 8).Rows,
		"topics":   HierarchicalTopics(2, 800, 40, .1).Rows,
		"counts":   PoissonMixture(3, 800, 30, 3, 40).Rows,
		"null":     Independent(4, 800, 30).Rows,
		"real":     normals(5, 1600, 0),
	} {
		if testing.Short() && name != "patients" {
			continue // the others take a second each on a busy machine
		}
		a, b := halves(rows)
		r := compare(t, a, b, RealismOptions{Seed: 1, Permutations: 100, Pairs: 20})
		if numtest.Off(r.AUC, .5, .05) || r.P < .01 || r.Real != rows.N()/2 || r.Fake != rows.N()/2 {
			t.Errorf("%s: area %.3f, p %.3f of %d and %d", name, r.AUC, r.P, r.Real, r.Fake)
		}
		if !strings.HasPrefix(r.Sentence, "The synthetic records look like") && r.P > significant {
			t.Errorf("%s: %s", name, r.Sentence)
		}
	}
}

// As many of one side as of the other are judged, so that a classifier that says the same of
// all is right half the time; told is counted by hand.
func TestEqualNumbersAreJudged(t *testing.T) {
	rows := Patients(3, 900, 60, 3, 8).Rows
	r := compare(t, rows.Slice(0, 750), rows.Slice(750, 900), RealismOptions{Seed: 1, Permutations: 20, Pairs: 20})
	if r.Real != 150 || r.Fake != 150 || numtest.Off(r.Accuracy, .5, .1) {
		t.Errorf("accuracy %.3f on %d and %d records of one law", r.Accuracy, r.Real, r.Fake)
	}
	p := &pool{real: 2}
	if got := p.told([]float64{.9, .2, .1, .6, .5}); got != (1+0+1+0+.5)/5 {
		t.Errorf("%v are told, want 0.5", got)
	}
}

// Marginals alone do not make a record: independent features with the same
// frequencies are told apart, by their pairs.
func TestIndependentFeaturesAreToldApart(t *testing.T) {
	set := HierarchicalBernoulli(1, 600, 40, 1)
	mean := make([]float64, 40)
	for i := range 600 {
		eachStored(set.Rows, i, func(h int, _ float64) { mean[h] += 1.0 / 600 })
	}
	r := stream.New(2, "synth/test/shuffled")
	b := sparse.NewBuilder(40, true)
	for range 600 {
		var index []uint32
		for h, p := range mean {
			if r.Float64() < p {
				index = append(index, uint32(h))
			}
		}
		if err := b.Add(index, nil); err != nil {
			t.Fatal(err)
		}
	}
	got := compare(t, set.Rows, b.Rows(), RealismOptions{Permutations: 100})
	if got.P > .01 || got.AUC < .55 || got.Discrepancy <= 0 {
		t.Errorf("%+v", got)
	}
}

func TestOtherLawsAreToldApart(t *testing.T) {
	for name, c := range map[string][2]sparse.Rows{
		"patients": {Patients(1, 300, 80, 4, 8).Rows, Patients(2, 300, 80, 4, 8).Rows},
		"lengths":  {Patients(1, 300, 80, 4, 8).Rows, Patients(1, 300, 80, 4, 14).Rows},
		"shifted":  {normals(1, 300, 0), normals(2, 300, 1)},
	} {
		r := compare(t, c[0], c[1], RealismOptions{Permutations: 100, Pairs: 10})
		if r.AUC < .75 || r.P > .01 {
			t.Errorf("%s: area %.3f, p %.3f", name, r.AUC, r.P)
		}
		if !strings.HasPrefix(r.Sentence, "The synthetic records do not look like the real ones: shown") {
			t.Errorf("%s: %s", name, r.Sentence)
		}
	}
}

func normals(seed uint64, n int, shift float64) sparse.Rows {
	rows := sparse.Rows{Dim: 5, Dense: make([]float64, 5*n)}
	stream.Normals(stream.New(seed, "synth/test/normals"), rows.Dense)
	for i := range rows.Dense {
		rows.Dense[i] += shift
	}
	return rows
}

// The estimate against sums over all pairs of a tiny sample.
func TestUnbiasedAgainstTwin(t *testing.T) {
	r := stream.New(1, "synth/test/kernel")
	const n = 9
	k := make([]float64, n*n)
	side := make([]bool, n)
	for i := range n {
		side[i] = i%3 == 0
		for j := range i {
			k[i*n+j] = r.Float64()
			k[j*n+i] = k[i*n+j]
		}
	}
	dist := slices.Clone(k)
	var pairs []float64
	for i := range n {
		for j := range i {
			pairs = append(pairs, dist[i*n+j])
		}
	}
	slices.Sort(pairs)
	kernel := func(i, j int) float64 { return math.Exp(-dist[i*n+j] / pairs[len(pairs)/2]) }
	sum, count := [3]float64{}, [3]float64{}
	for i := range n {
		for j := range n {
			at := 0
			if side[i] != side[j] {
				at = 2
			} else if side[i] {
				at = 1
			}
			if i != j {
				sum[at] += kernel(i, j)
				count[at]++
			}
		}
	}
	want := sum[0]/count[0] + sum[1]/count[1] - 2*sum[2]/count[2]
	g := newGram(k, n)
	if got := g.unbiased([]int{0, 3, 6}); numtest.Off(got, want, 1e-14) {
		t.Errorf("%v, want %v", got, want)
	}
}

// Distances of sparse and dense layouts of the same records agree with those
// written out.
func TestDistancesAgainstTwin(t *testing.T) {
	table := [][]float64{{1, 0, 2}, {0, 0, 1}, {3, 0, 0}, {1, 0, 5}}
	dense := sparse.Rows{Dim: 3}
	for _, row := range table {
		dense.Dense = append(dense.Dense, row...)
	}
	s := sparse.FromDense(table, 3, false)
	a := newPool(s.Slice(0, 2), s.Slice(2, 4))
	b := newPool(dense.Slice(0, 2), dense.Slice(2, 4))
	x, err := a.distances(context.Background(), 1)
	if err != nil {
		t.Fatal(err)
	}
	y, _ := b.distances(context.Background(), 1)
	for i := range 4 {
		for j := range 4 {
			want := 0.0
			for h, f := range a.scale {
				z := (table[i][h] - table[j][h]) * f
				want += z * z
			}
			if numtest.Off(x[i*4+j], want, 1e-12) || numtest.Off(y[i*4+j], want, 1e-12) {
				t.Errorf("distance (%d, %d): %v and %v, want %v", i, j, x[i*4+j], y[i*4+j], want)
			}
		}
	}
	if a.scale[1] != 0 {
		t.Error("a constant feature has a scale")
	}
}

func TestUniqueCopies(t *testing.T) {
	real := sparse.FromDense([][]float64{{1, 0, 1}, {0, 1, 0}, {0, 1, 0}, {1, 1, 1}, {0, 0, 0}}, 3, true)
	fake := sparse.FromDense([][]float64{{1, 0, 1}, {0, 1, 0}, {0, 0, 0}, {0, 0, 1}}, 3, false)
	if got := uniqueCopies(real, fake); got != .25 {
		t.Errorf("share %v, want .25: only the first is a copy of one person", got)
	}
	r := Realism{Copies: .25, Expected: .1}
	if want := "25 % of the synthetic records equal a real record that is the only one of its kind, more often than chance: look at them before you hand the records on."; r.privacy() != want {
		t.Errorf("%q", r.privacy())
	}
	r.Copies = 0
	if want := "No synthetic record equals a real record that is the only one of its kind."; r.privacy() != want {
		t.Errorf("%q", r.privacy())
	}
}

// Handing out the real records themselves is noticed.
func TestCopyingIsNoticed(t *testing.T) {
	rows := Patients(1, 300, 80, 4, 8).Rows
	r := compare(t, rows, rows, RealismOptions{Permutations: 20})
	if r.Copies < .9 || r.Expected > .2 || !strings.Contains(r.Privacy, "more often than chance") {
		t.Errorf("copies %v, expected %v: %s", r.Copies, r.Expected, r.Privacy)
	}
}

func TestCompareSameBitsAndRefusals(t *testing.T) {
	a, b := halves(Patients(3, 700, 40, 3, 6).Rows)
	first := compare(t, a, b, RealismOptions{Workers: 1, Sample: 200, Permutations: 30})
	for _, w := range []int{2, 8} {
		if got := compare(t, a, b, RealismOptions{Workers: w, Sample: 200, Permutations: 30}); !reflect.DeepEqual(got, first) {
			t.Errorf("%d workers: %+v, want %+v", w, got, first)
		}
	}
	if first.Real != 200 || first.Fake != 200 {
		t.Errorf("sampled %d and %d", first.Real, first.Fake)
	}
	ctx := context.Background()
	if _, err := Compare(ctx, a, Patients(1, 50, 41, 2, 5).Rows, RealismOptions{}); err == nil {
		t.Error("other features accepted")
	}
	if _, err := Compare(ctx, a, b.Slice(0, 10), RealismOptions{}); err == nil {
		t.Error("10 records accepted")
	}
	if _, err := Compare(ctx, a, b, RealismOptions{Folds: 1}); err == nil {
		t.Error("one fold accepted")
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := Compare(cancelled, a, b, RealismOptions{}); err == nil {
		t.Error("cancelled work went on")
	}
	// All records equal: nothing to tell, no failure.
	same := sparse.FromDense([][]float64{{1, 1}, {1, 1}}, 2, true).Pick(make([]int, 40))
	if r := compare(t, same, same, RealismOptions{Permutations: 10}); r.AUC != .5 {
		t.Errorf("equal records: area %v", r.AUC)
	}
}

// TestRealismWords: the sentence by what a classifier sees, and how sure that is.
func TestRealismWords(t *testing.T) {
	for _, c := range []struct {
		r    Realism
		want string
	}{
		{Realism{AUC: .52, AUCError: .02, P: .3}, "look like the real ones"},
		{Realism{AUC: .54, AUCError: .01, P: .01}, "differ a little"},
		{Realism{AUC: .6, AUCError: .06, P: .01}, "differ a little"},
		{Realism{AUC: .6, AUCError: .04, P: .01}, "by somebody who looks closely"},
		{Realism{AUC: .75, AUCError: .01, P: .01}, "do not look like"},
	} {
		if got := c.r.words(); !strings.Contains(got, c.want) {
			t.Errorf("%+v: %s", c.r, got)
		}
	}
}
