package spread

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/pass"
)

// Leader is the book of the side that leads a fit.
type Leader struct {
	Folder Folder
	Blocks int
	Shards int // 0 cuts into lanes
	// Do has the pieces of a round added up by others, and returns when they are,
	// or it knows that they will not be.
	Do func(ctx context.Context, round int, pieces []int) error
	// Limit is the time that a round may take before what is missing is asked for
	// again; 0 waits.
	Limit time.Duration
}

// tries is how often pieces are asked for: a process may be killed, a node lost.
const tries = 3

// Sum implements pass.Book.
func (l *Leader) Sum(ctx context.Context, r pass.Round, s pass.Sum) ([]float64, error) {
	asked := Asked{Round: r, Size: s.Len(), Cut: newCut(l.Blocks, s.Len(), l.Shards)}
	if err := writeNumbers(l.Folder.asked(r.Number), asked, nil); err != nil {
		return nil, err
	}
	states := make([][]float64, asked.Cut.Pieces())
	var why error
	for range tries {
		missing := l.missing(states)
		if len(missing) == 0 {
			break
		}
		l.forget(r.Number, missing)
		if why = l.ask(ctx, r.Number, missing); ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err := l.collect(r, asked.Size, states); err != nil {
			return nil, err
		}
	}
	if missing := l.missing(states); len(missing) > 0 {
		return nil, l.unsummed(r, missing, why)
	}
	total := par.Join(states)
	for p := range states {
		os.Remove(l.Folder.piece(r.Number, p))
	}
	return total, writeNumbers(l.Folder.total(r.Number), r, total)
}

// ask has pieces added up, within the limit of time.
func (l *Leader) ask(ctx context.Context, round int, pieces []int) error {
	if l.Limit > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeoutCause(ctx, l.Limit, fmt.Errorf("it took longer than %v", l.Limit))
		defer stop()
	}
	err := l.Do(ctx, round, pieces)
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return err
}

func (l *Leader) missing(states [][]float64) (list []int) {
	for p, s := range states {
		if s == nil {
			list = append(list, p)
		}
	}
	return list
}

// forget removes what an earlier try may have left of pieces.
func (l *Leader) forget(round int, pieces []int) {
	for _, p := range pieces {
		os.Remove(l.Folder.piece(round, p))
		os.Remove(l.Folder.fault(round, p))
	}
}

// collect reads the states that are there; one that is damaged is not.
func (l *Leader) collect(r pass.Round, size int, states [][]float64) error {
	for p := range states {
		if states[p] != nil {
			continue
		}
		var of pass.Round
		x, err := readNumbers(l.Folder.piece(r.Number, p), &of)
		if err != nil {
			continue
		}
		if err := inStep(of, r); err != nil {
			return err
		}
		if len(x) != size {
			return fmt.Errorf("spread: piece %d of round %d has %d numbers, not %d", p, r.Number, len(x), size)
		}
		if states[p] = x; x == nil { // of a sum without numbers
			states[p] = []float64{}
		}
	}
	return nil
}

// unsummed says which pieces nobody added up, and why.
func (l *Leader) unsummed(r pass.Round, missing []int, why error) error {
	for _, p := range missing {
		if text, err := os.ReadFile(l.Folder.fault(r.Number, p)); err == nil {
			why = errors.Join(errors.New(strings.TrimSpace(string(text))), why)
			break
		}
	}
	if why == nil {
		why = errors.New("the command ended well and left no sums: do its processes see the folder of ‹work›?")
	}
	return fmt.Errorf("spread: round %d, %s: %d pieces were not added up, tried %d times: %w", r.Number, r.Name, len(missing), tries, why)
}

// Note implements pass.Book.
func (l *Leader) Note(_ context.Context, r pass.Round, own func() ([]float64, error)) ([]float64, error) {
	x, err := own()
	if err != nil {
		return nil, err
	}
	return x, writeNumbers(l.Folder.total(r.Number), r, x)
}

// Copied implements pass.Book.
func (l *Leader) Copied(_ context.Context, number int, own func() ([]pass.Block, error)) ([]pass.Block, error) {
	blocks, err := own()
	if err != nil {
		return nil, err
	}
	return blocks, writeCopies(l.Folder.copied(number), blocks)
}

// Show implements pass.Book.
func (l *Leader) Show(_ context.Context, _ func(pass.Block) error, own func() error) error {
	return own()
}
