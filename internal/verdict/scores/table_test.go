package scores_test

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/internal/verdict/scores"
)

const near = 1e-9 // of sums of a few hundred numbers around 1

// drawn are scores of three explanations on records in three parts.
func drawn(n int) (scores.Records, [][]float64) {
	r := stream.New(1, "scores")
	of := scores.Records{Size: make([]float64, 3)}
	list := make([][]float64, 3)
	for range n {
		part, count := r.IntN(3), float64(1+r.IntN(3))
		of.Part, of.Count = append(of.Part, part), append(of.Count, count)
		of.Size[part] += count
		for e := range list {
			list[e] = append(list[e], -10-float64(e)*.1+r.NormFloat64())
		}
	}
	return of, list
}

// slowly is Against by its definition: the difference of every record, and n times the
// variance of these differences.
func slowly(of scores.Records, x, y []float64, from, to int) (nats, err float64) {
	n, mean, square := 0.0, 0.0, 0.0
	for i, part := range of.Part {
		if part >= from && part < to {
			n += of.Count[i]
			mean += of.Count[i] * (x[i] - y[i])
		}
	}
	for i, part := range of.Part {
		if d := x[i] - y[i] - mean/n; part >= from && part < to {
			square += of.Count[i] * d * d
		}
	}
	return mean, math.Sqrt(square)
}

func TestAgainst(t *testing.T) {
	of, list := drawn(300)
	table := scores.New(of, cmp.Compare[string])
	table.Enter([]string{"b", "a"}, list[:2])
	table.Enter([]string{"c", "none"}, [][]float64{list[2], nil})
	names := map[string][]float64{"b": list[0], "a": list[1], "c": list[2]}
	for _, parts := range [][2]int{{0, 3}, {0, 1}, {1, 3}} {
		for x, sx := range names {
			for y, sy := range names {
				nats, err := table.Against(x, y, parts[0], parts[1])
				wantNats, wantErr := slowly(of, sx, sy, parts[0], parts[1])
				if !(math.Abs(nats-wantNats) < near && math.Abs(err-wantErr) < near) {
					t.Errorf("%s against %s in %v: %v ± %v, want %v ± %v", x, y, parts, nats, err, wantNats, wantErr)
				}
			}
		}
	}
	if got := table.Sorted(func(string) bool { return true }); !slices.Equal(got, []string{"a", "b", "c"}) {
		t.Errorf("sorted: %v", got)
	}
	if v, ok := table.Scores("none"); !ok || v != nil || !math.IsInf(table.Total("none", 0, 3), -1) {
		t.Errorf("an explanation without a fit: %v, %v", v, ok)
	}
	if best, ok := table.Best(0, 3, func(e string) bool { return e != "b" }); !ok || best != "a" {
		t.Errorf("the best of a and c is %q", best)
	}
	if _, ok := table.Best(0, 3, func(e string) bool { return e == "none" }); ok {
		t.Error("an explanation without a fit is the best")
	}
	table.Strike("a")
	if best, _ := table.Best(0, 3, func(e string) bool { return e != "b" }); best != "c" {
		t.Errorf("without a the best is %q", best)
	}
}

// Of equals the first in their order is the best.
func TestEquals(t *testing.T) {
	table := scores.New(scores.Records{Part: []int{0}, Size: []float64{1}}, cmp.Compare[int])
	table.Enter([]int{3, 1, 2}, [][]float64{{-1}, {-1}, {-2}})
	if best, _ := table.Best(0, 1, func(int) bool { return true }); best != 1 {
		t.Errorf("best %d, want 1", best)
	}
}

// Two places that add up their sums have the differences of one place with all records,
// in one exchange for what is entered together.
func TestPlaces(t *testing.T) {
	of, list := drawn(200)
	whole := scores.New(of, cmp.Compare[int])
	whole.Enter([]int{0, 1, 2}, list)

	const cut = 80
	first := scores.Records{Part: of.Part[:cut], Count: of.Count[:cut], Size: of.Size}
	second := scores.Records{Part: of.Part[cut:], Count: of.Count[cut:], Size: of.Size}
	meet := make(chan [][]float64)
	exchanges := 0
	first.Add = func(sums ...[]float64) {
		exchanges++
		other := <-meet
		for i, s := range sums {
			for p := range s {
				s[p] += other[i][p]
				other[i][p] = s[p]
			}
		}
		meet <- nil
	}
	second.Add = func(sums ...[]float64) {
		meet <- sums
		<-meet
	}
	tables := []*scores.Table[int]{scores.New(first, cmp.Compare[int]), scores.New(second, cmp.Compare[int])}
	done := make(chan bool)
	go func() {
		tables[1].Enter([]int{0, 1, 2}, [][]float64{list[0][cut:], list[1][cut:], list[2][cut:]})
		close(done)
	}()
	tables[0].Enter([]int{0, 1, 2}, [][]float64{list[0][:cut], list[1][:cut], list[2][:cut]})
	<-done
	if exchanges != 1 {
		t.Errorf("%d exchanges", exchanges)
	}
	for _, table := range tables {
		nats, err := table.Against(1, 2, 0, 3)
		wantNats, wantErr := whole.Against(1, 2, 0, 3)
		if !(math.Abs(nats-wantNats) < near && math.Abs(err-wantErr) < near) {
			t.Errorf("%v ± %v, want %v ± %v", nats, err, wantNats, wantErr)
		}
	}
}
