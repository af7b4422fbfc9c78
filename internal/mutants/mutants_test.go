package main

import (
	"go/parser"
	"go/token"
	"testing"
)

// Every change of the list can still be made, and gives a file that is Go.
func TestListHolds(t *testing.T) {
	for _, m := range list() {
		text, err := m.changed("../..")
		if err != nil {
			t.Errorf("%s: %v", m.file, err)
			continue
		}
		if _, err := parser.ParseFile(token.NewFileSet(), m.file, text, 0); err != nil {
			t.Errorf("%s: %s: %v", m.file, m.why, err)
		}
	}
}
