//go:build !windows

package durable

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// renameNewBySteps moves to a free name where the system has no such rename: it
// takes the name first, by a step that fails if anything is there, and moves
// onto what it made by one that fails if that is no longer empty.
func renameNewBySteps(from, to string) error {
	info, err := os.Lstat(from)
	if err != nil {
		return err
	}
	if info.IsDir() {
		if err := os.Mkdir(to, 0o700); err != nil {
			return err
		}
		if err := renameOnto(from, to); err != nil {
			return errors.Join(err, removeEmpty(to))
		}
		return nil
	}
	if err := os.Link(from, to); err == nil || errors.Is(err, fs.ErrExist) || errors.Is(err, fs.ErrNotExist) {
		return errors.Join(err, removeIf(err == nil, from))
	}
	mark, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL, 0o600) // a disk without links
	if err != nil {
		return err
	}
	mark.Close()
	return os.Rename(from, to)
}

func removeIf(yes bool, path string) error {
	if !yes {
		return nil
	}
	return os.Remove(path)
}

// removeEmpty removes a folder unless somebody put something into it.
func removeEmpty(path string) error {
	if err := os.Remove(path); err != nil && !isNotEmpty(err) {
		return err
	}
	return nil
}

// renameOnto is the system's own rename: Go's refuses every folder.
func renameOnto(from, to string) error {
	err := syscall.Rename(from, to)
	if isNotEmpty(err) {
		return fs.ErrExist
	}
	return err
}

func isNotEmpty(err error) bool {
	return errors.Is(err, syscall.ENOTEMPTY) || errors.Is(err, syscall.EEXIST)
}

func syncDir(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) && !errors.Is(err, syscall.ENOTSUP) {
		return err // a disk that cannot sync folders says so, and keeps names its own way
	}
	return nil
}
