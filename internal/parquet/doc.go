// Package parquet reads and writes Parquet files: a footer that says which
// columns there are and where their pages lie, and pages of levels and values.
//
// It takes bytes and gives columns, batch by batch: integers and floating-point
// numbers as 64 bits, everything else as bytes, dictionaries as indices. What
// an annotation means is named (Meaning) and never applied: whether a date
// becomes text is its caller's business.
//
// A file is not believed. Every size that it claims is compared with the bytes
// that are there, or with Limits, before memory is taken; checksums of pages are
// verified where a file has them; the values of a column must be as many as its
// row group has rows. What fails is an *Error, never a panic.
//
// Format: https://parquet.apache.org/docs/file-format, and parquet.thrift there.
package parquet

import "fmt"

// Limits bounds what a file may claim. The zero value means the defaults.
type Limits struct {
	Page      int64 // bytes of one page, stored or unpacked; 0: 256 MB
	RowGroup  int64 // rows of one row group; 0: 2^28
	RowGroups int   // row groups; 0: 2^15
	Columns   int   // columns; 0: 2^15
}

func (l Limits) withDefaults() Limits {
	l.Page = orDefault(l.Page, 256<<20)
	l.RowGroup = orDefault(l.RowGroup, 1<<28)
	l.RowGroups = orDefault(l.RowGroups, 1<<15)
	l.Columns = orDefault(l.Columns, 1<<15)
	return l
}

func orDefault[T int | int64](v, d T) T {
	if v > 0 {
		return v
	}
	return d
}

// Reason is why a file is not read.
type Reason uint8

// Reasons.
const (
	Damaged  Reason = iota // it says two different things, or ends too early
	TooLarge               // it claims more than Limits allow
	Unread                 // it is whole, and kept in a way that is not read here
)

// Error tells what is wrong with a file, in words that go behind its name.
type Error struct {
	Reason Reason
	Words  string
}

func (e *Error) Error() string { return e.Words }

func damaged(format string, args ...any) error {
	return &Error{Damaged, fmt.Sprintf(format, args...)}
}

func tooLarge(format string, args ...any) error {
	return &Error{TooLarge, fmt.Sprintf(format, args...)}
}

func unread(format string, args ...any) error {
	return &Error{Unread, fmt.Sprintf(format, args...)}
}
