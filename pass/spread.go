package pass

import (
	"context"
	"fmt"
	"sync"
)

// Spread runs passes whose sums are added up elsewhere, in pieces: by other
// processes on this machine or the nodes of a cluster. A Sum cannot travel, so it
// is made again there: the other process runs the same fit over the same records
// with the totals of all rounds before, which a Book keeps, and gets to the same
// Sum. One runner serves both sides; the book says which it is.
//
// All records can be read here, so that whatever looks at records one by one does
// so as on one machine; what is learned has the bits that one machine gives where
// pieces are lanes.
type Spread struct {
	Runner // over all records
	book   Book

	mu     sync.Mutex // one round at a time
	chain  chain
	copies int
	failed error // ends whatever follows: a fit must not go another way for it
}

// Book keeps the rounds of one fit, on the side that leads it or on one that
// follows. Rounds are numbered from 1.
type Book interface {
	// Sum returns the total of a round over all records.
	Sum(ctx context.Context, r Round, s Sum) ([]float64, error)
	// Note returns what own gives, or has given on the side that leads.
	Note(ctx context.Context, r Round, own func() ([]float64, error)) ([]float64, error)
	// Copied returns records that were copied into memory, by the number of the
	// copy, from 1.
	Copied(ctx context.Context, number int, own func() ([]Block, error)) ([]Block, error)
	// Show shows visit the blocks that a sum on this side will see; own shows all.
	Show(ctx context.Context, visit func(Block) error, own func() error) error
}

// NewSpread returns a runner over the records of all, which must be at one place,
// that adds up by a book; study stands for the model and its settings.
func NewSpread(all Runner, book Book, study string) (*Spread, error) {
	if can := all.Can(); can.Places > 1 || can.Own != all.Len() {
		return nil, fmt.Errorf("pass: only %d of %d records can be read here, and work that is spread must read all", can.Own, all.Len())
	}
	return &Spread{Runner: all, book: book, chain: newChain(study)}, nil
}

// Can implements Runner: blocks stay nowhere, and copies go into the book.
func (s *Spread) Can() Ability {
	can := s.Runner.Can()
	can.Kept, can.Keep = false, s.keep
	return can
}

// Run implements Runner.
func (s *Spread) Run(ctx context.Context, sums ...Sum) ([][]float64, error) {
	if len(sums) == 0 {
		return nil, ctx.Err()
	}
	all := together(sums)
	total, err := s.round(sums, func(r Round) ([]float64, error) { return s.book.Sum(ctx, r, all) })
	if err != nil {
		return nil, err
	}
	return all.split(total), nil
}

// Own implements Runner: the side that leads sees all records, and sums up the
// while.
func (s *Spread) Own(ctx context.Context, visit func(Block) error, sums ...Sum) ([][]float64, error) {
	show := func() error {
		return s.fail(s.book.Show(ctx, visit, func() error { _, err := s.Runner.Own(ctx, visit); return err }))
	}
	if len(sums) == 0 {
		return nil, show()
	}
	all, seen := together(sums), false
	own := func() (flat []float64, err error) {
		seen = true
		states, err := s.Runner.Own(ctx, visit, sums...)
		for _, state := range states {
			flat = append(flat, state...)
		}
		return flat, err
	}
	total, err := s.round(sums, func(r Round) ([]float64, error) { return s.book.Note(ctx, r, own) })
	if err == nil && !seen {
		err = show()
	}
	if err != nil {
		return nil, err
	}
	return all.split(total), nil
}

// Total implements Runner.
func (s *Spread) Total(_ context.Context, x []float64) ([]float64, error) { return x, nil }

// keep is the Ability to have copies of records on both sides.
func (s *Spread) keep(ctx context.Context, own func() ([]Block, error)) ([]Block, error) {
	s.mu.Lock()
	s.copies++
	number := s.copies
	s.mu.Unlock()
	blocks, err := s.book.Copied(ctx, number, own)
	return blocks, s.fail(err)
}

func (s *Spread) round(sums []Sum, total func(Round) ([]float64, error)) ([]float64, error) {
	made := given(sums) // before a scan: sums may fill tables in it
	all := together(sums)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failed != nil {
		return nil, s.failed
	}
	r := s.chain.next(all.name(), made)
	x, err := total(r)
	if err == nil && len(x) != all.Len() {
		err = fmt.Errorf("pass: round %d, %s: %d numbers", r.Number, r.Name, len(x))
	}
	if err != nil {
		s.failed = err
		return nil, err
	}
	s.chain.add(x)
	return x, nil
}

// fail remembers the first error and returns it.
func (s *Spread) fail(err error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failed == nil {
		s.failed = err
	}
	return s.failed
}
