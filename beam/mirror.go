package beam

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/spread"
)

const frameName = "rows.frame"

// Lead carries what a round needs from the folder of a fit into the store, and returns
// what carries the sums of its pieces back. What is there already is not sent again.
func (s *Store) Lead(ctx context.Context, dir string, round int) (back func() error, err error) {
	there, err := s.names(ctx)
	if err != nil {
		return nil, err
	}
	if !slices.Contains(there, frameName) {
		if err := s.sendRows(ctx, filepath.Join(dir, rowsName)); err != nil {
			return nil, err
		}
	}
	here, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, f := range here {
		if spread.Needed(f.Name(), round) && !slices.Contains(there, f.Name()) {
			if err := s.send(ctx, dir, f.Name()); err != nil {
				return nil, err
			}
		}
	}
	for _, name := range there { // of an earlier try
		if spread.Left(name, round) {
			if err := s.remove(ctx, name); err != nil {
				return nil, err
			}
		}
	}
	return func() error { return s.collect(ctx, dir, round) }, nil
}

// collect carries the sums of pieces, or why there are none, into the folder of a fit.
func (s *Store) collect(ctx context.Context, dir string, round int) error {
	list, err := s.names(ctx)
	if err != nil {
		return err
	}
	for _, name := range list {
		if spread.Left(name, round) {
			if err := errors.Join(s.fetch(ctx, dir, name), s.remove(ctx, name)); err != nil {
				return err
			}
		}
	}
	return nil
}

// sendRows cuts the file of rows into objects; the frame is the last of them.
func (s *Store) sendRows(ctx context.Context, name string) error {
	rows, err := dataset.Open(name)
	if err != nil {
		return err
	}
	f := frame{rows.Size(), rows.Tail(), rowsPart}
	if err := rows.Close(); err != nil {
		return err
	}
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	for part := range (f.size + f.part - 1) / f.part {
		if err := s.put(ctx, partName(part), io.NewSectionReader(file, part*f.part, f.part)); err != nil {
			return err
		}
	}
	return s.put(ctx, frameName, strings.NewReader(f.String()))
}

// Follow adds up pieces of a round whose folder is in the store: in a folder of this
// machine that holds, for so long, what they need.
func (s *Store) Follow(ctx context.Context, round int, pieces []int, workers int) (err error) {
	dir, err := os.MkdirTemp("", "moiety-mirror-") // for this user alone
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	there, err := s.names(ctx)
	if err != nil {
		return err
	}
	for _, name := range there {
		if spread.Needed(name, round) {
			if err := s.fetch(ctx, dir, name); err != nil {
				return err
			}
		}
	}
	if err := s.fetchRows(ctx, dir, round, pieces); err != nil {
		return err
	}
	failed := fit.Piece(ctx, dir, round, pieces, workers)
	left, err := os.ReadDir(dir)
	if err != nil {
		return errors.Join(failed, err)
	}
	for _, f := range left {
		if spread.Left(f.Name(), round) {
			failed = errors.Join(failed, s.send(ctx, dir, f.Name()))
		}
	}
	return failed
}

// fetchRows makes a file of rows that holds those of the pieces, and holes.
func (s *Store) fetchRows(ctx context.Context, dir string, round int, pieces []int) (err error) {
	var text strings.Builder
	if err := s.get(ctx, frameName, &text); err != nil {
		return err
	}
	f, err := parseFrame(text.String())
	if err != nil {
		return err
	}
	file, err := os.OpenFile(filepath.Join(dir, rowsName), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	if err := file.Truncate(f.size); err != nil {
		return err
	}
	have := map[int64]bool{}
	bring := func(spans ...[2]int64) error {
		for _, span := range spans {
			for part := span[0] / f.part; part*f.part < span[1]; part++ {
				if have[part] {
					continue
				}
				have[part] = true
				if err := s.get(ctx, partName(part), io.NewOffsetWriter(file, part*f.part)); err != nil {
					return err
				}
			}
		}
		return nil
	}
	if err := bring([2]int64{0, 1}, [2]int64{f.tail, f.size}); err != nil {
		return err
	}
	spans, err := fit.PieceBytes(dir, round, pieces)
	if err != nil {
		return err
	}
	return bring(spans...)
}
