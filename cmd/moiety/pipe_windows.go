package main

import (
	"errors"
	"syscall"
)

// keepPipes does nothing: on this system a write to a pipe that nobody reads
// fails, and that is all.
func keepPipes() {}

// closedPipe reports that the reader of a pipe has gone.
func closedPipe(err error) bool {
	const noData = syscall.Errno(232) // ERROR_NO_DATA: the pipe is being closed
	return errors.Is(err, syscall.ERROR_BROKEN_PIPE) || errors.Is(err, noData)
}
