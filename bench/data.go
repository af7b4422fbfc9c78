package main

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/synth"
	"github.com/moiety-go/moiety/sparse"
)

// Data lie in a folder as plain little-endian arrays that every tool reads at
// once: ptr (int64), index (uint32), value (float32, none for presences).

// save writes rows into a new folder and returns it.
func (b *bench) save(name string, rows sparse.Rows) (string, error) {
	dir := b.path(name)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	ptr := make([]int64, len(rows.Ptr))
	for i, p := range rows.Ptr {
		ptr[i] = int64(p)
	}
	err := errors.Join(
		writeArray(filepath.Join(dir, "shape"), []int64{int64(rows.N()), int64(rows.Dim)}),
		writeArray(filepath.Join(dir, "ptr"), ptr),
		writeArray(filepath.Join(dir, "index"), rows.Index))
	if rows.Value != nil {
		err = errors.Join(err, writeArray(filepath.Join(dir, "value"), rows.Value))
	}
	return dir, err
}

// load reads the rows of a folder.
func load(dir string) (sparse.Rows, error) {
	shape, err1 := readArray[int64](filepath.Join(dir, "shape"))
	ptr, err2 := readArray[int64](filepath.Join(dir, "ptr"))
	index, err3 := readArray[uint32](filepath.Join(dir, "index"))
	if err := errors.Join(err1, err2, err3); err != nil {
		return sparse.Rows{}, err
	}
	rows := sparse.Rows{Dim: int(shape[1]), Ptr: make([]int, len(ptr)), Index: index}
	for i, p := range ptr {
		rows.Ptr[i] = int(p)
	}
	value, err := readArray[float32](filepath.Join(dir, "value"))
	if errors.Is(err, os.ErrNotExist) {
		return rows, nil
	}
	rows.Value = value
	return rows, err
}

func writeArray[T any](path string, x []T) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 1<<20)
	return errors.Join(binary.Write(w, binary.LittleEndian, x), w.Flush(), f.Close())
}

func readArray[T any](path string) ([]T, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	var one T
	out := make([]T, info.Size()/int64(binary.Size(one)))
	r := bufio.NewReaderSize(f, 1<<20)
	const chunk = 1 << 16 // binary.Read takes a buffer as large as what it reads
	for at := 0; at < len(out); at += chunk {
		if err := binary.Read(r, binary.LittleEndian, out[at:min(at+chunk, len(out))]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// saveTopics and loadTopics keep topics as k×d numbers, a topic after another,
// as the other tools have them.
func saveTopics(dir string, topics *mat.Dense) error {
	d, k := topics.Dims()
	flat := make([]float64, 0, d*k)
	for j := range k {
		flat = append(flat, mat.Col(nil, j, topics)...)
	}
	return writeArray(filepath.Join(dir, "topics"), flat)
}

func loadTopics(dir string, d int) (*mat.Dense, error) {
	flat, err := readArray[float64](filepath.Join(dir, "topics"))
	if err != nil || len(flat) == 0 || len(flat)%d != 0 {
		return nil, errors.Join(err, fmt.Errorf("%d numbers for topics over %d words", len(flat), d))
	}
	t := mat.DenseCopyOf(mat.NewDense(len(flat)/d, d, flat).T())
	for j := range len(flat) / d {
		sum := 0.0
		for h := range d {
			sum += t.At(h, j)
		}
		for h := range d {
			t.Set(h, j, t.At(h, j)/sum)
		}
	}
	return t, nil
}

// held is the number of documents that are kept from every method, to tell how
// well its topics predict them.
const held = 1000

// corpus draws n documents and as many again as are held.
func corpus(n, k int, mixed bool) (train, test sparse.Rows, set synth.Set) {
	set = synth.Corpus(uint64(k), n+held, 3000, k, mixed)
	return set.Rows.Slice(0, n), set.Rows.Slice(n, n+held), set
}

// packed returns rows whose entries begin at zero.
func packed(rows sparse.Rows) sparse.Rows {
	lo, hi := rows.Ptr[0], rows.Ptr[rows.N()]
	out := sparse.Rows{Dim: rows.Dim, Index: rows.Index[lo:hi], Ptr: make([]int, len(rows.Ptr))}
	for i, p := range rows.Ptr {
		out.Ptr[i] = p - lo
	}
	if rows.Value != nil {
		out.Value = rows.Value[lo:hi]
	}
	return out
}

// writeDocword writes counts as UCI's docword file with its vocabulary beside.
func writeDocword(dir string, rows sparse.Rows) (string, error) {
	path := filepath.Join(dir, "docword.bench.txt")
	err := writeText(path, func(w *bufio.Writer) {
		fmt.Fprintf(w, "%d\n%d\n%d\n", rows.N(), rows.Dim, len(rows.Index))
		for i := range rows.N() {
			index, value := rows.Row(i)
			for e, h := range index {
				w.WriteString(strconv.Itoa(i + 1))
				w.WriteByte(' ')
				w.WriteString(strconv.Itoa(int(h) + 1))
				w.WriteByte(' ')
				w.WriteString(strconv.Itoa(int(value[e])))
				w.WriteByte('\n')
			}
		}
	})
	return path, errors.Join(err, writeText(filepath.Join(dir, "vocab.bench.txt"), func(w *bufio.Writer) {
		for h := range rows.Dim {
			fmt.Fprintf(w, "word%d\n", h)
		}
	}))
}

// writeLong writes presences as a long table: patient, code, date.
func writeLong(dir string, rows sparse.Rows) (string, error) {
	path := filepath.Join(dir, "long.csv")
	return path, writeText(path, func(w *bufio.Writer) {
		w.WriteString("patient,code,date\n")
		for i := range rows.N() {
			index, _ := rows.Row(i)
			for e, h := range index {
				fmt.Fprintf(w, "p%07d,C%03d,20%02d-%02d-%02d\n", i, h, 10+i%10, 1+e%12, 1+(i+e)%28)
			}
		}
	})
}

func writeText(path string, write func(*bufio.Writer)) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 1<<20)
	write(w)
	return errors.Join(w.Flush(), f.Close())
}
