package read

import (
	"context"
	"strconv"

	"github.com/moiety-go/moiety/record"
)

// numbered gives records without ids the numbers of their rows, where rows between them were
// left out: whoever joins groups to the file by row has the right ones. Without a row left
// out the numbers are those of the records, which need none.
type numbered struct{ record.Source }

// Read is that of the source, with ids.
func (n numbered) Read(ctx context.Context, yield func(*record.Batch) error) error {
	row, out := 0, 0
	return n.Source.Read(ctx, func(b *record.Batch) error {
		if out += len(b.Gaps); b.N() == 0 {
			row += len(b.Gaps)
			return nil
		}
		if out > 0 && b.IDs == nil {
			b.IDs = numbersOf(b, row)
			n.Schema().Numbered = true
		}
		row += b.N() + len(b.Gaps)
		return yield(b)
	})
}

// numbersOf returns the numbers of the rows of a batch, of which so many are before it.
func numbersOf(b *record.Batch, before int) []string {
	ids, gaps := make([]string, b.N()), b.Gaps
	for i := range ids {
		for len(gaps) > 0 && gaps[0] <= i {
			gaps = gaps[1:]
			before++
		}
		before++
		ids[i] = strconv.Itoa(before)
	}
	return ids
}
