// Package stream turns one seed into named, independent random streams.
//
// A step that needs randomness asks for a stream by its own name, so adding a
// step never shifts the numbers that another one sees. The numbers of a
// (seed, name) pair are part of the file formats: they never change.
package stream

import (
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
)

// New returns the stream of that name for the seed.
func New(seed uint64, name string) *rand.Rand {
	h := sha256.New()
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], seed)
	h.Write(b[:])
	h.Write([]byte(name))
	sum := h.Sum(nil)
	return rand.New(rand.NewPCG(
		binary.LittleEndian.Uint64(sum[0:8]),
		binary.LittleEndian.Uint64(sum[8:16])))
}

// Normals fills dst with independent standard normal numbers.
func Normals(r *rand.Rand, dst []float64) {
	for i := range dst {
		dst[i] = r.NormFloat64()
	}
}
