package delimited

import (
	"hash/maphash"
	"math"
	"unsafe"

	"github.com/moiety-go/moiety/internal/pages"
	"github.com/moiety-go/moiety/record"
)

// part is what one chunk gave: runs of rows with one id, their entries, and
// what was wrong. Numbers of features below plan.static are final; the others
// are local to the part, from plan.static on.
//
// The memory of a part, its local features included, serves one chunk after the
// other: all features that it knows were in chunks before, whose numbers are final.
type part struct {
	local   *names
	owner   []int    // of local features: the column of Schema.Columns, or none
	final   []uint32 // numbers of local features, of those that were merged
	ids     spans    // one a run, if the table has ids
	order   ordered
	hashes  []uint64 // of ids, none where nobody looked for them
	ptr     []int    // where each run begins, and the end of the last
	feature []uint32
	value   []float64 // nil: ones
	key     []float64 // time of each entry, for sequences
	side    spans     // runs × side columns
	text    spans     // one a run, for texts

	// Features, values and runs of the chunk before and some more, a guess at the next.
	last, lastValues, lastRuns int

	skipped      int
	contradicted int // of them, for a cell that the kind that was asked for does not allow
	first        []*record.ParseError
	empty        int         // rows without a code
	lacking      int         // rows with fewer fields than the table
	rows         int         // rows that became part of a record
	gaps         []int       // runs in front of which a row was left out, one each
	asides       [asides]int // lines that are no records
}

// size is what a part holds, for one that is made anew: it else has its lists to grow.
type size struct {
	features, runs int
	ids, side      spans // of which only the sizes count
}

func (p *part) size() *size {
	return &size{max(p.last, asMuch(p.feature)), max(p.lastRuns, asMuch(p.ptr)), p.ids.size(), p.side.size()}
}

// newPart returns a part with room for so much, nil where nothing is known.
func newPart(seed maphash.Seed, s *size) *part {
	p := &part{local: newNames(seed)}
	if s != nil {
		p.last, p.lastRuns, p.ids, p.side = s.features, s.runs, s.ids, s.side
	}
	return p
}

// hole is the feature of a step of a sequence without a value.
const hole = math.MaxUint32

// mostLocal is the number of features above which a part forgets them.
const mostLocal = 1 << 14

func (p *part) reset() {
	if p.local.len() > mostLocal {
		p.local.reset()
		p.owner, p.final = p.owner[:0], p.final[:0]
	}
	p.hashes, p.ptr = p.hashes[:0], append(room(p.ptr, p.lastRuns), 0)
	p.lastValues = asMuch(p.value)
	p.feature, p.value, p.key = room(p.feature, p.last), nil, p.key[:0]
	p.ids.reset()
	p.side.reset()
	p.text.reset()
	p.skipped, p.contradicted, p.first, p.empty, p.lacking, p.rows = 0, 0, nil, 0, 0, 0
	p.asides, p.gaps = [asides]int{}, nil
}

// hash makes the hashes of all ids.
func (p *part) hash() {
	p.hashes = p.hashes[:0]
	for i := range p.ids.len() {
		p.hashes = append(p.hashes, p.local.hash(p.ids.at(i)))
	}
}

// takeFeatures hands the features over.
func (p *part) takeFeatures() []uint32 {
	p.last = asMuch(p.feature)
	return taken(&p.feature)
}

// takeRuns hands over where the runs begin.
func (p *part) takeRuns() []int {
	p.lastRuns = asMuch(p.ptr)
	return taken(&p.ptr)
}

// Lists of parts are handed over one after the other, each with as much of its memory as is
// filled: what is left of it is for the next. So a worker has stretches of large pages of its own.
// Lists that many workers begin side by side lie in one page, and all of them clear it.

// taken hands a list over, and leaves an empty one in the memory behind it.
func taken[T any](list *[]T) []T {
	n := len(*list)
	out := (*list)[:n:n]
	*list = (*list)[n:]
	return out
}

// room returns an empty list with room for so many, in the memory of the old one where that
// suffices.
func room[T any](old []T, n int) []T {
	const (
		lists   = 8       // that a stretch of memory is for
		largest = 1 << 20 // bytes of it
	)
	if cap(old) >= n {
		return old[:0]
	}
	var one T
	return pages.Make[T](max(n, min(lists*n, largest/int(unsafe.Sizeof(one)))))[:0]
}

// asMuch is room for what is in a list and some more.
func asMuch[T any](list []T) int { return len(list) + len(list)/8 }

// keepFirst is the number of malformed places a part keeps with their text;
// record.Problems keeps no more than that of the whole input.
const keepFirst = 20

// malformed notes a malformed row, and the column at fault if there is one.
func (p *part) malformed(ps *parser, field int, msg string) {
	p.skipped++
	if len(p.first) >= keepFirst {
		return
	}
	r := &ps.rows
	e := &record.ParseError{File: ps.file, Line: ps.line(), Text: r.text(), Msg: msg}
	if field >= 0 {
		e.Column, e.Text, e.Name = r.column(field), string(r.field(field)), ps.plan.nameOf(field)
	}
	p.first = append(p.first, e)
}

// entry appends one entry of the open run.
func (p *part) entry(f uint32, v float64) {
	if v != 1 && p.value == nil {
		p.value = make([]float64, len(p.feature), max(p.lastValues, len(p.feature), 64))
		for i := range p.value {
			p.value[i] = 1
		}
	}
	p.feature = append(p.feature, f)
	if p.value != nil {
		p.value = append(p.value, v)
	}
}

// drop takes back the entries from n on.
func (p *part) drop(n int) {
	p.feature = p.feature[:n]
	if p.value != nil {
		p.value = p.value[:n]
	}
	p.key = p.key[:min(n, len(p.key))]
}

// remarks counts lines that are no rows of the table.
func (p *part) remarks() int { return p.asides[isComment] + p.asides[isRemark] }

// runs returns the number of runs.
func (p *part) runs() int { return len(p.ptr) - 1 }
