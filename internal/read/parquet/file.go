package parquet

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	pq "github.com/moiety-go/moiety/internal/parquet"
	"github.com/moiety-go/moiety/internal/read/source"
)

// file is one open Parquet file.
type file struct {
	name string
	pq   *pq.File
}

// open opens a file and checks what its footer claims.
func open(ctx context.Context, in source.Input) (*file, error) {
	raw, err := in.Seek(ctx)
	if err != nil {
		return nil, err
	}
	f := &file{name: in.Name}
	if f.pq, err = pq.Open(raw, raw.Size, pq.Limits{}); err != nil {
		return nil, f.said(err)
	}
	return f, nil
}

// said puts the name of the file and the kind of fault into an error.
func (f *file) said(err error) error {
	e := (*pq.Error)(nil)
	if !errors.As(err, &e) {
		return fmt.Errorf("cannot read %s: %w", f.name, err)
	}
	switch e.Reason {
	case pq.TooLarge:
		return fmt.Errorf("%s: %w: %s", f.name, source.ErrTooLarge, e.Words)
	case pq.Unread:
		return fmt.Errorf("%s: %w: %s", f.name, source.ErrBinary, e.Words)
	}
	return fmt.Errorf("%s: %w (%s)", f.name, source.ErrDamaged, e.Words)
}

// columns sorts the leaves: single values, lists of values, lists of structures
// (maps are some), and the names of what is deeper. A field of a structure is
// called "structure.field".
func (f *file) columns() (flat, lists []*column, records [][]*column, lost []string) {
	of := make(map[int][]*column)
	var order []int
	for i := range f.pq.Columns {
		c := &f.pq.Columns[i]
		switch {
		case c.MaxRep == 0:
			flat = append(flat, &column{name: c.Name(), index: i, Column: c, text: writerOf(c)})
		case c.MaxRep == 1:
			if of[c.List] == nil {
				order = append(order, c.List)
			}
			of[c.List] = append(of[c.List], &column{index: i, Column: c, text: writerOf(c)})
		default:
			lost = append(lost, c.Name())
		}
	}
	for _, list := range order {
		leaves := of[list]
		nameLeaves(leaves)
		if len(leaves) == 1 {
			lists = append(lists, leaves[0])
		} else {
			records = append(records, leaves)
		}
	}
	rename(flat)
	return flat, lists, records, lost
}

// nameLeaves names the leaves of a list by what leads to it, and several of them by
// where they part besides: not by "list" and "element", which stand between.
func nameLeaves(leaves []*column) {
	first := leaves[0]
	parts := first.ListAt
	for parts < len(first.Path) && !slices.ContainsFunc(leaves, func(c *column) bool { return parts >= len(c.Path) || c.Path[parts] != first.Path[parts] }) {
		parts++
	}
	for _, c := range leaves {
		c.name = strings.Join(c.Path[:max(c.ListAt, 1)], ".")
		if len(leaves) > 1 {
			c.name += "." + strings.Join(c.Path[parts:], ".")
		}
	}
}
