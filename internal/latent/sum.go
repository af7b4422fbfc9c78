package latent

import "github.com/moiety-go/moiety/pass"

// pairSum counts the records of each half that have each pair of the features; records
// go to halves by turns, by their number among all.
type pairSum struct {
	m, first int
	place    []int32 // by feature: its place among the listed, -1 for others
}

func newPairSum(features []int, dim, first int) pairSum {
	s := pairSum{m: len(features), first: first, place: make([]int32, dim)}
	for h := range s.place {
		s.place[h] = -1
	}
	for i, h := range features {
		s.place[h] = int32(i)
	}
	return s
}

// Len implements pass.Sum.
func (s pairSum) Len() int { return 2 * (1 + s.m*s.m) }

// Add implements pass.Sum.
func (s pairSum) Add(state []float64, b pass.Block) error {
	has := make([]int32, 0, s.m)
	for i := range b.Rows.N() {
		half := state[(s.first+b.First+i)%2*(1+s.m*s.m):][:1+s.m*s.m]
		half[0]++
		has = s.present(has[:0], b, i)
		for x, a := range has {
			row := half[1+int(a)*s.m:][:s.m]
			for _, c := range has[x:] {
				row[c]++
			}
		}
	}
	return nil
}

// present lists the places of the features that a record has, in any order.
func (s pairSum) present(has []int32, b pass.Block, i int) []int32 {
	add := func(h int, v float64) {
		if p := s.place[h]; p >= 0 && v > 0 {
			has = append(has, p)
		}
	}
	if b.Rows.IsDense() {
		for h, v := range b.Rows.DenseRow(i) {
			add(h, v)
		}
	} else {
		index, value := b.Rows.Row(i)
		for e, h := range index {
			v := 1.0
			if value != nil {
				v = float64(value[e])
			}
			add(int(h), v)
		}
	}
	return has
}

// counts returns the pairs of a half.
func (s pairSum) counts(state []float64, half int) pairs {
	part := state[half*(1+s.m*s.m):][:1+s.m*s.m]
	return pairs{n: int(part[0]), m: s.m, count: part[1:]}
}
