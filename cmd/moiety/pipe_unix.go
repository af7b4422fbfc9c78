//go:build !windows

package main

import (
	"errors"
	"os/signal"
	"syscall"
)

// keepPipes makes a write to a pipe that nobody reads an error instead of the
// end of the process: files under temporary names are then removed.
func keepPipes() { signal.Ignore(syscall.SIGPIPE) }

// closedPipe reports that the reader of a pipe has gone.
func closedPipe(err error) bool { return errors.Is(err, syscall.EPIPE) }
