// Package enough says whether there are enough records for the question: a
// light, green, amber or red, with its reason in one sentence, the numbers
// behind it, and the bounds of the papers as information.
//
// It takes a family, a runner over the records and the number of groups. The
// light rests on the two halves of the records:
//
//   - do the halves, analysed apart, sort all records alike? (the adjusted Rand
//     index of the two groupings)
//   - how many groups stand out in M2 from its error, half the difference of the
//     halves' second moments in spectral norm?
//   - does an analysis of all records leave a group empty, or much of the third
//     moment unexplained?
//
// The thresholds are calibrated on synthetic records of known difficulty; the
// bounds of the papers are far too pessimistic for that (with 10,000 documents
// that of M2 is a hundred times the error). Step in the flow: beside a fit; it must not know how a
// report words or colours the light.
package enough
