package delimited

import (
	"hash/maphash"
	"math"

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
	ends    []int    // entries up to the end of each run
	feature []uint32
	value   []float64 // nil: ones
	key     []float64 // time of each entry, for sequences
	side    spans     // runs × side columns
	text    spans     // one a run, for texts
	last    int       // features of the chunk before, a guess at the next

	skipped      int
	contradicted int // of them, for a cell that the kind that was asked for does not allow
	first        []*record.ParseError
	empty        int         // rows without a code
	lacking      int         // rows with fewer fields than the table
	rows         int         // rows that became part of a record
	asides       [asides]int // lines that are no records
}

// room is what a part holds, for one that is made anew: it else has its lists to grow.
type room struct {
	features  int
	ids, side spans // of which only the sizes count
}

func (p *part) room() *room { return &room{p.last, p.ids.size(), p.side.size()} }

// newPart returns a part with so much room, nil where nothing is known.
func newPart(seed maphash.Seed, r *room) *part {
	p := &part{local: newNames(seed)}
	if r != nil {
		p.last, p.ids, p.side = r.features, r.ids, r.side
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
	p.hashes, p.ends = p.hashes[:0], p.ends[:0]
	if p.feature == nil { // handed over with a batch
		p.feature = pages.Make[uint32](p.last + p.last/8)
	}
	p.feature, p.value, p.key = p.feature[:0], nil, p.key[:0]
	p.ids.reset()
	p.side.reset()
	p.text.reset()
	p.skipped, p.contradicted, p.first, p.empty, p.lacking, p.rows = 0, 0, nil, 0, 0, 0
	p.asides = [asides]int{}
}

// hash makes the hashes of all ids.
func (p *part) hash() {
	p.hashes = p.hashes[:0]
	for i := range p.ids.len() {
		p.hashes = append(p.hashes, p.local.hash(p.ids.at(i)))
	}
}

// takeFeatures hands the memory of the features over.
func (p *part) takeFeatures() []uint32 {
	f := p.feature
	p.feature, p.last = nil, len(f)
	return f
}

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
		p.value = make([]float64, len(p.feature), max(cap(p.feature), 64))
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

// runs returns the number of runs.
func (p *part) runs() int { return len(p.ends) }

// from returns the first entry of run i.
func (p *part) from(i int) int {
	if i == 0 {
		return 0
	}
	return p.ends[i-1]
}
