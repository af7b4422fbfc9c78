package main

import (
	"os"
	"strings"
	"testing"
)

// Variables of a child process: its arguments, joined by bars, and a file that
// gets the kernel's account of it.
const (
	childArgs   = "MOIETY_TEST_ARGS"
	childStatus = "MOIETY_TEST_STATUS"
)

// TestChild is the program itself when another test starts it.
func TestChild(t *testing.T) {
	args, ok := os.LookupEnv(childArgs)
	if !ok {
		t.Skip("is started by other tests")
	}
	code := Main(strings.Split(args, "|"))
	if path := os.Getenv(childStatus); path != "" {
		status, err := os.ReadFile("/proc/self/status")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, status, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	os.Exit(code)
}
