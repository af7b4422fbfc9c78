package lca

import (
	"fmt"
	"slices"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/pass"
)

// Coding gives every answer of every question a column.
type Coding struct {
	q      []family.Question
	first  []int // of every question: the column of its first answer
	cols   int   // answers of all questions
	column []int // of every feature: its column
}

// NewCoding returns the coding of questions. A presence has two columns: for
// its absence and for its being there.
func NewCoding(q []family.Question) *Coding {
	t := &Coding{q: q}
	for _, w := range q {
		for h := w.From; h < w.To; h++ {
			t.column = append(t.column, t.cols+h-w.From)
		}
		if w.Presence {
			t.column[w.From]++
		}
		t.first = append(t.first, t.cols)
		t.cols += w.Answers()
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
	for q, f := range t.first {
		code[q] = int32(t.cols)
		if t.q[q].Presence {
			code[q] = int32(f)
		}
	}
	set := func(h int, v float64) error {
		q := t.questionOf(h)
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
		v := 1.0
		if value != nil {
			v = float64(value[e])
		}
		if err := set(int(h), v); err != nil {
			return err
		}
	}
	return nil
}

// questionOf returns the question of a feature.
func (t *Coding) questionOf(h int) int {
	q, found := slices.BinarySearchFunc(t.q, h, func(w family.Question, h int) int { return w.From - h })
	if !found {
		q--
	}
	return q
}

// IsPresence reports a question that is one feature, there or not.
func (t *Coding) IsPresence(q int) bool { return t.q[q].Presence }
