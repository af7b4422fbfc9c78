package show

import (
	"archive/zip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/moiety-go/moiety/explain"
)

// NPZ writes arrays for numpy.load:
//
//	phi         k×d  word probabilities of topics; for other models it is
//	centers     k×d  called centers
//	weights     k
//	vocabulary  d    names of features
//	groups      k    ids of groups
//	theta       n×k  probabilities of every record, where given: it holds records
//
// Masked numbers are NaN. The same report gives the same bytes.
func NPZ(w io.Writer, r *explain.Report, theta *Probabilities) error {
	k, d := len(r.Leaves), len(r.Table.Names)
	if k == 0 {
		return errors.New("show: no groups to write")
	}
	phi, _ := centers(r, math.NaN())
	weights := make([]float64, k)
	for j, x := range r.Table.Weights {
		weights[j] = x.Or(math.NaN())
	}
	name := "centers"
	if d > 0 && r.Table.Of[0] == explain.OfWords {
		name = "phi"
	}
	z := zip.NewWriter(w)
	if err := z.SetComment(markNPZ); err != nil {
		return err
	}
	arrays := []array{
		floats(name, phi, k, d), floats("weights", weights, k),
		words("vocabulary", r.Table.Names), words("groups", groupIDs(r)),
	}
	if theta != nil {
		arrays = append(arrays, array{name: "theta", kind: "<f8", shape: []int{theta.Rows, k}, rest: theta.writer(k)})
	}
	for _, a := range arrays {
		// No time of writing: the same report gives the same bytes.
		f, err := z.CreateHeader(&zip.FileHeader{Name: a.name + ".npy", Method: zip.Deflate})
		if err != nil {
			return err
		}
		if err := a.write(f); err != nil {
			return err
		}
	}
	return z.Close()
}

// Probabilities are those of every row in every group. There may be more of
// them than fit into memory.
type Probabilities struct {
	Rows int
	// Each hands them over in order, some rows at a time.
	Each func(visit func(probabilities []float64) error) error
}

// writer writes them as numbers of numpy.
func (p *Probabilities) writer(k int) func(io.Writer) error {
	return func(w io.Writer) error {
		var b []byte
		n := 0
		err := p.Each(func(probabilities []float64) error {
			n += len(probabilities)
			b = b[:0]
			for _, x := range probabilities {
				b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
			}
			_, err := w.Write(b)
			return err
		})
		if err == nil && n != p.Rows*k {
			err = fmt.Errorf("show: %d probabilities for %d rows and %d groups", n, p.Rows, k)
		}
		return err
	}
}

// array is an array of numpy: its type, its shape, and its bytes.
type array struct {
	name, kind string
	shape      []int
	data       []byte
	rest       func(io.Writer) error // writes further bytes; may be nil
}

func floats(name string, v []float64, shape ...int) array {
	a := array{name: name, kind: "<f8", shape: shape, data: make([]byte, 0, 8*len(v))}
	for _, x := range v {
		a.data = binary.LittleEndian.AppendUint64(a.data, math.Float64bits(x))
	}
	return a
}

// words are stored as numpy stores strings: four bytes a character, padded.
func words(name string, list []string) array {
	most := 1
	for _, s := range list {
		most = max(most, utf8.RuneCountInString(s))
	}
	a := array{name: name, kind: fmt.Sprintf("<U%d", most), shape: []int{len(list)}}
	for _, s := range list {
		n := 0
		for _, r := range s {
			a.data = binary.LittleEndian.AppendUint32(a.data, uint32(r))
			n++
		}
		a.data = append(a.data, make([]byte, 4*(most-n))...)
	}
	return a
}

// npyAlign is the alignment of the data after the head (NumPy format 1.0).
const npyAlign = 64

// write writes magic, version, length of the head, head, data.
func (a array) write(w io.Writer) error {
	shape := strings.Trim(strings.ReplaceAll(fmt.Sprint(a.shape), " ", ", "), "[]")
	if len(a.shape) == 1 {
		shape += ","
	}
	head := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", a.kind, shape)
	const before = len("\x93NUMPY") + 2 + 2
	pad := npyAlign - (before+len(head)+1)%npyAlign
	head += strings.Repeat(" ", pad%npyAlign) + "\n"
	b := append([]byte("\x93NUMPY"), 1, 0)
	b = binary.LittleEndian.AppendUint16(b, uint16(len(head)))
	b = append(append(b, head...), a.data...)
	if _, err := w.Write(b); err != nil || a.rest == nil {
		return err
	}
	return a.rest(w)
}
