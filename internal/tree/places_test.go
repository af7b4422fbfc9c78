package tree

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/synth"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/pass/passtest"
)

// A tree that was grown on part of the records and is carried over to all of
// them has the sizes and centers of all at every place, and places each record
// as the whole does.
func TestSpreadOverPlaces(t *testing.T) {
	set := synth.HierarchicalBernoulli(1, 2*pass.BlockRecords+500, 60, 1)
	s := settings(t, "bernoulli", 60)
	s.Leaves = 4
	part := grow(t, set.Rows.Slice(0, 1500), s)
	want, err := part.Spread(ctx, pass.NewLocal(set.Rows, 2), s)
	if err != nil {
		t.Fatal(err)
	}
	err = passtest.Split(set.Rows, nil, 3, 2).Each(ctx, func(ctx context.Context, place int, r pass.Runner) error {
		got, err := part.Spread(ctx, r, s)
		if err != nil {
			return err
		}
		can := r.Can()
		for i, l := range got.Leaf {
			if want.Leaf[can.First+i] != l {
				return fmt.Errorf("place %d: record %d is in node %d, by the whole in %d", place, i, l, want.Leaf[can.First+i])
			}
		}
		for i, n := range got.Tree.Nodes {
			if n.N != want.Tree.Nodes[i].N {
				return fmt.Errorf("place %d: node %s has %d records, want %d", place, n.ID, n.N, want.Tree.Nodes[i].N)
			}
			for h, v := range n.Center {
				if numtest.Off(v, want.Tree.Nodes[i].Center[h], 1e-12) {
					return fmt.Errorf("place %d: the center of node %s is %v in feature %d, want %v", place, n.ID, v, h, want.Tree.Nodes[i].Center[h])
				}
			}
		}
		if len(got.Leaf) != can.Own {
			return fmt.Errorf("place %d: %d records placed, want %d", place, len(got.Leaf), can.Own)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// A place that holds nobody of a leaf grows the tree of all places: whether a leaf is empty
// is asked of all of them.
func TestGrownOverPlaces(t *testing.T) {
	set := synth.HierarchicalBernoulli(1, 1200, 60, 1)
	s := settings(t, "bernoulli", 60)
	s.Leaves = 4
	var order []int // sorted, so that no place has records of every leaf
	for leaf := range 1 + slices.Max(set.Labels) {
		for i, l := range set.Labels {
			if l == leaf {
				order = append(order, i)
			}
		}
	}
	rows := set.Rows.Pick(order)
	want, err := Grow(ctx, pass.Double(pass.NewLocal(rows, 2)), s)
	if err != nil {
		t.Fatal(err)
	}
	err = passtest.Split(rows, nil, 3, 2).Each(ctx, func(ctx context.Context, place int, r pass.Runner) error {
		got, err := Grow(ctx, pass.Double(r), s)
		if err != nil {
			return err
		}
		first := r.Can().First
		for i, l := range got.Leaf {
			if want.Leaf[first+i] != l {
				return fmt.Errorf("place %d: record %d is in node %d, in one place in %d", place, i, l, want.Leaf[first+i])
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
