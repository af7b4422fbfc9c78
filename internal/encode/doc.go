// Package encode turns records into the data set that passes read: running text
// into counted words, codes into a roll-up, measurements into rows of numbers.
//
// Step in the flow: read -> encode -> pass. Encode works in three steps:
//
//  1. take every batch of the source into a buffer (words get numbers on all
//     cores), which moves to a file when it outgrows its share of memory;
//  2. look at the whole dictionary (language, code system, lost zeros), select
//     the records, count the features of those, and choose the vocabulary;
//  3. write the rows, features numbered by falling frequency (ties by name), to
//     memory or to a data set file.
//
// The result does not depend on the number of workers. Apply encodes new
// records with the vocabulary and the Plan of an earlier result. The package
// knows words, codes and thresholds, not probability.
package encode
