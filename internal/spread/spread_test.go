package spread

import (
	"context"
	"errors"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"
)

// thirds sums what depends on the order of adding in its last bits.
type thirds struct{ size int }

func (s thirds) Len() int { return s.size }

func (s thirds) Add(state []float64, b pass.Block) error {
	for i := range b.N() {
		for j := range state {
			state[j] += 1 / float64(3+(b.First+i)%97+j)
		}
	}
	return nil
}

// stored is a data set file of five blocks.
func stored(t *testing.T, f Folder) *dataset.File {
	t.Helper()
	rows := sparse.Rows{Dim: 1, Ptr: []int{0}}
	for i := range 4*pass.BlockRecords + 10 {
		if i%2 == 0 {
			rows.Index = append(rows.Index, 0)
		}
		rows.Ptr = append(rows.Ptr, len(rows.Index))
	}
	if err := dataset.Write(f.Rows(), &dataset.Dataset{Kind: record.Presence, Rows: rows, Vocab: vocab.Numbered(1)}); err != nil {
		t.Fatal(err)
	}
	file, err := dataset.Open(f.Rows())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	return file
}

// follow adds up pieces as another process would.
func follow(ctx context.Context, f Folder, file *dataset.File, r pass.Round, s pass.Sum, pieces []int) error {
	b := &Follower{Folder: f, Pieces: pieces, Data: file, Workers: 2}
	if err := b.Open(r.Number); err != nil {
		return err
	}
	if _, err := b.Sum(ctx, r, s); !errors.Is(err, ErrReached) {
		return errors.Join(errors.New("not reached"), err, b.Fault(err))
	}
	return nil
}

// Every block is in one piece, however they are cut, and no piece is empty.
func TestCutsAreWhole(t *testing.T) {
	for blocks := 1; blocks < 40; blocks++ {
		for _, c := range []Cut{newCut(blocks, 10, 0), newCut(blocks, 10, 3), newCut(blocks, 1<<22, 0), newCut(blocks, 10, 100)} {
			seen := make([]int, blocks)
			for p := range c.Pieces() {
				n := 0
				if err := c.each(p, func(b int) error { seen[b]++; n++; return nil }); err != nil || n == 0 {
					t.Fatalf("%+v: piece %d has %d blocks (%v)", c, p, n, err)
				}
			}
			for b, n := range seen {
				if n != 1 {
					t.Fatalf("%+v: block %d is in %d pieces", c, b, n)
				}
			}
		}
	}
}

// Lanes give the bits of one machine, shards nearly; what was killed, damaged or never
// done is asked for again.
func TestOthersAddUp(t *testing.T) {
	r := pass.Round{Number: 1, Name: "thirds (3)"}
	sum := thirds{3}
	for _, shards := range []int{0, 3} {
		f := Folder(t.TempDir())
		file := stored(t, f)
		want, err := pass.RunOne(t.Context(), file.Runner(1), sum)
		if err != nil {
			t.Fatal(err)
		}
		calls := 0
		l := &Leader{Folder: f, Blocks: file.Blocks(), Shards: shards, Do: func(ctx context.Context, round int, pieces []int) error {
			if calls++; calls == 1 { // one process is killed, what another wrote is damaged
				if err := follow(ctx, f, file, r, sum, pieces[1:]); err != nil {
					return err
				}
				return os.Truncate(f.piece(round, pieces[1]), 20)
			}
			if len(pieces) != 2 {
				t.Errorf("%d pieces are asked for again, want the 2 that are missing", len(pieces))
			}
			return follow(ctx, f, file, r, sum, pieces)
		}}
		got, err := l.Sum(t.Context(), r, sum)
		if err != nil || calls != 2 {
			t.Fatalf("%d calls: %v", calls, err)
		}
		for j := range want {
			if got[j] != want[j] && (shards == 0 || numtest.Off(got[j], want[j], 1e-12*want[j])) {
				t.Errorf("%d shards: sum %d is %v, want %v", shards, j, got[j], want[j])
			}
		}
		// Who follows later reads the total, of this round alone.
		b := &Follower{Folder: f, Data: file}
		if known, err := b.Sum(t.Context(), r, sum); err != nil || !reflect.DeepEqual(known, got) {
			t.Errorf("known %v, %v", known, err)
		}
		other := r
		other.Before = "x"
		if _, err := b.Sum(t.Context(), other, sum); err == nil || !strings.Contains(err.Error(), "out of step") {
			t.Errorf("another round: %v", err)
		}
	}
}

// Pieces that nobody adds up end in an error with the reason that a process left; one
// that is out of step is refused.
func TestNobodyAddsUp(t *testing.T) {
	f := Folder(t.TempDir())
	file := stored(t, f)
	r := pass.Round{Number: 2, Name: "thirds (3)"}
	calls := 0
	l := &Leader{Folder: f, Blocks: file.Blocks(), Do: func(ctx context.Context, _ int, pieces []int) error {
		calls++
		other := r
		other.Study = "y"
		_ = follow(ctx, f, file, other, thirds{3}, pieces)
		return nil
	}}
	if _, err := l.Sum(t.Context(), r, thirds{3}); err == nil || !strings.Contains(err.Error(), "settings or vocabulary are others") || calls != tries {
		t.Errorf("%d calls: %v", calls, err)
	}
	l.Do = func(context.Context, int, []int) error { return nil }
	if _, err := l.Sum(t.Context(), r, thirds{3}); err == nil || !strings.Contains(err.Error(), "‹work›") {
		t.Errorf("nobody: %v", err)
	}
	b := &Follower{Folder: f, Data: file, Pieces: []int{99}}
	if err := b.Open(2); err == nil || !strings.Contains(err.Error(), "not 99") {
		t.Errorf("piece 99: %v", err)
	}
}

// Copied records come back as they were, of every form.
func TestCopies(t *testing.T) {
	f := Folder(t.TempDir())
	blocks := []pass.Block{
		{First: 3, Rows: sparse.Rows{Dim: 2, Ptr: []int{0, 1}, Index: []uint32{1}}},
		{First: 4, Rows: sparse.Rows{Dim: 2, Ptr: []int{0, 0}, Value: []float32{}}},
		{First: 5, Rows: sparse.Rows{Dim: 1, Dense: []float64{}}},
		{First: 5, Rows: sparse.Rows{Dim: 1, Dense: []float64{2, 3}}, Steps: []int{0, 2}},
	}
	if err := writeCopies(f.copied(1), blocks); err != nil {
		t.Fatal(err)
	}
	got, err := readCopies(f.copied(1))
	if err != nil || len(got) != len(blocks) {
		t.Fatal(len(got), err)
	}
	for i, b := range blocks {
		if got[i].First != b.First || got[i].N() != b.N() || got[i].Rows.IsBinary() != b.Rows.IsBinary() || got[i].Rows.IsDense() != b.Rows.IsDense() || (got[i].Steps == nil) != (b.Steps == nil) {
			t.Errorf("block %d is %+v, was %+v", i, got[i], b)
		}
	}
	if err := os.Truncate(f.copied(1), 30); err != nil {
		t.Fatal(err)
	}
	if _, err := readCopies(f.copied(1)); err == nil {
		t.Error("a damaged copy is taken")
	}
}
