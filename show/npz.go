package show

import (
	"archive/zip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/moiety-go/moiety/report"
)

// NPZ writes arrays for numpy.load:
//
//	phi          k×d  word probabilities of topics; for other models it is
//	centers      k×d  called centers
//	weights      k    shares of the groups; of topics that mix those of all words
//	vocabulary   d    names of features
//	groups       k    ids of groups
//	columns      d    place of each feature among the columns of the data, from
//	                  0, where features are columns
//	sd           k×d  deviations of measurements in the groups, where there are
//	transitions  k×k  of states: row from, column to
//	starts       k    chances that a sequence begins in a state
//	course_weights c, course_starts c×k, course_transitions c×k×k  of courses,
//	                  where they were asked for
//	words, documents, alpha  k, of topics: see WeightsCSV
//	centers_se, centers_low, centers_high  k×d, weights_se  k: standard errors and
//	                  95 % intervals of latent classes
//
// and, where theta is given, what holds records:
//
//	theta        n×k  probabilities of every record; of sequences of every step
//	labels       n    place of its group in groups, from 0
//	ids          n    of the records; of sequences one a sequence
//	lengths      n    steps of every sequence
//
// Masked numbers are NaN. The same report gives the same bytes.
func NPZ(w io.Writer, r *report.Report, columns []uint32, theta *Probabilities) error {
	if len(r.Leaves) == 0 {
		return errors.New("show: no groups to write")
	}
	z := zip.NewWriter(w)
	if err := z.SetComment(markNPZ); err != nil {
		return err
	}
	arrays := slices.Concat(groupArrays(r), tableArrays(r, columns), courseArrays(r), inferenceArrays(r))
	if theta != nil {
		arrays = append(arrays, theta.arrays(len(r.Leaves))...)
	}
	for _, a := range arrays {
		// No time of writing: the same report gives the same bytes. Probabilities
		// hardly shrink, and there are many.
		method := zip.Deflate
		if a.rest != nil {
			method = zip.Store
		}
		f, err := z.CreateHeader(&zip.FileHeader{Name: a.name + ".npy", Method: method})
		if err != nil {
			return err
		}
		if err := a.write(f); err != nil {
			return err
		}
	}
	return z.Close()
}

// groupArrays are those that every report has.
func groupArrays(r *report.Report) []array {
	k, d := len(r.Leaves), len(r.Table.Names)
	phi, _ := centers(r, math.NaN())
	name := "centers"
	if d > 0 && r.Table.Of[0] == report.OfWords {
		name = "phi"
	}
	list := []array{
		floats(name, phi, k, d), floats("weights", numbers(r.Table.Weights), k),
		words("vocabulary", r.Table.Names), words("groups", groupIDs(r)),
	}
	for _, x := range []struct {
		name   string
		values []report.Number
	}{{"words", r.Table.Words}, {"documents", r.Table.Documents}, {"alpha", r.Table.Alpha}, {"starts", r.Table.Starts}} {
		if x.values != nil {
			list = append(list, floats(x.name, numbers(x.values), k))
		}
	}
	return list
}

func numbers(list []report.Number) []float64 {
	out := make([]float64, len(list))
	for i, x := range list {
		out[i] = x.Or(math.NaN())
	}
	return out
}

// tableArrays are those of columns, measurements and states.
func tableArrays(r *report.Report, columns []uint32) (list []array) {
	k, d := len(r.Leaves), len(r.Table.Names)
	if columns != nil {
		a := array{name: "columns", kind: "<i8", shape: []int{d}}
		for f := range d {
			a.data = binary.LittleEndian.AppendUint64(a.data, uint64(columns[r.Table.Feature(f)]))
		}
		list = append(list, a)
	}
	if slices.Contains(r.Table.Of, report.Value) {
		sd := missing(k * d)
		for j := range r.Leaves {
			for _, m := range r.Leaf(j).Measures {
				sd[j*d+m.Index] = m.SD.Or(math.NaN())
			}
		}
		list = append(list, floats("sd", sd, k, d))
	}
	if r.Shape == report.States {
		ids, moves := groupIDs(r), missing(k*k)
		for j := range r.Leaves {
			for _, m := range r.Leaf(j).Moves {
				moves[j*k+slices.Index(ids, m.To)] = m.Probability.Or(math.NaN())
			}
		}
		list = append(list, floats("transitions", moves, k, k))
	}
	return list
}

func missing(n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = math.NaN()
	}
	return out
}

// Probabilities are those of every row in every group. There may be more of
// them than fit into memory.
type Probabilities struct {
	Rows int
	// Labels are the groups of the rows, from 0: those of largest probability,
	// but where somebody moved a record by hand.
	Labels []int32
	// Each hands them over in order, some rows at a time.
	Each func(visit func(probabilities []float64) error) error
	// Records hands over the ids of the records and, of sequences, their steps,
	// in order; nil: they are left out.
	Records func(visit func(id string, steps int) error) error
	// Sequences says that records have steps.
	Sequences bool
}

// arrays are theta and what tells whose rows it has. Ids are looked at first, for
// the longest of them.
func (p *Probabilities) arrays(k int) []array {
	list := []array{{name: "theta", kind: "<f8", shape: []int{p.Rows, k}, rest: p.writer(k)}}
	labels := array{name: "labels", kind: "<i8", shape: []int{len(p.Labels)}}
	for _, g := range p.Labels {
		labels.data = binary.LittleEndian.AppendUint64(labels.data, uint64(g))
	}
	list = append(list, labels)
	if p.Records == nil {
		return list
	}
	n, most := 0, 1
	var lengths []byte
	err := p.Records(func(id string, steps int) error {
		n, most = n+1, max(most, utf8.RuneCountInString(id))
		if p.Sequences {
			lengths = binary.LittleEndian.AppendUint64(lengths, uint64(steps))
		}
		return nil
	})
	ids := array{name: "ids", kind: fmt.Sprintf("<U%d", most), shape: []int{n}, rest: func(w io.Writer) error {
		if err != nil {
			return err
		}
		var buffer []byte
		return p.Records(func(id string, _ int) error {
			buffer = padded(buffer[:0], id, most)
			_, err := w.Write(buffer)
			return err
		})
	}}
	if list = append(list, ids); p.Sequences {
		list = append(list, array{name: "lengths", kind: "<i8", shape: []int{n}, data: lengths})
	}
	return list
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
		a.data = padded(a.data, s, most)
	}
	return a
}

// padded appends a text of at most that many characters.
func padded(b []byte, s string, most int) []byte {
	n := 0
	for _, r := range s {
		b = binary.LittleEndian.AppendUint32(b, uint32(r))
		n++
	}
	return append(b, make([]byte, 4*(most-n))...)
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
