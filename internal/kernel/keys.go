package kernel

import (
	"encoding/binary"
	"math"
)

// NoKey is what Keys gives for a field that is not short.
const NoKey = math.MaxUint64

// Keys sets dst[i] to the bytes of one field of row i, the first of them in the
// lowest place: of a field of one to eight bytes, NoKey for any other. ends has
// the places of the separators of rows of width fields, with that before the first
// row in front: field j of row i lies between ends[i·width+j] and the next.
func Keys(dst []uint64, text []byte, ends []uint32, width, field int) {
	done := 0
	if active == avx512 {
		done = keysFast(dst, text, ends, width, field)
	}
	for i := done; i < len(dst); i++ {
		dst[i] = key(text, ends[i*width+field]+1, ends[i*width+field+1])
	}
}

// key is the field from start to end.
func key(text []byte, start, end uint32) uint64 {
	n := end - start
	if n-1 >= 8 {
		return NoKey
	}
	if int(start)+8 <= len(text) {
		return binary.LittleEndian.Uint64(text[start:]) & (math.MaxUint64 >> (64 - 8*n))
	}
	var b [8]byte
	copy(b[:], text[start:end])
	return binary.LittleEndian.Uint64(b[:])
}
