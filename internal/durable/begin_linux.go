package durable

import "golang.org/x/sys/unix"

// toDisk asks the system to begin to take bytes of a file to the disk, and does not wait.
// It is no promise: Sync is.
func toDisk(h Handle, from, n int64) {
	f, ok := h.(held)
	if !ok {
		return
	}
	if c, err := f.SyscallConn(); err == nil {
		_ = c.Control(func(fd uintptr) { _ = unix.SyncFileRange(int(fd), from, n, unix.SYNC_FILE_RANGE_WRITE) })
	}
}
