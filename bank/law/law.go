// Package law says what a law of the bank is: a way to draw records of which the
// number of groups and every record's group are known.
//
// The packages beside it hold the laws, one package a hand: a hand is a person, or
// a field of science, that describes the mechanism without a look at the program
// that is judged by it.
package law

import (
	"math/rand/v2"
)

// Kind is the kind of records that a law draws.
type Kind string

// The kinds of records, each with the part of Data that holds them.
const (
	Presences    Kind = "presences"    // Lists, or a Table of "0" and "1"
	Answers      Kind = "answers"      // Table of labels without an order
	Ordered      Kind = "ordered"      // Table of small whole numbers: ordered answers
	Counts       Kind = "counts"       // Table of counts
	Genotypes    Kind = "genotypes"    // Table of copies of an allele: "0", "1", "2"
	Measurements Kind = "measurements" // Table of real numbers
	Mixed        Kind = "mixed"        // Table of columns of different kinds
	Texts        Kind = "texts"        // Texts
	Sequences    Kind = "sequences"    // Steps
)

// Law draws records of one mechanism. Parameters are drawn afresh for every seed, by
// the same source of randomness as the records.
type Law struct {
	Name   string // unique in its hand, a few words
	Kind   Kind
	Groups int    // 1: a single population. Of sequences: the number of hidden states
	About  string // the mechanism, and where it comes from, in one or two sentences
	Draw   func(r *rand.Rand, n int) Data
}

// Data are n records. Exactly one of Table, Lists, Texts and Steps is filled.
type Data struct {
	Columns []string   // names of the columns of Table
	Table   [][]string // one row a record, one cell a column; "" is a missing value
	Lists   [][]string // the codes that each record has
	Texts   []string   // a document a record
	Steps   [][]string // the symbols, or numbers, that each sequence shows, step by step
	// Group is every record's group from 0; of sequences, of every step, one
	// sequence after another. nil where there is one group.
	Group []int
}

// Records counts the records; of sequences, the sequences.
func (d Data) Records() int { return len(d.Table) + len(d.Lists) + len(d.Texts) + len(d.Steps) }
