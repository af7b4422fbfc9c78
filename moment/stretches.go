package moment

import (
	"context"
	"math/rand/v2"

	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/pass"
)

// stretches are the records of a sample: the first few of every block of all
// records, as many in either half of the blocks. Which they are depends on the
// number of records alone.
type stretches struct {
	size, before []int // records of each stretch, and of those before it
	n            int   // of all
}

// newStretches divides about n records among the blocks of all.
func newStretches(n, all int) stretches {
	blocks := (all + pass.BlockRecords - 1) / pass.BlockRecords
	s := stretches{size: make([]int, blocks), before: make([]int, blocks)}
	for half := range 2 {
		lo, hi := half*blocks/2, (half+1)*blocks/2
		for at := lo; at < hi; at++ {
			each := ((n+1)/2 + hi - lo - 1) / (hi - lo)
			s.size[at], s.before[at] = min(each, all-at*pass.BlockRecords, pass.BlockRecords), s.n
			s.n += s.size[at]
		}
	}
	return s
}

// has reports whether the record of that number is in the sample.
func (s stretches) has(number int) bool {
	return number%pass.BlockRecords < s.size[number/pass.BlockRecords]
}

// number returns the number in the sample of a record of it.
func (s stretches) number(among int) int {
	return s.before[among/pass.BlockRecords] + among%pass.BlockRecords
}

// columns draws a column of l, and a sign, for each record of the sample that is
// to be summed up in one: column j, or j+l for the other sign. The others, for
// which a few of every stretch are enough, have -1.
func (s stretches) columns(l int, r *rand.Rand) []int {
	each := (startRecords*l + len(s.size) - 1) / len(s.size)
	out := make([]int, 0, s.n)
	for _, n := range s.size {
		for i := range n {
			column := -1
			if i < each {
				column = r.IntN(2 * l)
			}
			out = append(out, column)
		}
	}
	return out
}

// inPlace are stretches where they lie in memory: nothing is copied. They are cut into the
// blocks of a copy (pass.Copy), each of one stretch or more, and sums over them have the
// same bits, since what is added for a row does not depend on the rows beside it.
type inPlace struct {
	can    pass.Ability
	blocks [][]pass.Block // with the numbers that records have among all
}

// inPlace returns the stretches, or nil where they have to be copied: records are elsewhere
// too, others follow, or a block of several would not be summed up in single precision.
func (s *Sampled) inPlace(some stretches) *inPlace {
	p := &inPlace{can: s.run.Can()}
	rows := p.can.Rows
	if rows == nil || rows.IsDense() || rows.N() != p.can.Own || p.can.Keep != nil || s.kept == nil {
		return nil
	}
	each, left := pass.CopiesBlock(some.n), 0
	for i, size := range some.size {
		for lo, end := i*pass.BlockRecords, i*pass.BlockRecords+size; lo < end; {
			if left == 0 {
				p.blocks, left = append(p.blocks, nil), each
			}
			part := pass.Block{First: lo, Rows: rows.Slice(lo, min(end, lo+left))}
			last := &p.blocks[len(p.blocks)-1]
			*last = append(*last, part)
			lo, left = lo+part.N(), left-part.N()
		}
	}
	for _, block := range p.blocks {
		entries := 0
		for _, part := range block {
			entries += part.Rows.NNZ()
		}
		if len(block) > 1 && !pays(entries, s.Dim()) {
			return nil
		}
	}
	return p
}

// add adds up what add adds of each block.
func (p *inPlace) add(ctx context.Context, sum par.State, add func(state func() []float64, block []pass.Block) error) ([]float64, error) {
	return par.Reduce(ctx, p.can.Buffers, p.can.Workers, sum, len(p.blocks), func(state func() []float64, i int) error {
		return add(state, p.blocks[i])
	})
}
