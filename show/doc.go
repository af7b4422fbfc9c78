// Package show writes a Report: as text for a terminal, as CSV, JSON and NPZ
// tables, and in the forms that other tools read.
//
// Step in the flow: after explain, the last before files and pages. Every
// writer takes an io.Writer; names of files are the run folder's business.
// Small cells were masked in explain: a masked number is an empty field here,
// and no writer can bring it back. Writers that put out records, one line each,
// say so: see HoldsRecords.
//
// The package knows columns, tags and colours; it must not know how a number
// was computed.
package show
