package explain

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/vocab"
)

// Tables are all counts that a report is made of: of records, and of every group
// and feature; of sequences, whose steps are counted there, also how many sequences
// have a step in every group, and one with every feature there. Those of several sites add up to those of all records, so that a
// report needs none of them. Nothing of them is masked: they are for totals.
type Tables []float64

// heads are the numbers of Tables before those of groups: records, rows, entries,
// records that are empty, short and longer.
const heads = 6

// groupHeads are the numbers of a group before those of features: rows, surely
// in it, between, doubtful, and the sum of probabilities.
const groupHeads = 5

// Tabulate makes the tables of a flat fit on records, which may be none.
func Tabulate(ctx context.Context, o *fit.Outcome, r dataset.Data) (Tables, error) {
	d, fam, err := emptySurvey(o, r.Describe())
	if err != nil {
		return nil, err
	}
	found, err := newSurvey(ctx, r, 0, func(*vocab.Vocab) bool { return false }, "", false)
	if err != nil {
		return nil, err
	}
	d.records, d.rows, d.entries, d.lengths = found.records, found.rows, found.entries, found.lengths
	h := newHierarchy(o)
	c, err := count(ctx, o, r, 0, d, h, sharesOf(fam.Info(), d.vocab.Len()))
	if err != nil {
		return nil, err
	}
	t := make(Tables, 0, tableSize(c, d.vocab.Len(), o.K()))
	t = append(t, float64(d.records), float64(d.rows), float64(d.entries))
	for _, n := range d.lengths {
		t = append(t, float64(n))
	}
	for _, leaf := range h.leaf {
		t = append(t, float64(c.n[leaf]), float64(c.sure[0][leaf]), float64(c.sure[1][leaf]), float64(c.sure[2][leaf]), c.chance[leaf])
		t = appendCounts(t, c.have, leaf)
		t = appendCounts(t, c.miss, leaf)
		for _, values := range [][][]float64{c.sum, c.square} {
			if values != nil {
				t = append(t, values[leaf]...)
			}
		}
	}
	if c.people != nil {
		for _, o := range c.people.all() {
			for _, n := range o.n {
				t = append(t, float64(n))
			}
		}
	}
	return t, nil
}

func appendCounts(t Tables, counts [][]int32, leaf int) Tables {
	if counts != nil {
		for _, n := range counts[leaf] {
			t = append(t, float64(n))
		}
	}
	return t
}

// tableSize returns the length of tables of k groups.
func tableSize(c *cells, d, k int) int {
	each := groupHeads + d
	for _, there := range []bool{c.miss != nil, c.sum != nil, c.square != nil} {
		if there {
			each += d
		}
	}
	size := heads + k*each
	if c.people != nil {
		size += len(c.people.all()) * len(c.n)
	}
	return size
}

// emptySurvey is what is known of records of a kind without looking at any: the
// same at every site.
func emptySurvey(o *fit.Outcome, h dataset.Header) (*survey, family.Family, error) {
	fam, err := o.Model.Family()
	if err != nil {
		return nil, nil, err
	}
	d := &survey{kind: h.Kind, vocab: h.Vocab, dense: h.Layout == dataset.Dense, binary: h.Layout == dataset.Binary, sequences: h.Sequences}
	d.missing, d.parents = !d.binary, make([][]int, h.Vocab.Len())
	d.mean = make([]float64, h.Vocab.Len())
	mat.NewVecDense(len(d.mean), d.mean).MulVec(o.Model.Params.Centers, mat.NewVecDense(o.K(), o.Model.Params.Weights))
	return d, fam, nil
}

// Tabled explains a flat fit by its tables.
func Tabled(ctx context.Context, o *fit.Outcome, header dataset.Header, t Tables, s report.Settings) (*report.Report, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	d, fam, err := emptySurvey(o, header)
	if err != nil {
		return nil, err
	}
	b := newBuilder(o, fam.Info(), d, s)
	b.c = newCells(b.h.len(), d, b.of)
	if len(t) != tableSize(b.c, d.vocab.Len(), o.K()) {
		return nil, fmt.Errorf("explain: tables of %d numbers are not those of %d groups and %d features", len(t), o.K(), d.vocab.Len())
	}
	d.records, d.rows, d.entries = int(t[0]), int(t[1]), int(t[2])
	if err := (Gate{Ring: s.Ring(), Limit: s.Limit()}).Cohort(d.records); err != nil {
		return nil, err
	}
	for i := range d.lengths {
		d.lengths[i] = int(t[3+i])
	}
	t = t[heads:]
	for _, leaf := range b.h.leaf {
		t = b.c.fill(leaf, t)
	}
	if b.c.people != nil {
		for _, o := range b.c.people.all() {
			for node := range o.n {
				o.n[node] = int(t[node])
			}
			t = t[len(o.n):]
		}
	}
	b.c.rollup(b.h, s.Workers)
	return b.report(ctx, nil)
}

// fill reads the numbers of a group and returns the rest.
func (c *cells) fill(leaf int, t Tables) Tables {
	c.n[leaf], c.chance[leaf] = int(t[0]), t[4]
	for l := range c.sure {
		c.sure[l][leaf] = int(t[1+l])
	}
	t = t[groupHeads:]
	for _, counts := range [][][]int32{c.have, c.miss} {
		if counts != nil {
			for f := range counts[leaf] {
				counts[leaf][f] = int32(t[f])
			}
			t = t[len(counts[leaf]):]
		}
	}
	for _, values := range [][][]float64{c.sum, c.square} {
		if values != nil {
			t = t[copy(values[leaf], t):]
		}
	}
	return t
}
