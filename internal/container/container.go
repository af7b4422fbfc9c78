// Package container is the file format of everything that is learned: a head of
// JSON and named matrices of numbers, with a magic word, a version and a
// checksum. A damaged file, a foreign one and one from a newer program are
// refused, each with its own error; the same contents give the same bytes.
package container

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/durable"
)

// Errors of Read.
var (
	ErrDamaged = errors.New("the file is damaged: its checksum does not match; restore it from a copy or fit again")
	ErrNewer   = errors.New("the file was written by a newer version of this program; update the program")
	ErrForeign = errors.New("not a file of this kind")
)

// Kind names one kind of file and the newest version that this program writes
// and reads.
type Kind struct {
	Magic   string
	Version uint32
}

// Model is the kind of model files. Version 2 has the contents of version 1; it
// tells that the run folder around the file has a list of checksums.
var Model = Kind{Magic: "moiety model\n", Version: 2}

// Matrix is a named matrix.
type Matrix struct {
	Name string
	M    *mat.Dense
}

// Named lists named matrices, with a prefix before every name.
func Named(prefix string, list iter.Seq2[string, *mat.Dense]) []Matrix {
	var out []Matrix
	for name, m := range list {
		out = append(out, Matrix{prefix + name, m})
	}
	return out
}

// frame is the head of the file: what the caller stores, and the shapes of the
// matrices that follow as little-endian float64s.
type frame struct {
	Contents json.RawMessage `json:"contents"`
	Matrices []shape         `json:"matrices"`
}

type shape struct {
	Name string `json:"name"`
	Rows int    `json:"rows"`
	Cols int    `json:"cols"`
}

// Pack returns the bytes of a file: magic, version, length of the head, head,
// matrices, and the SHA-256 of all that.
func (k Kind) Pack(contents any, matrices []Matrix) ([]byte, error) {
	text, err := json.Marshal(contents)
	if err != nil {
		return nil, err
	}
	f := frame{Contents: text}
	for _, m := range matrices {
		r, c := m.M.Dims()
		f.Matrices = append(f.Matrices, shape{m.Name, r, c})
	}
	head, err := json.Marshal(f)
	if err != nil {
		return nil, err
	}
	buf := []byte(k.Magic)
	buf = binary.LittleEndian.AppendUint32(buf, k.Version)
	buf = binary.LittleEndian.AppendUint64(buf, uint64(len(head)))
	buf = append(buf, head...)
	for _, m := range matrices {
		rows, _ := m.M.Dims()
		for i := range rows {
			for _, v := range m.M.RawRowView(i) {
				buf = binary.LittleEndian.AppendUint64(buf, math.Float64bits(v))
			}
		}
	}
	return Sealed(buf), nil
}

// Sealed appends the checksum of a file to it.
func Sealed(data []byte) []byte {
	sum := sha256.Sum256(data)
	return append(data, sum[:]...)
}

// VersionOf returns the version of a file of this kind, 0 where it is of none.
func (k Kind) VersionOf(data []byte) uint32 {
	if !bytes.HasPrefix(data, []byte(k.Magic)) || len(data) < len(k.Magic)+4 {
		return 0
	}
	return binary.LittleEndian.Uint32(data[len(k.Magic):])
}

// Seal returns the checksum that a file ends in: it stands for all of the file
// once that has been read without an error.
func Seal(data []byte) string {
	return hex.EncodeToString(data[max(0, len(data)-sha256.Size):])
}

// Unpack reads a file into contents, a pointer, and returns its matrices.
func (k Kind) Unpack(data []byte, contents any) (map[string]*mat.Dense, error) {
	if !bytes.HasPrefix(data, []byte(k.Magic)) {
		return nil, ErrForeign
	}
	fixed := len(k.Magic) + 12
	if len(data) < fixed+sha256.Size {
		return nil, ErrDamaged
	}
	if binary.LittleEndian.Uint32(data[len(k.Magic):]) > k.Version {
		return nil, ErrNewer
	}
	body := data[:len(data)-sha256.Size]
	if sum := sha256.Sum256(body); !bytes.Equal(sum[:], data[len(body):]) {
		return nil, ErrDamaged
	}
	length := binary.LittleEndian.Uint64(data[len(k.Magic)+4:])
	if length > uint64(len(body)-fixed) {
		return nil, ErrDamaged
	}
	var f frame
	if err := json.Unmarshal(body[fixed:fixed+int(length)], &f); err != nil {
		return nil, fmt.Errorf("%w (%v)", ErrDamaged, err)
	}
	if err := json.Unmarshal(f.Contents, contents); err != nil {
		return nil, fmt.Errorf("%w (%v)", ErrDamaged, err)
	}
	return f.matrices(body[fixed+int(length):])
}

func (f *frame) matrices(numbers []byte) (map[string]*mat.Dense, error) {
	out := make(map[string]*mat.Dense, len(f.Matrices))
	for _, s := range f.Matrices {
		if s.Rows <= 0 || s.Cols <= 0 || s.Rows > len(numbers)/8/s.Cols {
			return nil, ErrDamaged
		}
		m := mat.NewDense(s.Rows, s.Cols, nil)
		values := m.RawMatrix().Data
		for i := range values {
			values[i] = math.Float64frombits(binary.LittleEndian.Uint64(numbers[8*i:]))
		}
		numbers = numbers[8*len(values):]
		out[s.Name] = m
	}
	if len(numbers) != 0 {
		return nil, ErrDamaged
	}
	return out, nil
}

// WriteFile writes data to a file that is always whole, also after a power cut.
func WriteFile(path string, data []byte) error {
	return durable.WriteFile(durable.OS{}, path, data, 0o644)
}
