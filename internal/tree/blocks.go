package tree

import (
	"context"

	"github.com/moiety-go/moiety/internal/par"
)

// countedBlock records are looked at by one worker at a time.
const countedBlock = 8192

func blocksOf(n int) int { return (n + countedBlock - 1) / countedBlock }

// inBlocks hands runs of n places to f, on so many workers.
func inBlocks(ctx context.Context, workers, n int, f func(i, lo, n int) error) error {
	return par.Blocks(ctx, workers, n, countedBlock, func(i, lo, hi int) error { return f(i, lo, hi-lo) })
}

// renamed sets to to the names of numbers, on so many workers; both may be the same list.
func renamed(ctx context.Context, workers int, to, number, name []int32) error {
	return inBlocks(ctx, workers, len(number), func(_, lo, n int) error {
		to := to[lo:][:n]
		for i, v := range number[lo:][:n] {
			to[i] = name[v]
		}
		return nil
	})
}
