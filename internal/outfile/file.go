package outfile

import (
	"bufio"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/moiety-go/moiety/internal/durable"
	"github.com/moiety-go/moiety/internal/unfinished"
)

// Options of a file.
type Options struct {
	// Force replaces whatever file stands there.
	Force bool
	// Private lets nobody but the user read it, whatever the system's habit: it
	// holds records.
	Private bool
	// Waiting is called once when a pipe has no reader yet.
	Waiting func()
	// FS is the file layer; nil is the machine's own.
	FS durable.FS
}

// File is an output under a temporary name until it is committed.
type File struct {
	*bufio.Writer
	Path  string // as the user wrote it
	place place
	form  Form
	force bool
	fs    durable.FS

	pending *durable.Pending // of a file
	item    *unfinished.Item // the same, for those who stop the program
	through *os.File         // of a device or pipe
	closed  bool
	over    bool     // committed, or given up
	made    []string // folders made for it, the outermost first
}

// bufferSize is what is written at once.
const bufferSize = 256 << 10

// Create begins a file. Missing folders are made. A file that may not be
// replaced is refused. What killed work left on the way to it, or to
// others in its folder, is removed: it may hold records.
func Create(ctx context.Context, path string, form Form, o Options) (*File, error) {
	p, err := find(path, form, o.Force)
	if err != nil {
		return nil, err
	}
	if o.FS == nil {
		o.FS = durable.OS{}
	}
	f := &File{Path: path, place: p, form: form, force: o.Force, fs: o.FS}
	var w io.Writer
	if p.through {
		f.through, err = open(ctx, p.real, o.Waiting)
		w = f.through
	} else {
		err = f.begin(o.Private)
		w = f.pending
	}
	if err != nil {
		f.removeFolders()
		return nil, Explain(path, err)
	}
	if f.pending != nil {
		f.item = unfinished.Add(ctx, f.pending.Name())
	}
	f.Writer = bufio.NewWriterSize(worded{w, path}, bufferSize)
	return f, nil
}

// begin makes the folders and the temporary file.
func (f *File) begin(private bool) (err error) {
	dir := filepath.Dir(f.place.real)
	for d := dir; ; d = filepath.Dir(d) {
		if _, err := os.Lstat(d); err == nil || d == filepath.Dir(d) {
			break
		}
		f.made = append([]string{d}, f.made...)
	}
	for _, d := range f.made {
		if err := f.fs.Mkdir(d, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	durable.Sweep(f.fs, f.place.real)
	durable.SweepBeside(f.fs, f.place.real)
	mode := fs.FileMode(0o666) // less what the user's habit forbids
	if private {
		mode = 0o600
	}
	f.pending, err = durable.NewPending(f.fs, f.place.real, mode)
	return err
}

// open opens a device or a pipe; it waits for the reader of a pipe.
func open(ctx context.Context, path string, waiting func()) (*os.File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	flags := os.O_WRONLY | os.O_APPEND
	if info.Mode()&fs.ModeNamedPipe == 0 {
		return os.OpenFile(path, flags, 0)
	}
	const pause = 50 * time.Millisecond
	for {
		f, err := os.OpenFile(path, flags|dontWait, 0)
		if !errors.Is(err, errNoReader) {
			return f, err
		}
		if waiting != nil {
			waiting()
			waiting = nil
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(pause):
		}
	}
}

// Close ends the writing: everything is on the disk, under the temporary name.
// Several files are closed first and committed then, so that a full disk leaves
// none of them.
func (f *File) Close() error {
	if f.closed {
		return nil
	}
	if err := f.Flush(); err != nil {
		return err // worded already
	}
	f.Writer, f.closed = nil, true
	if f.through != nil {
		return Explain(f.Path, f.through.Close())
	}
	return Explain(f.Path, f.pending.Sync())
}

// Through reports that a device or pipe is written, not a file.
func (f *File) Through() bool { return f.through != nil }

// Replaces reports that an earlier output of the same form will be replaced.
func (f *File) Replaces() bool { return f.place.ours }

// Commit puts the file in its place.
func (f *File) Commit() error {
	if f.over {
		return nil
	}
	if err := f.Close(); err != nil {
		return err
	}
	if f.pending != nil {
		if err := f.put(); err != nil {
			return err
		}
	}
	f.over = true
	return nil
}

// put renames. What stands there is looked at again: it may have come meanwhile.
func (f *File) put() error {
	now, err := find(f.Path, f.form, f.force)
	if err != nil {
		return err
	}
	if now.through || now.real != f.place.real {
		return Explain(f.Path, errors.New("it became something else while it was being made"))
	}
	commit := f.pending.Commit
	if now.fresh {
		commit = f.pending.CommitNew
	}
	err = f.item.Commit(commit)
	if errors.Is(err, fs.ErrExist) {
		return Explain(f.Path, ErrExists)
	}
	return Explain(f.Path, err)
}

// Abandon removes a file that is not in its place, and the folders made for it.
func (f *File) Abandon() {
	if f == nil || f.over {
		return
	}
	f.over = true
	if f.through != nil {
		f.through.Close()
		return
	}
	f.pending.Abandon()
	f.item.Drop()
	f.removeFolders()
}

// removeFolders takes folders away that were made and are empty.
func (f *File) removeFolders() {
	for i := len(f.made) - 1; i >= 0; i-- {
		if f.fs.Remove(f.made[i]) != nil {
			return
		}
	}
}

// worded writes, and says what went wrong in words of the output's own name.
type worded struct {
	w    io.Writer
	path string
}

func (w worded) Write(b []byte) (int, error) {
	n, err := w.w.Write(b)
	if err != nil {
		err = Explain(w.path, err)
	}
	return n, err
}
