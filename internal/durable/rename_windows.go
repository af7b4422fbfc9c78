package durable

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/windows"
)

func renameNew(from, to string) error {
	old, err := windows.UTF16PtrFromString(from)
	if err != nil {
		return err
	}
	name, err := windows.UTF16PtrFromString(to)
	if err != nil {
		return err
	}
	err = windows.MoveFileEx(old, name, windows.MOVEFILE_WRITE_THROUGH)
	if errors.Is(err, windows.ERROR_ACCESS_DENIED) && there(to) { // said of folders
		return fs.ErrExist
	}
	return err
}

// renameOnto removes the empty folder first; the rename then takes only a free
// name.
func renameOnto(from, to string) error {
	if err := os.Remove(to); err != nil {
		return fs.ErrExist
	}
	return renameNew(from, to)
}

func exchange(string, string) error { return errors.ErrUnsupported }

// syncDir has nothing to do: names are written through a log here.
func syncDir(string) error { return nil }
