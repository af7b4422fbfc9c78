package verdict

import (
	"context"
	"slices"

	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// walks are sequences in memory: sequence i is the rows steps[i] to steps[i+1].
type walks struct {
	rows  sparse.Rows
	steps []int
}

func (w *walks) n() int { return len(w.steps) - 1 }

func (w *walks) block() pass.Block { return pass.Block{Rows: w.rows, Steps: w.steps} }

func (w *walks) runner() *pass.Local { return pass.NewSequences(w.rows, w.steps, 1) }

// pick returns the listed sequences.
func (w *walks) pick(list []int) *walks {
	out := &walks{steps: []int{0}}
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
// what they hold alone. Few long sequences are cut into pieces: what is learned of
// one piece must hold in others.
func drawWalks(ctx context.Context, run pass.Runner) (*walks, []int, error) {
	size, err := pass.RunOne(ctx, run, stepCount{})
	if err != nil {
		return nil, nil, err
	}
	most := run.Len()
	if size[0] > stepsSeen {
		most = max(fewWalks, int(float64(run.Len())*stepsSeen/size[0]))
	}
	wanted, err := pass.Steady(ctx, run, most)
	if err != nil {
		return nil, nil, err
	}
	sorted := slices.Clone(wanted)
	slices.Sort(sorted)
	out := &walks{steps: []int{0}}
	some, err := pass.Copy(ctx, run, func(number int) bool {
		_, ok := slices.BinarySearch(sorted, number)
		return ok
	})
	if err != nil {
		return nil, nil, err
	}
	out.rows = some.Rows()
	lengths := make([]int, some.Len())
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
	return out.inPieces(), sorted, nil
}

// inPieces cuts few long sequences.
func (w *walks) inPieces() *walks {
	if w.n() >= fewWalks || w.rows.N() < 2*shortPiece {
		return w
	}
	length := max(shortPiece, w.rows.N()/fewWalks)
	out := &walks{rows: w.rows, steps: []int{0}}
	for i := range w.n() {
		lo, hi := w.steps[i], w.steps[i+1]
		parts := max(1, (hi-lo)/length)
		for p := range parts {
			out.steps = append(out.steps, lo+(hi-lo)*(p+1)/parts)
		}
	}
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
	switch {
	case w.rows.IsDense():
		return measured
	case !w.rows.IsBinary():
		return counted
	}
	for i := range w.rows.N() {
		if index, _ := w.rows.Row(i); len(index) > 1 {
			return sets
		}
	}
	return symbols
}
