package run

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/moiety-go/moiety/internal/durable"
	"github.com/moiety-go/moiety/internal/outfile"
	"github.com/moiety-go/moiety/internal/unfinished"
)

// stage is a folder under a temporary name beside the place it will have. As
// long as it is worked on, its lock is held; whatever happens between the two
// names happens under the lock of the name.
type stage struct {
	files    durable.FS
	dir      string // temporary; "" once it is in place
	asked    string // the place, as it was given
	target   string
	force    bool
	found    targetKind // what was at the target when the work began
	busy     durable.Lock
	item     *unfinished.Item
	messages []string // of what was cleaned on the way
	rows     bool     // they are in the folder
}

// targetKind is what may be at a target.
type targetKind int

const (
	nothing targetKind = iota
	hollow             // an empty folder
	earlier            // a run
)

// stageLock is the lock of a folder that is being written.
const stageLock = ".lock"

// How long a writer waits for whoever is renaming or editing, whose moment is a
// few writes to the disk or the removal of a folder; and a reader, who can do
// without cleaning up.
const (
	patience = time.Minute
	moment   = 3 * time.Second
)

// lockName holds the name of a run against everybody who would change what is
// there.
func lockName(files durable.FS, target string, wait time.Duration) (durable.Lock, error) {
	return lock(files, nameLock(target), wait)
}

func lock(files durable.FS, path string, wait time.Duration) (durable.Lock, error) {
	ctx, cancel := context.WithTimeout(context.Background(), wait)
	defer cancel()
	return files.Lock(ctx, path)
}

// release ends a lock. If its file cannot be removed, the next who locks does
// that: the work that was locked is not worse for it.
func release(l durable.Lock) { _ = l.Release() }

// lockEnding ends the name of the lock of a name.
const lockEnding = ".moiety-lock"

func nameLock(target string) string {
	return filepath.Join(filepath.Dir(target), "."+filepath.Base(target)+lockEnding)
}

// newStage refuses a target that may not be written, before any work is done.
func newStage(ctx context.Context, files durable.FS, target string, force bool) (*stage, error) {
	asked := target
	target = filepath.Clean(target)
	if real, err := filepath.EvalSymlinks(target); err == nil {
		target = real
	}
	if err := durable.MkdirAll(files, filepath.Dir(target), 0o777); err != nil {
		return nil, unwritable{target, err}
	}
	if _, err := mayReplace(target, force); err != nil && durable.Temps(target) == nil {
		return nil, err // known without a lock, and a run that is there stays
	}
	name, err := lockName(files, target, patience)
	if err != nil {
		return nil, unwritable{target, err}
	}
	defer release(name)
	s := &stage{files: files, asked: asked, target: target, force: force}
	if s.messages, err = clean(files, target); err != nil {
		return nil, err
	}
	s.messages = append(s.messages, cleanBeside(files, target)...)
	if s.found, err = mayReplace(target, force); err == nil {
		err = s.begin(ctx)
	}
	if err != nil {
		return nil, withMessages(err, s.messages)
	}
	return s, nil
}

// begin makes the folder, unless somebody else has begun. The name's lock is
// held.
func (s *stage) begin(ctx context.Context) error {
	for _, other := range durable.Temps(s.target) {
		if inUse(other) {
			return fmt.Errorf("%s: %w: choose another name with ‹out›", s.target, ErrBusy)
		}
	}
	dir, err := durable.MkdirTemp(s.files, s.target, 0o755)
	if err == nil {
		s.dir, s.item = dir, unfinished.Add(ctx, dir)
		s.busy, err = lock(s.files, s.path(stageLock), moment) // who cleans up beside may just look at it
	}
	if err != nil {
		s.abandon()
		return unwritable{s.target, err}
	}
	return nil
}

// unwritable is an error of writing a run, in words that name the run and its
// folder and no temporary file.
type unwritable struct {
	target string
	err    error
}

// Error implements error.
func (u unwritable) Error() string {
	return outfile.Explain(u.target, u.err).Error() + "; nothing was left behind"
}

// Unwrap gives the cause, and that the run could not be written.
func (u unwritable) Unwrap() []error { return []error{ErrUnwritable, u.err} }

// unwritable words an error of a file of the run.
func (s *stage) unwritable(err error) error { return unwritable{s.target, err} }

// ofFile is unwritable for what may be an error of a file in the folder that is being
// written, and leaves others as they are: of the data, and of files elsewhere.
func (s *stage) ofFile(err error) error {
	var p *fs.PathError
	if !errors.Is(err, ErrUnwritable) && errors.As(err, &p) && p.Op != "read" && filepath.Dir(p.Path) == s.dir {
		return s.unwritable(err)
	}
	return err
}

// mayReplace allows a target that is not there, an empty folder, and with
// force an earlier run; anything else is never touched.
func mayReplace(target string, force bool) (targetKind, error) {
	if info, err := os.Lstat(target); err == nil && !info.IsDir() {
		return nothing, fmt.Errorf("%s: %w, and it is a file: choose another name with ‹out›", target, ErrExists)
	}
	entries, err := os.ReadDir(target)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nothing, nil
	case err != nil:
		return nothing, fmt.Errorf("%s: %w", target, err)
	case len(entries) == 0:
		return hollow, nil
	case !IsRun(target):
		return nothing, fmt.Errorf("%s: %w, and it is not a run: choose another name with ‹out›", target, ErrExists)
	case !force:
		return nothing, fmt.Errorf("%s: %w: choose another name with ‹out›, or replace it with ‹force›", target, ErrExists)
	}
	return earlier, nil
}

// IsRun reports whether a folder is a run, whole or damaged.
func IsRun(path string) bool {
	_, _, err := readManifest(path)
	return err == nil || !errors.Is(err, ErrNotRun) && !errors.Is(err, fs.ErrNotExist) && hasRunFile(path)
}

// hasRunFile recognises a run whose manifest is damaged.
func hasRunFile(path string) bool {
	_, err := os.Stat(filepath.Join(path, assignmentsFile))
	return err == nil
}

func (s *stage) path(name string) string { return filepath.Join(s.dir, name) }

// finish puts the folder in its place. What is there is looked at again, under
// the lock of the name, and taken in the same step in which it was looked at.
func (s *stage) finish() error {
	name, err := lockName(s.files, s.target, patience)
	if err != nil {
		return unwritable{s.target, err}
	}
	defer release(name)
	// From here on the name's lock protects the folder; not all systems rename
	// folders with an open file inside.
	s.free()
	if err := s.files.SyncDir(s.dir); err != nil {
		return err
	}
	return s.item.Commit(s.rename)
}

// rename takes the place in the way that what was found there asks for.
func (s *stage) rename() error {
	switch s.found {
	case hollow:
		return s.inPlace("", s.files.RenameOnto(s.dir, s.target))
	case earlier:
		return s.replace()
	default:
		return s.inPlace("", s.files.RenameNew(s.dir, s.target))
	}
}

// free ends the lock of the folder.
func (s *stage) free() {
	if s.busy != nil {
		release(s.busy)
		s.busy = nil
	}
}

// appeared says that the name was taken while the work went on.
func (s *stage) appeared() error {
	return fmt.Errorf("%s: %w: it appeared while this run was being made, and was left as it is; fit again under another name with ‹out›", s.target, ErrExists)
}

// replace takes the place of an earlier run, in one step where the system can.
func (s *stage) replace() error {
	found, err := mayReplace(s.target, true)
	if err != nil {
		return err
	}
	if found == nothing { // it went away by itself
		return s.inPlace("", s.files.RenameNew(s.dir, s.target))
	}
	err = s.files.Exchange(s.dir, s.target)
	if errors.Is(err, errors.ErrUnsupported) {
		return s.replaceBySteps(s.dir + oldEnding)
	}
	if err != nil {
		return err
	}
	if _, err := mayReplace(s.dir, true); err != nil { // not what was looked at
		return errors.Join(s.appeared(), s.files.Exchange(s.dir, s.target))
	}
	return s.inPlace(s.dir, nil)
}

// oldEnding is of an earlier run that steps aside where names cannot be
// exchanged; see clean.
const oldEnding = ".old"

// replaceBySteps moves the earlier run aside and the new one to its place. Each
// step takes a free name only; if the second fails or never comes, the earlier
// run goes back.
func (s *stage) replaceBySteps(old string) error {
	if err := s.files.RenameNew(s.target, old); err != nil {
		return err
	}
	_, err := mayReplace(old, true)
	if err == nil {
		err = s.files.RenameNew(s.dir, s.target)
	}
	if err != nil {
		return errors.Join(s.appeared(), err, s.files.RenameNew(old, s.target))
	}
	return s.inPlace(old, nil)
}

// inPlace ends the renaming: the folder is in its place for good, and the earlier
// run may go.
func (s *stage) inPlace(old string, err error) error {
	if errors.Is(err, fs.ErrExist) {
		return s.appeared()
	}
	if err != nil {
		return err
	}
	s.dir = ""
	if err := s.files.SyncDir(filepath.Dir(s.target)); err != nil || old == "" {
		return err
	}
	if err := s.files.RemoveAll(old); err != nil {
		s.messages = append(s.messages, fmt.Sprintf("The earlier run could not be removed whole: what is left of it is in %s (%v).", old, err))
	}
	return nil
}

// abandon removes the folder unless it is in its place.
func (s *stage) abandon() {
	if s.dir == "" {
		return
	}
	s.free() // the folder goes with its lock
	_ = s.files.RemoveAll(s.dir)
	s.item.Drop()
	s.dir = ""
}
