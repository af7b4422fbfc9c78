package show

import (
	"archive/zip"
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"unicode/utf8"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/internal/unfinished"
)

// Places collects where records were placed, block after block, for forms that
// begin with their size: arrays of numpy. What was collected is on disk; memory
// does not grow with the records. It holds records.
type Places struct {
	groups             []string
	theta, labels, ids *tempFile
	rows, records      int
	longest            int // characters of the longest id
	lengths            []byte
	sequences          bool
}

// NewPlaces begins a collection for groups of these ids, in files of a folder for
// temporary ones.
func NewPlaces(dir string, groups []string) (*Places, error) {
	p := &Places{groups: groups, longest: 1}
	for _, s := range []**tempFile{&p.theta, &p.labels, &p.ids} {
		f, err := unfinished.NewScratch(dir, "moiety-places-")
		if err != nil {
			return nil, errors.Join(err, p.Close())
		}
		*s = &tempFile{file: f, w: bufio.NewWriter(f)}
	}
	return p, nil
}

// tempFile is a file that is written once and read once.
type tempFile struct {
	file   *unfinished.Scratch
	w      *bufio.Writer
	buffer []byte
}

// from returns the file from its beginning.
func (s *tempFile) from() (*bufio.Reader, error) {
	if err := s.w.Flush(); err != nil {
		return nil, err
	}
	_, err := s.file.Seek(0, io.SeekStart)
	return bufio.NewReader(s.file), err
}

// Close forgets what was collected.
func (p *Places) Close() error {
	var err error
	for _, s := range []*tempFile{p.theta, p.labels, p.ids} {
		if s != nil {
			err = errors.Join(err, s.file.Close())
		}
	}
	return err
}

// Add collects a block: the group of every row, and the probabilities of all.
func (p *Places) Add(d *dataset.Dataset, group []int32, all []float64) error {
	b := p.theta.buffer[:0]
	for _, x := range all {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
	}
	p.theta.buffer = b
	_, err := p.theta.w.Write(b)
	b = p.labels.buffer[:0]
	for _, g := range group {
		b = binary.LittleEndian.AppendUint64(b, uint64(g))
	}
	p.labels.buffer = b
	_, other := p.labels.w.Write(b)
	err = errors.Join(err, other)
	p.rows += len(group)
	for i := range d.Len() {
		id := d.ID(i)
		p.longest = max(p.longest, utf8.RuneCountInString(id))
		p.ids.buffer = append(binary.AppendUvarint(p.ids.buffer[:0], uint64(len(id))), id...)
		_, other := p.ids.w.Write(p.ids.buffer)
		err = errors.Join(err, other)
		if d.Steps != nil {
			p.sequences = true
			p.lengths = binary.LittleEndian.AppendUint64(p.lengths, uint64(d.Steps[i+1]-d.Steps[i]))
		}
	}
	p.records += d.Len()
	return err
}

// NPZ writes arrays for numpy.load:
//
//	theta    n×k  probability of every group for every record; of sequences for
//	              every step
//	labels   n    place of its group in groups, from 0
//	groups   k    ids of groups
//	ids      n    of the records; of sequences one a sequence
//	lengths  n    steps of every sequence
func (p *Places) NPZ(w io.Writer) error {
	z := zip.NewWriter(w)
	if err := z.SetComment(markNPZ); err != nil {
		return err
	}
	arrays := []array{
		p.matrix(),
		{name: "labels", kind: "<i8", shape: []int{p.rows}, rest: p.labels.copy},
		words("groups", p.groups),
		{name: "ids", kind: fmt.Sprintf("<U%d", p.longest), shape: []int{p.records}, rest: p.names},
	}
	if p.sequences {
		arrays = append(arrays, array{name: "lengths", kind: "<i8", shape: []int{p.records}, data: p.lengths})
	}
	for _, a := range arrays {
		f, err := z.CreateHeader(&zip.FileHeader{Name: a.name + ".npy", Method: zip.Store})
		if err != nil {
			return err
		}
		if err := a.write(f); err != nil {
			return err
		}
	}
	return z.Close()
}

// NPY writes the probabilities alone, one row a record.
func (p *Places) NPY(w io.Writer) error { return p.matrix().write(w) }

func (p *Places) matrix() array {
	return array{name: "theta", kind: "<f8", shape: []int{p.rows, len(p.groups)}, rest: p.theta.copy}
}

func (s *tempFile) copy(w io.Writer) error {
	r, err := s.from()
	if err == nil {
		_, err = io.Copy(w, r)
	}
	return err
}

// names writes the ids, padded to the longest of them.
func (p *Places) names(w io.Writer) error {
	r, err := p.ids.from()
	if err != nil {
		return err
	}
	var buffer []byte
	for range p.records {
		id, err := nextID(r)
		if err != nil {
			return err
		}
		buffer = padded(buffer[:0], id, p.longest)
		if _, err := w.Write(buffer); err != nil {
			return err
		}
	}
	return nil
}

// Place is a record in the JSON document of places: its id, the id of its group,
// and the probability of every group; of sequences those of every step.
type Place struct {
	ID            string      `json:"id"`
	Group         string      `json:"group,omitempty"`
	Probabilities []float64   `json:"probabilities,omitempty"`
	Groups        []string    `json:"groups,omitempty"` // of the steps
	Steps         [][]float64 `json:"steps,omitempty"`  // probabilities of every step
}

// JSON writes one document: groups, the ids of the groups, and records, one line
// each, in their order.
func (p *Places) JSON(w io.Writer) error {
	out := bufio.NewWriter(w)
	head, err := json.Marshal(p.groups)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "{%s\"groups\": %s,\n\"records\": [", markPlaces, head)
	err = p.lines(out)
	out.WriteString("\n]}\n")
	return errors.Join(err, out.Flush())
}

// lines writes the records of a JSON list.
func (p *Places) lines(out *bufio.Writer) error {
	between := "\n"
	return p.each(func(x *Place) error {
		line, err := json.Marshal(x)
		out.WriteString(between)
		out.WriteString(harmlessJSON(string(line)))
		between = ",\n"
		return err
	})
}

// each hands over the records, in order.
func (p *Places) each(visit func(*Place) error) error {
	theta, err := p.theta.from()
	labels, other := p.labels.from()
	ids, third := p.ids.from()
	if err := errors.Join(err, other, third); err != nil {
		return err
	}
	for i := range p.records {
		id, err := nextID(ids)
		if err != nil {
			return err
		}
		x := &Place{ID: id}
		steps := 1
		if p.sequences {
			steps = int(binary.LittleEndian.Uint64(p.lengths[8*i:]))
		}
		for range steps {
			row := make([]float64, len(p.groups))
			var label int64
			if err := errors.Join(binary.Read(theta, binary.LittleEndian, row), binary.Read(labels, binary.LittleEndian, &label)); err != nil {
				return err
			}
			if p.sequences {
				x.Groups, x.Steps = append(x.Groups, p.groups[label]), append(x.Steps, row)
			} else {
				x.Group, x.Probabilities = p.groups[label], row
			}
		}
		if err := visit(x); err != nil {
			return err
		}
	}
	return nil
}

func nextID(r *bufio.Reader) (string, error) {
	n, err := binary.ReadUvarint(r)
	if err != nil {
		return "", err
	}
	id := make([]byte, n)
	_, err = io.ReadFull(r, id)
	return string(id), err
}
