package show

import (
	"archive/zip"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/moiety-go/moiety/report"
)

// OCTISArrays writes what OCTIS' own load_model_output reads: an npz with
// "topic-word-matrix", "topics" and, where theta is given, "topic-document-matrix",
// a topic a row. Masked numbers would be no probabilities: then it is refused.
func OCTISArrays(w io.Writer, r *report.Report, theta *Probabilities) error {
	m, whole := centers(r, 0)
	k, d := len(r.Leaves), len(r.Table.Names)
	if !whole || k == 0 || d == 0 || r.Table.Of[0] == report.Value {
		return fmt.Errorf("show: the frequencies of all features are wanted, and some are withheld or there are none: %w", ErrNoPicture)
	}
	var topics []string
	most := math.MaxInt
	for j := range r.Leaves {
		most = min(most, len(r.Leaf(j).Frequent))
	}
	for j := range r.Leaves {
		for _, f := range r.Leaf(j).Frequent[:most] {
			topics = append(topics, f.Name)
		}
	}
	names := words("topics", topics)
	names.shape = []int{k, most}
	arrays := []array{floats("topic-word-matrix", m, k, d), names}
	if theta != nil {
		shares, err := theta.turned(k)
		if err != nil {
			return err
		}
		arrays = append(arrays, shares)
	}
	z := zip.NewWriter(w)
	if err := z.SetComment(markNPZ); err != nil {
		return err
	}
	for _, a := range arrays {
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

// turned is the matrix of topics by documents.
func (p *Probabilities) turned(k int) (array, error) {
	a := array{name: "topic-document-matrix", kind: "<f8", shape: []int{k, p.Rows}, data: make([]byte, 8*k*p.Rows)}
	i := 0
	err := p.Each(func(probabilities []float64) error {
		for ; len(probabilities) >= k; probabilities = probabilities[k:] {
			for j, x := range probabilities[:k] {
				binary.LittleEndian.PutUint64(a.data[8*(j*p.Rows+i):], math.Float64bits(x))
			}
			i++
		}
		return nil
	})
	if err == nil && i != p.Rows {
		err = fmt.Errorf("show: probabilities of %d rows, want %d", i, p.Rows)
	}
	return a, err
}

// OCTISVocabulary writes the words by their numbers, as load_model_output reads
// them beside the arrays.
func OCTISVocabulary(w io.Writer, r *report.Report) error {
	if _, err := io.WriteString(w, `{"generator":"`+markOCTIS+`"`); err != nil {
		return err
	}
	for f, name := range r.Table.Names {
		word, err := json.Marshal(name)
		if err != nil {
			return err
		}
		if _, err := io.WriteString(w, ",\n"+strconv.Quote(strconv.Itoa(f))+":"+string(word)); err != nil {
			return err
		}
	}
	_, err := io.WriteString(w, "}\n")
	return err
}
