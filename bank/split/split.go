// Package split cuts the laws of a hand into three parts that are used for different
// things: a rule is chosen by one, its constants are set by the next, and what is
// said of it in public comes from the last, which nobody looks into before.
package split

import (
	"cmp"
	"hash/fnv"
	"slices"

	"github.com/moiety-go/moiety/bank/law"
)

// Part is a part of the bank.
type Part string

// The parts, about 40, 30 and 30 % of the laws of every hand.
const (
	Choose    Part = "choose"
	Calibrate Part = "calibrate"
	Judge     Part = "judge"
)

// Parts returns the three parts in their order.
func Parts() []Part { return []Part{Choose, Calibrate, Judge} }

// Laws returns the part of every law of a hand. The laws are laid out by kind, single
// populations before groups, in the order of a hash of hand and name; then they are
// dealt in turn, so that every part has its share of each kind. The order in which
// the hand lists its laws does not matter; one more law may move others of its hand.
func Laws(hand string, laws []law.Law) map[string]Part {
	dealt := sorted(hand, laws)
	turn := deal()
	begin := int(Hash(hand, "") % uint64(len(turn)))
	parts := make(map[string]Part, len(laws))
	for i, l := range dealt {
		parts[l.Name] = turn[(begin+i)%len(turn)]
	}
	return parts
}

// sorted returns the laws by kind, single populations before groups, and by hash.
func sorted(hand string, laws []law.Law) []law.Law {
	list := slices.Clone(laws)
	slices.SortFunc(list, func(a, b law.Law) int {
		return cmp.Or(
			cmp.Compare(a.Kind, b.Kind),
			cmp.Compare(min(a.Groups, 2), min(b.Groups, 2)),
			cmp.Compare(Hash(hand, a.Name), Hash(hand, b.Name)),
		)
	})
	return list
}

// deal is the order in which ten laws are dealt.
func deal() []Part {
	return []Part{Choose, Calibrate, Judge, Choose, Judge, Calibrate, Choose, Calibrate, Judge, Choose}
}

// Hash is a number by hand and name that stays the same for ever.
func Hash(hand, name string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(hand + "/" + name))
	return mix(h.Sum64())
}

// mix stirs the bits of x, as the end of splitmix64 does: FNV's high bits hardly
// depend on the last letters.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
