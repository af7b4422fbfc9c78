package unfinished

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/windows"
)

// nameless makes a file that the system removes with its last handle, however the
// process ends.
func nameless(dir string) (*os.File, error) {
	const tries = 10000
	for n := range tries {
		path := filepath.Join(dir, fmt.Sprintf("moiety-%d-%d", os.Getpid(), n))
		name, err := windows.UTF16PtrFromString(path)
		if err != nil {
			return nil, err
		}
		h, err := windows.CreateFile(name, windows.GENERIC_READ|windows.GENERIC_WRITE, windows.FILE_SHARE_DELETE, nil,
			windows.CREATE_NEW, windows.FILE_ATTRIBUTE_TEMPORARY|windows.FILE_FLAG_DELETE_ON_CLOSE, 0)
		if errors.Is(err, windows.ERROR_FILE_EXISTS) {
			continue
		}
		if err != nil {
			return nil, err
		}
		return os.NewFile(uintptr(h), path), nil
	}
	return nil, windows.ERROR_FILE_EXISTS
}
