package npy

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/moiety-go/moiety/internal/read/triplets"
	"github.com/moiety-go/moiety/record"
)

// sparse is a source of one sparse matrix: compressed rows or columns, or
// coordinates.
type sparse struct {
	file   *File
	p      *record.Problems
	schema record.Schema
	form   string
	rows   int
	cols   int
	ids    []string
	labels []string
	names  []string
	seen   content
}

// content tells what the values were.
type content struct{ other, negative, fraction bool }

func (c *content) add(v float64) {
	c.other = c.other || v != 1
	c.negative = c.negative || v < 0
	c.fraction = c.fraction || v != math.Trunc(v)
}

// New returns a source of a sparse matrix.
func New(f *File, p *record.Problems) (record.Source, error) {
	s := &sparse{file: f, p: p}
	s.schema = record.Schema{Format: "npz", Dict: record.NewDict(), Sparse: true}
	if err := s.open(); err != nil {
		return nil, err
	}
	return s, nil
}

// open reads the form, the shape and the names.
func (s *sparse) open() error {
	a, c, err := s.file.array("format")
	if err != nil {
		return err
	}
	form, err := a.texts()
	c.Close()
	if err != nil || len(form) != 1 {
		return s.wrong("the form of the sparse matrix cannot be read")
	}
	s.form = form[0]
	if a, c, err = s.file.array("shape"); err != nil {
		return err
	}
	shape, err := a.wholes()
	c.Close()
	if err != nil {
		return err
	}
	if len(shape) != 2 || shape[0] < 0 || shape[1] < 0 || shape[0] > math.MaxInt32 || shape[1] > math.MaxInt32 {
		return s.wrong("a shape of %v cannot be believed", shape)
	}
	if !slices.Contains([]string{"csr", "csc", "coo"}, s.form) {
		return s.wrong("the sparse form %q is not read; save it by scipy.sparse.save_npz(…, X.tocsr())", s.form)
	}
	s.rows, s.cols = int(shape[0]), int(shape[1])
	if s.ids, _, err = s.file.list(s.rows, idArrays...); err != nil {
		return err
	}
	var label string
	if s.labels, label, err = s.file.list(s.rows, labelArrays...); err != nil {
		return err
	}
	if s.labels != nil {
		s.schema.Side = []string{label}
	}
	s.names, _, err = s.file.list(s.cols, columnArrays...)
	return err
}

func (s *sparse) wrong(format string, args ...any) error {
	return &record.ParseError{File: s.file.in.Name, Msg: fmt.Sprintf(format, args...)}
}

// Schema implements record.Source.
func (s *sparse) Schema() *record.Schema { return &s.schema }

// Read implements record.Source.
func (s *sparse) Read(ctx context.Context, yield func(*record.Batch) error) error {
	var columns *triplets.Columns
	if s.names != nil {
		renamed := 0
		if columns, renamed = triplets.NewColumns(s.schema.Dict, s.names, s.cols); renamed > 0 {
			s.p.Repaired("feature names that are empty or come twice, told apart by their number", renamed)
		}
	} else {
		var names []string
		for i := range min(s.cols, 1<<20) {
			names = append(names, "x"+strconv.Itoa(i))
		}
		columns, _ = triplets.NewColumns(s.schema.Dict, names, s.cols)
	}
	o := triplets.Options{Name: s.file.in.Name, Workers: 1} // as all of the file is read by one
	if s.form != "csr" {
		o.Window = triplets.DefaultLimit // entries come in any order of records
	}
	group := triplets.NewGrouper(o, func(first int, b *record.Batch) error {
		if s.ids != nil {
			b.IDs = slices.Clone(s.ids[first : first+b.N()])
		}
		if s.labels != nil {
			b.Side = [][]string{slices.Clone(s.labels[first : first+b.N()])}
		}
		return yield(b)
	})
	if err := s.entries(ctx, func(b *triplets.Block) error {
		columns.Map(b)
		return group.Add(b)
	}); err != nil {
		return err
	}
	believed, err := group.Close(s.rows)
	if err != nil {
		return err
	}
	if !believed {
		return s.wrong("the shape promises %d records, and the last with entries is number %d", s.rows, group.Records())
	}
	if n := group.Repeated(); n > 0 {
		s.seen.other = true
		s.p.Repaired("entries given twice, values added up", n)
	}
	s.conclude()
	return nil
}

// conclude sets the kind by what the values were.
func (s *sparse) conclude() {
	switch {
	case !s.seen.other:
		s.schema.Kind = record.Presence
	case !s.seen.negative && !s.seen.fraction:
		s.schema.Kind = record.Counts
	default:
		s.schema.Kind = record.Real
		s.schema.Columns = nil
		for i, name := range s.schema.Dict.Names() {
			s.schema.Columns = append(s.schema.Columns, record.Column{Name: name, Kind: record.Real, Feature: uint32(i)})
		}
	}
}

// entries hands the entries over in blocks.
func (s *sparse) entries(ctx context.Context, add func(*triplets.Block) error) error {
	minor, major := "indices", "indptr"
	if s.form == "coo" {
		minor, major = "col", "row"
	}
	places, err := s.major(major)
	if err != nil {
		return err
	}
	index, c1, err := s.file.array(minor)
	if err != nil {
		return err
	}
	defer c1.Close()
	data, c2, err := s.file.array("data")
	if err != nil {
		return err
	}
	defer c2.Close()
	if index.kind != 'i' && index.kind != 'u' || data.isText() {
		return s.wrong("indices must be whole numbers, and data numbers")
	}
	if index.left != data.left || s.form == "coo" && len(places) != data.left || s.form != "coo" && places[len(places)-1] != int64(data.left) {
		return s.wrong("the arrays of the sparse matrix do not fit together: %d indices, %d values", index.left, data.left)
	}
	return s.join(ctx, places, index, data, add)
}

// major reads the places where rows or columns begin, or the rows of all
// entries.
func (s *sparse) major(name string) ([]int64, error) {
	a, c, err := s.file.array(name)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	n := s.rows
	if s.form == "csc" {
		n = s.cols
	}
	if s.form != "coo" && a.left != n+1 {
		return nil, s.wrong("%s has %d numbers for a shape of %d × %d", name, a.left, s.rows, s.cols)
	}
	places, err := a.wholes()
	if err != nil || s.form == "coo" {
		return places, err
	}
	last := int64(0)
	for _, p := range places {
		if p < last || places[0] != 0 {
			return nil, s.wrong("%s does not rise from 0", name)
		}
		last = p
	}
	return places, nil
}

// blockEntries is the number of entries handed over at once.
const blockEntries = 1 << 16

// join reads indices and values side by side.
func (s *sparse) join(ctx context.Context, places []int64, index, data *array, add func(*triplets.Block) error) error {
	block := &triplets.Block{}
	row := int64(-1)
	put := func(i, j int64, v float64) error {
		if i < 0 || i >= int64(s.rows) || j < 0 || j >= int64(s.cols) {
			return s.wrong("an entry lies at row %d, column %d of a matrix of %d × %d", i, j, s.rows, s.cols)
		}
		if v == 0 {
			return nil
		}
		s.seen.add(v)
		if i != row || len(block.Feature) == 0 {
			block.Runs = append(block.Runs, triplets.Run{Record: uint32(i), Start: len(block.Feature)})
			row = i
		}
		block.Feature = append(block.Feature, uint32(j))
		block.Value = append(block.Value, v)
		if len(block.Feature) < blockEntries {
			return nil
		}
		full := block
		block = &triplets.Block{}
		return add(full)
	}
	major := 0
	for e := int64(0); data.left > 0; e++ {
		if e%blockEntries == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		raw, err := index.next()
		if err != nil {
			return err
		}
		i := index.whole(raw)
		if raw, err = data.next(); err != nil {
			return err
		}
		v := data.number(raw)
		switch s.form {
		case "coo":
			err = put(places[e], i, v)
		default:
			for places[major+1] <= e {
				major++
			}
			if s.form == "csc" {
				err = put(i, int64(major), v)
			} else {
				err = put(int64(major), i, v)
			}
		}
		if err != nil {
			return err
		}
	}
	if block.Value == nil {
		block.Value = []float64{}
	}
	return add(block)
}
