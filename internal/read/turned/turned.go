// Package turned gives the records of a matrix that lies on its side: its lines are
// features, its columns records.
//
// It takes a function that goes through the entries, line by line, and gives batches
// of records. Entries are counted first and then put where they belong, in as many
// goes over the file as the bound of memory asks for.
//
// Step in the flow: inside read, below the readers of tables and of JSON matrices. It
// must not know file formats.
package turned

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/moiety-go/moiety/record"
)

// Matrix is what is known of a matrix before its entries.
type Matrix struct {
	Format     string
	Records    []string          // ids
	Features   []string          // names
	Titles     map[string]string // of features; may be nil
	Side       []string          // names of the side columns
	Sides      [][]string        // their values, record by record
	Entries    Entries           // that are not 0; called again for every go
	MaxEntries int               // entries in memory at once; 0: defaultMaxEntries
	Twice      func(renamed int) // told how many features had no name of their own
}

// Entries hands every entry over; record and feature are from 0 and legal.
type Entries func(ctx context.Context, add func(record, feature int, value float64) error) error

// defaultMaxEntries entries take three quarters of a gigabyte.
const defaultMaxEntries = 1 << 26

// batchRecords are handed over at once.
const batchRecords = 1 << 12

// Source reads a matrix.
type Source struct {
	m      Matrix
	schema record.Schema
}

// New returns a source of the records of a matrix.
func New(m Matrix) *Source {
	if m.MaxEntries <= 0 {
		m.MaxEntries = defaultMaxEntries
	}
	s := &Source{m: m, schema: record.Schema{Format: m.Format, Dict: record.NewDict(), Titles: m.Titles, Side: m.Side, Sparse: true}}
	renamed := 0
	for i, name := range m.Features {
		if name == "" || int(s.schema.Dict.Add(name)) != i {
			renamed++
			for n := 1; int(s.schema.Dict.Add(fmt.Sprintf("%s (line %d)", name, i+n))) != i; n++ {
			}
		}
	}
	if renamed > 0 && m.Twice != nil {
		m.Twice(renamed)
	}
	return s
}

// Schema implements record.Source.
func (s *Source) Schema() *record.Schema { return &s.schema }

// Read implements record.Source.
func (s *Source) Read(ctx context.Context, yield func(*record.Batch) error) error {
	sizes := make([]int, len(s.m.Records))
	other, real := false, false
	err := s.m.Entries(ctx, func(i, _ int, v float64) error {
		sizes[i]++
		other = other || v != 1
		real = real || v < 0 || v != math.Trunc(v)
		return nil
	})
	if err != nil {
		return err
	}
	for from := 0; from < len(sizes); {
		to, n := from, 0
		for to < len(sizes) && (to == from || n+sizes[to] <= s.m.MaxEntries) {
			n += sizes[to]
			to++
		}
		if err := s.stripe(ctx, from, sizes[from:to], yield); err != nil {
			return err
		}
		from = to
	}
	s.conclude(other, real)
	return nil
}

// stripe reads some of the records, of which the sizes are known.
func (s *Source) stripe(ctx context.Context, from int, sizes []int, yield func(*record.Batch) error) error {
	start := make([]int, len(sizes)+1)
	for i, n := range sizes {
		start[i+1] = start[i] + n
	}
	feature, value := make([]uint32, start[len(sizes)]), make([]float64, start[len(sizes)])
	next := slices.Clone(start)
	err := s.m.Entries(ctx, func(i, j int, v float64) error {
		if i -= from; i < 0 || i >= len(sizes) {
			return nil
		}
		if next[i] == start[i+1] {
			return fmt.Errorf("the file changed while it was read")
		}
		feature[next[i]], value[next[i]] = uint32(j), v
		next[i]++
		return nil
	})
	if err != nil {
		return err
	}
	for i := range sizes {
		inOrder(feature[start[i]:start[i+1]], value[start[i]:start[i+1]])
	}
	for a := 0; a < len(sizes); a += batchRecords {
		b := min(a+batchRecords, len(sizes))
		out := &record.Batch{Feature: feature[start[a]:start[b]], Value: value[start[a]:start[b]], IDs: slices.Clone(s.m.Records[from+a : from+b])}
		for i := a; i <= b; i++ {
			out.Ptr = append(out.Ptr, start[i]-start[a])
		}
		for _, side := range s.m.Sides {
			out.Side = append(out.Side, slices.Clone(side[from+a:from+b]))
		}
		if err := yield(out); err != nil {
			return err
		}
	}
	return nil
}

// inOrder sorts the entries of a record by their features.
func inOrder(feature []uint32, value []float64) {
	if !slices.IsSorted(feature) {
		sort.Stable(&entries{feature, value})
	}
}

type entries struct {
	feature []uint32
	value   []float64
}

func (e *entries) Len() int           { return len(e.feature) }
func (e *entries) Less(i, j int) bool { return e.feature[i] < e.feature[j] }
func (e *entries) Swap(i, j int) {
	e.feature[i], e.feature[j] = e.feature[j], e.feature[i]
	e.value[i], e.value[j] = e.value[j], e.value[i]
}

// conclude sets the kind by what the values were.
func (s *Source) conclude(other, real bool) {
	switch {
	case !other:
		s.schema.Kind = record.Presence
	case !real:
		s.schema.Kind = record.Counts
	default:
		s.schema.Kind = record.Real
		s.schema.Columns = nil
		for i, name := range s.schema.Dict.Names() {
			s.schema.Columns = append(s.schema.Columns, record.Column{Name: name, Kind: record.Real, Feature: uint32(i)})
		}
	}
}
