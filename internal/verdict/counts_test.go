package verdict_test

import (
	"context"
	"encoding/json"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/internal/verdict"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// gammaDraw draws from the gamma law of a whole order, of mean 1.
func gammaDraw(r *rand.Rand, order int) float64 {
	sum := 0.0
	for range order {
		sum += r.ExpFloat64()
	}
	return sum / float64(order)
}

func poissonDraw(r *rand.Rand, mean float64) int {
	n := 0
	for p := r.Float64(); p > math.Exp(-mean); p *= r.Float64() {
		n++
	}
	return n
}

// counts draws n records of k groups over d features: amounts of log standard
// deviation amount, and counts that scatter like a gamma law of an order.
func counts(seed uint64, n, d, k, order int, amount float64) sparse.Rows {
	r := stream.New(seed, "test/counts")
	mean := make([]float64, k*d)
	for j := range d {
		base := 1 + r.NormFloat64()
		for g := range k {
			mean[g*d+j] = base
			if r.IntN(4) == 0 {
				mean[g*d+j] += 1.2 * r.NormFloat64()
			}
		}
	}
	b := sparse.NewBuilder(d, false)
	for range n {
		g, size := r.IntN(k), amount*r.NormFloat64()
		var index []uint32
		var value []float32
		for j := range d {
			m := math.Exp(mean[g*d+j] + size)
			if order > 0 {
				m *= gammaDraw(r, order)
			}
			if v := poissonDraw(r, m); v > 0 {
				index, value = append(index, uint32(j)), append(value, float32(v))
			}
		}
		if err := b.Add(index, value); err != nil {
			panic(err)
		}
	}
	return b.Rows()
}

func counted(t *testing.T, rows sparse.Rows, trials int) *verdict.Verdict {
	t.Helper()
	v, err := verdict.Counts(context.Background(), pass.NewLocal(rows, 0), trials, verdict.Settings{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestCountsOfOnePopulation(t *testing.T) {
	v := counted(t, counts(1, 400, 60, 1, 0, .5), 0)
	if v.Groups != 1 || !v.Sure || v.Reason != "Records differ in how many features they have, not in which." {
		t.Errorf("an amount alone: %+v", v)
	}
	for _, order := range []int{1, 3} {
		if v := counted(t, counts(2, 400, 60, 1, order, .4), 0); v.Groups != 1 {
			t.Errorf("counts that scatter (order %d): %+v", order, v)
		}
	}
}

// TestLostCounts: one population of which two records in five lost the counts of their most
// frequent feature, whatever else they have.
func TestLostCounts(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 0))
	b := sparse.NewBuilder(20, false)
	for range 800 {
		var index []uint32
		var value []float32
		for j := range 20 {
			v := 2 + r.IntN(5)
			if j == 4 {
				v = 60 + r.IntN(20)
			}
			if j != 4 || r.Float64() < .6 {
				index, value = append(index, uint32(j)), append(value, float32(v))
			}
		}
		if err := b.Add(index, value); err != nil {
			t.Fatal(err)
		}
	}
	if v := counted(t, b.Rows(), 0); v.Groups != 1 || v.Sure || v.Range[1] < 2 {
		t.Errorf("counts that were lost: %+v", v)
	}
}

func TestGroupsOfCounts(t *testing.T) {
	for _, order := range []int{0, 3} {
		v := counted(t, counts(3, 400, 60, 3, order, .4), 0)
		if v.Groups != 3 || v.Found == nil || v.Found.K() != 3 || v.Repeat < .9 || v.Fewer == nil || v.Fewer.Nats < 3 {
			t.Errorf("three groups (order %d): %+v", order, v)
		}
	}
}

// copies draws n individuals of k populations over d loci, of which runs repeat
// the first; a share of the cells is missing.
func copies(seed uint64, n, d, k, run int, missing float64) sparse.Rows {
	r := stream.New(seed, "test/copies")
	p := make([]float64, k*d)
	for j := range d {
		base := .2 + .6*r.Float64()
		for g := range k {
			p[g*d+j] = min(max(base+.2*r.NormFloat64(), .02), .98)
			if k == 1 {
				p[j] = base
			}
		}
	}
	b := sparse.NewBuilder(d, false)
	for range n {
		g := r.IntN(k)
		var index []uint32
		var value []float32
		old := 0
		for j := range d {
			if run == 0 || j%run == 0 {
				old = 0
				for range 2 {
					if r.Float64() < p[g*d+j] {
						old++
					}
				}
			}
			v := float32(old)
			if r.Float64() < missing {
				v = float32(math.NaN())
			}
			if v != 0 {
				index, value = append(index, uint32(j)), append(value, v)
			}
		}
		if err := b.Add(index, value); err != nil {
			panic(err)
		}
	}
	return b.Rows()
}

func TestCopiesOfAlleles(t *testing.T) {
	if v := counted(t, copies(1, 300, 200, 1, 0, 0), 2); v.Groups != 1 || v.Reason != "No groups: the features do not go together." {
		t.Errorf("one population: %+v", v)
	}
	if v := counted(t, copies(2, 300, 200, 1, 10, 0), 2); v.Groups != 1 {
		t.Errorf("one population whose loci are linked: %+v", v)
	}
	if v := counted(t, copies(3, 300, 200, 3, 0, .1), 2); v.Groups != 3 || v.Repeat < .9 {
		t.Errorf("three populations, a tenth of the copies missing: %+v", v)
	}
}

// Few records, records without a count and equal ones neither panic nor make
// groups that nobody is in.
func TestFewCounts(t *testing.T) {
	for n := range 14 {
		for _, trials := range []int{0, 2} {
			rows := counts(uint64(n), n, 5, 2, 0, 0)
			if trials > 0 {
				rows = copies(uint64(n), n, 5, 2, 0, .2)
			}
			v := counted(t, rows, trials)
			if v.Groups < 1 || v.Groups > max(n, 1) || v.Reason == "" {
				t.Errorf("%d records: %+v", n, v)
			}
			if v.Found == nil {
				continue
			}
			label := make([]int32, n)
			v.Found.Place(pass.Block{Rows: rows}, label)
			seen := map[int32]bool{}
			for _, l := range label {
				seen[l] = true
			}
			if len(seen) != v.Groups {
				t.Errorf("%d records: %d of %d groups hold somebody", n, len(seen), v.Groups)
			}
		}
	}
	b := sparse.NewBuilder(3, false)
	for i := range 60 {
		var index []uint32
		var value []float32
		if i%2 == 0 {
			index, value = []uint32{0, 2}, []float32{30, 4}
		}
		if err := b.Add(index, value); err != nil {
			t.Fatal(err)
		}
	}
	if v := counted(t, b.Rows(), 0); v.Groups != 1 {
		t.Errorf("equal records and empty ones: %+v", v)
	}
}

func TestCountsAreWhole(t *testing.T) {
	b := sparse.NewBuilder(2, false)
	for range 20 {
		if err := b.Add([]uint32{0, 1}, []float32{1.5, 2}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := verdict.Counts(context.Background(), pass.NewLocal(b.Rows(), 1), 0, verdict.Settings{}); err == nil {
		t.Error("measurements were judged as counts")
	}
}

func TestSameCountsForWorkersMemoryAndDisk(t *testing.T) {
	numtest.NotShort(t)
	rows := counts(7, 4500, 50, 2, 3, .3)
	var first string
	for _, workers := range []int{1, 2, 8} {
		runs := []pass.Runner{pass.NewLocal(rows, workers)}
		if workers == 2 {
			runs = append(runs, pass.NewStream(pass.ShapeOf(rows), func() (pass.Blocks, error) { return &blocks{rows: rows}, nil }, workers))
		}
		for _, run := range runs {
			v, err := verdict.Counts(context.Background(), run, 0, verdict.Settings{Seed: 1, Workers: workers})
			if err != nil {
				t.Fatal(err)
			}
			text, err := json.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			if first == "" {
				first = string(text)
			}
			if string(text) != first {
				t.Errorf("%d workers, %T: %s, want %s", workers, run, text, first)
			}
		}
	}
	if !strings.Contains(first, `"groups":2`) {
		t.Errorf("two groups in 5,000 records: %s", first)
	}
}
