//go:build !windows && (!unix || solaris || illumos || aix)

package durable

import (
	"errors"
	"io/fs"
	"os"
)

func hold(*os.File) error { return errors.ErrUnsupported }

func letGo(f *os.File) error { return f.Close() }

// markLock is a lock on systems without locks: whoever made the file holds it,
// and after a kill it must be removed by hand.
type markLock string

func tryLock(path string) (Lock, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if errors.Is(err, fs.ErrExist) {
		err = &fs.PathError{Op: "lock", Path: path, Err: ErrLocked}
	}
	if err != nil {
		return nil, err
	}
	return markLock(path), f.Close()
}

// Release implements Lock.
func (l markLock) Release() error { return os.Remove(string(l)) }

// Drop implements Lock.
func (l markLock) Drop() error { return nil }

// unused cannot tell.
func unused(string) bool { return false }
