package durable_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/moiety-go/moiety/internal/durable"
	"github.com/moiety-go/moiety/internal/durable/durabletest"
)

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func text(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}

// At every operation and by every fault, a folder is there whole or not at all, and after an
// error that was told nothing of it is left.
func TestWriteFolderFaults(t *testing.T) {
	work := func(f *durabletest.FS, path string) error {
		return durable.WriteFolder(f, path, 0o700, func(dir string) error {
			for _, name := range []string{"a", "b"} {
				if err := durable.WriteFile(f, filepath.Join(dir, name), []byte("text"), 0o600); err != nil {
					return err
				}
			}
			return nil
		})
	}
	count := durabletest.New(t, durabletest.Never, 0)
	if err := work(count, filepath.Join(t.TempDir(), "x")); err != nil {
		t.Fatal(err)
	}
	for name, fault := range durabletest.Faults {
		for at := range count.Count() {
			dir := t.TempDir()
			f := durabletest.New(t, fault, at)
			err := work(f, filepath.Join(dir, "x"))
			f.End()
			list := names(t, dir)
			whole := len(list) == 1 && list[0] == "x" && text(t, filepath.Join(dir, "x", "a"))+text(t, filepath.Join(dir, "x", "b")) == "texttext"
			killed := fault != durabletest.Full && fault != durabletest.Broken
			switch {
			case whole && (err == nil || killed):
			case err == nil, slices.Contains(list, "x") && fault != durabletest.Broken, !killed && !whole && len(list) > 0:
				t.Errorf("%s at operation %d: %v, error %v", name, at, list, err)
			}
		}
	}
	if err := work(durabletest.New(t, durabletest.Never, 0), t.TempDir()); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a folder that is there: %v", err)
	}
}

// At every operation and by every fault, the file is the old one or the new one,
// and the new one if WriteFile said so.
func TestWriteFileFaults(t *testing.T) {
	work := func(f *durabletest.FS, path string) error {
		return durable.WriteFile(f, path, bytes.Repeat([]byte("new\n"), 100), 0o600)
	}
	for _, old := range []string{"", "old"} {
		f := durabletest.New(t, durabletest.Never, 0)
		if err := work(f, filepath.Join(t.TempDir(), "a")); err != nil {
			t.Fatal(err)
		}
		tried := 0
		for name, fault := range durabletest.Faults {
			for i := range f.Count() + 1 { // the last one comes after the work
				path := filepath.Join(t.TempDir(), "a")
				if old != "" {
					write(t, path, old)
				}
				g := durabletest.New(t, fault, i)
				err := work(g, path)
				g.End()
				got, readErr := os.ReadFile(path)
				isNew := len(got) == 400
				switch {
				case !g.Struck() && i < f.Count():
					t.Errorf("%s at %d: nothing happened", name, i)
				case err == nil && !isNew:
					t.Errorf("%s at %d: said done, and is %q", name, i, got)
				case !isNew && (string(got) != old || (old == "") != errors.Is(readErr, fs.ErrNotExist)):
					t.Errorf("%s at %d: %q, %v", name, i, got, readErr)
				}
				tried++
				if n := durable.Sweep(durable.OS{}, path); n > 1 {
					t.Errorf("%s at %d: %d leftovers", name, i, n)
				}
				if left := names(t, filepath.Dir(path)); len(left) > 1 || len(left) == 1 && left[0] != "a" {
					t.Errorf("%s at %d: left %v", name, i, left)
				}
			}
		}
		t.Logf("faults while writing a file: %d, of %d operations", tried, f.Count())
	}
}

func TestWriteFileMode(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no modes here")
	}
	path := filepath.Join(t.TempDir(), "a")
	for _, perm := range []fs.FileMode{0o600, 0o644} {
		if err := durable.WriteFile(durable.OS{}, path, nil, perm); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(path)
		if err != nil || info.Mode().Perm()&^perm != 0 || info.Mode().Perm()&0o600 != 0o600 {
			t.Errorf("%v: %v, %v", perm, info.Mode(), err)
		}
	}
}

// A name that is taken stays as it is, whatever comes.
func TestRenameNew(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	write(t, in("a"), "a")
	write(t, in("b"), "b")
	for _, d := range []string{"d", "empty", "full"} {
		if err := os.Mkdir(in(d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	write(t, in("d/x"), "x")
	write(t, in("full/y"), "y")
	f := durable.OS{}
	for _, to := range []string{"b", "empty", "full"} {
		for _, from := range []string{"a", "d"} {
			if err := f.RenameNew(in(from), in(to)); !errors.Is(err, fs.ErrExist) {
				t.Errorf("%s to %s: %v", from, to, err)
			}
		}
	}
	if err := f.RenameOnto(in("d"), in("full")); !errors.Is(err, fs.ErrExist) {
		t.Errorf("onto a full folder: %v", err)
	}
	if text(t, in("b")) != "b" || text(t, in("full/y")) != "y" {
		t.Error("something was replaced")
	}
	if err := f.RenameOnto(in("d"), in("empty")); err != nil || text(t, in("empty/x")) != "x" {
		t.Errorf("onto an empty folder: %v", err)
	}
	if err := f.RenameNew(in("a"), in("c")); err != nil || text(t, in("c")) != "a" {
		t.Errorf("a file to a free name: %v", err)
	}
	if err := f.RenameNew(in("empty"), in("e")); err != nil || text(t, in("e/x")) != "x" {
		t.Errorf("a folder to a free name: %v", err)
	}
	if err := f.RenameNew(in("none"), in("n")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("nothing to a free name: %v", err)
	}
}

func TestExchange(t *testing.T) {
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	write(t, a, "a")
	write(t, b, "b")
	err := durable.OS{}.Exchange(a, b)
	if errors.Is(err, errors.ErrUnsupported) {
		t.Skip("this system cannot exchange names")
	}
	if err != nil || text(t, a) != "b" || text(t, b) != "a" {
		t.Errorf("%v", err)
	}
}

// Many who want one name: one gets it.
func TestCommitNewTogether(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	var won atomic.Int32
	var all sync.WaitGroup
	for range 32 {
		all.Go(func() {
			p, err := durable.NewPending(durable.OS{}, path, 0o600)
			if err != nil {
				t.Error(err)
				return
			}
			defer p.Abandon()
			switch err := p.CommitNew(); {
			case err == nil:
				won.Add(1)
			case !errors.Is(err, fs.ErrExist):
				t.Error(err)
			}
		})
	}
	all.Wait()
	if left := names(t, filepath.Dir(path)); won.Load() != 1 || len(left) != 1 {
		t.Errorf("%d won, %v", won.Load(), left)
	}
}

func TestLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	f := durable.OS{}
	l, err := f.TryLock(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.TryLock(path); !errors.Is(err, durable.ErrLocked) {
		t.Errorf("taken twice: %v", err)
	}
	if durable.Unused(path) {
		t.Error("a held lock is called unused")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer cancel()
	if _, err := f.Lock(ctx, path); !errors.Is(err, durable.ErrLocked) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("waited: %v", err)
	}
	if err := l.Drop(); err != nil {
		t.Fatal(err)
	}
	// The file of a process that ended is taken over.
	if l, err = f.TryLock(path); err != nil {
		t.Fatal(err)
	}
	if err := l.Release(); err != nil {
		t.Fatal(err)
	}
	if left := names(t, filepath.Dir(path)); len(left) != 0 {
		t.Errorf("left %v", left)
	}
}

// One at a time, though every holder removes the file.
func TestLockTogether(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	var in, sum atomic.Int32 // the race detector does not see the system's locks
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			for range 50 {
				l, err := durable.OS{}.Lock(t.Context(), path)
				if err != nil {
					t.Error(err)
					return
				}
				if in.Add(1) != 1 {
					t.Error("two hold the lock")
				}
				sum.Add(1)
				in.Add(-1)
				if err := l.Release(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if n := sum.Load(); n != 800 {
		t.Errorf("%d of 800", n)
	}
}

func TestSweep(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out.csv")
	p, err := durable.NewPending(durable.OS{}, path, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Abandon()
	write(t, filepath.Join(dir, ".out.csv.moiety-77-0"), "left")
	write(t, filepath.Join(dir, ".out.csv.moiety-notes"), "somebody's")
	write(t, filepath.Join(dir, ".other.csv.moiety-77-0"), "of another")
	if n := len(durable.Temps(path)); n != 2 {
		t.Errorf("%d temporary files", n)
	}
	if n := durable.Sweep(durable.OS{}, path); n != 1 {
		t.Errorf("%d swept", n)
	}
	if left := names(t, dir); len(left) != 3 {
		t.Errorf("%v", left)
	}
	if err := p.Commit(); err != nil {
		t.Error(err)
	}
}

// A full disk is said as such.
func TestFull(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	err := durable.WriteFile(durabletest.New(t, durabletest.Full, 1), path, []byte("abc"), 0o600)
	if !errors.Is(err, syscall.ENOSPC) || len(names(t, filepath.Dir(path))) != 0 {
		t.Errorf("%v, left %v", err, names(t, filepath.Dir(path)))
	}
}

// Folders above a file survive a power cut too.
func TestMkdirAll(t *testing.T) {
	for i := range 9 {
		dir := t.TempDir()
		path := filepath.Join(dir, "a", "b", "c")
		f := durabletest.New(t, durabletest.CutAll, i)
		err := durable.MkdirAll(f, path, 0o755)
		f.End()
		if info, statErr := os.Stat(path); err == nil && (statErr != nil || !info.IsDir()) {
			t.Errorf("cut at %d: %v", i, statErr)
		}
	}
	file := filepath.Join(t.TempDir(), "file")
	write(t, file, "x")
	for _, path := range []string{file, filepath.Join(file, "a")} {
		if err := durable.MkdirAll(durable.OS{}, path, 0o755); err == nil {
			t.Errorf("%s: made", path)
		}
	}
}

// A file that was placed has its contents on the disk, and its name once the folder is.
func TestPlace(t *testing.T) {
	for _, synced := range []bool{false, true} {
		path := filepath.Join(t.TempDir(), "a")
		f := durabletest.New(t, durabletest.CutAll, math.MaxInt)
		p, err := durable.NewPending(f, path, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.Write([]byte("new")); err != nil {
			t.Fatal(err)
		}
		if err := p.Place(); err != nil {
			t.Fatal(err)
		}
		if synced {
			if err := f.SyncDir(filepath.Dir(path)); err != nil {
				t.Fatal(err)
			}
		}
		f.End()
		if got, err := os.ReadFile(path); (err == nil) != synced || synced && string(got) != "new" {
			t.Errorf("folder on the disk: %v; the file is %q, %v", synced, got, err)
		}
	}
}
