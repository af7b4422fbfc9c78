package fit

import (
	"slices"
	"testing"

	"github.com/moiety-go/moiety/internal/agree"
	"github.com/moiety-go/moiety/internal/stream"
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
