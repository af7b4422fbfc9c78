// Package report holds what is said of a fit: values in words and numbers, every
// number with its unit and its n. A Report is of one fit, a Comparison of two, and
// Placed says where records belong.
//
// A number of people is a Count or a Number, which can be withheld: in a report
// with a limit on small cells no count of 1 to limit-1 records can be read, nor
// found as a difference of sums. A withheld number is not hidden; it is not there.
// A number that needs no such care says why in its tag gate.
//
// Step in the flow: moiety.Result.Report makes it, package show writes it as text,
// pages, pictures and tables. It must not know pixels, or how a fit was made.
package report
