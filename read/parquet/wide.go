package parquet

import (
	"context"
	"math"

	"github.com/moiety-go/moiety/record"
)

// content tells what the numbers of the wide shape are.
type content struct {
	negative, fraction, large bool
}

func (c *content) add(x float64) {
	c.negative = c.negative || x < 0
	c.fraction = c.fraction || x != math.Trunc(x)
	c.large = c.large || x > 1
}

func (c content) kind() record.Kind {
	switch {
	case c.negative || c.fraction:
		return record.Real
	case c.large:
		return record.Counts
	default:
		return record.Presence
	}
}

// wide reads one record a row with a feature for each numeric column. The
// kind must be known before the first record: zeros are left out of counts and
// presences, and kept in measurements; so the numbers are read twice.
func (r *reader) wide(ctx context.Context, files []*file, p plan, yield func(*record.Batch) error) error {
	if err := r.survey(ctx, files, p); err != nil {
		return err
	}
	for _, col := range p.numbers {
		f := r.schema.Dict.Add(col.name)
		if r.schema.Kind == record.Real {
			r.schema.Columns = append(r.schema.Columns, record.Column{Name: col.name, Kind: record.Real, Feature: f})
		}
	}
	l := &rowBatch{side: len(p.side), yield: yield}
	columns := append(append([]*column{p.id}, p.side...), p.numbers...)
	numbers := 1 + len(p.side)
	missing := 0
	for _, f := range files {
		err := rowsOf(ctx, f, r.o.Limits, columns, func(c []*cursor) error {
			if err := l.head(c[0], c[1:numbers]); err != nil {
				return err
			}
			for i, cur := range c[numbers:] {
				v, err := cur.next()
				if err != nil {
					return err
				}
				x, ok := number(v)
				if !ok || math.IsNaN(x) || math.IsInf(x, 0) {
					x = math.NaN()
					missing++
				}
				if x != 0 || r.schema.Kind == record.Real {
					feature, _ := r.schema.Dict.Find(p.numbers[i].name)
					l.b.Feature = append(l.b.Feature, feature)
					l.b.Value = append(l.b.Value, x)
				}
			}
			if l.b.Value == nil {
				l.b.Value = []float64{}
			}
			return l.end()
		})
		if err != nil {
			return err
		}
	}
	if missing > 0 {
		r.p.Note("%d values are missing or not finite", missing)
	}
	return l.flush()
}

// survey reads the numbers once to tell their kind.
func (r *reader) survey(ctx context.Context, files []*file, p plan) error {
	var seen content
	for _, f := range files {
		err := rowsOf(ctx, f, r.o.Limits, p.numbers, func(c []*cursor) error {
			for _, cur := range c {
				v, err := cur.next()
				if err != nil {
					return err
				}
				if x, ok := number(v); ok && !math.IsNaN(x) && !math.IsInf(x, 0) {
					seen.add(x)
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	r.schema.Kind = seen.kind()
	return nil
}
