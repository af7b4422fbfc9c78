// Package moiety finds the hidden groups in data by the method of moments: a
// few sums over the records, then small dense algebra. The same records give
// the same answer, bit for bit, on any number of cores.
//
// The flow, each step a package:
//
//	read       files and databases        -> records      (record.Source)
//	encode     words, codes, thresholds   -> rows         (dataset.Dataset)
//	pass       one scan: a vector added up block by block (pass.Sum, pass.Runner)
//	moment     M1, M2·B, M3 in a basis    <- scans        (moment.Source)
//	decompose  moments                    -> centers, weights
//	refine     EM from that start
//	assign     the group of every record
//	model      a fitted model; tree, a hierarchy of groups
//	explain    groups in words and numbers
//	show       text, tables, pictures
//
// fit.Flat and fit.Tree are the whole journey from rows to groups. A new
// probability model is a folder under family/, a new algorithm a file in
// decompose/, a new place for data a pass.Runner.
//
// The example below goes all the way: it draws patients of three profiles,
// fits, and compares the groups found with the truth.
package moiety
