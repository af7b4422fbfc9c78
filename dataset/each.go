package dataset

import (
	"context"
	"fmt"

	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/pass"
)

// Each hands over the records in order, all at once, as File.Each does in parts.
func (d *Dataset) Each(_ context.Context, yield func(first int, part *Dataset) error) error {
	return yield(0, d)
}

// Each hands over the records in order, a block at a time, with the number of
// the first record of each.
func (f *File) Each(ctx context.Context, yield func(first int, part *Dataset) error) error {
	first := 0
	for i := range f.Blocks() {
		if err := ctx.Err(); err != nil {
			return err
		}
		d, err := f.Block(i)
		if err != nil {
			return err
		}
		if d.IDs == nil {
			d.numbered = first
		}
		if err := yield(first, d); err != nil {
			return err
		}
		first += d.Len()
	}
	return nil
}

// Pick implements Data.
func (d *Dataset) Pick(ctx context.Context, records []int, yield func(record int, part *Dataset, i int) error) error {
	for _, i := range records {
		if err := ctx.Err(); err != nil {
			return err
		}
		if i < 0 || i >= d.Len() {
			return outOf(i, d.Len())
		}
		if err := yield(i, d, i); err != nil {
			return err
		}
	}
	return nil
}

// pickedBlocks are read at a time, side by side.
const pickedBlocks = 8

// Pick implements Data.
func (f *File) Pick(ctx context.Context, records []int, yield func(record int, part *Dataset, i int) error) error {
	for len(records) > 0 {
		blocks, n, err := f.nextBlocks(records)
		if err != nil {
			return err
		}
		parts := make([]*Dataset, len(blocks))
		if err := par.Do(ctx, 0, len(blocks), func(i int) (err error) {
			if parts[i], err = f.Block(blocks[i]); err == nil && parts[i].IDs == nil {
				parts[i].numbered = blocks[i] * pass.BlockRecords
			}
			return err
		}); err != nil {
			return err
		}
		at := 0
		for _, i := range records[:n] {
			if i/pass.BlockRecords != blocks[at] {
				at++
			}
			if err := yield(i, parts[at], i-blocks[at]*pass.BlockRecords); err != nil {
				return err
			}
		}
		records = records[n:]
	}
	return ctx.Err()
}

// nextBlocks returns the blocks of the first records, a few of them, and of how many
// records they are.
func (f *File) nextBlocks(records []int) (blocks []int, n int, err error) {
	for n, i := range records {
		if i < 0 || i >= f.Len() {
			return nil, 0, outOf(i, f.Len())
		}
		if b := i / pass.BlockRecords; len(blocks) == 0 || blocks[len(blocks)-1] != b {
			if len(blocks) == pickedBlocks {
				return blocks, n, nil
			}
			blocks = append(blocks, b)
		}
	}
	return blocks, len(records), nil
}

func outOf(i, n int) error { return fmt.Errorf("dataset: record %d of %d, counted from 0", i, n) }
