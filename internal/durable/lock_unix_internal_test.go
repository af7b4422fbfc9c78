//go:build unix && !solaris && !illumos && !aix

package durable

import (
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// TestCopiedLocks: who drops a lock has dropped it, also while a process that is being
// started still has its copy of the open file.
func TestCopiedLocks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	l, err := tryLock(path)
	if err != nil {
		t.Fatal(err)
	}
	copied(t, int(l.(fileLock).f.Fd()))
	if Unused(path) {
		t.Error("a held lock is told as unused")
	}
	if err := l.Drop(); err != nil {
		t.Fatal(err)
	}
	if !Unused(path) {
		t.Error("a dropped lock is held by a copy of its file")
	}
	h, err := OS{}.Create(path+"2", 0o600)
	if err != nil {
		t.Fatal(err)
	}
	copied(t, int(h.(held).Fd()))
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	if !Unused(path + "2") {
		t.Error("a closed file is held by a copy of it")
	}
}

func copied(t *testing.T, fd int) {
	t.Helper()
	again, err := unix.Dup(fd)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { unix.Close(again) })
}
