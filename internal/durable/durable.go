// Package durable is the file layer of everything that the program writes.
//
// What it promises: a file or folder has its name only when it is whole and on
// the disk; nothing that was not looked for is ever replaced; work that was
// killed leaves things under recognisable temporary names, which are told from
// work in progress by locks that end with their process.
//
// All effects go through an FS, so that tests can end the world at any of them
// (package durabletest). Reading does not: it changes nothing.
//
// Step in the flow: below all rooms that write. It must not know what is in the
// files.
package durable

import (
	"context"
	"errors"
	"io"
	"io/fs"
)

// FS has the operations that leave traces on a disk.
type FS interface {
	// Create makes a file that must not be there yet and holds it: until it is
	// closed, or the process ends, Unused says that it is in use. The system's
	// umask is taken off perm.
	Create(path string, perm fs.FileMode) (Handle, error)
	// Mkdir makes a folder that must not be there yet.
	Mkdir(path string, perm fs.FileMode) error
	// Rename moves a file, in place of a file of that name.
	Rename(from, to string) error
	// RenameNew moves a file or folder to a name that is free at that moment,
	// else the error is fs.ErrExist.
	RenameNew(from, to string) error
	// RenameOnto moves a folder in place of an empty one; if that is not empty
	// at that moment, the error is fs.ErrExist.
	RenameOnto(from, to string) error
	// Exchange gives two things each other's names, in one step; on systems
	// that cannot, the error is errors.ErrUnsupported.
	Exchange(a, b string) error
	// Remove removes a file or an empty folder, RemoveAll also what is in it.
	Remove(path string) error
	RemoveAll(path string) error
	// SyncDir makes the names in a folder survive a power cut.
	SyncDir(path string) error
	// Lock makes a lock file and holds it, waiting while another process or
	// goroutine does, until the context is done.
	Lock(ctx context.Context, path string) (Lock, error)
	// TryLock is Lock without waiting: ErrLocked where another holds it.
	TryLock(path string) (Lock, error)
}

// Handle is a file being written.
type Handle interface {
	io.Writer
	Name() string
	Sync() error
	Close() error
}

// Lock is a held lock. It ends with the process at the latest.
type Lock interface {
	// Release ends the lock and removes its file.
	Release() error
	// Drop ends the lock as the end of the process would: its file stays.
	Drop() error
}

// ErrLocked says that somebody else holds a lock.
var ErrLocked = errors.New("in use by another process")
