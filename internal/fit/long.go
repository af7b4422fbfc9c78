package fit

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/internal/encode"
	"github.com/moiety-go/moiety/pass"
)

// Long returns the records that are not short, on which a model is learned
// where short ones are left out, and a function that forgets them. It is the
// whole data where no record is short.
func (p *Prepared) Long(ctx context.Context, workers int, dir string) (Training, func(), error) {
	if p.Short == nil {
		return p.Training(workers), func() {}, nil
	}
	if d, ok := p.Set.(*dataset.Dataset); ok {
		part := pick(d, p.isLong)
		q := &Prepared{Result: &encode.Result{Set: part}, Reading: p.Reading}
		return q.Training(workers), func() {}, nil
	}
	path := filepath.Join(dir, "long.tmp")
	if err := p.writeLong(ctx, path); err != nil {
		return Training{}, nil, err
	}
	f, err := dataset.Open(path)
	if err != nil {
		return Training{}, nil, errors.Join(err, os.Remove(path))
	}
	q := &Prepared{Result: &encode.Result{Set: f}, Reading: p.Reading}
	return q.Training(workers), func() { f.Close(); os.Remove(path) }, nil
}

func (p *Prepared) isLong(i int) bool { return !p.Short[i] }

// writeLong writes the long records of a data set on disk to another file.
func (p *Prepared) writeLong(ctx context.Context, path string) error {
	w, err := dataset.NewWriter(path, p.Set.Describe())
	if err != nil {
		return err
	}
	defer w.Abort()
	err = p.Set.Each(ctx, func(first int, d *dataset.Dataset) error {
		part := pick(d, func(i int) bool { return p.isLong(first + i) })
		if part.Len() == 0 {
			return nil
		}
		return w.Append(part)
	})
	if err != nil {
		return err
	}
	return w.Close()
}

// pick returns the records for which keep holds, in order.
func pick(d *dataset.Dataset, keep func(i int) bool) *dataset.Dataset {
	var records, rows []int
	out := &dataset.Dataset{Kind: d.Kind, Vocab: d.Vocab}
	if d.Steps != nil {
		out.Steps = []int{0}
	}
	for i := range d.Len() {
		if !keep(i) {
			continue
		}
		records = append(records, i)
		if d.Steps == nil {
			rows = append(rows, i)
			continue
		}
		for r := d.Steps[i]; r < d.Steps[i+1]; r++ {
			rows = append(rows, r)
		}
		out.Steps = append(out.Steps, len(rows))
	}
	out.Rows = d.Rows.Pick(rows)
	out.IDs = make([]string, len(records))
	for j, i := range records {
		out.IDs[j] = d.ID(i)
	}
	for _, s := range d.Side {
		side := dataset.Side{Name: s.Name, Values: make([]string, len(records))}
		for j, i := range records {
			side.Values[j] = s.Values[i]
		}
		out.Side = append(out.Side, side)
	}
	return out
}

// placeAll gives every record its group after a fit on the long ones only.
func placeAll(ctx context.Context, p *Prepared, out *Outcome, workers int) error {
	all := p.Training(workers)
	placer, err := NewPlacer(out)
	if err != nil {
		return err
	}
	rows := all.Run.Can().OwnRows
	out.Group, out.Probability = make([]int32, rows), make([]float32, rows)
	_, err = all.Run.Own(ctx, func(b pass.Block) error {
		group, probability, err := placer.Place(b)
		first := b.First
		if b.Steps != nil {
			first = b.Steps[0]
		}
		copy(out.Group[first:], group)
		copy(out.Probability[first:], probability)
		return err
	})
	if err != nil {
		return err
	}
	return Reweigh(ctx, out, all)
}
