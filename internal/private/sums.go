package private

import (
	"cmp"
	"slices"

	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// bounded is a sum that sees every record with at most so many codes, drawn by a
// keyed hash of the record's own codes and of nothing else: the same in every pass,
// and whoever else is among the records. (By the record's number it would be others
// that count where somebody before it is taken away, and no bound would hold.)
type bounded struct {
	pass.Sum
	most int
	key  uint64
}

// Add implements pass.Sum.
func (s bounded) Add(state []float64, b pass.Block) error { return s.Sum.Add(state, s.block(b)) }

func (s bounded) block(b pass.Block) pass.Block {
	long := false
	for i := range b.N() {
		index, _ := b.Rows.Row(i)
		long = long || len(index) > s.most
	}
	if !long {
		return b
	}
	rows := sparse.Rows{Dim: b.Rows.Dim, Ptr: []int{0}}
	for i := range b.N() {
		index, _ := b.Rows.Row(i)
		key := s.key
		for _, h := range index {
			key = mixed(key ^ uint64(h))
		}
		rows.Index = append(rows.Index, drawn(index, s.most, key)...)
		rows.Ptr = append(rows.Ptr, len(rows.Index))
	}
	return pass.Block{First: b.First, Rows: rows}
}

// drawn returns at most so many codes of a record, those of the smallest hashes, in
// order.
func drawn(index []uint32, most int, key uint64) []uint32 {
	if len(index) <= most {
		return index
	}
	out := slices.Clone(index)
	slices.SortFunc(out, func(a, b uint32) int { return cmp.Compare(mixed(key^uint64(a)), mixed(key^uint64(b))) })
	out = out[:most]
	slices.Sort(out)
	return out
}

// mixed is the finaliser of SplitMix64.
func mixed(z uint64) uint64 {
	z += 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// expected is the E-step of a model without the likelihood, which no bound holds:
// records and codes of every group. One person of L codes changes it by √(1+L).
type expected struct{ pass.Sum }

// Add implements pass.Sum.
func (s expected) Add(state []float64, b pass.Block) error {
	if err := s.Sum.Add(state, b); err != nil {
		return err
	}
	state[0], state[1] = 0, 0
	return nil
}
