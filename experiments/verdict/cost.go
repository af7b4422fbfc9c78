package verdict

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/moiety-go/moiety/experiments/lab"
	"github.com/moiety-go/moiety/internal/fit"
)

// Cost prints what a fit without a size costs beside one that is told the number, in
// CPU seconds of one run on one core: records of three kinds, 3, 8 and 16 groups. What
// the verdict looks at is at most 4,000 records, so that its part stays as it is while
// records become more. Full has 500,000 records too.
func Cost(ctx context.Context, w io.Writer, full bool) error {
	sizes := []int{2000, 50000}
	if full {
		sizes = append(sizes, 500000)
	}
	t := lab.NewTable("records", "number", "groups", "claimed", "verdict, s", "whole fit, s", "told the number, s", "whole / told", "flat path, s", "verdict / path")
	for _, k := range []int{3, 8, 16} {
		for _, law := range []Law{
			{Name: "presences", Groups: k, draw: mixture(mixed{k: k, sd: 1.5})},
			{Name: "presences and an amount", Groups: k, draw: mixture(mixed{k: k, sd: 1.5, amount: .7})},
			{Name: "counts", Groups: k, draw: genes{groups: k, cols: 100, scatter: .3, share: .3}.draw},
			{Name: "measurements", Groups: k, draw: mixtureOf{k: k, d: columns, shape: "tied", apart: 7}.draw},
		} {
			for _, n := range sizes {
				if err := costs(ctx, t, law, n); err != nil {
					return fmt.Errorf("%s, %d groups, %d records: %w", law.Name, k, n, err)
				}
			}
		}
	}
	t.Write(w)
	return nil
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
