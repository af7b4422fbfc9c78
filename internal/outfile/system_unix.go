//go:build unix

package outfile

import (
	"errors"
	"syscall"
)

// errNoReader says that nobody reads a pipe.
var errNoReader = syscall.ENXIO

// dontWait opens a pipe without waiting for its reader.
const dontWait = syscall.O_NONBLOCK

func isReadOnly(err error) bool { return errors.Is(err, syscall.EROFS) }

func isNoFolder(err error) bool { return errors.Is(err, syscall.ENOTDIR) }
