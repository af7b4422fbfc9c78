package main

import (
	"errors"
	"fmt"
	"os"
)

// output is standard output. It remembers the first write that failed, so that
// no verb has to look at every line it prints, and writes no more after it.
type output struct {
	f   *os.File
	err error
}

// Write implements io.Writer.
func (o *output) Write(p []byte) (int, error) {
	if o.err != nil {
		return 0, o.err
	}
	n, err := o.f.Write(p)
	o.err = err
	return n, err
}

// Fd returns the file's descriptor, to ask what kind of thing it is.
func (o *output) Fd() uintptr { return o.f.Fd() }

// unwritten is an error of standard output itself.
type unwritten struct{ err error }

func (u unwritten) Error() string {
	cause := u.err
	var path *os.PathError
	if errors.As(cause, &path) {
		cause = path.Err
	}
	return fmt.Sprintf("the result could not be written to standard output: %v", cause)
}
func (u unwritten) Unwrap() error { return u.err }

// failed returns the error that ended a command: that of standard output where
// there is one, since the command's own is then about the same.
func (o *output) failed(err error) error {
	if o.err != nil {
		return unwritten{o.err}
	}
	return err
}
