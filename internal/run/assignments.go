package run

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"math"
	"slices"

	"github.com/moiety-go/moiety/internal/container"
)

// The file of assignments: magic, version, number of rows, then the group of
// every row as a varint and its probability as a float32, and the SHA-256 of
// all that.
const (
	assignmentsMagic   = "moiety assignments\n"
	assignmentsVersion = 1
)

// placed are the assignments of a file of this seal.
type placed struct {
	seal        string
	group       []int32
	probability []float32
}

func encodeAssignments(group []int32, probability []float32) []byte {
	buf := make([]byte, 0, len(assignmentsMagic)+12+5*len(group)+sha256.Size)
	buf = append(buf, assignmentsMagic...)
	buf = binary.LittleEndian.AppendUint32(buf, assignmentsVersion)
	buf = binary.LittleEndian.AppendUint64(buf, uint64(len(group)))
	for _, g := range group {
		if g < 0x80 { // as nearly all of them are
			buf = append(buf, byte(g))
			continue
		}
		buf = binary.AppendUvarint(buf, uint64(g))
	}
	at := len(buf)
	buf = slices.Grow(buf, 4*len(probability)+sha256.Size)[:at+4*len(probability)]
	for i, p := range probability {
		binary.LittleEndian.PutUint32(buf[at+4*i:], math.Float32bits(p))
	}
	sum := sha256.Sum256(buf)
	return append(buf, sum[:]...)
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
