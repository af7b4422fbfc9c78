//go:build !unix

package outfile

import (
	"errors"
	"syscall"
)

// Numbers of errors of Windows.
const (
	errorPathNotFound = syscall.Errno(3)
	errorWriteProtect = syscall.Errno(19)
)

// errNoReader is of systems with named pipes in the tree of files.
var errNoReader = errors.New("no reader")

const dontWait = 0

func isReadOnly(err error) bool { return errors.Is(err, errorWriteProtect) }

func isNoFolder(err error) bool { return errors.Is(err, errorPathNotFound) }
