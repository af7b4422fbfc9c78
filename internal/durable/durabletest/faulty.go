// Package durabletest ends the world at any operation of a file layer: by a
// kill, a power cut, a full disk or a broken one. A test counts the operations
// of some work once, and then does the work again for each of them:
//
//	f := durabletest.New(t, durabletest.Never, 0)
//	work(f)
//	for i := range f.Count() { work(durabletest.New(t, durabletest.Kill, i)) ... }
package durabletest

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"testing"

	"github.com/moiety-go/moiety/internal/durable"
)

// Fault is what happens at an operation.
type Fault int

// Faults.
const (
	Never   Fault = iota // nothing: operations are counted
	Kill                 // the process ends: what was done stays
	CutAll               // the power ends: what was not synced is gone, names and contents
	CutData              // the power ends: names are kept, contents that were not synced are gone
	Full                 // no space from here on; removing and renaming still work
	Broken               // this one operation fails with an input/output error
)

// Faults lists all faults with their names.
var Faults = map[string]Fault{
	"kill": Kill, "power cut, names lost": CutAll, "power cut, contents lost": CutData,
	"full disk": Full, "input/output error": Broken,
}

// ErrKilled is the error of every operation after the end.
var ErrKilled = errors.New("killed")

// FS is a file layer with a fault at one operation.
type FS struct {
	fault Fault
	at    int

	mu     sync.Mutex
	count  int
	dead   bool
	open   []*handle
	locks  []*lock
	undo   []step // of names that are not synced
	shadow string // where replaced and removed things wait
	kept   int
}

// step takes one change of names in a folder back. Names are kept as they are now: a folder
// may have another one since.
type step struct {
	dir   string
	names []string
	back  func(names []string)
	moves map[string]string // folders that it gave other names
}

// New returns a layer over the machine's own, with a fault at the operation of
// that number, from 0. Removed things wait in a folder of their own until the
// end of the test, on the same disk as those of t.TempDir.
func New(t testing.TB, fault Fault, at int) *FS {
	t.Helper()
	return &FS{fault: fault, at: at, shadow: t.TempDir()}
}

// Count returns the number of operations so far.
func (f *FS) Count() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.count
}

// Struck reports whether the fault has happened.
func (f *FS) Struck() bool { return f.fault != Never && f.Count() > f.at }

// End is the fault at this moment, if it is one that ends the process and has
// not come before: what was said to be done must stay done.
func (f *FS) End() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.dead && (f.fault == Kill || f.fault == CutAll || f.fault == CutData) {
		f.end()
	}
}

// kinds of operations, for faults that concern only some.
type op int

const (
	grows   op = iota // needs space
	renames           // does not
)

// step counts an operation and returns the error it must fail with. The lock is
// held by the caller.
func (f *FS) step(o op) error {
	n := f.count
	f.count++
	switch {
	case f.dead:
		return ErrKilled
	case f.fault == Full && n >= f.at && o == grows:
		return &fs.PathError{Op: "write", Path: "disk", Err: syscall.ENOSPC}
	case n != f.at:
		return nil
	}
	switch f.fault {
	case Broken:
		return &fs.PathError{Op: "write", Path: "disk", Err: syscall.EIO}
	case Kill, CutAll, CutData:
		f.end()
		return ErrKilled
	}
	return nil
}

// end is the end of the process, and of the power.
func (f *FS) end() {
	f.dead = true
	for _, h := range f.open {
		h.f.Close()
		if f.fault != Kill && h.dirty {
			os.Truncate(h.path, 0)
		}
	}
	for _, l := range f.locks {
		l.l.Drop()
	}
	if f.fault == CutAll {
		for i := len(f.undo) - 1; i >= 0; i-- {
			f.undo[i].back(f.undo[i].names)
		}
	}
	f.undo = nil
}

// did notes how a change of names is taken back.
func (f *FS) did(dir string, back func(names []string), names ...string) {
	f.gave(nil, dir, back, names...)
}

// gave is did of a change that gave folders other names.
func (f *FS) gave(moves map[string]string, dir string, back func(names []string), names ...string) {
	if f.fault == CutAll {
		f.undo = append(f.undo, step{filepath.Clean(dir), names, back, moves})
	}
}

// follow gives a step the names that folders have for good.
func (s *step) follow(moves map[string]string) {
	now := func(path string) string {
		for from, to := range moves {
			if rest, ok := cutDir(path, from); ok {
				return filepath.Join(to, rest)
			}
		}
		return path
	}
	s.dir = now(s.dir)
	for i, name := range s.names {
		s.names[i] = now(name)
	}
}

// aside moves a thing out of the way and returns where it waits.
func (f *FS) aside(path string) (string, error) {
	f.kept++
	to := filepath.Join(f.shadow, strconv.Itoa(f.kept))
	return to, os.Rename(path, to)
}

// handle is an open file; dirty says that it has contents that were not synced.
type handle struct {
	fs    *FS
	f     durable.Handle
	path  string // where it is now
	name  string
	dirty bool
}

// Create implements durable.FS.
func (f *FS) Create(path string, perm fs.FileMode) (durable.Handle, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.step(grows); err != nil {
		return nil, err
	}
	g, err := durable.OS{}.Create(path, perm)
	if err != nil {
		return nil, err
	}
	h := &handle{fs: f, f: g, path: path, name: path}
	f.open = append(f.open, h)
	f.did(filepath.Dir(path), func(n []string) { os.Remove(n[0]) }, path)
	return h, nil
}

// Name implements durable.Handle.
func (h *handle) Name() string { return h.name }

// Write implements durable.Handle. A write that fails is short.
func (h *handle) Write(b []byte) (int, error) {
	h.fs.mu.Lock()
	defer h.fs.mu.Unlock()
	next := h.fs.count == h.fs.at && !h.fs.dead
	if next && h.fs.fault != Never {
		h.dirty = true
		h.f.Write(b[:len(b)/2])
	}
	if err := h.fs.step(grows); err != nil {
		if next {
			return len(b) / 2, err
		}
		return 0, err
	}
	h.dirty = h.dirty || len(b) > 0
	return h.f.Write(b)
}

// Sync implements durable.Handle.
func (h *handle) Sync() error {
	h.fs.mu.Lock()
	defer h.fs.mu.Unlock()
	if err := h.fs.step(grows); err != nil {
		return err
	}
	h.dirty = false
	return nil
}

// Close implements durable.Handle.
func (h *handle) Close() error {
	h.fs.mu.Lock()
	defer h.fs.mu.Unlock()
	err := h.fs.step(renames)
	if h.fs.dead {
		return err
	}
	return errors.Join(err, h.f.Close())
}

// moved follows open files to their new names.
func (f *FS) moved(from, to string) {
	for _, h := range f.open {
		if h.path == from {
			h.path = to
		} else if rest, ok := cutDir(h.path, from); ok {
			h.path = filepath.Join(to, rest)
		}
	}
}

func cutDir(path, dir string) (string, bool) {
	rest, err := filepath.Rel(dir, path)
	return rest, err == nil && filepath.IsLocal(rest)
}

// Mkdir implements durable.FS.
func (f *FS) Mkdir(path string, perm fs.FileMode) error {
	return f.do(grows, func() error {
		err := os.Mkdir(path, perm)
		if err == nil {
			f.did(filepath.Dir(path), func(n []string) { os.RemoveAll(n[0]) }, path)
		}
		return err
	})
}

func (f *FS) do(o op, work func() error) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.step(o); err != nil {
		return err
	}
	return work()
}

// Rename implements durable.FS.
func (f *FS) Rename(from, to string) error {
	return f.do(renames, func() error {
		replaced := ""
		if _, err := os.Lstat(to); err == nil && f.fault == CutAll {
			if replaced, err = f.aside(to); err != nil {
				return err
			}
		}
		if err := os.Rename(from, to); err != nil {
			return err
		}
		f.moved(from, to)
		f.did(filepath.Dir(to), func(n []string) {
			os.Rename(n[0], n[1])
			if replaced != "" {
				os.Rename(replaced, n[0])
			}
		}, to, from)
		return nil
	})
}

// RenameNew implements durable.FS.
func (f *FS) RenameNew(from, to string) error {
	return f.do(renames, func() error {
		if err := (durable.OS{}).RenameNew(from, to); err != nil {
			return err
		}
		f.moved(from, to)
		f.gave(map[string]string{from: to}, filepath.Dir(to), func(n []string) { os.Rename(n[0], n[1]) }, to, from)
		return nil
	})
}

// RenameOnto implements durable.FS.
func (f *FS) RenameOnto(from, to string) error {
	return f.do(renames, func() error {
		if err := (durable.OS{}).RenameOnto(from, to); err != nil {
			return err
		}
		f.moved(from, to)
		f.gave(map[string]string{from: to}, filepath.Dir(to), func(n []string) { os.Rename(n[0], n[1]); os.Mkdir(n[0], 0o755) }, to, from)
		return nil
	})
}

// Exchange implements durable.FS.
func (f *FS) Exchange(a, b string) error {
	return f.do(renames, func() error {
		if err := (durable.OS{}).Exchange(a, b); err != nil {
			return err
		}
		f.gave(map[string]string{a: b, b: a}, filepath.Dir(b), func(n []string) { durable.OS{}.Exchange(n[0], n[1]) }, a, b)
		return nil
	})
}

// Remove implements durable.FS.
func (f *FS) Remove(path string) error { return f.remove(path, durable.OS{}.Remove) }

// RemoveAll implements durable.FS.
func (f *FS) RemoveAll(path string) error { return f.remove(path, durable.OS{}.RemoveAll) }

func (f *FS) remove(path string, really func(string) error) error {
	return f.do(renames, func() error {
		if _, err := os.Lstat(path); err != nil || f.fault != CutAll {
			return really(path)
		}
		to, err := f.aside(path)
		if err == nil {
			f.did(filepath.Dir(path), func(n []string) { os.Rename(to, n[0]) }, path)
		}
		return err
	})
}

// SyncDir implements durable.FS.
func (f *FS) SyncDir(path string) error {
	return f.do(renames, func() error {
		var left []step
		for _, s := range f.undo {
			if s.dir != filepath.Clean(path) {
				left = append(left, s)
				continue
			}
			for i := range left {
				left[i].follow(s.moves)
			}
		}
		f.undo = left
		return nil
	})
}

// lock is a held lock.
type lock struct {
	fs *FS
	l  durable.Lock
}

// Lock implements durable.FS.
func (f *FS) Lock(ctx context.Context, path string) (durable.Lock, error) {
	return f.locked(func() (durable.Lock, error) { return durable.OS{}.Lock(ctx, path) })
}

// TryLock implements durable.FS.
func (f *FS) TryLock(path string) (durable.Lock, error) {
	return f.locked(func() (durable.Lock, error) { return durable.OS{}.TryLock(path) })
}

func (f *FS) locked(take func() (durable.Lock, error)) (l durable.Lock, err error) {
	err = f.do(grows, func() error {
		var real durable.Lock
		if real, err = take(); err != nil {
			return err
		}
		mine := &lock{f, real}
		f.locks = append(f.locks, mine)
		l = mine
		return nil
	})
	return l, err
}

// Release implements durable.Lock.
func (l *lock) Release() error { return l.end(durable.Lock.Release) }

// Drop implements durable.Lock.
func (l *lock) Drop() error { return l.end(durable.Lock.Drop) }

func (l *lock) end(how func(durable.Lock) error) error {
	l.fs.mu.Lock()
	defer l.fs.mu.Unlock()
	err := l.fs.step(renames)
	i := slices.Index(l.fs.locks, l)
	if l.fs.dead || i < 0 {
		return err
	}
	l.fs.locks = slices.Delete(l.fs.locks, i, i+1)
	if err != nil { // the file stays, but whoever had it does not have it any more
		return errors.Join(err, l.l.Drop())
	}
	return how(l.l)
}
