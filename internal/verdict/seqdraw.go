package verdict

import (
	"context"
	"slices"

	"github.com/moiety-go/moiety/internal/progress"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// walks are sequences in memory: sequence i is the rows steps[i] to steps[i+1]. Where
// they lie at several places, these are the ones here, and what is counted of them is
// added up over all.
type walks struct {
	rows   sparse.Rows
	steps  []int
	means  []float64 // of measurements: what each sequence had before a step
	places *strand   // nil where all sequences are here
	all    int       // sequences of all places, where there are several
	dates  *calendar // where it was asked for
	*pulse           // ends learning when nobody waits for it any more
}

// n is the number of sequences here.
func (w *walks) n() int { return len(w.steps) - 1 }

// many is that of all places.
func (w *walks) many() int {
	if w.places == nil {
		return w.n()
	}
	return w.all
}

func (w *walks) block() pass.Block { return pass.Block{Rows: w.rows, Steps: w.steps} }

// here is a runner over the sequences here.
func (w *walks) here() *pass.Local { return pass.NewSequences(w.rows, w.steps, 1) }

// runner is one over the sequences of all places.
func (w *walks) runner() pass.Runner { return w.places.runner(w.here()) }

// on returns the same sequences on another strand.
func (w *walks) on(own *strand) *walks {
	out := *w
	out.places = own
	return &out
}

// pick returns the listed sequences here, of so many at all places.
func (w *walks) pick(list []int, all int) *walks {
	out := &walks{steps: []int{0}, places: w.places, all: all, pulse: w.pulse}
	var rows []int
	for _, i := range list {
		for t := w.steps[i]; t < w.steps[i+1]; t++ {
			rows = append(rows, t)
		}
		out.steps = append(out.steps, len(rows))
	}
	out.rows = w.rows.Pick(rows)
	return out
}

const (
	stepsSeen  = 40000 // that are looked at
	fewWalks   = 60    // sequences below which long ones are cut into pieces
	shortPiece = 25    // steps of a piece at least
)

// drawWalks takes at most so many steps, of whole sequences; which ones depends on
// what they hold alone, over several places on their numbers among all. Few long
// sequences are cut into pieces: what is learned of one piece must hold in others.
func drawWalks(ctx context.Context, run pass.Runner) (*walks, []int, error) {
	size, err := pass.RunOne(ctx, run, stepCount{})
	if err != nil {
		return nil, nil, err
	}
	most := run.Len()
	if size[0] > stepsSeen {
		most = max(fewWalks, int(float64(run.Len())*stepsSeen/size[0]))
	}
	out := &walks{steps: []int{0}, places: strandOf(ctx, run), pulse: &pulse{ctx: progress.With(ctx, nil)}}
	wanted := wantedOf(run, most)
	if out.places == nil {
		if wanted, err = pass.Steady(ctx, run, most); err != nil {
			return nil, nil, err
		}
	}
	sorted := slices.Clone(wanted)
	slices.Sort(sorted)
	some, err := pass.Copy(ctx, run, func(number int) bool {
		_, ok := slices.BinarySearch(sorted, number-run.Can().First)
		return ok
	})
	if err != nil {
		return nil, nil, err
	}
	out.rows = some.Rows()
	lengths := make([]int, some.Can().Own)
	if _, err := some.Own(ctx, func(b pass.Block) error {
		for i := range b.N() {
			lengths[b.First+i] = b.Steps[i+1] - b.Steps[i]
		}
		return nil
	}); err != nil {
		return nil, nil, err
	}
	for _, l := range lengths {
		out.steps = append(out.steps, out.steps[len(out.steps)-1]+l)
	}
	out = out.inPieces()
	return out, sorted, out.places.failed()
}

// inPieces counts the sequences of all places, and cuts few long ones.
func (w *walks) inPieces() *walks {
	size := []float64{float64(w.n()), float64(w.rows.N())}
	w.places.add(size)
	w.all = int(size[0])
	rows := int(size[1])
	if w.many() >= fewWalks || rows < 2*shortPiece {
		return w
	}
	length := max(shortPiece, rows/fewWalks)
	out := &walks{rows: w.rows, steps: []int{0}, places: w.places, pulse: w.pulse}
	for i := range w.n() {
		lo, hi := w.steps[i], w.steps[i+1]
		parts := max(1, (hi-lo)/length)
		for p := range parts {
			out.steps = append(out.steps, lo+(hi-lo)*(p+1)/parts)
		}
	}
	out.all = int(w.places.one(float64(out.n())))
	return out
}

// stepCount counts the steps of all sequences.
type stepCount struct{}

func (stepCount) Len() int { return 1 }

func (stepCount) Add(state []float64, b pass.Block) error {
	state[0] += float64(b.Rows.N())
	return nil
}

// what the steps of sequences hold.
type stepKind int

const (
	symbols  stepKind = iota // one thing a step
	sets                     // several things a step, or none
	measured                 // numbers
	counted                  // several things with how often
)

func (w *walks) kind() stepKind {
	said := make([]float64, counted+1) // places, or steps, that show a kind
	switch {
	case w.rows.N() == 0:
	case w.rows.IsDense():
		said[measured]++
	case !w.rows.IsBinary():
		said[counted]++
	default:
		for i := range w.rows.N() {
			if index, _ := w.rows.Row(i); len(index) > 1 {
				said[sets]++
				break
			}
		}
	}
	w.places.add(said)
	for _, kind := range []stepKind{measured, counted, sets} {
		if said[kind] > 0 {
			return kind
		}
	}
	return symbols
}
