package verdict_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/progress"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/internal/verdict"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// presences draws n records of k groups of equal weight, spread s apart, whose
// amounts have the standard deviation sd.
func presences(seed uint64, n, d, k int, s, sd float64) sparse.Rows {
	r := stream.New(seed, "test")
	center := make([]float64, k*d)
	for j := range d {
		base := -1 + r.NormFloat64()
		for g := range k {
			center[g*d+j] = base + s*r.NormFloat64()
		}
	}
	b := sparse.NewBuilder(d, true)
	for range n {
		g, t := r.IntN(k), sd*r.NormFloat64()
		var row []uint32
		for j := range d {
			if r.Float64() < logistic(center[g*d+j]+t) {
				row = append(row, uint32(j))
			}
		}
		if err := b.Add(row, nil); err != nil {
			panic(err)
		}
	}
	return b.Rows()
}

func judged(t *testing.T, rows sparse.Rows, questions [][2]int) *verdict.Verdict {
	t.Helper()
	v, err := verdict.Discrete(context.Background(), pass.NewLocal(rows, 0), questions, verdict.Settings{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestAmountIsNoGroup(t *testing.T) {
	v := judged(t, presences(1, 1000, 20, 1, 0, 1.2), nil)
	if v.Groups != 1 || v.Continuum != "amount" || v.Reason != "Records differ in how many features they have, not in which." {
		t.Errorf("an amount alone: %+v", v)
	}
}

// Five tests that find nearly all of the ill and hardly one of the healthy show two groups:
// people differ in how many are positive, in two heaps.
func TestTwoHeapsOfTotals(t *testing.T) {
	r, b := stream.New(5, "test"), sparse.NewBuilder(5, true)
	for range 1000 {
		p := .08
		if r.Float64() < .4 {
			p = .9
		}
		var row []uint32
		for j := range 5 {
			if r.Float64() < p {
				row = append(row, uint32(j))
			}
		}
		if err := b.Add(row, nil); err != nil {
			t.Fatal(err)
		}
	}
	if v := judged(t, b.Rows(), nil); v.Groups != 2 {
		t.Errorf("two groups of five tests: %d, %s", v.Groups, v.Reason)
	}
}

// Five scales of four questions each are five lines, and no groups.
func TestScalesAreNoGroups(t *testing.T) {
	if testing.Short() {
		t.Skip("four questions of five scales take two seconds")
	}
	const n, scales, each, answers = 2000, 5, 4, 5
	r, b := stream.New(6, "test"), sparse.NewBuilder(scales*each*answers, true)
	var questions [][2]int
	for q := range scales * each {
		questions = append(questions, [2]int{q * answers, (q + 1) * answers})
	}
	for range n {
		var row []uint32
		for s := range scales {
			trait := .9 * r.NormFloat64()
			for q := range each {
				a := min(max(math.Round(2+trait+.8*r.NormFloat64()), 0), answers-1)
				row = append(row, uint32((s*each+q)*answers)+uint32(a))
			}
		}
		if err := b.Add(row, nil); err != nil {
			t.Fatal(err)
		}
	}
	if v := judged(t, b.Rows(), questions); v.Groups != 1 || v.Continuum != "many trends" {
		t.Errorf("five scales: %d groups, %s, %s", v.Groups, v.Continuum, v.Reason)
	}
}

func TestNothingInCommon(t *testing.T) {
	v := judged(t, presences(2, 1000, 20, 1, 0, 0), nil)
	if v.Groups != 1 || v.Continuum != "none" || !strings.HasPrefix(v.Reason, "No groups") {
		t.Errorf("independent features: %+v", v)
	}
}

// Codes that come in packages make many combinations and no groups.
func TestPackagesAreNoGroups(t *testing.T) {
	const each = 5
	d, sets := numtest.Scale(20, 40, 40), numtest.Scale(3, 6, 6)
	r := stream.New(4, "test")
	b := sparse.NewBuilder(d, true)
	for range numtest.Scale(400, 1200, 1200) {
		var row []uint32
		whole := false
		for j := range d {
			if j%each == 0 {
				whole = j < sets*each && r.Float64() < .3
			}
			if p := .1; r.Float64() < p || whole && r.Float64() < .9 {
				row = append(row, uint32(j))
			}
		}
		if err := b.Add(row, nil); err != nil {
			t.Fatal(err)
		}
	}
	for name, run := range map[string]pass.Runner{"records": pass.NewLocal(b.Rows(), 0), "sums": pass.Double(pass.NewLocal(b.Rows(), 0))} {
		if testing.Short() && name == "sums" {
			continue
		}
		v, err := verdict.Discrete(t.Context(), run, nil, verdict.Settings{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		if v.Groups != 1 || v.Continuum != "sets" && name == "records" {
			t.Errorf("packages of codes, by %s: %d groups, %q: %s", name, v.Groups, v.Continuum, v.Reason)
		}
	}
}

func TestGroupsAreFound(t *testing.T) {
	for _, amount := range []float64{1, 0}[:numtest.Scale(1, 2, 2)] {
		v := judged(t, presences(3, 1000, 30, 3, 1.5, amount), nil)
		if v.Groups != 3 || v.Components != 3 || v.Evidence.Nats < 5*v.Evidence.Error || v.Fewer == nil {
			t.Errorf("three groups, amount %v: %+v", amount, v)
		}
		if want := map[float64]string{0: "none", 1: "amount"}[amount]; v.Continuum != want {
			t.Errorf("three groups, amount %v: continuum %q", amount, v.Continuum)
		}
	}
}

func TestAnswers(t *testing.T) {
	r := stream.New(4, "test")
	const k, d, answers = 3, 10, 4
	var p [k * d * answers]float64
	for i := range p {
		p[i] = r.ExpFloat64() * r.ExpFloat64()
	}
	var questions [][2]int
	for j := range d {
		questions = append(questions, [2]int{j * answers, (j + 1) * answers})
	}
	b := sparse.NewBuilder(d*answers, true)
	for range 1000 {
		g := r.IntN(k)
		var row []uint32
		for j := range d {
			if r.Float64() < .1 {
				continue // no answer
			}
			row = append(row, uint32(j*answers+pick(r, p[(g*d+j)*answers:][:answers])))
		}
		if err := b.Add(row, nil); err != nil {
			t.Fatal(err)
		}
	}
	if v := judged(t, b.Rows(), questions); v.Groups != k {
		t.Errorf("three groups of answers: %+v", v)
	}
}

func pick(r *rand.Rand, p []float64) int {
	sum := 0.0
	for _, v := range p {
		sum += v
	}
	u := r.Float64() * sum
	for i, v := range p {
		if u -= v; u < 0 {
			return i
		}
	}
	return len(p) - 1
}

// Equal records beyond chance are counted once: copies prove nothing.
func TestCopiesProveNothing(t *testing.T) {
	few := presences(5, 150, 20, 1, 0, 0)
	list := make([]int, 0, 900)
	for i := range 900 {
		list = append(list, i%150)
	}
	v := judged(t, few.Pick(list), nil)
	if v.Groups != 1 || len(v.Against) == 0 || v.Against[len(v.Against)-1].Code != verdict.EqualOnes || v.Records > 150 {
		t.Errorf("every record six times: %+v", v)
	}
}

// A group made by three features that say the same thing rests on few.
func TestFewFeatures(t *testing.T) {
	r := stream.New(6, "test")
	b := sparse.NewBuilder(15, true)
	for range 800 {
		in := r.Float64() < .4
		var row []uint32
		for j := range 15 {
			p := .3
			if j < 3 {
				p = .05
				if in {
					p = .95
				}
			}
			if r.Float64() < p {
				row = append(row, uint32(j))
			}
		}
		if err := b.Add(row, nil); err != nil {
			t.Fatal(err)
		}
	}
	v := judged(t, b.Rows(), nil)
	found := false
	for _, d := range v.Against {
		found = found || d.Code == verdict.FewFeatures
	}
	if v.Groups > 1 && !found {
		t.Errorf("three tied features among fifteen: %+v", v)
	}
}

func TestSmallAndConstant(t *testing.T) {
	for n := 0; n < 40; n += numtest.Scale(6, 1, 1) {
		for _, d := range []int{1, 2, 7} {
			if v := judged(t, presences(uint64(n), n, d, 1, 0, 1), nil); v.Groups < 1 || v.Range[0] < 1 || v.Sure || v.Reason == "" {
				t.Errorf("%d records of %d features: %+v", n, d, v)
			}
		}
	}
	b := sparse.NewBuilder(3, true)
	for range 500 {
		_ = b.Add([]uint32{1}, nil)
	}
	if v := judged(t, b.Rows(), nil); v.Groups != 1 {
		t.Errorf("equal records: %+v", v)
	}
	if v := judged(t, b.Rows(), [][2]int{{0, 3}}); v.Groups != 1 {
		t.Errorf("one answer only: %+v", v)
	}
}

func TestValuesAreRefused(t *testing.T) {
	rows := sparse.Rows{Dim: 2, Dense: []float64{1, 2, 3, 4}}
	if _, err := verdict.Discrete(context.Background(), pass.NewLocal(rows, 1), nil, verdict.Settings{}); err == nil {
		t.Error("measurements were judged as presences")
	}
}

// blocks yields rows block by block, as a file does.
type blocks struct {
	rows sparse.Rows
	at   int
}

func (b *blocks) Next() (pass.Block, error) {
	if b.at >= b.rows.N() {
		return pass.Block{}, io.EOF
	}
	lo, hi := b.at, min(b.at+pass.BlockRecords, b.rows.N())
	b.at = hi
	return pass.Block{First: lo, Rows: b.rows.Slice(lo, hi)}, nil
}

func (b *blocks) Close() error { return nil }

func TestSameForWorkersMemoryAndDisk(t *testing.T) {
	n := numtest.Scale(4500, 9000, 9000) // several blocks
	rows := presences(8, n, 12, 2, 1.5, .5)
	var first string
	for _, workers := range numtest.Workers() {
		for _, run := range []pass.Runner{
			pass.NewLocal(rows, workers),
			pass.NewStream(pass.ShapeOf(rows), func() (pass.Blocks, error) { return &blocks{rows: rows}, nil }, workers),
		} {
			if testing.Short() && (workers == 1) != run.Can().Kept {
				continue // one core in memory, many on disk
			}
			v, err := verdict.Discrete(context.Background(), run, nil, verdict.Settings{Seed: 1, Workers: workers})
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
	if !strings.Contains(first, `"groups":2,"range":[2,2]`) || strings.Contains(first, "records\":") {
		t.Errorf("two groups in %d records: %s", n, first)
	}
}

// With more cores than folds, fits of one population are made beside the climb, and groups
// more and less side by side: nothing else may come of it.
func TestSeveralGroupsForAnyWorkers(t *testing.T) {
	rows := presences(9, numtest.Scale(800, 1600, 1600), 30, 6, 2, .4)
	var first string
	for _, workers := range numtest.Workers() {
		v, err := verdict.Discrete(context.Background(), pass.NewLocal(rows, workers), nil, verdict.Settings{Seed: 1, Workers: workers})
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
		if string(text) != first || v.Groups < 4 {
			t.Errorf("%d workers: %s, want %s of several groups", workers, text, first)
		}
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := verdict.Discrete(ctx, pass.NewLocal(presences(8, 500, 10, 2, 1, 0), 0), nil, verdict.Settings{}); err == nil {
		t.Error("a cancelled verdict gave an answer")
	}
}

// A verdict tells how far it is while it fits, never backwards, and ends where it
// stands when nobody wants it any more.
func TestCancelledAmidFits(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var mu sync.Mutex
	var last int64
	shown, after := 0, 0
	ctx = progress.With(ctx, func(e progress.Event) {
		mu.Lock()
		defer mu.Unlock()
		if ctx.Err() != nil {
			after++
		}
		if e.Total > 0 {
			shown++
			if e.Done < last || e.Done > e.Total {
				t.Errorf("%d of %d after %d", e.Done, e.Total, last)
			}
			last = e.Done
		}
		if e.Done >= 26 {
			cancel()
		}
	})
	v, err := verdict.Discrete(ctx, pass.NewLocal(presences(8, 500, 10, 2, 1, 0), 0), nil, verdict.Settings{Workers: 2})
	if v != nil || !errors.Is(err, context.Canceled) || shown < 10 || after > 4 {
		t.Errorf("%v, %v: told %d times, %d of them when nobody listened", v, err, shown, after)
	}
}
