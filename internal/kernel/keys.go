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
	if hasKeys() {
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

// keysFast treats rows as far as eights allow and returns their number.
func keysFast(dst []uint64, text []byte, ends []uint32, width, field int) int {
	const piece = 1 << 12 // rows
	if len(text) < 8 || len(text) >= 1<<31 || width < 1 || field < 0 || field >= width || len(ends) <= len(dst)*width || width >= 1<<20 {
		return 0
	}
	lo := 0
	for lo+8 <= len(dst) {
		n, done := min(len(dst)-lo, piece)&^7, 0
		callKeys(&dst[lo], &text[0], len(text), &ends[lo*width+field], width, n, &done)
		lo += done
		if done < n {
			break
		}
	}
	return lo
}
