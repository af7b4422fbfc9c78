//go:build unix && !solaris && !illumos && !aix

package durable

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// hold takes the lock of an open file, without waiting.
func hold(f *os.File) error { return flock(f, unix.LOCK_EX) }

// letGo ends the lock of an open file and closes it. To close it is not enough: a process
// that is being started has its copy of all open files for a moment, and with it the lock.
func letGo(f *os.File) error {
	_ = unix.Flock(int(f.Fd()), unix.LOCK_UN) // closing does it in the end
	return f.Close()
}

func flock(f *os.File, how int) error {
	err := unix.Flock(int(f.Fd()), how|unix.LOCK_NB)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, unix.EWOULDBLOCK):
		return ErrLocked
	case errors.Is(err, unix.ENOSYS), errors.Is(err, unix.ENOTSUP), errors.Is(err, unix.ENOLCK), errors.Is(err, unix.EINVAL):
		return errors.ErrUnsupported
	}
	return err
}

// fileLock is a lock file whose open file is locked.
type fileLock struct{ f *os.File }

// tryLock makes or takes a lock file. Its holder removes it, so the one that
// was locked may be gone from the name: then another look. Where the disk knows
// no locks, whoever made the file holds it.
func tryLock(path string) (Lock, error) {
	for {
		f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
		made := err == nil
		if errors.Is(err, fs.ErrExist) {
			f, err = os.OpenFile(path, os.O_RDWR|unix.O_NOFOLLOW, 0)
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
		}
		if err != nil {
			return nil, err
		}
		err = hold(f)
		if errors.Is(err, errors.ErrUnsupported) {
			if err = nil; !made {
				err = ErrLocked
			}
		}
		switch {
		case err != nil:
			f.Close()
			return nil, &fs.PathError{Op: "lock", Path: path, Err: err}
		case sameFile(f, path):
			return fileLock{f}, nil
		}
		letGo(f)
	}
}

// Release implements Lock.
func (l fileLock) Release() error { return errors.Join(os.Remove(l.f.Name()), letGo(l.f)) }

// Drop implements Lock.
func (l fileLock) Drop() error { return letGo(l.f) }

// unused reports whether nobody holds a file that Create or Lock made. It shares the lock, so that
// two who look at a time do not take each other for a holder.
func unused(path string) bool {
	f, err := os.OpenFile(path, os.O_RDWR|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
	if err != nil {
		return false
	}
	defer letGo(f)
	return flock(f, unix.LOCK_SH) == nil
}
