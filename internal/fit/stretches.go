package fit

import (
	"context"

	"github.com/moiety-go/moiety/internal/par"
)

// atATime is the number of records that one core goes through at a time, of those that take
// next to nothing each.
const atATime = 1 << 16

// stretches calls do for stretches of n records, one after another, on several cores.
func stretches(ctx context.Context, workers, n int, do func(from, to int)) error {
	return par.Do(ctx, workers, (n+atATime-1)/atATime, func(i int) error {
		do(i*atATime, min((i+1)*atATime, n))
		return nil
	})
}
