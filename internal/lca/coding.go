package lca

import (
	"fmt"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/pass"
)

// Coding gives every answer of every question a column.
type Coding struct {
	q      []family.Question
	first  []int   // of every question: the column of its first answer
	cols   int     // answers of all questions
	column []int   // of every feature: its column
	asked  []int   // of every feature: its question
	silent []int32 // the code of a record that stores nothing: absent, or no answer
}

// NewCoding returns the coding of questions. A presence has two columns: for
// its absence and for its being there.
func NewCoding(q []family.Question) *Coding {
	t := &Coding{q: q}
	for i, w := range q {
		for h := w.From; h < w.To; h++ {
			t.column, t.asked = append(t.column, t.cols+h-w.From), append(t.asked, i)
		}
		if w.Presence {
			t.column[w.From]++
		}
		t.first = append(t.first, t.cols)
		t.cols += w.Answers()
	}
	for i, w := range q {
		none := t.cols
		if w.Presence {
			none = t.first[i]
		}
		t.silent = append(t.silent, int32(none))
	}
	return t
}

// First returns the column of the first answer of question q.
func (t *Coding) First(q int) int { return t.first[q] }

// Columns returns the number of columns.
func (t *Coding) Columns() int { return t.cols }

// Features returns the number of features of a record.
func (t *Coding) Features() int { return len(t.column) }

// Column returns the column of a feature.
func (t *Coding) Column(h int) int { return t.column[h] }

// Questions returns the number of questions.
func (t *Coding) Questions() int { return len(t.first) }

// Answers returns the number of answers of question i.
func (t *Coding) Answers(i int) int { return t.q[i].Answers() }

// Cells returns the number of different records that there could be.
func (t *Coding) Cells() float64 {
	cells := 1.0
	for q := range t.q {
		cells *= float64(t.Answers(q))
	}
	return cells
}

// Code sets code to the answers of record i of a block: a column each, or the
// number of columns where there is none.
func (t *Coding) Code(b pass.Block, i int, code []int32) error {
	copy(code, t.silent)
	if b.Rows.IsBinary() {
		index, _ := b.Rows.Row(i)
		for _, h := range index {
			code[t.asked[h]] = int32(t.column[h])
		}
		return nil
	}
	set := func(h int, v float64) error {
		q := t.asked[h]
		switch {
		case v != v && t.q[q].Presence:
			code[q] = int32(t.cols)
		case v == 0 || v != v:
		case v == 1:
			code[q] = int32(t.column[h])
		default:
			return fmt.Errorf("lca: record %d holds %v for feature %d: answers are present or not: 0 or 1", b.First+i+1, v, h+1)
		}
		return nil
	}
	if b.Rows.IsDense() {
		for h, v := range b.Rows.DenseRow(i) {
			if err := set(h, v); err != nil {
				return err
			}
		}
		return nil
	}
	index, value := b.Rows.Row(i)
	for e, h := range index {
		if err := set(int(h), float64(value[e])); err != nil {
			return err
		}
	}
	return nil
}

// IsPresence reports a question that is one feature, there or not.
func (t *Coding) IsPresence(q int) bool { return t.q[q].Presence }
