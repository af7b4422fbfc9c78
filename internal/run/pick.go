package run

import (
	"github.com/moiety-go/moiety/dataset"
)

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
