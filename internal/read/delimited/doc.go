// Package delimited reads tables in text: comma, semicolon, tab, bar or blanks
// between the fields, with or without a header, with quotes as in RFC 4180.
//
// Shapes: long (id, code[, count][, time]), wide lists (id, dx1..dxN), tables
// of 0/1, counts, measurements, categories or all of these, a column of text,
// sequences, and lines of digits.
//
// How it works, in this order:
//  1. dialect.go and profile.go look at the start of the first input,
//  2. roles.go decides what every column is for,
//  3. scan.go finds the fields of a chunk, eight bytes at a time,
//  4. parse*.go turns the rows of a chunk into a part, on all cores,
//  5. merge.go numbers names in order of first appearance and hands batches
//     over; group.go and spill.go bring the rows of one id together.
//
// It must not know probability, code systems, or the other formats.
package delimited
