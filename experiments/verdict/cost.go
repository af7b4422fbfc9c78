package verdict

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"

	"github.com/moiety-go/moiety/experiments/lab"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/sparse"
)

// Cost prints what a fit without a size costs beside one that is told the number, in
// CPU seconds of one run on one core: records of three kinds, 3, 8 and 16 groups, and one
// population with long tails; MOIETY_LAWS asks for some of them ("cost: name"). What
// the verdict looks at is at most 4,000 records, so that its part stays as it is while
// records become more. Full has 500,000 records too.
func Cost(ctx context.Context, w io.Writer, full bool) error {
	sizes := []int{2000, 50000}
	if full {
		sizes = append(sizes, 500000)
	}
	t := lab.NewTable("records", "number", "groups", "claimed", "verdict, s", "whole fit, s", "told the number, s", "whole / told", "flat path, s", "verdict / path")
	laws := []Law{{Name: "measurements, long tails", Groups: 1, draw: longTails}}
	for _, k := range []int{3, 8, 16} {
		laws = append(laws,
			Law{Name: "presences", Groups: k, draw: mixture(mixed{k: k, sd: 1.5})},
			Law{Name: "presences and an amount", Groups: k, draw: mixture(mixed{k: k, sd: 1.5, amount: .7})},
			Law{Name: "counts", Groups: k, draw: genes{groups: k, cols: 100, scatter: .3, share: .3}.draw},
			Law{Name: "measurements", Groups: k, draw: mixtureOf{k: k, d: columns, shape: "tied", apart: 7}.draw})
	}
	for _, law := range laws {
		if !asked("cost", law.Name) {
			continue
		}
		for _, n := range sizes {
			if err := costs(ctx, t, law, n); err != nil {
				return fmt.Errorf("%s, %d groups, %d records: %w", law.Name, law.Groups, n, err)
			}
		}
	}
	t.Write(w)
	return nil
}

// longTails is one population of ten columns, each of them skewed, whose spread differs from
// record to record: many clouds describe it, so that the path of descriptions is long.
func longTails(r *rand.Rand, n int) Draw {
	const cols, shape = 10, .5
	b := sparse.NewBuilder(cols, false)
	for range n {
		index, row, wide := make([]uint32, cols), make([]float32, cols), gamma(r, 2)
		for h := range row {
			index[h], row[h] = uint32(h), float32(gamma(r, shape)*(1+float64(h%3)*wide)-.3)
		}
		_ = b.Add(index, row)
	}
	rows := b.Rows()
	return Draw{Rows: &rows, Kind: record.Real}
}

// pathRecords are those that a path of flat fits is measured on, as the verdict is.
const pathRecords = 4000

func costs(ctx context.Context, t *lab.Table, law Law, n int) error {
	draw := law.Draw(From, n)
	data, _ := draw.Data()
	s := fit.Settings{Seed: 1, Workers: 1}
	claimed := 0
	judged, err := lab.Timed(func() error {
		v, err := fit.Judge(ctx, data, s)
		if err == nil {
			claimed = v.Groups
		}
		return err
	})
	if err != nil {
		return err
	}
	whole, err := lab.Timed(func() error { _, err := fit.Tree(ctx, data, s); return err })
	if err != nil {
		return err
	}
	given, err := lab.Timed(func() error {
		_, err := fit.Flat(ctx, data, fit.Settings{K: law.Groups, Seed: 1, Workers: 1})
		return err
	})
	if err != nil {
		return err
	}
	m := min(n, pathRecords) / 2
	path, err := lab.Timed(func() error {
		return errors.Join(flatPath(ctx, draw.part(0, m), law.Groups+2), flatPath(ctx, draw.part(m, 2*m), law.Groups+2))
	})
	if err != nil {
		return err
	}
	t.Add(law.Name, n, law.Groups, claimed, fmt.Sprintf("%.2f", judged), fmt.Sprintf("%.2f", whole), fmt.Sprintf("%.2f", given),
		fmt.Sprintf("%.1f", whole/given), fmt.Sprintf("%.2f", path), fmt.Sprintf("%.1f", judged/path))
	return nil
}

// flatPath makes the flat fits of 1 to k groups of one half, as any rule does that
// looks at records kept aside.
func flatPath(ctx context.Context, half Draw, k int) error {
	data, _ := half.Data()
	path, err := fit.NewPath(ctx, data, fit.Settings{Seed: 1, Workers: 1}, k)
	for j := 1; j <= k && err == nil; j++ {
		_, err = path.At(ctx, j)
	}
	if errors.Is(err, fit.ErrTooLittle) { // so many cannot be told apart
		return nil
	}
	return err
}
