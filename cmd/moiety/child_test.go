package main

import (
	"fmt"
	"os"
	"strings"
)

// The test binary is the program itself when another test starts it with these
// arguments, joined by |, and keeps what the system says of its memory where asked.
const (
	childArgs   = "MOIETY_TEST_ARGS"
	childStatus = "MOIETY_TEST_STATUS"
)

// runChild does the command and reports its exit code.
func runChild(args string) int {
	code := Main(strings.Split(args, "|"))
	path := os.Getenv(childStatus)
	if path == "" {
		return code
	}
	status, err := os.ReadFile("/proc/self/status")
	if err == nil {
		err = os.WriteFile(path, status, 0o600)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return code
}
