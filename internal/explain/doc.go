// Package explain turns a finished fit into a Report: the groups in words and
// numbers, every number with its unit and its n.
//
// Step in the flow: after fit, before show. It takes a fit.Outcome, the data
// set it was fitted on and Settings, and gives data, no pixels: sizes,
// characteristic, frequent and rare features, certainty, neighbours, the
// evidence of splits, warnings, a methods paragraph and a glossary.
//
// Small cells are masked here, once, before any writer: in a Report with a
// limit no count of 1 to limit-1 records can be read, nor found as a difference
// of sums. A masked number is not hidden in the Report; it is not there.
//
// The package knows patients, topics and relevance; it must not know colours,
// tags or columns of a terminal.
package explain
