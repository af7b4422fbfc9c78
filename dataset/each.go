package dataset

import "context"

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
