package verdict

import (
	"math"
	"slices"
	"testing"

	"github.com/moiety-go/moiety/internal/stream"
)

func TestRisenIsTheLikeliestWithOneHeap(t *testing.T) {
	r := stream.New(1, "test/risen")
	for range 50 {
		records := make([]float64, 12)
		for i := range records {
			records[i] = math.Floor(20 * r.Float64())
		}
		got := risen(records)
		value := func(w []float64) (sum float64) {
			for i, n := range records {
				sum += (n + 1/float64(len(records))) * math.Log(w[i])
			}
			return sum
		}
		total, top := 0.0, slices.Index(got, slices.Max(got))
		for i, w := range got {
			total += w
			if i > 0 && (i <= top && w < got[i-1] || i > top && w > got[i-1]) {
				t.Fatalf("%v has weights of more than one heap: %v", records, got)
			}
		}
		near(t, "sum of the weights", total, 1, 1e-12)
		for range 50 { // other weights with one heap, and mixtures of them with these
			other, sum := make([]float64, len(got)), 0.0
			for i := range other {
				other[i] = r.ExpFloat64()
				sum += other[i]
			}
			slices.Sort(other)
			mode := r.IntN(len(other))
			slices.Reverse(other[mode:])
			for i := range other {
				other[i] = .9*got[i] + .1*other[i]/sum
			}
			if !oneTop(other) {
				continue
			}
			if value(other) > value(got)+1e-9 {
				t.Fatalf("%v: weights %v are likelier than %v", records, other, got)
			}
		}
	}
}

func oneTop(w []float64) bool {
	top := slices.Index(w, slices.Max(w))
	return slices.IsSorted(w[:top+1]) && slices.IsSorted(reversed(w[top:]))
}

// A line is described as well by one heap of any shape as by two, and a steep one, whose
// positions are seen sharply, better than by few places.
func TestOneHeapOfAnyShape(t *testing.T) {
	const d, n = 30, 1600
	for _, c := range []struct {
		name  string
		steep float64 // of the slopes
		law   func(normal float64) float64
		gain  float64 // nats over the shapes of a line, at least
	}{
		{"long-tailed", 1, func(x float64) float64 { return -(math.Exp(.8*x) - math.Exp(.32)) / 1.304 }, -3},
		{"steep", 4, func(x float64) float64 { return x }, 5},
	} {
		r := stream.New(2, "test/oneheap")
		b, a := make([]float64, d), make([]float64, d)
		for j := range b {
			b[j], a[j] = r.NormFloat64()-1, c.steep*(.2+1.8*r.Float64())
		}
		rows := make([][]uint32, n)
		for i := range rows {
			at := c.law(r.NormFloat64())
			for j := range d {
				if r.Float64() < 1/(1+math.Exp(-b[j]-a[j]*at)) {
					rows[i] = append(rows[i], uint32(j))
				}
			}
		}
		p := newPath(presenceLayout(d), newSample(rows[:n/2], d), 2, 1, "test", nil)
		test := newSample(rows[n/2:], d)
		score := func(kind continuum, groups int) float64 { return p.keptAside(test, candidate{groups, kind, noRepeats}) }
		line, heaps, free := score(oneTrend, 1), score(twoHeaps, 2), score(freeTrend, 1)
		if free < line+c.gain || free < heaps-3 {
			t.Errorf("records kept aside of a %s line: %.1f nats by one heap of any shape, %.1f by the shapes of a line, %.1f by two heaps", c.name, free, line, heaps)
		}
		if w := p.at(candidate{1, freeTrend, noRepeats}).nodes.weight; !oneTop(w) {
			t.Errorf("%s: weights with more than one heap: %v", c.name, w)
		}
	}
	if w := evenly().weight; math.Abs(w[0]-w[len(w)-1]) > 1e-15 {
		t.Error("the weights to begin with were changed")
	}
}

// keptAside is the log density of records kept aside by a candidate.
func (p *path) keptAside(test *sample, c candidate) (sum float64) {
	for i, v := range p.at(c).score(test, &p.st) {
		sum += test.count[i] * v
	}
	return sum
}
