//go:build js

package read

import (
	"context"
	"fmt"

	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/record"
)

// Inside a page the heaviest readers are left out: they would be a third of its
// size.

func openParquet(_ context.Context, in []source.Input, _ Options, _ *record.Problems) (record.Source, error) {
	return nil, fmt.Errorf("%s is a Parquet file, which this page does not read (%w): save it as CSV, or open it with the program moiety", in[0].Name, source.ErrBinary)
}

func openDatabase(string, Options, *record.Problems) (record.Source, error) {
	return nil, fmt.Errorf("a page reaches no database (%w): export a table as CSV, or use the program moiety", source.ErrBinary)
}
