//go:build !unix

package unfinished

import (
	"errors"
	"syscall"
)

// temporary is the variable that names the folder for temporary files.
const temporary = "TMP"

// Numbers of errors of Windows.
const (
	errorHandleFull = syscall.Errno(39)
	errorDiskFull   = syscall.Errno(112)
)

// IsFull reports an error of a disk that has no room left.
func IsFull(err error) bool {
	return errors.Is(err, errorDiskFull) || errors.Is(err, errorHandleFull)
}
