package run

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"io"
	"math"

	"github.com/moiety-go/moiety/internal/container"
	"github.com/moiety-go/moiety/internal/pages"
	"github.com/moiety-go/moiety/internal/par"
)

// The file of assignments: magic, version, number of rows, then the group of
// every row as a varint and its probability as a float32, and the SHA-256 of
// the SHA-256s of its parts (see appendPart); version 1 has that of all the bytes.
const (
	assignmentsMagic   = "moiety assignments\n"
	assignmentsVersion = 2
	assignmentsFixed   = len(assignmentsMagic) + 12
)

const (
	rowsAtATime = 1 << 18 // rows of a part: what they take stays in a cache
	encoders    = 4       // keep a disk busy, with eight megabytes
)

// partsOf is the number of parts of a file: its head, the groups and the probabilities.
func partsOf(rows int) int { return 1 + 2*((rows+rowsAtATime-1)/rowsAtATime) }

// mostOfPart is the number of bytes of a part, but where there are a million groups.
func mostOfPart(rows int) int { return max(assignmentsFixed, 4*min(rows, rowsAtATime)) }

// encodeAssignments writes the file to w and returns its seal. Parts are encoded and hashed
// side by side while those before them are written: millions of rows else take longer than
// the report that others make beside it.
func encodeAssignments(w io.Writer, group []int32, probability []float32, workers int) (seal string, err error) {
	buffers := par.Helpers[[]byte]{Make: func() *[]byte {
		buf := pages.Make[byte](mostOfPart(len(group)))
		return &buf
	}}
	sums := make([]byte, partsOf(len(group))*sha256.Size)
	begun := 0
	next := func() (part int, err error) {
		if begun == partsOf(len(group)) {
			return 0, io.EOF
		}
		begun++
		return begun - 1, nil
	}
	encode := func(part int) (*[]byte, error) {
		buf := buffers.Take()
		*buf = appendPart((*buf)[:0], part, group, probability)
		own := sha256.Sum256(*buf)
		copy(sums[part*sha256.Size:], own[:])
		return buf, nil
	}
	write := func(buf *[]byte) error {
		defer buffers.Give(buf)
		_, err := w.Write(*buf)
		return err
	}
	if err := par.InOrder(context.Background(), min(par.Workers(workers), encoders), next, encode, write); err != nil {
		return "", err
	}
	own := sha256.Sum256(sums)
	_, err = w.Write(own[:])
	return container.Seal(own[:]), err
}

// appendPart appends one part: the head, then so many rows of the groups, or, behind all of
// these, of their probabilities.
func appendPart(buf []byte, part int, group []int32, probability []float32) []byte {
	if part == 0 {
		buf = append(buf, assignmentsMagic...)
		buf = binary.LittleEndian.AppendUint32(buf, assignmentsVersion)
		return binary.LittleEndian.AppendUint64(buf, uint64(len(group)))
	}
	lo, rows := (part-1)*rowsAtATime, (partsOf(len(group))-1)/2*rowsAtATime
	if lo < rows {
		for _, g := range group[lo:min(lo+rowsAtATime, len(group))] {
			if uint32(g) < 0x80 {
				buf = append(buf, byte(g))
				continue
			}
			buf = binary.AppendUvarint(buf, uint64(g))
		}
		return buf
	}
	if lo -= rows; lo < len(probability) {
		for _, p := range probability[lo:min(lo+rowsAtATime, len(probability))] {
			buf = binary.LittleEndian.AppendUint32(buf, math.Float32bits(p))
		}
	}
	return buf
}

func decodeAssignments(data []byte) ([]int32, []float32, error) {
	switch {
	case !bytes.HasPrefix(data, []byte(assignmentsMagic)):
		return nil, nil, container.ErrForeign
	case len(data) < assignmentsFixed+sha256.Size:
		return nil, nil, container.ErrDamaged
	}
	version := binary.LittleEndian.Uint32(data[len(assignmentsMagic):])
	if version > assignmentsVersion {
		return nil, nil, container.ErrNewer
	}
	body := data[:len(data)-sha256.Size]
	n := binary.LittleEndian.Uint64(data[assignmentsFixed-8:])
	rest := body[assignmentsFixed:]
	if n > uint64(len(rest)) { // every row takes more than a byte
		return nil, nil, container.ErrDamaged
	}
	group, probability := make([]int32, n), make([]float32, n)
	ends := []int{assignmentsFixed} // of parts
	for i := range group {
		if i > 0 && i%rowsAtATime == 0 {
			ends = append(ends, len(body)-len(rest))
		}
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
		if i%rowsAtATime == 0 {
			ends = append(ends, len(body)-len(rest)+4*i)
		}
		probability[i] = math.Float32frombits(binary.LittleEndian.Uint32(rest[4*i:]))
	}
	if version < 2 {
		ends = nil
	}
	if sum := bodySum(body, ends); !bytes.Equal(sum[:], data[len(body):]) {
		return nil, nil, container.ErrDamaged
	}
	return group, probability, nil
}

// bodySum is the sum of the sums of parts that end there; that of all where there are none.
func bodySum(body []byte, ends []int) [sha256.Size]byte {
	if len(ends) == 0 {
		return sha256.Sum256(body)
	}
	var sums []byte
	from := 0
	for _, to := range append(ends, len(body)) {
		if to > from {
			own := sha256.Sum256(body[from:to])
			sums = append(sums, own[:]...)
		}
		from = to
	}
	return sha256.Sum256(sums)
}
