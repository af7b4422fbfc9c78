package main

import (
	"os"
	"strings"
	"testing"
)

// childArgs names the variable with the arguments of a child process, joined
// by bars.
const childArgs = "MOIETY_TEST_ARGS"

// TestChild is the program itself when another test starts it.
func TestChild(t *testing.T) {
	args, ok := os.LookupEnv(childArgs)
	if !ok {
		t.Skip("is started by other tests")
	}
	os.Exit(Main(strings.Split(args, "|")))
}
