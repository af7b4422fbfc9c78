// Package floors holds the test that keeps the house in order: a package
// imports only from lower floors (docs/flow.md). If the test fails, the line is
// in the wrong room; the rule is not widened.
package floors
