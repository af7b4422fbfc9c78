package pass

import (
	"context"
	"io"

	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/sparse"
)

// Blocks yields the blocks of a data set in order; Next returns io.EOF after
// the last one. A block stays valid until Close, or until it is given back.
type Blocks interface {
	Next() (Block, error)
	Close() error
}

// A Returner is Blocks that gets every block back when it has been added up,
// to use its memory for another.
type Returner interface {
	Done(Block)
}

// Stream runs passes over records that are read anew, block by block, in each
// pass: data larger than memory. Its sums have the bits of Local's.
type Stream struct {
	shape   Shape
	open    func() (Blocks, error)
	workers int
	buffers *par.Pool
}

// Shape is what is known of records before they are read.
type Shape struct {
	Dim     int  // features
	Records int  // records
	Rows    int  // rows: more than records where these are sequences
	Binary  bool // rows store no values
}

// ShapeOf returns the shape of rows, each a record.
func ShapeOf(rows sparse.Rows) Shape {
	return Shape{Dim: rows.Dim, Records: rows.N(), Rows: rows.N(), Binary: rows.IsBinary()}
}

// NewStream returns a Runner that opens the blocks anew for every pass. Every
// block but the last must hold BlockRecords records.
func NewStream(shape Shape, open func() (Blocks, error), workers int) *Stream {
	return &Stream{shape: shape, open: open, workers: workers, buffers: newBuffers()}
}

// Dim returns the number of features.
func (s *Stream) Dim() int { return s.shape.Dim }

// Len returns the number of records.
func (s *Stream) Len() int { return s.shape.Records }

// Can implements Runner.
func (s *Stream) Can() Ability {
	return Ability{
		Own: s.shape.Records, OwnRows: s.shape.Rows, Places: 1, Binary: s.shape.Binary, Exact: true,
		Workers: s.workers, Buffers: s.buffers,
	}
}

// Run implements Runner.
func (s *Stream) Run(ctx context.Context, sums ...Sum) ([][]float64, error) {
	return s.Own(ctx, nil, sums...)
}

// Own implements Runner.
func (s *Stream) Own(ctx context.Context, visit func(Block) error, sums ...Sum) ([][]float64, error) {
	all := together(sums)
	state, err := s.reduce(ctx, all.state(), visited(visit, all.addLate))
	if err != nil {
		return nil, err
	}
	return all.split(state), nil
}

// Total implements Runner.
func (s *Stream) Total(_ context.Context, x []float64) ([]float64, error) { return x, nil }

func (s *Stream) reduce(ctx context.Context, sum par.State, add func(func() []float64, Block) error) (_ []float64, err error) {
	blocks, err := s.open()
	if err != nil {
		return nil, err
	}
	defer func() {
		if e := blocks.Close(); err == nil {
			err = e
		}
	}()
	next := func() (Block, bool, error) {
		b, err := blocks.Next()
		b.ended, b.workers = ctx.Err, perBlock(s.workers, blocksOf(s.shape.Records))
		if err == io.EOF {
			return b, false, nil
		}
		return b, err == nil, err
	}
	use := add
	if r, ok := blocks.(Returner); ok {
		use = func(state func() []float64, b Block) error {
			err := add(state, b)
			r.Done(b)
			return err
		}
	}
	return par.ReduceStream(ctx, s.buffers, s.workers, sum, blocksOf(s.shape.Records), next, use)
}
