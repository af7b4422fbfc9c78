package durable

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
)

// WriteFile writes a file: under a temporary name, then to the disk, then under
// its own name, which it takes from an earlier file. After it returns nil, the
// file survives a power cut; after an error the earlier file is as it was.
func WriteFile(f FS, path string, data []byte, perm fs.FileMode) error {
	p, err := NewPending(f, path, perm)
	if err != nil {
		return err
	}
	defer p.Abandon()
	if _, err := p.Write(data); err != nil {
		return err
	}
	return p.Commit()
}

// Pending is a file under a temporary name until it is committed.
type Pending struct {
	Handle
	fs   FS
	path string
	done bool

	at     int64 // bytes written,
	begun  int64 // and of these on the way to the disk
	synced bool  // all of them are there
}

// writeBehind is the number of bytes after which the system is asked to take them to the
// disk: what is written before the last of them is then mostly there when Commit waits.
const writeBehind = 8 << 20

// Write implements io.Writer.
func (p *Pending) Write(b []byte) (int, error) {
	n, err := p.Handle.Write(b)
	p.synced = false
	if p.at += int64(n); p.at-p.begun >= writeBehind {
		toDisk(p.Handle, p.begun, p.at-p.begun)
		p.begun = p.at
	}
	return n, err
}

// Sync brings what was written to the disk. Where it is there, nothing is done: what has
// its place after others must not fail for want of room.
func (p *Pending) Sync() error {
	if p.synced {
		return nil
	}
	err := p.Handle.Sync()
	p.synced = err == nil
	return err
}

// NewPending starts a file beside its final place.
func NewPending(f FS, path string, perm fs.FileMode) (*Pending, error) {
	for n := range tries {
		h, err := f.Create(tempName(path, n), perm)
		if err == nil {
			return &Pending{Handle: h, fs: f, path: path}, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
	}
	return nil, tooMany(path)
}

// Commit puts the file in its place, and in that of an earlier file.
func (p *Pending) Commit() error { return p.commit(p.fs.Rename) }

// Place is Commit in a folder that the caller makes survive when all its files are there.
func (p *Pending) Place() error { return p.place(p.fs.Rename) }

// CommitNew puts the file in its place if nothing is there at that moment, else
// the error is fs.ErrExist.
func (p *Pending) CommitNew() error { return p.commit(p.fs.RenameNew) }

// earlyClose says that open files cannot be renamed here. Elsewhere a file is open, and
// so held, until it is in its place: nobody takes it for a leftover.
const earlyClose = runtime.GOOS == "windows"

func (p *Pending) commit(rename func(from, to string) error) error {
	if err := p.place(rename); err != nil {
		return err
	}
	return p.fs.SyncDir(filepath.Dir(p.path))
}

func (p *Pending) place(rename func(from, to string) error) error {
	if p.done {
		return fs.ErrClosed
	}
	if err := p.Sync(); err != nil {
		return err
	}
	if earlyClose {
		if err := p.Close(); err != nil {
			return err
		}
	}
	if err := rename(p.Name(), p.path); err != nil {
		return err
	}
	p.done = true
	if earlyClose {
		return nil
	}
	return p.Close()
}

// Abandon removes the file unless it is in its place.
func (p *Pending) Abandon() {
	if p.done {
		return
	}
	p.done = true
	p.Close()
	p.fs.Remove(p.Name())
}

// MkdirAll makes a folder and those above it that are missing, for good.
func MkdirAll(f FS, path string, perm fs.FileMode) error {
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return nil
	case err == nil:
		return &fs.PathError{Op: "mkdir", Path: path, Err: syscall.ENOTDIR}
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	above := filepath.Dir(path)
	if err := MkdirAll(f, above, perm); err != nil {
		return err
	}
	if err := f.Mkdir(path, perm); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return f.SyncDir(above)
}

// MkdirTemp makes a folder under a temporary name beside its final place.
func MkdirTemp(f FS, path string, perm fs.FileMode) (string, error) {
	for n := range tries {
		dir := tempName(path, n)
		err := f.Mkdir(dir, perm)
		if err == nil {
			return dir, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return "", err
		}
	}
	return "", tooMany(path)
}

// WriteFolder makes a folder that has its name only when it is whole: fill writes what is in
// it to a folder beside, which goes where it fails. The error is fs.ErrExist where there is
// something of that name already.
func WriteFolder(f FS, path string, perm fs.FileMode, fill func(dir string) error) error {
	path = filepath.Clean(path)
	if _, err := os.Lstat(path); err == nil {
		return &fs.PathError{Op: "mkdir", Path: path, Err: fs.ErrExist}
	}
	dir, err := MkdirTemp(f, path, perm)
	if err != nil {
		return err
	}
	if err = fill(dir); err == nil {
		err = f.SyncDir(dir)
	}
	if err == nil {
		err = f.RenameNew(dir, path)
	}
	if err != nil {
		return errors.Join(err, f.RemoveAll(dir))
	}
	return f.SyncDir(filepath.Dir(path))
}

const tries = 10000

func tooMany(path string) error {
	return fmt.Errorf("%s: there are %d temporary files of it: remove those that no program uses", path, tries)
}

// tempMark is in the name of every temporary file and folder: ".NAME.moiety-PID-N".
const tempMark = ".moiety-"

// longest is how much of a name is kept in a temporary one: names may have 255
// bytes.
const longest = 200

func tempPrefix(path string) string {
	base := filepath.Base(path)
	return "." + base[:min(len(base), longest)] + tempMark
}

func tempName(path string, n int) string {
	return filepath.Join(filepath.Dir(path), tempPrefix(path)+strconv.Itoa(os.Getpid())+"-"+strconv.Itoa(n))
}

// Temps lists the temporary files and folders beside a path that are on the way
// to it, or were; whether any is still in use is another question.
func Temps(path string) []string {
	dir, err := os.Open(filepath.Dir(path))
	if err != nil {
		return nil
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1) // without order: the caller looks at each
	var out []string
	for _, name := range names {
		if rest, ok := strings.CutPrefix(name, tempPrefix(path)); ok && isStamp(rest) {
			out = append(out, filepath.Join(filepath.Dir(path), name))
		}
	}
	return out
}

// Beside lists the temporary files and folders in the folder of a path that are on
// the way to other names, with these names.
func Beside(path string) map[string]string {
	own := map[string]bool{}
	for _, t := range Temps(path) {
		own[t] = true
	}
	list, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return nil
	}
	out := map[string]string{}
	for _, e := range list {
		at := strings.LastIndex(e.Name(), tempMark)
		if full := filepath.Join(filepath.Dir(path), e.Name()); at > 0 && e.Name()[0] == '.' && isStamp(e.Name()[at+len(tempMark):]) && !own[full] {
			out[full] = filepath.Join(filepath.Dir(path), e.Name()[1:at])
		}
	}
	return out
}

// isStamp reports whether the end of a name is PID-N, with or without an ending
// of the caller's.
func isStamp(s string) bool {
	s, _, _ = strings.Cut(s, ".")
	pid, n, ok := strings.Cut(s, "-")
	_, err1 := strconv.ParseUint(pid, 10, 32)
	_, err2 := strconv.ParseUint(n, 10, 32)
	return ok && err1 == nil && err2 == nil
}

// Unused reports whether nobody holds a file that Create or Lock made. Where
// that cannot be known, it is in use.
func Unused(path string) bool { return unused(path) }

// Sweep removes temporary files that killed work left on the way to a path, and
// returns their number. Files in use and folders are left alone.
func Sweep(f FS, path string) int {
	n := 0
	for _, temp := range Temps(path) {
		if info, err := os.Lstat(temp); err == nil && info.Mode().IsRegular() && Unused(temp) && f.Remove(temp) == nil {
			n++
		}
	}
	return n
}

// SweepBeside removes temporary files that killed work left on the way to other names
// in the folder of a path, which may never be written again, and returns their number.
// Where a file is let go before it is renamed, one that is finished could not be distinguished
// from one that was left: there nothing is done.
func SweepBeside(f FS, path string) int {
	if earlyClose {
		return 0
	}
	n, swept := 0, map[string]bool{}
	for _, other := range Beside(path) {
		if !swept[other] {
			swept[other] = true
			n += Sweep(f, other)
		}
	}
	return n
}
