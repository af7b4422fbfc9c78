package fit_test

import (
	"context"
	"math"
	"os"
	"reflect"
	"testing"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"
)

// Laws of the waits from the two states of waiting, and how much sequences differ
// from each other.
var (
	waitMean = []float64{math.Log(60), math.Log(14)}
	waitSD   = []float64{.5, .8}
)

const ownPace = .3

// waiting draws n sequences of two states: a state shows its own symbol in four
// steps of five. One step of twenty is blank. Every sequence has a pace of its own.
func waiting(seed uint64, n, workers int, other float64) fit.Training {
	r, b, steps := stream.New(seed, "waiting"), sparse.NewBuilder(2, true), []int{0}
	var at []float64
	for range n {
		state, t, pace := r.IntN(2), 0.0, ownPace*r.NormFloat64()
		for range 4 + r.IntN(8) {
			symbol := state
			if r.Float64() < other {
				symbol = 1 - state
			}
			row := []uint32{uint32(symbol)}
			if r.Float64() < .05 {
				row = nil
			}
			_ = b.Add(row, nil)
			at = append(at, t)
			t += math.Exp(waitMean[state] + pace + math.Sqrt(waitSD[state]*waitSD[state]-ownPace*ownPace)*r.NormFloat64())
			if r.Float64() < .15 {
				state = 1 - state
			}
		}
		steps = append(steps, b.N())
	}
	rows := b.Rows()
	return fit.Training{
		Run: pass.NewSequences(rows, steps, workers), Vocab: vocab.Numbered(2),
		Kind: record.Presence, Sequences: true, Fingerprint: "waiting",
		Times: func(context.Context) (*dataset.Times, error) { return &dataset.Times{At: at, Days: true}, nil },
	}
}

// waitsOf returns the waits of a fit, those of the state of symbol 0 first.
func waitsOf(t *testing.T, data fit.Training, workers int) (mean, sd, se []float64) {
	t.Helper()
	out, err := fit.Flat(context.Background(), data, fit.Settings{K: 2, Seed: 1, Workers: workers})
	if err != nil {
		t.Fatal(err)
	}
	w := out.Model.Provenance.Waits
	if w == nil || !w.Days {
		t.Fatalf("waits %+v", w)
	}
	a, b := 0, 1
	if out.Model.Params.Centers.At(0, 0) < out.Model.Params.Centers.At(0, 1) {
		a, b = 1, 0
	}
	pick := func(v []float64) []float64 { return []float64{v[a], v[b]} }
	return pick(w.Mean), pick(w.SD), pick(w.Error)
}

// The intervals of the median waits hold what they promise, though the states are
// not seen, show the other's symbol in a fifth or a quarter of the steps, and sequences
// differ in their pace. Draws that no choice was made on; the limit is three standard
// errors of a coverage of .95 away.
func TestWaitsCoverTheTruth(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: ten fits")
	}
	draws, least := 5, .8
	if os.Getenv("MOIETY_LONG") != "" {
		draws, least = 200, .917
	}
	for _, other := range []float64{.2, .25} {
		held, sum := 0, []float64{0, 0}
		for seed := range uint64(draws) {
			mean, _, se := waitsOf(t, waiting(7000+seed, 250, 2, other), 2)
			for j, m := range mean {
				sum[j] += m / float64(draws)
				if math.Abs(m-waitMean[j]) <= mixture.WaitQuantile*se[j] {
					held++
				}
			}
		}
		t.Logf("%d of %d intervals hold the truth", held, 2*draws)
		if share := float64(held) / float64(2*draws); share < least {
			t.Errorf("%.3f of the intervals hold the truth, want .95", share)
		}
		for j, m := range sum {
			if numtest.Off(m, waitMean[j], .05) {
				t.Errorf("state %d: mean of the logarithms %.3f in the mean, want %.3f", j, m, waitMean[j])
			}
		}
	}
}

// More sequences come nearer, on any number of cores.
func TestWaits(t *testing.T) {
	var first []float64
	for _, workers := range numtest.Workers() {
		mean, sd, se := waitsOf(t, waiting(7, numtest.Scale(400, 800, 800), workers, .2), workers)
		for j := range mean {
			if numtest.Off(mean[j], waitMean[j], .1) || numtest.Off(sd[j], waitSD[j], .1) || !(se[j] > 0 && se[j] < .05) {
				t.Errorf("state %d: mean %.3f, sd %.3f, error %.4f; want %.3f, %.3f", j, mean[j], sd[j], se[j], waitMean[j], waitSD[j])
			}
		}
		if first == nil {
			first = mean
		} else if !reflect.DeepEqual(mean, first) {
			t.Errorf("%d workers: %v, one: %v", workers, mean, first)
		}
	}
}

// Steps at regular times have no waits worth telling, and neither have steps
// without times.
func TestNoWaits(t *testing.T) {
	data := waiting(3, 200, 2, .2)
	for _, times := range []func(context.Context) (*dataset.Times, error){
		nil,
		func(context.Context) (*dataset.Times, error) { return nil, nil },
		func(context.Context) (*dataset.Times, error) {
			at := make([]float64, data.Run.Can().OwnRows)
			for i := range at {
				at[i] = float64(i)
			}
			return &dataset.Times{At: at}, nil
		},
	} {
		data.Times = times
		out, err := fit.Flat(context.Background(), data, fit.Settings{K: 2, Seed: 1})
		if err != nil || out.Model.Provenance.Waits != nil {
			t.Errorf("waits %+v, error %v", out.Model.Provenance.Waits, err)
		}
	}
}
