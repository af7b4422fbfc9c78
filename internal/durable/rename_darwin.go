package durable

import (
	"errors"

	"golang.org/x/sys/unix"
)

func renameNew(from, to string) error {
	err := unix.RenamexNp(from, to, unix.RENAME_EXCL)
	if cannot(err) {
		return renameNewBySteps(from, to)
	}
	return err
}

func exchange(a, b string) error {
	err := unix.RenamexNp(a, b, unix.RENAME_SWAP)
	if cannot(err) {
		return errors.ErrUnsupported
	}
	return err
}

// cannot reports that the disk does not know the flag.
func cannot(err error) bool {
	return errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.ENOTSUP)
}
