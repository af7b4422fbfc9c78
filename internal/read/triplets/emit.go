package triplets

import (
	"github.com/moiety-go/moiety/internal/pages"
	"github.com/moiety-go/moiety/record"
)

// pass emits the finished records of a block and keeps the last one, which the
// next block may continue, in g.carry.
func (g *Grouper) pass(b *Block) error {
	if len(b.Runs) == 0 {
		return nil
	}
	from := 0
	if c := &g.carry; len(c.Runs) > 0 {
		if c.Runs[0].Record == b.Runs[0].Record {
			c.append(b, 0, b.End(0))
			from = 1
			if len(b.Runs) == 1 {
				return nil
			}
		}
		if err := g.flush(); err != nil {
			return err
		}
	}
	to := len(b.Runs) - 1
	if from < to {
		if err := g.batch(b, from, to); err != nil {
			return err
		}
	}
	if from <= to {
		g.carry = Block{Runs: []Run{{b.Runs[to].Record, 0}}, Ascending: b.Ascending}
		g.carry.append(b, b.Runs[to].Start, len(b.Feature))
	}
	return nil
}

// append copies entries of b behind those of the carried record.
func (c *Block) append(b *Block, from, to int) {
	if n := len(c.Feature); n > 0 && from < to && b.Feature[from] <= c.Feature[n-1] || !b.Ascending {
		c.Ascending = false
	}
	switch {
	case b.Small != nil && c.Value == nil:
		c.Small = append(c.Small, b.Small[from:to]...)
	case b.Small != nil:
		for _, v := range b.Small[from:to] {
			c.Value = append(c.Value, float64(v))
		}
	case b.Value != nil:
		c.widen()
		c.Value = append(c.Value, b.Value[from:to]...)
	}
	c.Feature = pages.Join(c.Feature, b.Feature[from:to])
}

// flush emits the carried record.
func (g *Grouper) flush() error {
	c := g.carry
	g.carry = Block{}
	if len(c.Runs) == 0 {
		return nil
	}
	return g.batch(&c, 0, 1)
}

// gap emits records without entries until the next one has the given number.
func (g *Grouper) gap(number int) error {
	for g.next < number {
		n := min(number-g.next, maxEmpty)
		if err := g.send(&record.Batch{Ptr: make([]int, n+1), Feature: []uint32{}, Kept: true}); err != nil {
			return err
		}
	}
	return nil
}

// batch emits runs from to to of a block as records, and the records without
// entries in front of and between them.
func (g *Grouper) batch(b *Block, from, to int) error {
	if !b.Ascending {
		g.tidy(b, from, to)
	}
	for from < to {
		if err := g.gap(int(b.Runs[from].Record) - maxEmpty); err != nil {
			return err
		}
		until, records := g.stretch(b, from, to)
		start, end := b.Runs[from].Start, b.End(until-1)
		out := &record.Batch{Ptr: make([]int, 1, records+1), Feature: b.Feature[start:end], Distinct: true, Kept: true}
		if b.Small != nil {
			out.Small = b.Small[start:end:end]
		}
		if b.Value != nil {
			out.Value = b.Value[start:end:end]
		}
		number := g.next
		for i := from; i < until; i++ {
			for ; number < int(b.Runs[i].Record); number++ {
				out.Ptr = append(out.Ptr, b.Runs[i].Start-start)
			}
			out.Ptr = append(out.Ptr, b.End(i)-start)
			number++
		}
		if err := g.send(out); err != nil {
			return err
		}
		from = until
	}
	return nil
}

// stretch returns how far the runs reach without too many records lacking in
// between, and the number of records up to there.
func (g *Grouper) stretch(b *Block, from, to int) (until, records int) {
	until = from + 1
	last := int(b.Runs[from].Record)
	for until < to && int(b.Runs[until].Record)-last <= maxEmpty {
		last = int(b.Runs[until].Record)
		until++
	}
	return until, last + 1 - g.next
}

func (g *Grouper) send(b *record.Batch) error {
	first := g.next
	g.next += b.N()
	return g.emit(first, b)
}

// close moves the entries from end on down to w, so that the runs from to on
// follow without a hole.
func (b *Block) close(to, w, end int) {
	if w == end {
		return
	}
	b.Feature = append(b.Feature[:w], b.Feature[end:]...)
	if b.Value != nil {
		b.Value = append(b.Value[:w], b.Value[end:]...)
	}
	for i := to; i < len(b.Runs); i++ {
		b.Runs[i].Start -= end - w
	}
}
