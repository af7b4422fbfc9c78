package model

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/vocab"
)

// The file: magic, version (uint32), length of the head (uint64), the head as
// JSON, the matrices of Params as little-endian float64s in the order the head
// lists them, and the SHA-256 of all that stands before it.
const (
	magic   = "moiety model\n"
	version = 1
	// mostHead bounds the head that a damaged file can make us allocate.
	mostHead = 1 << 31
)

// Errors of Load.
var (
	ErrDamaged = errors.New("the model file is damaged: its checksum does not match; restore it from a copy or fit again")
	ErrNewer   = errors.New("the model file was written by a newer version of this program; update the program")
	ErrForeign = errors.New("not a model file")
)

type head struct {
	Spec       Spec         `json:"spec"`
	Vocab      *vocab.Vocab `json:"vocab"`
	Provenance Provenance   `json:"provenance"`
	Weights    []float64    `json:"weights"`
	Matrices   []shape      `json:"matrices"` // the centers first, then extras by name
}

type shape struct {
	Name string `json:"name"`
	Rows int    `json:"rows"`
	Cols int    `json:"cols"`
}

const centersName = "centers"

// Write writes the model; the same model gives the same bytes.
func (m *Model) Write(w io.Writer) error {
	names := make([]string, 0, len(m.Params.Extra))
	for name := range m.Params.Extra {
		names = append(names, name)
	}
	slices.Sort(names)
	matrices := []*mat.Dense{m.Params.Centers}
	h := head{Spec: m.Spec, Vocab: m.Vocab, Provenance: m.Provenance, Weights: m.Params.Weights}
	h.Matrices = append(h.Matrices, shapeOf(centersName, m.Params.Centers))
	for _, name := range names {
		matrices = append(matrices, m.Params.Extra[name])
		h.Matrices = append(h.Matrices, shapeOf(name, m.Params.Extra[name]))
	}
	text, err := json.Marshal(h)
	if err != nil {
		return fmt.Errorf("model: %w", err)
	}
	sum := sha256.New()
	out := io.MultiWriter(w, sum)
	buf := append([]byte(magic), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
	binary.LittleEndian.PutUint32(buf[len(magic):], version)
	binary.LittleEndian.PutUint64(buf[len(magic)+4:], uint64(len(text)))
	buf = append(buf, text...)
	for _, a := range matrices {
		rows, _ := a.Dims()
		for i := range rows {
			for _, v := range a.RawRowView(i) {
				buf = binary.LittleEndian.AppendUint64(buf, math.Float64bits(v))
			}
		}
	}
	if _, err := out.Write(buf); err != nil {
		return err
	}
	_, err = w.Write(sum.Sum(nil))
	return err
}

func shapeOf(name string, a *mat.Dense) shape {
	r, c := a.Dims()
	return shape{name, r, c}
}

// Save writes the model to a file under a temporary name and renames it.
func (m *Model) Save(path string) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), ".model-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
		}
	}()
	if err = m.Write(f); err != nil {
		return err
	}
	if err = f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// Load reads a model file.
func Load(path string) (*Model, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	m, err := Read(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}

// Read decodes a model file held in memory.
func Read(data []byte) (*Model, error) {
	const fixed = len(magic) + 12
	if !bytes.HasPrefix(data, []byte(magic)) {
		return nil, ErrForeign
	}
	if len(data) < fixed+sha256.Size {
		return nil, ErrDamaged
	}
	if v := binary.LittleEndian.Uint32(data[len(magic):]); v > version {
		return nil, ErrNewer
	}
	body, sum := data[:len(data)-sha256.Size], data[len(data)-sha256.Size:]
	if want := sha256.Sum256(body); !bytes.Equal(sum, want[:]) {
		return nil, ErrDamaged
	}
	length := binary.LittleEndian.Uint64(data[len(magic)+4:])
	if length > mostHead || length > uint64(len(body)-fixed) {
		return nil, ErrDamaged
	}
	var h head
	if err := json.Unmarshal(body[fixed:fixed+int(length)], &h); err != nil {
		return nil, fmt.Errorf("%w (%v)", ErrDamaged, err)
	}
	return h.model(body[fixed+int(length):])
}

func (h *head) model(numbers []byte) (*Model, error) {
	m := &Model{Spec: h.Spec, Vocab: h.Vocab, Provenance: h.Provenance}
	m.Params = mixture.Params{Weights: h.Weights}
	for _, s := range h.Matrices {
		if s.Rows <= 0 || s.Cols <= 0 || s.Rows > len(numbers)/8/s.Cols {
			return nil, ErrDamaged
		}
		a := mat.NewDense(s.Rows, s.Cols, nil)
		for i := range a.RawMatrix().Data {
			a.RawMatrix().Data[i] = math.Float64frombits(binary.LittleEndian.Uint64(numbers[8*i:]))
		}
		numbers = numbers[8*s.Rows*s.Cols:]
		if s.Name == centersName {
			m.Params.Centers = a
		} else {
			m.Params = m.Params.With(s.Name, a)
		}
	}
	if m.Params.Centers == nil || m.Vocab == nil || len(numbers) != 0 {
		return nil, ErrDamaged
	}
	return m, m.Check()
}
