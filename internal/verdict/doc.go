// Package verdict decides how many groups there are, and whether they are real.
//
// A group is a claim about new records that must beat the best explanation
// without it. A mixture with more components describes anything better that is
// not exactly its family, so that likelihood, BIC and held-out likelihood of a
// mixture cut an amount or a trend into slices. Here K groups compete with one
// population of another shape, and the same continuum stays in the model while
// groups are added: what remains is a group.
//
// Presences and answers: every candidate is a number of groups, a continuum
// (none, an amount, one trend, two trends, one trend with two heaps) and
// repeated features or not; two trends inside groups are tried where one was
// found, and lines of each group's own where groups have no gap between them; sets of
// features that have nothing to do with each other, and many trends, where groups are
// claimed.
// Each is fitted by EM with a prior towards the overall frequencies that leaves
// one group untouched, and judged on records that were kept aside, in nats with
// a standard error over records. The claim is the smallest number of groups that
// is not clearly worse than the best of all.
//
// Counts, genotypes and documents: components are found on part of the records,
// counts that scatter more than chance being divided by their scatter, and loci
// that repeat others left out. Two sides of components are two groups where
// records that did not find them leave a gap between two heaps, against the
// nearest density with one heap. Documents that mix topics are recognised by what they
// predict: half of the words of a new document, given the other half.
//
// Measurements and mixed columns: heaps among clouds, without values that lie far from all
// others of their column in records that are like others. A value that many records share
// is a flag and no number; mixed columns are sure only where they, taken as answers,
// show no more groups.
//
// At most 4,000 records are looked at. The answer depends on the records and
// the seed alone: not on workers, nor on where the records lie.
//
// Step in the flow: beside a fit, which takes its number of groups from here.
// It must not know files, nor how a report draws the verdict.
package verdict
