package encode

import (
	"math"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/vocab"
)

// Presences of which some are unknown are kept as answers: a feature becomes a
// question with the answers 0 and 1, and where the value is missing there is
// none. So blanks are decided here, once and on all records: every model of
// answers skips them, and nobody later has to look for them.

// isAnswers reports that the records are such presences.
func (e *encoder) isAnswers(order []uint32) bool {
	if e.kind != record.Presence || e.plan.isCodes() || e.terms.isWords || e.sequences() {
		return false
	}
	for _, t := range order {
		if e.stats.missing[t] > 0 {
			return true
		}
	}
	return false
}

// asAnswers turns a chosen vocabulary of presences into one of questions.
func (c *choice) asAnswers() {
	v := &vocab.Vocab{System: c.vocab.System}
	for h, name := range c.vocab.Names {
		v.Names = append(v.Names, name+"=0", name+"=1")
		v.Columns = append(v.Columns, vocab.Column{Name: name, Kind: vocab.Categorical, From: 2 * h, To: 2*h + 2})
	}
	c.vocab, c.kinds, c.layout = v, make([]vocab.Kind, v.Len()), dataset.Binary
	for h := range c.kinds {
		c.kinds[h] = vocab.Categorical
	}
	c.answers = true
}

// answer enters what is known of question h in the row.
func (r *rower) answer(h uint32, v float64) {
	if r.last[h] == r.rows {
		return
	}
	switch {
	case math.IsNaN(v):
		r.last[h] = r.rows
	case v != 0:
		r.last[h] = r.rows
		r.found++
		r.index, r.value = append(r.index, 2*h+1), append(r.value, 1)
	}
}

// others answers with 0 what was not said to be there or missing.
func (r *rower) others() {
	for h := range r.dim / 2 {
		if r.last[h] != r.rows {
			r.index, r.value = append(r.index, uint32(2*h)), append(r.value, 1)
			r.found++
		}
	}
}
