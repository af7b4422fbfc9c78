package moment

import (
	"context"

	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// Records returns the number of records.
func (s *Sampled) Records() int { return s.run.Len() }

// Sample returns the moments of about n of the records, as many of each block,
// evenly spread: a copy in memory, made in one scan. Which they are depends on
// the number of records alone.
func (s *Sampled) Sample(ctx context.Context, n int) (*Sampled, error) {
	blocks := (s.run.Len() + pass.BlockRecords - 1) / pass.BlockRecords
	each := (n + blocks - 1) / max(blocks, 1)
	parts := make([]sparse.Rows, blocks)
	err := s.run.Visit(ctx, func(b pass.Block) error {
		rows := b.Rows.N()
		pick := make([]int, min(each, rows))
		for i := range pick {
			pick[i] = i * rows / len(pick)
		}
		parts[b.First/pass.BlockRecords] = b.Rows.Pick(pick)
		return nil
	})
	if err != nil {
		return nil, err
	}
	workers := 0
	if w, ok := s.run.(interface{ Workers() int }); ok {
		workers = w.Workers()
	}
	t := *s
	t.run, t.first, t.pairs = pass.NewLocal(joined(s.Dim(), parts), workers), nil, nil
	return &t, nil
}

// joined returns the rows of all parts, which are of one layout.
func joined(d int, parts []sparse.Rows) sparse.Rows {
	all, nnz, n := sparse.Rows{Dim: d}, 0, 0
	for _, p := range parts {
		nnz, n = nnz+p.NNZ(), n+p.N()
	}
	if len(parts) > 0 && parts[0].IsDense() {
		all.Dense = make([]float64, 0, nnz)
		for _, p := range parts {
			all.Dense = append(all.Dense, p.Dense...)
		}
		return all
	}
	all.Ptr, all.Index = make([]int, 1, n+1), make([]uint32, 0, nnz)
	if len(parts) > 0 && parts[0].Value != nil {
		all.Value = make([]float32, 0, nnz)
	}
	for _, p := range parts {
		at := len(all.Index)
		for _, e := range p.Ptr[1:] {
			all.Ptr = append(all.Ptr, at+e)
		}
		all.Index, all.Value = append(all.Index, p.Index...), append(all.Value, p.Value...)
	}
	return all
}
