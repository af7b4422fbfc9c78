package run

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
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

func encodeAssignments(group []int32, probability []float32, workers int) []byte {
	return container.Sealed(unsealed(group, probability, workers))
}

// unsealed is the file without its hash, which there is room for.
func unsealed(group []int32, probability []float32, workers int) []byte {
	buf := make([]byte, 0, len(assignmentsMagic)+12+5*len(group)+sha256.Size)
	buf = append(buf, assignmentsMagic...)
	buf = binary.LittleEndian.AppendUint32(buf, assignmentsVersion)
	buf = binary.LittleEndian.AppendUint64(buf, uint64(len(group)))
	at, n := len(buf), len(group)
	if n > 0 && largest(workers, group) < 0x80 { // as nearly all are: a byte each
		buf = buf[:at+n]
		inParts(workers, n, func(i int) { buf[at+i] = byte(group[i]) })
	} else {
		for _, g := range group {
			buf = binary.AppendUvarint(buf, uint64(g))
		}
	}
	at, n = len(buf), len(probability)
	buf = slices.Grow(buf, 4*n+sha256.Size)[:at+4*n]
	inParts(workers, n, func(i int) {
		binary.LittleEndian.PutUint32(buf[at+4*i:], math.Float32bits(probability[i]))
	})
	return buf
}

// part is the number of rows that one core treats at a time.
const part = 1 << 16

// inParts calls do for every i below n, parts of them side by side.
func inParts(workers, n int, do func(i int)) {
	_ = par.Do(context.Background(), workers, (n+part-1)/part, func(p int) error { // nothing fails
		for i := p * part; i < min((p+1)*part, n); i++ {
			do(i)
		}
		return nil
	})
}

// largest returns the largest of some groups.
func largest(workers int, group []int32) int32 {
	parts := slices.Collect(slices.Chunk(group, part))
	most := make([]int32, len(parts))
	_ = par.Do(context.Background(), workers, len(parts), func(p int) error { // nothing fails
		most[p] = slices.Max(parts[p])
		return nil
	})
	return slices.Max(most)
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
