package enough

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/family/bernoulli"
	"github.com/moiety-go/moiety/internal/family/gaussian"
	"github.com/moiety-go/moiety/internal/family/lda"
	"github.com/moiety-go/moiety/internal/family/singletopic"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/internal/synth"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// The halves are apart, together the whole, and of equal size; the numbers of
// their records run from 0 without gaps.
func TestHalves(t *testing.T) {
	set := synth.ExponentialBernoulli(1, 9001, 12, 3, synth.UniformWeights)
	run := pass.NewLocal(set.Rows, 2)
	whole, err := measureShape(t.Context(), run)
	if err != nil {
		t.Fatal(err)
	}
	var parts [2]*shape
	both, err := halves(t.Context(), run)
	if err != nil {
		t.Fatal(err)
	}
	for side, h := range both {
		if parts[side], err = measureShape(t.Context(), h); err != nil {
			t.Fatal(err)
		}
		if parts[side].rows != h.Len() {
			t.Errorf("half %d holds %d rows and says %d", side, parts[side].rows, h.Len())
		}
		seen := make([]int, h.Len())
		_, err := h.Own(t.Context(), func(b pass.Block) error {
			for i := range b.N() {
				seen[b.First+i]++ // a place for each
			}
			return nil
		})
		if err != nil || slices.Min(seen) != 1 || slices.Max(seen) != 1 {
			t.Errorf("half %d: records numbered %d to %d times, %v", side, slices.Min(seen), slices.Max(seen), err)
		}
	}
	if d := parts[0].rows - parts[1].rows; d*d != 1 {
		t.Errorf("halves of %d and %d records", parts[0].rows, parts[1].rows)
	}
	for h := range whole.sum {
		if whole.sum[h] != parts[0].sum[h]+parts[1].sum[h] {
			t.Fatal("the halves are not the whole")
		}
	}
}

func TestHalvesOfSequences(t *testing.T) {
	rows := sparse.FromDense([][]float64{{1}, {2}, {3}, {4}, {5}, {6}}, 1, false)
	run := pass.NewSequences(rows, []int{0, 2, 3, 6}, 1)
	total := 0
	both, err := halves(t.Context(), run)
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range both {
		_, err := h.Own(t.Context(), func(b pass.Block) error {
			total += b.N()
			for i := range b.N() {
				s := b.Sequence(i)
				if first := s.At(0, 0); first != 1 && first != 3 && first != 4 {
					t.Errorf("a sequence starts with %v", first)
				}
				if want := map[float64]int{1: 2, 3: 1, 4: 3}[s.At(0, 0)]; s.N() != want {
					t.Errorf("a sequence of %d steps, want %d", s.N(), want)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if total != 3 {
		t.Errorf("%d sequences in both halves", total)
	}
}

// noise without groups: no light but red, and no error on next to nothing.
func TestNothingToFind(t *testing.T) {
	r := stream.New(3, "null")
	rows := sparse.Rows{Dim: 20, Ptr: []int{0}}
	for range 2000 {
		for h := range 20 {
			if r.Float64() < 0.3 {
				rows.Index = append(rows.Index, uint32(h))
			}
		}
		rows.Ptr = append(rows.Ptr, len(rows.Index))
	}
	same := sparse.Rows{Dim: 2, Ptr: []int{0, 1, 2, 3, 4, 5, 6, 7, 8}, Index: []uint32{0, 0, 0, 0, 0, 0, 0, 0}}
	f := bernoulli.New(bernoulli.Options{})
	for name, rows := range map[string]sparse.Rows{
		"independent features": rows, "one record": rows.Slice(0, 1), "no record": rows.Slice(0, 0), "equal records": same,
	} {
		got, err := Judge(t.Context(), f, pass.NewLocal(rows, 1), 0, Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got.Light != Red || got.Reason == "" || got.Remedy == "" || got.Groups != 2 {
			t.Errorf("%s: %+v", name, got)
		}
	}
	if _, err := Judge(t.Context(), f, pass.NewLocal(rows, 1), -1, Options{}); err == nil {
		t.Error("-1 groups accepted")
	}
	if _, err := Judge(t.Context(), f, pass.NewLocal(rows, 1), 2, Options{Delta: 1}); err == nil {
		t.Error("bounds that always fail accepted")
	}
	got, err := Judge(t.Context(), f, pass.NewLocal(rows.Slice(0, 5), 1), 12, Options{})
	const want = "The records are too few or too plain to be analysed in two halves: 5 records for 12 groups."
	if err != nil || got.Reason != want {
		t.Errorf("%v, %v; want %s", got, err, want)
	}
}

// Each light with its words.
func TestWords(t *testing.T) {
	for _, c := range []struct {
		r    Report
		want Light
		text string
	}{
		{
			Report{Groups: 12, Records: 100, RecordsPerGroup: 100.0 / 12, Agreement: 0.1, Noise: 1, Signal: 1},
			Red,
			"Two halves of the records, analysed apart, give different groups (agreement 0.10 of 1): with 100 records, 8 a group, these groups are mostly chance. Add records or ask for fewer groups.",
		},
		{
			Report{Groups: 12, Records: 1000, Agreement: 0.7, Noise: 1, Signal: 1},
			Amber,
			"Two halves of the records, analysed apart, give similar groups (agreement 0.70 of 1): the large groups can be trusted, small ones may change with more records. Add records or ask for fewer groups.",
		},
		{
			Report{Groups: 8, Records: 1000, Agreement: 0.9, Visible: 6, Empty: 2},
			Amber,
			"The groups repeat themselves in two halves of the records (agreement 0.90 of 1), but 2 of the 8 stay empty: two true groups may be shown as one. Ask for fewer groups, or compare several numbers of groups.",
		},
		{
			Report{Groups: 8, Records: 1000, Agreement: 0.9, Visible: 4},
			Amber,
			"The groups repeat themselves in two halves of the records (agreement 0.90 of 1), but only 4 of the 8 stand out from chance: similar groups may be shown as one. Add records or ask for fewer groups.",
		},
		{
			Report{Groups: 4, Records: 1000, Agreement: 0.9, Noise: 0.1, Signal: 1, Visible: 4},
			Green,
			"Two halves of the records, analysed apart, give nearly the same groups (agreement 0.90 of 1). ",
		},
	} {
		c.r.decide()
		if got := c.r.Reason + " " + c.r.Remedy; c.r.Light != c.want || got != c.text {
			t.Errorf("%v: %s\nwant %v: %s", c.r.Light, got, c.want, c.text)
		}
	}
	if Green.String()+Amber.String()+Red.String() != "greenamberred" {
		t.Error("names of the lights")
	}
}

// Plain groups are green in every kind of family.
func TestFamilies(t *testing.T) {
	topics := synth.LDADocuments(1, 2000, 40, 3, 0.3, 0.05, 60)
	mixed, err := lda.New(lda.Options{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := Judge(t.Context(), mixed, pass.NewLocal(topics.Rows, 0), 3, Options{})
	if err != nil || got.Light != Green || got.TokensPerRecord != 60 {
		t.Errorf("lda: %+v, %v", got, err)
	}
	r := stream.New(5, "points")
	points := sparse.Rows{Dim: 6}
	for i := range 1200 {
		for h := range 6 {
			v := r.NormFloat64()
			if h == i/4%3 {
				v += 8
			}
			points.Dense = append(points.Dense, v)
		}
	}
	got, err = Judge(t.Context(), gaussian.New(gaussian.Options{}), pass.NewLocal(points, 0), 3, Options{})
	if err != nil || got.Light != Green || got.Bounds.Second != 0 || got.Bounds.Bias2 != 0 {
		t.Errorf("gaussian: %+v, %v", got, err)
	}
}

// A fit that is handed in is the one that is compared.
func TestOwnFit(t *testing.T) {
	set := synth.ExponentialBernoulli(1, 1000, 30, 3, synth.UniformWeights)
	calls := 0
	fit := func(context.Context, pass.Runner, int) (mixture.Params, error) {
		calls++
		return set.Truth, nil
	}
	got, err := Judge(t.Context(), bernoulli.New(bernoulli.Options{}), pass.NewLocal(set.Rows, 0), 3, Options{Fit: fit})
	if err != nil || got.Agreement != 1 || calls != 3 {
		t.Errorf("%d calls: %+v, %v", calls, got, err)
	}
	bad := errors.New("bad")
	_, err = Judge(t.Context(), bernoulli.New(bernoulli.Options{}), pass.NewLocal(set.Rows, 0), 3, Options{
		Fit: func(context.Context, pass.Runner, int) (mixture.Params, error) { return mixture.Params{}, bad },
	})
	if !errors.Is(err, bad) {
		t.Errorf("a fit that fails: %v", err)
	}
}

// Same bits on 1, 2 and 8 workers, over several blocks.
func TestWorkers(t *testing.T) {
	set := synth.ExponentialBernoulli(1, 9000, 20, 3, synth.UniformWeights)
	var first *Report
	for _, workers := range []int{1, 2, 8} {
		r, err := Judge(t.Context(), bernoulli.New(bernoulli.Options{}), pass.NewLocal(set.Rows, workers), 3, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = r
		}
		if *r != *first {
			t.Errorf("%d workers: %+v, want %+v", workers, r, first)
		}
	}
}

// n = 10,000 documents of equal length: W = 1/n, and the bound of M2 is about
// .0345 as worked out by hand in the theorem's remark.
func TestSampleBound(t *testing.T) {
	const n = 10_000
	set := synth.HierarchicalTopics(1, n, 20, 0.1)
	f, err := singletopic.New(singletopic.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := measureShape(t.Context(), pass.NewLocal(set.Rows, 0))
	if err != nil {
		t.Fatal(err)
	}
	j := &judge{f: f, k: 8, o: Options{Delta: defaultDelta}}
	b := j.bounds(fitted{params: set.Truth, eigen: []float64{4, 3, 2, 1}}, s)
	numtest.Slices(t, "W", []float64{b.W2 * n, b.W3 * n}, []float64{1, 1}, 1e-9)
	var weighted, m2 mat.Dense
	weighted.Mul(set.Truth.Centers, mat.NewDiagDense(8, set.Truth.Weights))
	m2.Mul(&weighted, set.Truth.Centers.T())
	second := mat.Norm(&m2, 2)
	want := math.Sqrt((1-second*second)/n) + math.Sqrt(2.0/n*math.Log(20))
	numtest.Slices(t, "bound", []float64{b.SecondNorm, b.Second}, []float64{second, want}, 1e-12)
	if b.Second < 0.034 || b.Second > 0.035 || b.Third < b.Second {
		t.Errorf("bounds %v, %v", b.Second, b.Third)
	}
	// σ are 4, 3, 2, 1 and then nothing: α_M2 is 0, the fifth being as small as the sixth.
	if b.AlphaM2 != 0 || b.SigmaK != 0 {
		t.Errorf("α_M2 %v, σ_k %v", b.AlphaM2, b.SigmaK)
	}
}

// The bias of presences is known: p − Σωμ² in the diagonal of M2. The bounds
// must hold it, and in the second order equal the variance.
func TestBiasBounds(t *testing.T) {
	set := synth.ExponentialBernoulli(2, 5000, 10, 2, synth.UniformWeights)
	s, err := measureShape(t.Context(), pass.NewLocal(set.Rows, 1))
	if err != nil {
		t.Fatal(err)
	}
	b := (&judge{k: 2, o: Options{Delta: defaultDelta}}).bounds(fitted{params: set.Truth, eigen: []float64{3, 1, 0.5}}, s)
	largest, true2, true3, truePair := 0.0, 0.0, 0.0, 0.0
	moments := func(hs ...int) float64 {
		sum := 0.0
		for j, w := range set.Truth.Weights {
			for _, h := range hs {
				w *= set.Truth.Centers.At(h, j)
			}
			sum += w
		}
		return sum
	}
	for h := range 10 {
		p := s.sum[h] / 5000
		largest = math.Max(largest, p*(1-p))
		true2 = math.Max(true2, moments(h)-moments(h, h))
		true3 = math.Max(true3, moments(h)-moments(h, h, h))
		for l := range 10 {
			if l != h {
				truePair = math.Max(truePair, moments(h, l)-moments(h, h, l))
			}
		}
	}
	numtest.Slices(t, "largest variance", []float64{b.Bias2}, []float64{largest}, 1e-12)
	const sampling = 0.02 // of 5000 presences
	if b.Bias2 < true2-sampling || b.Bias3 < true3-sampling || b.Bias3Pair < truePair-sampling || b.Mean2 > b.Bias2 {
		t.Errorf("bounds %+v below the bias %v %v %v", b, true2, true3, truePair)
	}
	least := 0.0
	for h := range 10 {
		least = math.Max(least, math.Abs(set.Truth.Centers.At(h, 0)-set.Truth.Centers.At(h, 1)))
	}
	numtest.Slices(t, "perturbation", []float64{b.AlphaR, b.AlphaM2, b.SigmaK}, []float64{least, 0.75, 1}, 1e-12)
	if got := math.Abs(set.Truth.Centers.At(b.Feature, 0) - set.Truth.Centers.At(b.Feature, 1)); got != b.AlphaR {
		t.Errorf("feature %d differs by %v, not %v", b.Feature, got, b.AlphaR)
	}
}
