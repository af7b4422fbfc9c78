package delimited

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/moiety-go/moiety/internal/pages"
	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/record"
)

// run reads all pieces, parses them on all cores and merges the parts in
// order. Who merges a part calls done when it needs the part no longer, which may be
// later and on another core: what it leaves to do behind is done on all of them, too.
func (s *Source) run(ctx context.Context, behind *behind, merge func(p *part, done func()) error) error {
	ps := s.pieces(ctx)
	defer ps.close()
	seen := 0
	parsers := sync.Pool{New: func() any { return &parser{source: s} }}
	var like atomic.Pointer[size] // the part that came back last
	parts := &par.Helpers[part]{Make: func() *part { return newPart(s.seed, like.Load()) }}
	err := par.InOrder(ctx, s.options.Workers, ps.next,
		func(ch piece) (*part, error) {
			behind.helpOut()
			out := parts.Take()
			out.reset()
			p := parsers.Get().(*parser)
			p.parse(ch, out)
			p.chunk = source.Chunk{}
			parsers.Put(p)
			ch.Release()
			return out, nil
		},
		func(p *part) error {
			if seen++; seen > s.reported {
				s.reported = seen
				if err := s.report(p); err != nil {
					return err
				}
			}
			return merge(p, func() {
				like.Store(p.size())
				parts.Give(p)
			})
		})
	if err != errRestart {
		ps.close()
		ps.report()
	}
	return err
}

// report hands the malformed places of a part to the problems.
func (s *Source) report(p *part) error {
	for _, e := range p.first {
		if err := s.problems.Malformed(e); err != nil {
			return err
		}
	}
	s.problems.Skipped += p.skipped - len(p.first)
	s.problems.Contradicted += p.contradicted
	if s.plan.group {
		s.problems.Rows += p.rows
	}
	s.lacking += p.lacking
	for why, n := range p.asides {
		s.asides[why] += n
	}
	if p.empty > 0 {
		s.problems.Repaired("rows without a code, their records are kept", p.empty)
	}
	return nil
}

// number returns the final numbers of the part's own features.
func (s *Source) number(p *part) ([]uint32, error) {
	for i := len(p.final); i < p.local.len(); i++ {
		before := s.schema.Dict.Len()
		p.final = append(p.final, s.schema.Dict.AddBytes(p.local.at(i)))
		if s.schema.Dict.Len() > before && p.owner[i] != none {
			c := &s.schema.Columns[p.owner[i]]
			c.Levels = append(c.Levels, p.final[i])
		}
	}
	// A name costs its bytes, a string header and a place in a map.
	const overhead = 80
	if n := s.schema.Dict.Len(); int64(n)*overhead > s.options.MaxMemory {
		return nil, errTooMany("features", n, s.options.MaxMemory)
	}
	return p.final, nil
}

// renumber replaces the part's own numbers by the final ones.
func (s *Source) renumber(p *part) error {
	final, err := s.number(p)
	if err == nil {
		s.renumbered(p.feature, final)
	}
	return err
}

// renumbered gives features their final numbers, of which final has those of a part's own.
func (s *Source) renumbered(feature, final []uint32) {
	static := uint32(s.plan.static)
	for i, f := range feature {
		if f >= static && f != hole {
			feature[i] = final[f-static]
		}
	}
}

// readRows is for tables with one record a row: every part is a batch.
func (s *Source) readRows(ctx context.Context, yield func(*record.Batch) error) error {
	return s.run(ctx, newBehind(s.options.Workers), func(p *part, done func()) error {
		defer done()
		if err := s.renumber(p); err != nil {
			return err
		}
		if p.runs() == 0 && len(p.gaps) == 0 {
			return nil
		}
		return yield(s.batch(p))
	})
}

// batch copies a part into a batch of its own memory.
func (s *Source) batch(p *part) *record.Batch {
	b := &record.Batch{Kept: true, Gaps: p.gaps}
	n := p.runs()
	if s.plan.id != none {
		b.IDs = p.ids.strings(0, n)
	}
	b.Side = sideColumns(&p.side, len(s.plan.side), 0, n)
	switch {
	case s.plan.shape == Text:
		b.Text = p.text.strings(0, n)
	case s.plan.steps:
		a := &assembler{source: s}
		for i := range n {
			lo, hi := p.ptr[i], p.ptr[i+1]
			a.sequence(p.feature[lo:hi], slice(p.value, lo, hi), p.key[lo:hi])
		}
		b.Ptr, b.Steps, b.Feature, b.Value = a.ptr, a.steps, a.feature, a.value
		if a.times != nil {
			b.Side = append(b.Side, a.times)
		}
	default:
		b.Ptr = p.takeRuns()
		b.Feature = p.takeFeatures()
		b.Value = p.value // reset leaves it to the batch
	}
	return b
}

func slice(v []float64, lo, hi int) []float64 {
	if v == nil {
		return nil
	}
	return v[lo:hi]
}

// sideColumns turns rows of side values into columns.
func sideColumns(side *spans, width, lo, hi int) [][]string {
	if width == 0 {
		return nil
	}
	return columnsOf(side.strings(lo*width, hi*width), width)
}

// columnsOf turns rows of values, one behind the other, into columns.
func columnsOf(flat []string, width int) [][]string {
	if width == 1 {
		return [][]string{flat}
	}
	out := make([][]string, width)
	for c := range out {
		out[c] = pages.Make[string](len(flat) / width)
		for i := range out[c] {
			out[c][i] = flat[i*width+c]
		}
	}
	return out
}
