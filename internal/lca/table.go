// Package lca fits latent class models by maximum likelihood to a table of
// distinct records with their counts: given the class, the questions of a
// record are answered independently of each other.
//
// It is small and quick where answers are few, so that a fit can be repeated
// hundreds of times: from other starts, until none improves (Search), and on
// records drawn from a model (Draw). The way from moments to parameters is
// decompose's; what is found there is one start of many here.
//
// Step in the flow: beside refine. It must not know files, nor what the answers
// mean.
package lca

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/pass"
)

// Table holds records as answers, equal ones once. It is immutable.
type Table struct {
	*Coding
	code  []int32   // distinct records × questions: a column, or cols for no answer
	count []float64 // records that each stands for
	n     float64
}

// Records returns the number of records.
func (t *Table) Records() int { return int(t.n + .5) }

// Distinct returns the number of different records.
func (t *Table) Distinct() int { return len(t.count) }

func (t *Table) row(i int) []int32 { m := len(t.first); return t.code[i*m:][:m] }

// ErrMany says that there are more different records than were allowed.
var ErrMany = errors.New("lca: too many different records")

// Gather returns the table of the own records of a runner, or ErrMany where
// more than most are different. Blocks may come in any order; the table does
// not depend on it.
func Gather(ctx context.Context, run pass.Runner, q []family.Question, most int) (*Table, error) {
	t := &Table{Coding: NewCoding(q)}
	if run.Dim() != len(t.column) {
		return nil, fmt.Errorf("lca: records of %d features for questions of %d", run.Dim(), len(t.column))
	}
	var mu sync.Mutex
	seen := map[string]float64{}
	_, err := run.Own(ctx, func(b pass.Block) error {
		here, err := t.distinct(b)
		if err != nil {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		for key, n := range here {
			seen[key] += n
		}
		if len(seen) > most {
			return ErrMany
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	t.fill(seen)
	return t, nil
}

// fill takes counted records over in a fixed order.
func (t *Table) fill(seen map[string]float64) {
	keys := make([]string, 0, len(seen))
	for key := range seen {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	for _, key := range keys {
		for at := 0; at < len(key); at += 4 {
			t.code = append(t.code, int32(binary.BigEndian.Uint32([]byte(key[at:at+4]))))
		}
		t.count = append(t.count, seen[key])
		t.n += seen[key]
	}
}

// distinct counts the different records of a block.
func (t *Table) distinct(b pass.Block) (map[string]float64, error) {
	out := map[string]float64{}
	code, key := make([]int32, len(t.first)), bytes.Buffer{}
	for i := range b.Rows.N() {
		if err := t.Code(b, i, code); err != nil {
			return nil, err
		}
		key.Reset()
		for _, c := range code {
			key.Write(binary.BigEndian.AppendUint32(nil, uint32(c)))
		}
		out[key.String()]++
	}
	return out, nil
}

// Draw returns a table of as many records drawn from a model; answers that are
// missing in t are missing in the same places: a drawn record takes the
// questions answered from one of t's.
func (t *Table) Draw(m Model, r *rand.Rand) *Table {
	out := &Table{Coding: t.Coding}
	seen := map[string]float64{}
	key := bytes.Buffer{}
	for i, n := range t.count {
		for range int(n + .5) {
			key.Reset()
			c := pick(r, m.Weights, 0, 1)
			for q, col := range t.row(i) {
				if int(col) < t.cols {
					col = int32(t.first[q] + pick(r, m.P[t.first[q]*m.K+c:], m.K, t.Answers(q)))
				}
				key.Write(binary.BigEndian.AppendUint32(nil, uint32(col)))
			}
			seen[key.String()]++
		}
	}
	out.fill(seen)
	return out
}

// pick draws one of n numbers that stand stride apart, or of a whole list
// where stride is 0, by their size.
func pick(r *rand.Rand, p []float64, stride, n int) int {
	if stride == 0 {
		stride, n = 1, len(p)
	}
	u := r.Float64()
	last := 0
	for i := range n {
		v := p[i*stride]
		if v > 0 {
			last = i
		}
		if u -= v; u < 0 {
			return i
		}
	}
	return last
}
