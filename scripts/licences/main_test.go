package main

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// THIRD_PARTY_LICENSES holds the licence of everything that is linked, in the version
// that is linked. The text of Go's own licence is that of whichever Go is here.
func TestLicences(t *testing.T) {
	want, err := Text("../..")
	if failed := new(exec.ExitError); errors.As(err, &failed) {
		t.Skip("the modules of all systems are not in the module cache: go mod download")
	}
	if err != nil {
		t.Fatal(err)
	}
	have, err := os.ReadFile("../../THIRD_PARTY_LICENSES")
	if err != nil {
		t.Fatal(err)
	}
	if modules(string(have)) != modules(string(want)) {
		t.Error("THIRD_PARTY_LICENSES is not that of the modules in go.mod: go generate ./scripts/licences")
	}
}

// modules is the text from the first module on.
func modules(text string) string {
	_, after, _ := strings.Cut(text, "\n"+strings.Repeat("=", 80)+"\ncodeberg.org/")
	return after
}
