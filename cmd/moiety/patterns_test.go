package main

import (
	"testing"

	"github.com/moiety-go/moiety/internal/pattern"
)

// Every pattern of the program is a regular expression: they are compiled when they
// are first asked, which for some may be after hours.
func TestPatterns(t *testing.T) {
	if n := pattern.Compile(); n < 100 {
		t.Fatalf("%d patterns, want those of all rooms", n)
	}
}
