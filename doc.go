// Package moiety finds the hidden groups in data by the method of moments: a
// few sums over the records, then small dense algebra. The same records give
// the same answer, bit for bit, on any number of cores.
//
// This package is the front door: Fit takes files, texts, a table or rows and
// gives groups; the command line stands on the same stages and gives the same
// bytes.
//
//	found, err := moiety.Fit(ctx, moiety.Files("claims.csv"), moiety.Options{})
//	groups, err := found.Groups(ctx)                           // how many the data show, in words and numbers
//	placed, err := found.Assign(ctx, moiety.Files("new.csv"))  // new records, with all probabilities
//	err = found.Save("run")                                    // what "moiety fit -o run" writes
//
// The zero value of every option works, and what is left out is chosen as the
// command line chooses it. docs/library.md is the guide; it also tells how to add
// a model, a format or a place for data of your own. Behind the door, each step a
// package:
//
//	read       files and databases        -> records      (record.Source)
//	encode     words, codes, thresholds   -> rows         (dataset.Data)
//	pass       one scan: a vector added up block by block (pass.Sum, pass.Runner)
//	moment     M1, M2·B, M3 in a basis    <- scans        (moment.Source)
//	decompose  moments                    -> centers, weights
//	refine     EM from that start
//	assign     the group of every record
//	model      a fitted model; tree, a hierarchy of groups
//	explain    groups in words and numbers
//	show       text, tables, pictures
package moiety
