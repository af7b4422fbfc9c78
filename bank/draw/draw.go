// Package draw draws the records of a law and writes them to the file that a user
// would have. What is true of them stays in memory.
package draw

import (
	"hash/fnv"
	"math/rand/v2"

	"github.com/moiety-go/moiety/bank/law"
)

// Records draws the records of a law of a hand. They depend on the names, the size
// and the seed only.
func Records(hand string, l law.Law, n int, seed uint64) law.Data {
	name := fnv.New64a()
	name.Write([]byte(hand + "/" + l.Name))
	return l.Draw(rand.New(rand.NewPCG(seed, name.Sum64())), Size(l.Kind, n))
}

// Size is the number of records of a kind at a size n: of sequences, which have
// twenty steps and more, a fifth of it.
func Size(kind law.Kind, n int) int {
	if kind == law.Sequences {
		return n / 5
	}
	return n
}
