package dataset

import (
	"context"
	"fmt"

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

// Pick implements Data.
func (f *File) Pick(ctx context.Context, records []int, yield func(record int, part *Dataset, i int) error) error {
	block := -1
	var d *Dataset
	for _, i := range records {
		if err := ctx.Err(); err != nil {
			return err
		}
		if i < 0 || i >= f.Len() {
			return outOf(i, f.Len())
		}
		if b := i / pass.BlockRecords; b != block {
			var err error
			if d, err = f.Block(b); err != nil {
				return err
			}
			if block = b; d.IDs == nil {
				d.numbered = b * pass.BlockRecords
			}
		}
		if err := yield(i, d, i-block*pass.BlockRecords); err != nil {
			return err
		}
	}
	return nil
}

func outOf(i, n int) error { return fmt.Errorf("dataset: record %d of %d, counted from 0", i, n) }
