//go:build unix

package unfinished

import (
	"errors"
	"syscall"
)

// temporary is the variable that names the folder for temporary files.
const temporary = "TMPDIR"

// IsFull reports an error of a disk, or a share of one, that has no room left.
func IsFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}
