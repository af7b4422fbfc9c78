package durable

import (
	"errors"

	"golang.org/x/sys/unix"
)

func renameNew(from, to string) error {
	err := unix.Renameat2(unix.AT_FDCWD, from, unix.AT_FDCWD, to, unix.RENAME_NOREPLACE)
	if cannot(err) {
		return renameNewBySteps(from, to)
	}
	return err
}

func exchange(a, b string) error {
	err := unix.Renameat2(unix.AT_FDCWD, a, unix.AT_FDCWD, b, unix.RENAME_EXCHANGE)
	if cannot(err) {
		return errors.ErrUnsupported
	}
	return err
}

// cannot reports that the kernel or the disk does not know the flag.
func cannot(err error) bool {
	return errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.ENOTSUP)
}
