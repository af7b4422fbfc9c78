// Package evaluate says how good a result is: coherence, diversity and
// exclusivity of topics, perplexity on unseen words, information criteria,
// stability under changed records, prediction of an outcome, agreement with
// known labels.
//
// It takes topics, labels or parameters, made by this product or by any other
// tool, and the records, through a runner; it gives numbers. It must not know
// how a result was found. The methods to compare with are in the folder
// reference; the light that says whether the data are enough is in enough.
package evaluate
