package spread

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/pass"
)

// ErrReached ends a fit that follows, once its pieces are written.
var ErrReached = errors.New("the round that was asked for is summed up")

// Follower is the book of a side that adds up pieces of one round.
type Follower struct {
	Folder Folder
	Pieces []int
	Data   *dataset.File
	// Whole says that the fit looks at all records, not through sums alone: visits
	// see all of them, and not those of the pieces only.
	Whole   bool
	Workers int

	asked Asked
}

// Open reads what is asked for in a round.
func (f *Follower) Open(round int) error {
	if _, err := readNumbers(f.Folder.asked(round), &f.asked); err != nil {
		return err
	}
	if c := f.asked.Cut; c.Blocks != f.Data.Blocks() || c.Pieces() < 1 {
		return fmt.Errorf("spread: round %d is of %d blocks, and %s has %d", round, c.Blocks, f.Data.Name(), f.Data.Blocks())
	}
	for _, p := range f.Pieces {
		if p < 0 || p >= f.asked.Cut.Pieces() {
			return fmt.Errorf("spread: round %d has pieces 0 to %d, not %d", round, f.asked.Cut.Pieces()-1, p)
		}
	}
	return nil
}

// Blocks returns the blocks of all pieces, in order.
func (f *Follower) Blocks() []int {
	var out []int
	for _, p := range f.Pieces {
		_ = f.asked.Cut.each(p, func(b int) error { // no error without one of the yield
			out = append(out, b)
			return nil
		})
	}
	slices.Sort(out)
	return out
}

// Sum implements pass.Book.
func (f *Follower) Sum(ctx context.Context, r pass.Round, s pass.Sum) ([]float64, error) {
	if r.Number != f.asked.Round.Number {
		return f.known(r)
	}
	if err := inStep(r, f.asked.Round); err != nil {
		return nil, err
	}
	if s.Len() != f.asked.Size {
		return nil, fmt.Errorf("spread: a state of %d numbers where %d are asked for", s.Len(), f.asked.Size)
	}
	if err := par.Do(ctx, f.Workers, len(f.Pieces), func(i int) error { return f.piece(s, f.Pieces[i]) }); err != nil {
		return nil, err
	}
	return nil, ErrReached
}

// piece adds up the blocks of a piece, in order.
func (f *Follower) piece(s pass.Sum, piece int) error {
	state := make([]float64, s.Len())
	err := f.blocks(piece, func(b pass.Block) error { return s.Add(state, b) })
	if err != nil {
		return err
	}
	return writeNumbers(f.Folder.piece(f.asked.Round.Number, piece), f.asked.Round, state)
}

func (f *Follower) blocks(piece int, yield func(pass.Block) error) error {
	return f.asked.Cut.each(piece, func(i int) error {
		b, err := f.Data.Rows(i)
		if err != nil {
			return fmt.Errorf("%s, block %d: %w", f.Data.Name(), i, err)
		}
		return yield(b)
	})
}

// Note implements pass.Book.
func (f *Follower) Note(_ context.Context, r pass.Round, _ func() ([]float64, error)) ([]float64, error) {
	return f.known(r)
}

// known returns the total of an earlier round.
func (f *Follower) known(r pass.Round) ([]float64, error) {
	var of pass.Round
	x, err := readNumbers(f.Folder.total(r.Number), &of)
	if err != nil {
		return nil, err
	}
	return x, inStep(r, of)
}

// Copied implements pass.Book.
func (f *Follower) Copied(_ context.Context, number int, _ func() ([]pass.Block, error)) ([]pass.Block, error) {
	return readCopies(f.Folder.copied(number))
}

// Show implements pass.Book.
func (f *Follower) Show(ctx context.Context, visit func(pass.Block) error, own func() error) error {
	if f.Whole {
		return own()
	}
	return par.Do(ctx, f.Workers, len(f.Pieces), func(i int) error { return f.blocks(f.Pieces[i], visit) })
}

// Fault tells the side that leads why pieces were not added up.
func (f *Follower) Fault(why error) error {
	var err error
	for _, p := range f.Pieces {
		err = errors.Join(err, put(f.Folder.fault(f.asked.Round.Number, p), []byte(why.Error())))
	}
	return err
}

// inStep refuses a round that is another than the one of the side that leads.
func inStep(r, want pass.Round) error {
	if why := r.Differs(want); why != "" {
		return fmt.Errorf("spread: this process is out of step with the fit in round %d: %s (use the same program on all machines)", want.Number, why)
	}
	return nil
}
