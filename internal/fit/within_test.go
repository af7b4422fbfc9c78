package fit

import (
	"context"
	"reflect"
	"slices"
	"testing"

	"github.com/moiety-go/moiety/internal/agree"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/internal/tree"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"
)

const smallRecords, smallGroups, smallest = 20000, 4, 60

// withSmall are records of groups of which one is small, and the group of each.
func withSmall(t *testing.T, seed uint64) (Training, []int) {
	t.Helper()
	const n, d, groups, small = smallRecords, 45, smallGroups, smallest
	r := stream.New(seed, "test/within")
	own := make([]float64, groups*d)
	for i := range own {
		own[i] = .04 + .1*r.Float64()
		if g := i / d; i%d/10 == g {
			own[i] = .6
		}
	}
	b, truth := sparse.NewBuilder(d, true), make([]int, n)
	for i := range n {
		if truth[i] = i % (groups - 1); i < small {
			truth[i] = groups - 1
		}
		var index []uint32
		for j := range d {
			if r.Float64() < own[truth[i]*d+j] {
				index = append(index, uint32(j))
			}
		}
		if err := b.Add(index, nil); err != nil {
			t.Fatal(err)
		}
	}
	return Training{Run: pass.NewLocal(b.Rows(), 0), Vocab: vocab.Numbered(d), Kind: record.Presence}, truth
}

// Leaves beyond a claim that rests on part of the records: a group of a few in a thousand, which
// all records show, is found, and lies below one of the groups that are claimed.
func TestLeavesThatAllRecordsShow(t *testing.T) {
	const n, groups, small = smallRecords, smallGroups, smallest
	data, truth := withSmall(t, 5)
	out, err := Tree(t.Context(), data, Settings{Seed: 1, Tree: TreeShape{Leaves: groups}})
	if err != nil {
		t.Fatal(err)
	}
	if out.Verdict.Groups != groups-1 {
		t.Fatalf("%d groups are claimed, want %d: the small one is not to be seen in part of the records", out.Verdict.Groups, groups-1)
	}
	got := make([]int, n)
	for i, g := range out.Group {
		got[i] = int(g)
	}
	const least = .97
	if ari, err := agree.ARI(got, truth); err != nil || ari < least {
		t.Errorf("agreement %.3f (%v), want %v; groups of %v", ari, err, least, sizes(2, out.Group, out.K()))
	}
	finer := 0
	for i := range out.Tree.Nodes {
		if s := out.Tree.Nodes[i].Split; !out.Tree.Nodes[i].IsLeaf() && s.Finer {
			finer++
			if float64(slices.Min(s.Sizes[:])) > 2*small {
				t.Errorf("the split that was asked for has sides of %v", s.Sizes)
			}
		}
	}
	if finer != 1 {
		t.Errorf("%d splits go beyond the claim, want 1", finer)
	}
}

// What is said of splits and below leaves is the same whether it is worked out while all records
// are placed or behind that.
func TestSaidBesidePlacing(t *testing.T) {
	for _, leaves := range []int{0, smallGroups} {
		saidBeside(t, leaves)
	}
}

func saidBeside(t *testing.T, leaves int) {
	t.Helper()
	data, _ := withSmall(t, 1)
	s := Settings{Seed: 1, Workers: 2, Tree: TreeShape{Leaves: leaves}}
	h, r := madeTree(t, data, s)
	if h.ready == nil || leaves > 0 && slices.IsSorted(r.Groups) {
		t.Fatalf("nothing was worked out beside, or leaves have the order of groups: %v", r.Groups)
	}
	var beside []*tree.Split
	for i := range r.Tree.Nodes {
		n := &r.Tree.Nodes[i]
		if beside = append(beside, n.Split); n.Split == nil {
			t.Fatalf("nothing is said of node %s", n.ID)
		}
		if n.IsLeaf() {
			n.Split = nil
		}
	}
	h.ready = nil
	for _, say := range []func(context.Context, *tree.Result) error{h.consider, h.doubt} {
		if err := say(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	for i, n := range r.Tree.Nodes {
		if !reflect.DeepEqual(n.Split, beside[i]) {
			t.Errorf("node %s: %+v beside, %+v behind", n.ID, beside[i], n.Split)
		}
	}
}
