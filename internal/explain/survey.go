package explain

import (
	"context"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/internal/pattern"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/vocab"
)

// survey is what a first look tells of the records as a whole.
type survey struct {
	kind      record.Kind
	vocab     *vocab.Vocab
	dense     bool // rows are dense
	binary    bool // rows are presences
	sequences bool
	missing   bool // some value is
	records   int
	rows      int
	entries   int       // stored ones
	lengths   [3]int    // records that are empty, short, and longer
	mean      []float64 // of every feature, where some are measured
	size      []float64 // of every row the sum of its values, where records are to be shown
	parents   [][]int   // features that are in every record that has a feature
	first     string    // date of the date column
	last      string
}

// fewFeatures is the number of features below which a record says little:
// third moments need three.
const fewFeatures = 3

// newSurvey looks at the records. measured reports whether features are measured;
// date names a side column or is empty; sizes asks for those of the rows.
func newSurvey(ctx context.Context, r dataset.Data, workers int, measured func(*vocab.Vocab) bool, date string, sizes bool) (*survey, error) {
	h := r.Describe()
	s := &survey{
		kind: h.Kind, vocab: h.Vocab, dense: h.Layout == dataset.Dense, binary: h.Layout == dataset.Binary,
		sequences: h.Sequences, records: r.Len(), rows: r.RowCount(),
	}
	of := &looked{means: measured(h.Vocab), dim: h.Vocab.Len()}
	var visit func(pass.Block) error
	if sizes {
		s.size = make([]float64, s.rows)
		visit = func(b pass.Block) error {
			copy(s.size[firstRow(b):], b.Rows.Totals())
			return nil
		}
	}
	states, err := r.Runner(workers).Own(ctx, visit, of)
	if err != nil {
		return nil, err
	}
	of.fill(s, states[0])
	p := newPairs(h.Vocab, s.dense)
	if p.have != nil || date != "" {
		err = r.Each(ctx, func(_ int, d *dataset.Dataset) error {
			p.add(d)
			s.dates(d, date)
			return ctx.Err()
		})
	}
	s.parents = p.containing()
	return s, err
}

// firstRow returns the number of the first row of a block among all.
func firstRow(b pass.Block) int {
	if b.Steps != nil {
		return b.Steps[0]
	}
	return b.First
}

// looked is the sum behind a survey: entries, rows by their length, whether a
// value is missing, and for means of every feature the sum of its values and
// their number.
type looked struct {
	means bool
	dim   int
}

const lookedHead = 5

// Len implements pass.Sum.
func (l *looked) Len() int {
	if l.means {
		return lookedHead + 2*l.dim
	}
	return lookedHead
}

// Add implements pass.Sum.
func (l *looked) Add(state []float64, b pass.Block) error {
	rows := b.Rows
	state[0] += float64(rows.NNZ())
	if rows.IsDense() {
		if lacks(rows.Dense) {
			state[1]++
		}
	} else {
		// of a block in memory, Value has the entries of all blocks
		if n := rows.N(); rows.Value != nil && n > 0 && lacks(rows.Value[rows.Ptr[0]:rows.Ptr[n]]) {
			state[1]++
		}
		for i := range rows.N() {
			switch n := rows.Ptr[i+1] - rows.Ptr[i]; {
			case n == 0:
				state[2]++
			case n < fewFeatures:
				state[3]++
			default:
				state[4]++
			}
		}
	}
	if !l.means {
		return nil
	}
	sum, n := state[lookedHead:][:l.dim], state[lookedHead+l.dim:]
	for i := range rows.N() {
		rows.Each(i, func(h int, v float64) {
			if v == v {
				sum[h] += v
				n[h]++
			}
		})
	}
	return nil
}

// fill puts what was added up into the survey. Of rows that are not dense, what
// is not stored is zero.
func (l *looked) fill(s *survey, state []float64) {
	s.entries, s.missing = int(state[0]), state[1] > 0
	for i := range s.lengths {
		s.lengths[i] = int(state[2+i])
	}
	if !l.means {
		return
	}
	s.mean = make([]float64, l.dim)
	for h := range s.mean {
		n := state[lookedHead+l.dim+h]
		if !s.dense {
			n = float64(s.rows)
		}
		s.mean[h] = state[lookedHead+h] / max(n, 1)
	}
}

// lacks reports whether a value is missing.
func lacks[T float32 | float64](values []T) bool {
	for _, v := range values {
		if v != v {
			return true
		}
	}
	return false
}

// dates keeps the first and the last day of the date column.
func (s *survey) dates(d *dataset.Dataset, date string) {
	side, ok := d.SideColumn(date)
	if date == "" || !ok {
		return
	}
	for _, v := range side.Values {
		if !dated.MatchString(v) {
			continue
		}
		if v = v[:len("2006-01-02")]; s.first == "" || v < s.first {
			s.first = v
		}
		s.last = max(s.last, v)
	}
}

var dated = pattern.New(`^\d{4}-\d{2}-\d{2}`)

// pairs counts the features of joined roll-ups that come together.
type pairs struct {
	vocab  *vocab.Vocab
	column []int // of every feature that is one of a joined roll-up: its column from 1
	have   []int // records of every feature; nil where there is no such roll-up
	both   map[[2]uint32]int
}

func newPairs(v *vocab.Vocab, dense bool) *pairs {
	p := &pairs{vocab: v, column: make([]int, v.Len())}
	joined := false
	for i, col := range v.Columns {
		if col.Kind != vocab.Categorical && col.To-col.From > 1 {
			joined = true
			for f := col.From; f < col.To; f++ {
				p.column[f] = i + 1
			}
		}
	}
	if joined && !dense {
		p.have, p.both = make([]int, v.Len()), make(map[[2]uint32]int)
	}
	return p
}

func (p *pairs) add(d *dataset.Dataset) {
	if p.have == nil {
		return
	}
	for i := range d.Rows.N() {
		index, _ := d.Rows.Row(i)
		for e, f := range index {
			p.have[f]++
			for _, q := range index[:e] {
				if p.column[f] > 0 && p.column[q] == p.column[f] {
					p.both[[2]uint32{q, f}]++
				}
			}
		}
	}
}

// containing returns, for every feature of a joined roll-up, the features of
// its column that come before it and are in every record that has it.
func (p *pairs) containing() [][]int {
	out := make([][]int, len(p.column))
	for f := range p.have {
		if p.column[f] == 0 || p.have[f] == 0 {
			continue
		}
		for q := p.vocab.Columns[p.column[f]-1].From; q < f; q++ {
			if p.both[[2]uint32{uint32(q), uint32(f)}] == p.have[f] {
				out[f] = append(out[f], q)
			}
		}
	}
	return out
}
