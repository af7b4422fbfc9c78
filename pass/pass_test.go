package pass_test

import (
	"errors"
	"io"
	"slices"
	"testing"

	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/pass/passtest"
	"github.com/moiety-go/moiety/sparse"
)

func TestLocal(t *testing.T) {
	passtest.Run(t, passtest.Battery{
		Open: func(_ testing.TB, rows sparse.Rows, steps []int, workers int) pass.Runner {
			if steps != nil {
				return pass.NewSequences(rows, steps, workers)
			}
			return pass.NewLocal(rows, workers)
		},
	})
}

// memory yields the blocks of rows as a file would.
type memory struct {
	rows   sparse.Rows
	steps  []int
	at     int
	closed *int
	fail   error // returned instead of the third block
}

func (m *memory) Next() (pass.Block, error) {
	n := m.rows.N()
	if m.steps != nil {
		n = len(m.steps) - 1
	}
	if m.fail != nil && m.at == 2*pass.BlockRecords {
		return pass.Block{}, m.fail
	}
	if m.at >= n {
		return pass.Block{}, io.EOF
	}
	lo, hi := m.at, min(m.at+pass.BlockRecords, n)
	m.at = hi
	if m.steps == nil {
		return pass.Block{First: lo, Rows: m.rows.Slice(lo, hi)}, nil
	}
	steps := slices.Clone(m.steps[lo : hi+1])
	return pass.Block{First: lo, Rows: m.rows.Slice(steps[0], steps[len(steps)-1]), Steps: steps}, nil
}

func (m *memory) Close() error { *m.closed++; return nil }

func TestStream(t *testing.T) {
	opened, closed := 0, 0
	passtest.Run(t, passtest.Battery{
		Open: func(_ testing.TB, rows sparse.Rows, steps []int, workers int) pass.Runner {
			n := rows.N()
			if steps != nil {
				n = len(steps) - 1
			}
			return pass.NewStream(pass.Shape{Dim: rows.Dim, Records: n, Rows: n}, func() (pass.Blocks, error) {
				opened++
				return &memory{rows: rows, steps: steps, closed: &closed}, nil
			}, workers)
		},
	})
	if opened == 0 || opened != closed {
		t.Errorf("%d passes opened, %d closed", opened, closed)
	}
}

func TestStreamFails(t *testing.T) {
	bad, closed := errors.New("disk gone"), 0
	rows := passtest.Rows(5 * pass.BlockRecords)
	s := pass.NewStream(pass.ShapeOf(rows), func() (pass.Blocks, error) {
		return &memory{rows: rows, closed: &closed, fail: bad}, nil
	}, 2)
	if _, err := s.Own(t.Context(), func(pass.Block) error { return nil }); !errors.Is(err, bad) || closed != 1 {
		t.Errorf("Own: %v, closed %d times", err, closed)
	}
	none := pass.NewStream(pass.Shape{Dim: 1, Records: 1, Rows: 1}, func() (pass.Blocks, error) { return nil, bad }, 2)
	if _, err := none.Run(t.Context()); !errors.Is(err, bad) {
		t.Errorf("a pass that cannot be opened: %v", err)
	}
}

// A block of sequences that does not start at row 0.
func TestBlockSequence(t *testing.T) {
	rows, steps := passtest.Sequences(10)
	b := pass.Block{Rows: rows.Slice(steps[4], steps[10]), Steps: steps[4:]}
	if b.N() != 6 {
		t.Fatalf("N = %d", b.N())
	}
	for i := range b.N() {
		if got, want := b.Sequence(i).N(), steps[5+i]-steps[4+i]; got != want {
			t.Errorf("sequence %d has %d rows, want %d", i, got, want)
		}
	}
}
