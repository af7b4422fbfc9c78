package run

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"io"
	"math"
	"slices"

	"github.com/moiety-go/moiety/internal/container"
	"github.com/moiety-go/moiety/internal/par"
)

// The file of assignments: magic, version, number of rows, then the group of
// every row as a varint and its probability as a float32, and the SHA-256 of
// all that.
const (
	assignmentsMagic   = "moiety assignments\n"
	assignmentsVersion = 1
)

// rowsAtATime is how many rows are encoded, hashed and written together: what they take
// stays in a cache, and is work enough for two cores.
const rowsAtATime = 1 << 18

// encodeAssignments writes the file to w and returns its seal. It is a chain, for the hash
// is one; millions of rows take as long as the report that others make beside it, so that
// they are hashed on one core and written on another.
func encodeAssignments(w io.Writer, group []int32, probability []float32, workers int) (seal string, err error) {
	sum := sha256.New()
	buf := make([]byte, 0, 4*min(len(group), rowsAtATime)+sha256.Size)
	write := func() {
		if werr := par.Do(context.Background(), workers, 2, func(i int) error {
			if i == 0 {
				sum.Write(buf)
				return nil
			}
			_, err := w.Write(buf)
			return err
		}); err == nil {
			err = werr
		}
		buf = buf[:0]
	}
	buf = append(buf, assignmentsMagic...)
	buf = binary.LittleEndian.AppendUint32(buf, assignmentsVersion)
	buf = binary.LittleEndian.AppendUint64(buf, uint64(len(group)))
	for rows := range slices.Chunk(group, rowsAtATime) {
		for _, g := range rows {
			if uint32(g) < 0x80 {
				buf = append(buf, byte(g))
				continue
			}
			buf = binary.AppendUvarint(buf, uint64(g))
		}
		write()
	}
	for rows := range slices.Chunk(probability, rowsAtATime) {
		buf = buf[:4*len(rows)]
		for i, p := range rows {
			binary.LittleEndian.PutUint32(buf[4*i:], math.Float32bits(p))
		}
		write()
	}
	write() // where there is no row
	own := sum.Sum(nil)
	if err == nil {
		_, err = w.Write(own)
	}
	return container.Seal(own), err
}

func decodeAssignments(data []byte) ([]int32, []float32, error) {
	fixed := len(assignmentsMagic) + 12
	switch {
	case !bytes.HasPrefix(data, []byte(assignmentsMagic)):
		return nil, nil, container.ErrForeign
	case len(data) < fixed+sha256.Size:
		return nil, nil, container.ErrDamaged
	case binary.LittleEndian.Uint32(data[len(assignmentsMagic):]) > assignmentsVersion:
		return nil, nil, container.ErrNewer
	}
	body := data[:len(data)-sha256.Size]
	if sum := sha256.Sum256(body); !bytes.Equal(sum[:], data[len(body):]) {
		return nil, nil, container.ErrDamaged
	}
	n := binary.LittleEndian.Uint64(data[fixed-8:])
	rest := body[fixed:]
	if n > uint64(len(rest)) { // every row takes more than a byte
		return nil, nil, container.ErrDamaged
	}
	group, probability := make([]int32, n), make([]float32, n)
	for i := range group {
		if len(rest) > 0 && rest[0] < 0x80 {
			group[i], rest = int32(rest[0]), rest[1:]
			continue
		}
		g, used := binary.Uvarint(rest)
		if used <= 0 || g > math.MaxInt32 {
			return nil, nil, container.ErrDamaged
		}
		group[i], rest = int32(g), rest[used:]
	}
	if len(rest) != 4*len(probability) {
		return nil, nil, container.ErrDamaged
	}
	for i := range probability {
		probability[i] = math.Float32frombits(binary.LittleEndian.Uint32(rest[4*i:]))
	}
	return group, probability, nil
}
