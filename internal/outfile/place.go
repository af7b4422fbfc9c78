// Package outfile writes the files that a command was asked for. One rule holds
// for all of them: what the command wrote earlier, and can be known as such, is
// replaced; anything else is replaced only when the user insists. A file is whole
// or not there; links are followed; devices and pipes are written through and
// never renamed over.
//
// The rule for run folders is that of package run.
package outfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// ErrExists says that something stands where a file should be written.
var ErrExists = errors.New("there is something of that name already")

// Form is a kind of file that this program writes.
type Form struct {
	// Name is how people are told what was expected: "a report of moiety".
	Name string
	// Ours reports whether a file was written by this program in this form,
	// given its first and last bytes (at most Sample of each). Nil: it can never
	// be known.
	Ours func(head, tail []byte) bool
}

// Sample is how much of either end of a file is looked at.
const Sample = 256 << 10

// Check says whether a file may be written at path, before any work is done.
func Check(path string, form Form, force bool) error {
	_, err := find(path, form, force)
	return err
}

// IsOurs reports whether there is a file of that form at path.
func IsOurs(path string, form Form) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && known(path, form)
}

// place is where a file will stand.
type place struct {
	path    string // as the user wrote it
	real    string // links followed
	through bool   // a device or pipe: written, never replaced
	fresh   bool   // nothing stood there
	ours    bool   // an earlier output stands there
}

// find looks at a path and applies the rule.
func find(path string, form Form, force bool) (place, error) {
	p := place{path: path}
	if path == "" || path == "-" || strings.HasSuffix(path, string(filepath.Separator)) || strings.HasSuffix(path, "/") {
		return p, fmt.Errorf("%q is no name of a file: name one with ‹out›", path)
	}
	if err := p.follow(); err != nil {
		return p, err
	}
	info, err := os.Lstat(p.real)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		p.fresh = true
		return p, nil
	case err != nil:
		return p, Explain(path, err)
	case info.IsDir():
		return p, fmt.Errorf("%s is a folder: name a file with ‹out›", path)
	case p.through || info.Mode()&(fs.ModeNamedPipe|fs.ModeCharDevice) != 0:
		p.through = true
		return p, nil
	case !info.Mode().IsRegular():
		return p, fmt.Errorf("%s is no file but a part of the system: choose another name with ‹out›", path)
	}
	p.ours = known(p.real, form)
	switch {
	case force || info.Size() == 0:
	case info.Mode()&0o200 == 0:
		return p, fmt.Errorf("%s: %w, and it is write-protected: choose another name with ‹out›, or replace it with ‹force›", path, ErrExists)
	case !p.ours:
		return p, fmt.Errorf("%s: %w, and it is not %s: choose another name with ‹out›, or replace it with ‹force›", path, ErrExists, form.Name)
	}
	return p, nil
}

// maxLinks is the length of a chain of links that is a circle for sure.
const maxLinks = 40

// follow finds what the path stands for, which need not be there yet.
func (p *place) follow() error {
	p.real = filepath.Clean(p.path)
	if abs, err := filepath.Abs(p.real); err == nil && isDescriptor(abs) {
		// A link there leads to an open file, which has no name of its own.
		if info, err := os.Stat(p.real); err == nil && !info.IsDir() {
			p.through = true
		}
		return nil
	}
	for range maxLinks {
		if dir, err := filepath.EvalSymlinks(filepath.Dir(p.real)); err == nil {
			p.real = filepath.Join(dir, filepath.Base(p.real))
		}
		to, err := os.Readlink(p.real)
		if err != nil { // no link, or nothing
			return nil
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(p.real), to)
		}
		p.real = filepath.Clean(to)
	}
	return fmt.Errorf("%s is a link that leads in a circle", p.path)
}

// isDescriptor reports names such as /dev/stdout and /proc/self/fd/1.
func isDescriptor(path string) bool {
	return strings.HasPrefix(path, "/dev/std") || strings.HasPrefix(path, "/dev/fd/") || strings.HasPrefix(path, "/proc/")
}

// known reports whether a regular file is one of ours.
func known(path string, form Form) bool {
	if form.Ours == nil {
		return false
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return false
	}
	n := min(info.Size(), Sample)
	head, tail := make([]byte, n), make([]byte, n)
	if _, err := io.ReadFull(f, head); err != nil {
		return false
	}
	if _, err := f.ReadAt(tail, info.Size()-n); err != nil && err != io.EOF {
		return false
	}
	return form.Ours(head, tail)
}
