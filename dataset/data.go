package dataset

import (
	"context"
	"io"

	"github.com/moiety-go/moiety/pass"
)

// Data is an encoded data set, in memory (*Dataset) or in a file (*File). Who
// works on records need not know where they are.
type Data interface {
	// Describe returns what there is to know besides the records.
	Describe() Header
	// Len returns the number of records.
	Len() int
	// RowCount returns the number of rows: more than there are records where
	// these are sequences.
	RowCount() int
	// Runner returns a runner over the records; workers <= 0 means all cores.
	Runner(workers int) pass.Runner
	// Each hands over the records in order, in parts, with their ids and side
	// columns and the number of the first record of each part.
	Each(ctx context.Context, yield func(first int, part *Dataset) error) error
	// Pick hands over the records of these numbers, which ascend: the number of
	// each, a part that holds it, and its place there. Of rows on disk nothing
	// else is read.
	Pick(ctx context.Context, records []int, yield func(record int, part *Dataset, i int) error) error
	// Fingerprint identifies the content, wherever it is kept.
	Fingerprint() string
	// CopyTo writes the data set in the form of a file; workers make its bytes.
	CopyTo(w io.Writer, workers int) error
	// Name is that of the file, "" in memory.
	Name() string
	// Size returns the bytes of the file, 0 in memory.
	Size() int64
	// Close closes the file, where there is one; with that a temporary one is gone.
	Close() error
}

var _, _ Data = (*Dataset)(nil), (*File)(nil)
