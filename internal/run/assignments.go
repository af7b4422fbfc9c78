package run

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"io"
	"math"

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
// stays in a cache, and is work enough for three cores.
const rowsAtATime = 1 << 18

// encodeAssignments writes the file to w and returns its seal. It is a chain, for the hash
// is one; millions of rows take as long as the report that others make beside it, so that
// a part is hashed on one core, written on another, and the next one encoded on a third.
func encodeAssignments(w io.Writer, group []int32, probability []float32, workers int) (seal string, err error) {
	sum := sha256.New()
	now, next := []byte(assignmentsMagic), []byte(nil)
	now = binary.LittleEndian.AppendUint32(now, assignmentsVersion)
	now = binary.LittleEndian.AppendUint64(now, uint64(len(group)))
	for at := 0; len(now) > 0; at++ {
		if err := par.Do(context.Background(), workers, 3, func(i int) (err error) {
			switch i {
			case 0:
				sum.Write(now)
			case 1:
				_, err = w.Write(now)
			default:
				next = appendPart(next[:0], at, group, probability)
			}
			return err
		}); err != nil {
			return "", err
		}
		now, next = next, now
	}
	own := sum.Sum(nil)
	_, err = w.Write(own)
	return container.Seal(own), err
}

// appendPart appends one part of the rows, of their groups or, behind all of these, of
// their probabilities; nothing where there is no such part.
func appendPart(buf []byte, at int, group []int32, probability []float32) []byte {
	parts := (len(group) + rowsAtATime - 1) / rowsAtATime
	lo := at * rowsAtATime
	if at < parts {
		for _, g := range group[lo:min(lo+rowsAtATime, len(group))] {
			if uint32(g) < 0x80 {
				buf = append(buf, byte(g))
				continue
			}
			buf = binary.AppendUvarint(buf, uint64(g))
		}
		return buf
	}
	if lo -= parts * rowsAtATime; lo < len(probability) {
		for _, p := range probability[lo:min(lo+rowsAtATime, len(probability))] {
			buf = binary.LittleEndian.AppendUint32(buf, math.Float32bits(p))
		}
	}
	return buf
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
