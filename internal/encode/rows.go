package encode

import (
	"math"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"
)

// rower turns lists of feature and value into rows of one layout.
type rower struct {
	layout   dataset.Layout
	kinds    []vocab.Kind
	presence bool     // values are 0 or 1, however often a feature comes
	answers  bool     // features are questions with two answers each
	calls    filler   // genotypes of which some are missing
	reals    []uint32 // features that are missing where they are not stored
	dim      int

	builder *sparse.Builder
	dense   []float64

	index []uint32
	value []float32
	last  []int // last row of a feature, from 1
	rows  int
	found int // distinct features since the last take of it
}

func newRower(layout dataset.Layout, kinds []vocab.Kind, presence, sparseReals bool) *rower {
	r := &rower{layout: layout, kinds: kinds, presence: presence, dim: len(kinds), last: make([]int, len(kinds))}
	for h, k := range kinds {
		if k == vocab.Real && !sparseReals {
			r.reals = append(r.reals, uint32(h))
		}
	}
	r.reset()
	return r
}

func (r *rower) reset() {
	r.builder, r.dense = nil, nil
	if r.layout == dataset.Dense {
		r.dense = []float64{}
		return
	}
	r.builder = sparse.NewBuilder(r.dim, r.layout == dataset.Binary)
}

// begin starts a row.
func (r *rower) begin() {
	r.rows++
	r.index, r.value = r.index[:0], r.value[:0]
	if r.layout != dataset.Dense {
		return
	}
	at := len(r.dense)
	r.dense = append(r.dense, make([]float64, r.dim)...)
	for _, h := range r.reals {
		r.dense[at+int(h)] = math.NaN()
	}
}

// set enters a value of the row.
func (r *rower) set(h uint32, v float64) {
	if r.calls.Calls != nil && v != v {
		if v = r.calls.call(h); v == 0 {
			return
		}
	}
	if r.answers {
		r.answer(h, v)
		return
	}
	again := r.last[h] == r.rows
	if math.IsNaN(v) && (r.layout == dataset.Binary || again) {
		return
	}
	single := r.presence || r.kinds[h] == vocab.Categorical
	if single && (again || v == 0) {
		return
	}
	if single && v == v {
		v = 1
	}
	if !again && (v != 0 || r.kinds[h] == vocab.Real) {
		r.last[h] = r.rows
		r.found++
	}
	if r.layout == dataset.Dense {
		cell := &r.dense[len(r.dense)-r.dim+int(h)]
		if again && !math.IsNaN(*cell) {
			v += *cell
		}
		*cell = v
		return
	}
	r.index, r.value = append(r.index, h), append(r.value, float32(v))
}

// end closes the row.
func (r *rower) end() error {
	if r.layout == dataset.Dense {
		return nil
	}
	if r.answers {
		r.others()
	}
	if r.layout == dataset.Valued {
		for _, h := range r.reals {
			if r.last[h] != r.rows {
				r.index, r.value = append(r.index, h), append(r.value, float32(math.NaN()))
			}
		}
	}
	return r.builder.Add(r.index, r.value)
}

// take returns the rows so far and starts anew.
func (r *rower) take() sparse.Rows {
	rows := sparse.Rows{Dim: r.dim, Dense: r.dense}
	if r.layout != dataset.Dense {
		rows = r.builder.Rows()
	}
	r.reset()
	return rows
}
