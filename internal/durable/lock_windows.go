package durable

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/windows"
)

// hold has nothing to do: an open file cannot be removed here.
func hold(*os.File) error { return nil }

func letGo(f *os.File) error { return f.Close() }

// handleLock is a file that nobody else can open and that goes away when it is
// closed, also by the end of the process.
type handleLock struct {
	h    windows.Handle
	path string
}

func tryLock(path string) (Lock, error) {
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return nil, err
	}
	h, err := windows.CreateFile(name, windows.GENERIC_READ|windows.GENERIC_WRITE|windows.DELETE, 0, nil,
		windows.OPEN_ALWAYS, windows.FILE_ATTRIBUTE_NORMAL|windows.FILE_FLAG_DELETE_ON_CLOSE, 0)
	switch {
	case err == nil:
		return handleLock{h, path}, nil
	case errors.Is(err, windows.ERROR_SHARING_VIOLATION), errors.Is(err, windows.ERROR_DELETE_PENDING),
		errors.Is(err, windows.ERROR_ACCESS_DENIED) && there(path):
		return nil, &fs.PathError{Op: "lock", Path: path, Err: ErrLocked}
	}
	return nil, &fs.PathError{Op: "lock", Path: path, Err: err}
}

// there reports whether a file that cannot be opened is going away.
func there(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// Release implements Lock.
func (l handleLock) Release() error { return windows.CloseHandle(l.h) }

// Drop implements Lock.
func (l handleLock) Drop() error { return windows.CloseHandle(l.h) }

// unused reports whether nobody has the file open.
func unused(path string) bool {
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return false
	}
	h, err := windows.CreateFile(name, windows.GENERIC_READ, 0, nil, windows.OPEN_EXISTING, windows.FILE_ATTRIBUTE_NORMAL, 0)
	if err != nil {
		return false
	}
	windows.CloseHandle(h)
	return true
}
