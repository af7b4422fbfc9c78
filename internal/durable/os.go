package durable

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"
)

// OS is the file system of the machine.
type OS struct{}

// Create implements FS.
func (OS) Create(path string, perm fs.FileMode) (Handle, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, perm)
	if err != nil {
		return nil, err
	}
	// Somebody who cleans up may have looked before the file was held.
	if holdErr := hold(f); holdErr != nil && !errors.Is(holdErr, errors.ErrUnsupported) || !sameFile(f, path) {
		f.Close()
		return nil, &fs.PathError{Op: "create", Path: path, Err: fs.ErrExist}
	}
	return held{f}, nil
}

// held is an open file whose lock ends when it is closed.
type held struct{ *os.File }

// Close implements Handle.
func (h held) Close() error { return letGo(h.File) }

// Mkdir implements FS.
func (OS) Mkdir(path string, perm fs.FileMode) error { return os.Mkdir(path, perm) }

// Rename implements FS.
func (OS) Rename(from, to string) error { return os.Rename(from, to) }

// RenameNew implements FS.
func (OS) RenameNew(from, to string) error { return linkError("rename", from, to, renameNew(from, to)) }

// RenameOnto implements FS.
func (OS) RenameOnto(from, to string) error {
	return linkError("rename", from, to, renameOnto(from, to))
}

// Exchange implements FS.
func (OS) Exchange(a, b string) error { return linkError("exchange", a, b, exchange(a, b)) }

// Remove implements FS.
func (OS) Remove(path string) error { return os.Remove(path) }

// RemoveAll implements FS.
func (OS) RemoveAll(path string) error { return os.RemoveAll(path) }

// SyncDir implements FS.
func (OS) SyncDir(path string) error { return syncDir(path) }

func linkError(op, from, to string, err error) error {
	if err == nil {
		return nil
	}
	return &os.LinkError{Op: op, Old: from, New: to, Err: err}
}

// Waits between two looks at a lock that somebody holds.
const (
	firstWait = time.Millisecond
	lastWait  = 20 * time.Millisecond
)

// Lock implements FS.
func (o OS) Lock(ctx context.Context, path string) (Lock, error) {
	for wait := firstWait; ; wait = min(2*wait, lastWait) {
		l, err := o.TryLock(path)
		if !errors.Is(err, ErrLocked) {
			return l, err
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("%w (%w)", err, ctx.Err())
		case <-time.After(wait):
		}
	}
}

// TryLock implements FS.
func (OS) TryLock(path string) (Lock, error) { return tryLock(path) }

// sameFile reports whether an open file is still the one of that name.
func sameFile(f *os.File, path string) bool {
	mine, err := f.Stat()
	if err != nil {
		return false
	}
	there, err := os.Stat(path)
	return err == nil && os.SameFile(mine, there)
}
