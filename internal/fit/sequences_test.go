package fit_test

import (
	"context"
	"io"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"
)

// walked makes n sequences of 15 steps of which each shows one of d symbols; next
// gives the symbol from the state and the next state.
func walked(seed uint64, n, d, workers int, step func(r *rand.Rand, state int) (symbol, next int)) fit.Training {
	r, b, steps := stream.New(seed, "walked"), sparse.NewBuilder(d, true), []int{0}
	for range n {
		state := r.IntN(2)
		for range 15 {
			symbol, next := step(r, state)
			state = next
			_ = b.Add([]uint32{uint32(symbol)}, nil)
		}
		steps = append(steps, b.N())
	}
	rows := b.Rows()
	return fit.Training{
		Run: pass.NewSequences(rows, steps, workers), Vocab: vocab.Numbered(d),
		Kind: record.Presence, Sequences: true, Fingerprint: "walked",
	}
}

// onDisk reads sequences of 15 steps anew for every pass.
func onDisk(data fit.Training, n int) fit.Training {
	rows := *data.Run.Can().Rows
	data.Run = pass.NewStream(pass.Shape{Dim: rows.Dim, Records: n, Rows: rows.N(), Binary: true}, func() (pass.Blocks, error) { return &walkBlocks{rows: rows, n: n}, nil }, 2)
	return data
}

type walkBlocks struct {
	rows  sparse.Rows
	n, at int
}

func (b *walkBlocks) Next() (pass.Block, error) {
	if b.at >= b.n {
		return pass.Block{}, io.EOF
	}
	lo, hi := b.at, min(b.at+pass.BlockRecords, b.n)
	b.at = hi
	out := pass.Block{First: lo, Rows: b.rows.Slice(15*lo, 15*hi)}
	for i := lo; i <= hi; i++ {
		out.Steps = append(out.Steps, 15*i)
	}
	return out, nil
}

func (b *walkBlocks) Close() error { return nil }

// The number of states is left to the data: none without memory, two hidden ones,
// the symbols themselves where nothing is hidden, and the same on any number of
// cores.
func TestStatesAreJudged(t *testing.T) {
	numtest.NotShort(t)
	loose := func(r *rand.Rand, _ int) (int, int) { return r.IntN(6), 0 }
	two := func(r *rand.Rand, s int) (int, int) {
		symbol := s*3 + r.IntN(3)
		if r.Float64() < .1 {
			symbol = r.IntN(6)
		}
		if r.Float64() < .15 {
			s = 1 - s
		}
		return symbol, s
	}
	seen := func(r *rand.Rand, s int) (int, int) {
		if r.Float64() < .6 {
			return s, (s + 1) % 4
		}
		return s, s
	}
	for _, c := range []struct {
		name      string
		d, states int
		step      func(*rand.Rand, int) (int, int)
		words     string
	}{
		{"no memory", 6, 1, loose, "does not depend on the one before"},
		{"two states", 6, 2, two, "2 states that follow each other"},
		{"a chain that is seen", 4, 4, seen, "Nothing is hidden"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var first *fit.Outcome
			for _, workers := range numtest.Workers() {
				out, err := fit.Tree(context.Background(), walked(7, 240, c.d, workers, c.step), fit.Settings{Seed: 1, Workers: workers})
				if err != nil {
					t.Fatal(err)
				}
				v := out.Verdict
				if v.Groups != c.states || out.K() != c.states || !strings.Contains(v.Reason, c.words) {
					t.Fatalf("%d states (fit: %d), want %d: %s", v.Groups, out.K(), c.states, v.Reason)
				}
				if first == nil {
					first = out
				} else if !reflect.DeepEqual(v, first.Verdict) || !reflect.DeepEqual(out.Group, first.Group) {
					t.Errorf("%d workers: %+v, one: %+v", workers, v, first.Verdict)
				}
			}
			disk := onDisk(walked(7, 240, c.d, 1, c.step), 240)
			out, err := fit.Tree(context.Background(), disk, fit.Settings{Seed: 1, Workers: 2})
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(out.Verdict, first.Verdict) || !reflect.DeepEqual(out.Group, first.Group) {
				t.Errorf("on disk: %+v, in memory: %+v", out.Verdict, first.Verdict)
			}
		})
	}
}

// measuredWalks makes n sequences of 15 steps of one measured column, whose states all
// follow each other.
func measuredWalks(n, states int, value func(r *rand.Rand, state int) float64) fit.Training {
	r, steps := stream.New(3, "measured walks"), []int{0}
	var values []float64
	for range n {
		s := r.IntN(states)
		for range 15 {
			values = append(values, value(r, s))
			if r.Float64() < .15 {
				s = r.IntN(states)
			}
		}
		steps = append(steps, len(values))
	}
	return fit.Training{
		Run: pass.NewSequences(sparse.Rows{Dim: 1, Dense: values}, steps, 2), Vocab: vocab.Numbered(1),
		Kind: record.Real, Sequences: true, Fingerprint: "measured walks",
	}
}

// TestStatesOfOneColumn: one measured column shows as many states as it has, and where it
// has so few values that more states cannot be looked for nothing is sure.
func TestStatesOfOneColumn(t *testing.T) {
	numtest.NotShort(t)
	levels := func(r *rand.Rand, s int) float64 { return 10 + 4*float64(s) + r.NormFloat64() }
	out, err := fit.Tree(context.Background(), measuredWalks(240, 3, levels), fit.Settings{Seed: 1, Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	if v := out.Verdict; v.Groups != 3 || out.K() != 3 {
		t.Errorf("three levels: %+v", *v)
	}
	told, err := fit.Flat(context.Background(), measuredWalks(240, 5, levels), fit.Settings{Seed: 1, Workers: 2, K: 5})
	if err != nil {
		t.Fatal(err)
	}
	for j := range 5 {
		if c := told.Model.Params.Centers.At(0, j); numtest.Off(c, 10+4*math.Round((c-10)/4), .2) {
			t.Errorf("five levels, told: state %d at %v", j, c)
		}
	}
	switches := func(r *rand.Rand, s int) float64 { return float64(r.IntN(4) / 3) }
	out, err = fit.Tree(context.Background(), measuredWalks(240, 2, switches), fit.Settings{Seed: 1, Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	if v := out.Verdict; v.Groups != 1 || v.Sure || len(v.Against) == 0 {
		t.Errorf("two values: %+v", *v)
	}
}

func TestStatesHaveNoTree(t *testing.T) {
	data := walked(1, 30, 4, 1, func(r *rand.Rand, _ int) (int, int) { return r.IntN(4), 0 })
	_, err := fit.Tree(context.Background(), data, fit.Settings{Tree: fit.TreeShape{Leaves: 3}})
	if err == nil || !strings.Contains(err.Error(), "‹groups›") {
		t.Errorf("error %v, want one that names ‹groups›", err)
	}
	out, err := fit.Tree(context.Background(), walked(1, 5, 4, 1, func(r *rand.Rand, _ int) (int, int) { return r.IntN(4), 0 }), fit.Settings{})
	if err != nil || out.Verdict.Groups != 1 || out.Verdict.Sure {
		t.Errorf("five sequences: %+v, %v; want one state, not sure", out, err)
	}
}
