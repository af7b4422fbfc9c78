package verdict

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"time"

	"github.com/moiety-go/moiety/experiments/lab"
	"github.com/moiety-go/moiety/internal/par"
)

// A long table is made in pieces: MOIETY_SEED is its first seed, MOIETY_SEEDS how many
// there are, MOIETY_LAWS which laws, MOIETY_SIZES the two numbers of records (500,2000; not
// of sequences). MOIETY_LIMIT (9m) is how long draws are begun and
// waited for; a table is then made of those that were judged, and says how many they are.
// What was judged stands in the files MOIETY_DRAWS and MOIETY_PAIRS, one a line: it is not
// judged again, and the lines of several machines, put into one file, make one table.
const (
	seedName  = "MOIETY_SEED"
	seedsName = "MOIETY_SEEDS"
	sizesName = "MOIETY_SIZES"
	limitName = "MOIETY_LIMIT"
)

// seedsFrom are the seeds of a table, other ones than the usual where they are asked for.
func seedsFrom(ctx context.Context, usual uint64, n int) []uint64 {
	if from, err := strconv.ParseUint(os.Getenv(seedName), 10, 64); err == nil {
		usual = from
	}
	if many, err := strconv.Atoi(os.Getenv(seedsName)); err == nil && many > 0 {
		n = many
	}
	return lab.Seeds(ctx, usual, n)
}

// sizesOr are the two numbers of records of a table, other ones than the usual where they
// are asked for.
func sizesOr(few, many int) []int {
	var own [2]int
	if n, _ := fmt.Sscanf(os.Getenv(sizesName), "%d,%d", &own[0], &own[1]); n == 2 {
		return own[:]
	}
	return []int{few, many}
}

// limited ends when the time of MOIETY_LIMIT is over, counted from the start of the program.
func limited(ctx context.Context) (context.Context, context.CancelFunc, error) {
	text := os.Getenv(limitName)
	if text == "" {
		return ctx, func() {}, nil
	}
	limit, err := time.ParseDuration(text)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", limitName, err)
	}
	ctx, stop := context.WithDeadline(ctx, begun.Add(limit))
	return ctx, stop, nil
}

var begun = time.Now()

// inPieces does n things on all cores, those of the first seed first, until the time is
// over: what is cut off has whole seeds.
func inPieces(ctx context.Context, n int, seed func(i int) uint64, do func(ctx context.Context, i int) error) error {
	limit, stop, err := limited(ctx)
	if err != nil {
		return err
	}
	defer stop()
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(seed(a), seed(b)) })
	err = par.Do(limit, runtime.GOMAXPROCS(0), n, func(i int) error { return do(limit, order[i]) })
	if ctx.Err() == nil && limit.Err() != nil && errors.Is(err, limit.Err()) {
		return nil
	}
	return err
}

// done are the draws that were judged.
func done(all []Case) []Case {
	return slices.DeleteFunc(slices.Clone(all), func(c Case) bool { return c.Claim == 0 })
}
