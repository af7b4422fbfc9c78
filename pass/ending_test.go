package pass_test

import (
	"context"
	"errors"
	"io"
	"testing"

	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// twoRows are the records of every runner here.
func twoRows() sparse.Rows { return sparse.Rows{Dim: 1, Dense: []float64{1, 2}} }

// onceRead hands out one block.
type onceRead struct{ done bool }

func (o *onceRead) Next() (pass.Block, error) {
	if o.done {
		return pass.Block{}, io.EOF
	}
	o.done = true
	return pass.Block{Rows: twoRows()}, nil
}

func (*onceRead) Close() error { return nil }

// Who is at work on a block hears that the pass is to end, of every runner, and of a block
// that was kept of another pass.
func TestBlocksHearTheEnd(t *testing.T) {
	local := pass.NewLocal(twoRows(), 1)
	some, err := pass.Filter(t.Context(), local, func(own int) bool { return own > 0 })
	if err != nil {
		t.Fatal(err)
	}
	for name, r := range map[string]pass.Runner{
		"local":  local,
		"stream": pass.NewStream(pass.Shape{Dim: 1, Records: 2, Rows: 2}, func() (pass.Blocks, error) { return new(onceRead), nil }, 1),
		"filter": some,
		"map":    pass.Map(local, func(b pass.Block) pass.Block { return pass.Block{First: b.First, Rows: b.Rows} }),
		"weigh":  pass.Weigh(local, []int{1, 2}, []float64{1, .5}),
		"subset": pass.Subset(twoRows(), []int32{1}, 1),
	} {
		for pass := range 2 {
			ctx, cancel := context.WithCancel(t.Context())
			asked := 0
			err := visit(ctx, r, func(err func() error) {
				if before := err(); before != nil {
					t.Errorf("%s: %v before the end", name, before)
				}
				asked++
				cancel()
				if after := err(); !errors.Is(after, context.Canceled) {
					t.Errorf("%s, pass %d: %v after the end", name, pass+1, after)
				}
			})
			if asked == 0 || err == nil {
				t.Errorf("%s: %d blocks, error %v", name, asked, err)
			}
			cancel()
		}
	}
}

// visit hands out how the first part of every block is asked.
func visit(ctx context.Context, r pass.Runner, use func(err func() error)) error {
	_, err := r.Own(ctx, func(b pass.Block) error {
		use(b.Part(0, 1).Err)
		return b.Err()
	}, sum{})
	return err
}
