package encode

import (
	"github.com/moiety-go/moiety/internal/pages"
	"github.com/moiety-go/moiety/internal/par"
)

// ahead is memory for the values of all entries, which is written to on the cores that have
// nothing to do while features are counted and one chooses among them. The system clears
// a page at its first use, and who fills rows on all cores waits for that.
type ahead struct {
	value   []float32
	touched par.Group
}

// begin makes the memory where so many values are likely to stay: of records of counts
// in memory that are neither codes nor words.
func (a *ahead) begin(e *encoder) {
	const (
		least = 1 << 20 // entries below which nobody waits long
		share = 4       // of the memory for records
	)
	workers := par.Workers(e.s.Workers) - 1
	elsewhere := e.s.Where != "" || e.buffer.file != nil || e.buffer.other
	others := hasColumns(e.kind) || e.plan.Presence || e.plan.isCodes()
	fewer := e.plan.Words || !e.s.Vocab.IsZero() // of words the frequent ones go
	if workers == 0 || elsewhere || others || fewer {
		return
	}
	entries := 0
	for _, c := range e.buffer.chunks {
		if entries += len(c.feature); !c.distinct || c.small == nil {
			return
		}
	}
	if entries < least || e.s.MaxMemory > 0 && int64(entries) > e.s.MaxMemory/(4*share) {
		return
	}
	a.value = pages.Make[float32](entries)
	a.touched.Go(func() { par.Together(workers, pages.Touches(a.value)...) })
}

// values returns memory for so many, which may be other memory where many were left out.
func (a *ahead) values(n int) []float32 {
	const least = .875 // of what was made
	a.touched.Wait()
	if float64(n) < least*float64(len(a.value)) || n > len(a.value) {
		return pages.Make[float32](n)
	}
	return a.value[:n:n]
}
