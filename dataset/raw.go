package dataset

import (
	"encoding/binary"
	"slices"
	"unsafe"
)

// number is what rows are made of.
type number interface{ uint32 | float32 | float64 }

// view returns the memory of a list as bytes. They are those of the file where
// the machine is little-endian.
func view[T number](list []T) []byte {
	if len(list) == 0 {
		return nil
	}
	var one T
	return unsafe.Slice((*byte)(unsafe.Pointer(&list[0])), len(list)*int(unsafe.Sizeof(one)))
}

// isLittle reports that the machine keeps numbers as the file does.
func isLittle() bool { return binary.NativeEndian.Uint16([]byte{1, 0}) == 1 }

// stored returns a list as the file has it: the list's own memory, or a copy
// with the bytes of every number turned around.
func stored[T number](list []T) []byte {
	b := view(list)
	if isLittle() {
		return b
	}
	b = slices.Clone(b)
	turn(b, len(b)/max(len(list), 1))
	return b
}

// arrived makes a list of the file's bytes that were read into its memory.
func arrived[T number](list []T) {
	if !isLittle() {
		b := view(list)
		turn(b, len(b)/max(len(list), 1))
	}
}

// turn reverses the bytes of numbers of the given width.
func turn(b []byte, width int) {
	for ; width > 0 && len(b) >= width; b = b[width:] {
		slices.Reverse(b[:width])
	}
}

// text returns bytes that nobody changes any more as a string.
func text(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
