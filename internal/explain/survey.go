package explain

import (
	"context"
	"regexp"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/vocab"
)

// Records are the records that were fitted: a *dataset.Dataset in memory, or a
// *dataset.File on disk. They are looked at a few times from front to back.
type Records interface {
	// Each hands over the records in order, with the number of the first of each
	// part.
	Each(ctx context.Context, yield func(first int, part *dataset.Dataset) error) error
}

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

// features returns their number, 0 where there is no record at all.
func (s *survey) features() int {
	if s.vocab == nil {
		return 0
	}
	return s.vocab.Len()
}

// fewFeatures is the number of features below which a record says little:
// third moments need three.
const fewFeatures = 3

// look is what a survey gathers on its way.
type look struct {
	survey
	date    string // side column
	means   *means // nil where nothing is measured
	sizes   bool
	pairs   *pairs
	started bool
}

// newSurvey looks at the records. measured reports whether features are measured;
// date names a side column or is empty; sizes asks for those of the rows.
func newSurvey(ctx context.Context, r Records, measured func(*vocab.Vocab) bool, date string, sizes bool) (*survey, error) {
	l := &look{date: date, sizes: sizes}
	err := r.Each(ctx, func(_ int, d *dataset.Dataset) error {
		if !l.started {
			l.begin(d, measured(d.Vocab))
		}
		l.add(d)
		return ctx.Err()
	})
	if err != nil || !l.started {
		return &l.survey, err
	}
	if l.means != nil {
		l.mean = l.means.mean(l.dense, l.rows)
	}
	l.parents = l.pairs.containing()
	return &l.survey, nil
}

func (l *look) begin(d *dataset.Dataset, measured bool) {
	l.started = true
	l.kind, l.vocab = d.Kind, d.Vocab
	l.dense, l.binary, l.sequences = d.Rows.IsDense(), d.Rows.IsBinary(), d.Steps != nil
	if measured {
		l.means = newMeans(d.Rows.Dim)
	}
	l.pairs = newPairs(d.Vocab, l.dense)
}

// add looks at a part of the records.
func (l *look) add(d *dataset.Dataset) {
	l.records += d.Len()
	l.rows += d.Rows.N()
	l.entries += d.Rows.NNZ()
	l.missing = l.missing || lacks(d.Rows.Value) || lacks(d.Rows.Dense)
	if !l.dense {
		for i := range d.Rows.N() {
			switch n := d.Rows.Ptr[i+1] - d.Rows.Ptr[i]; {
			case n == 0:
				l.lengths[0]++
			case n < fewFeatures:
				l.lengths[1]++
			default:
				l.lengths[2]++
			}
		}
	}
	if l.means != nil {
		l.means.add(d)
	}
	if l.sizes {
		l.size = append(l.size, d.Rows.Totals()...)
	}
	l.pairs.add(d)
	l.dates(d)
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
func (l *look) dates(d *dataset.Dataset) {
	side, ok := d.SideColumn(l.date)
	if l.date == "" || !ok {
		return
	}
	for _, v := range side.Values {
		if !dated.MatchString(v) {
			continue
		}
		if v = v[:len("2006-01-02")]; l.first == "" || v < l.first {
			l.first = v
		}
		l.last = max(l.last, v)
	}
}

var dated = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}`)

// means adds up the values of every feature.
type means struct{ sum, n []float64 }

func newMeans(dim int) *means { return &means{make([]float64, dim), make([]float64, dim)} }

func (m *means) add(d *dataset.Dataset) {
	for i := range d.Rows.N() {
		eachEntry(d, i, func(h int, v float64) {
			if v == v {
				m.sum[h] += v
				m.n[h]++
			}
		})
	}
}

// mean returns the mean of the values that are there; of rows that are not
// dense, what is not stored is zero.
func (m *means) mean(dense bool, rows int) []float64 {
	out := make([]float64, len(m.sum))
	for h, v := range m.sum {
		n := m.n[h]
		if !dense {
			n = float64(rows)
		}
		out[h] = v / max(n, 1)
	}
	return out
}

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
