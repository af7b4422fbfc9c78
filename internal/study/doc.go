// Package study leads a federated study: a coordinator and sites that must not
// show each other their records. It holds the papers of a study, the folder of the
// coordinator and the home of a site, and carries files between them, by a folder
// that people share or mail, or by HTTP.
//
// The coordinator's folder holds nothing but what sites sent and the totals. The
// home of a site holds its key, what it sent, byte by byte, with a page for each
// file in plain words, and never leaves the site.
//
// Step in the flow: above run, which does a round. It must not know formulas, nor
// what is summed up.
package study
