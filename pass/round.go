package pass

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"math"
	"strings"
)

// Round says what is added up in one exchange. Places whose rounds differ in
// anything are out of step, and adding up what they give would make no sense.
type Round struct {
	Number int    `json:"number"` // from 1
	Name   string `json:"name"`   // of the sums, with their lengths
	Study  string `json:"study"`  // fingerprint of what was agreed before the first round
	Before string `json:"before"` // of all totals before
	Given  string `json:"given"`  // of the numbers that the sums are made of
}

// Differs says in words in what two rounds differ, or is empty.
func (r Round) Differs(o Round) string {
	switch {
	case r.Study != o.Study:
		return "its model, settings or vocabulary are others"
	case r.Number != o.Number:
		return fmt.Sprintf("it is in round %d, not %d", r.Number, o.Number)
	case r.Name != o.Name:
		return fmt.Sprintf("it sums up %s, not %s", r.Name, o.Name)
	case r.Before != o.Before:
		return "the totals of the rounds before are others"
	case r.Given != o.Given:
		return fmt.Sprintf("what it sums up in %s is made of other numbers", r.Name)
	}
	return ""
}

// chain makes the rounds of one place, each after all totals before it.
type chain struct {
	study  string
	before hash.Hash
	number int
}

func newChain(study string) chain {
	sum := sha256.Sum256([]byte(study))
	return chain{study: hex.EncodeToString(sum[:]), before: sha256.New()}
}

func (c *chain) next(name string, given []byte) Round {
	c.number++
	return Round{Number: c.number, Name: name, Study: c.study, Before: hex.EncodeToString(c.before.Sum(nil)), Given: hex.EncodeToString(given)}
}

// add remembers a total.
func (c *chain) add(total []float64) {
	hashed(c.before, total, func(v float64) float64 { return v })
}

// hashed adds what is made of numbers to a hash, many at a time: totals are megabytes.
func hashed(h hash.Hash, x []float64, of func(float64) float64) {
	var buffer [512 * 8]byte
	for len(x) > 0 {
		b := buffer[:0]
		for _, v := range x[:min(len(x), len(buffer)/8)] {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(of(v)))
		}
		h.Write(b) // a hash takes all
		x = x[len(b)/8:]
	}
}

// Given returns the sum with the numbers that it is made of: a basis, the
// parameters of a model. Places that add up their sums compare them first.
func Given(s Sum, numbers ...[]float64) Sum { return givenSum{s, numbers} }

type givenSum struct {
	Sum
	numbers [][]float64
}

// Late implements LateSum.
func (s givenSum) Late() bool { return Late(s.Sum) }

// AddLate implements LateSum.
func (s givenSum) AddLate(state func() []float64, b Block) error { return AddLate(s.Sum, state, b) }

// given is the fingerprint of what sums are made of.
func given(sums []Sum) []byte {
	h := sha256.New()
	for _, s := range sums {
		hashSum(h, s)
	}
	return h.Sum(nil)
}

func hashSum(h hash.Hash, s Sum) {
	switch s := s.(type) {
	case givenSum:
		hashSum(h, s.Sum)
		for _, list := range s.numbers {
			hashNumbers(h, list)
		}
	case together:
		for _, one := range s {
			hashSum(h, one)
		}
	case throughSum:
		hashSum(h, s.together)
	default:
		fmt.Fprintf(h, "%T %d\n", s, s.Len())
	}
}

// grid is the part of the largest number to which numbers are compared. Other
// processors round the last digit otherwise: that is no other sum.
const grid = 1.0 / (1 << 24)

func hashNumbers(h hash.Hash, list []float64) {
	most := 0.0
	for _, v := range list {
		if v = math.Abs(v); v > most && !math.IsInf(v, 0) {
			most = v
		}
	}
	_, exp := math.Frexp(most)
	step := math.Ldexp(grid, exp)
	fmt.Fprintf(h, "%d %d:", len(list), exp)
	hashed(h, list, func(v float64) float64 { return math.Round(v/step) + 0 }) // -0 is 0
}

// name names sums for people: the types of their formulas, and lengths.
func (t together) name() string {
	var out []string
	for _, s := range t {
		out = append(out, nameOf(s))
	}
	return strings.Join(out, " and ")
}

func nameOf(s Sum) string {
	switch s := s.(type) {
	case givenSum:
		return nameOf(s.Sum)
	case together:
		return s.name()
	case throughSum:
		return s.together.name()
	}
	return fmt.Sprintf("%s of %d", strings.TrimPrefix(fmt.Sprintf("%T", s), "*"), s.Len())
}

// Double returns a runner over the same records that asks for all sums in
// double precision: what joined runs are compared with.
func Double(r Runner) Runner { return double{r} }

// Sooner returns a runner over the same records for which sizes are divided (see
// Ability.Sooner).
func Sooner(r Runner, by int) Runner { return sooner{r, by} }

type sooner struct {
	Runner
	by int
}

// Can implements Runner.
func (s sooner) Can() Ability {
	can := s.Runner.Can()
	can.Sooner = s.by
	return can
}

type double struct{ Runner }

// Can implements Runner.
func (d double) Can() Ability {
	can := d.Runner.Can()
	can.Double = true
	return can
}
