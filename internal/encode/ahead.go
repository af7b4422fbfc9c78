package encode

import (
	"github.com/moiety-go/moiety/internal/pages"
	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/record"
)

// ahead is memory for the values of all entries, which is written to on the cores that have
// nothing to do while one core decides what features are and chooses among them. The system clears
// a page at its first use, and who fills rows on all cores waits for that.
type ahead struct {
	value   []float32
	touched par.Group
}

// begin makes the memory where so many values are likely to stay: of records of counts
// in memory that are neither codes nor words.
func (a *ahead) begin(e *encoder, areWords bool) {
	const (
		least = 1 << 20 // entries below which nobody waits long
		share = 4       // of the memory for records
	)
	elsewhere := e.s.Where != "" || e.buffer.file != nil || e.buffer.other
	others := e.kind != record.Counts || e.couldBeCodes()
	fewer := areWords || !e.s.Vocab.IsZero() // the rare ones of words go
	if par.Workers(e.s.Workers) == 1 || elsewhere || others || fewer {
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
	for _, touch := range pages.Touches(a.value) {
		a.touched.Go(touch)
	}
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
