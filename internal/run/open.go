package run

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/container"
	"github.com/moiety-go/moiety/internal/durable"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/tree"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/report"
)

// Open opens a run folder. Everything that is read is compared with the list of
// checksums; the rows are when they are read. What killed work left behind
// beside the folder is put in order first. A run that is replaced while it is
// opened is opened again.
func Open(path string, more ...family.Family) (*Run, error) {
	return openOn(durable.OS{}, path, more...)
}

// attempts is how often a run that is replaced under the reader is opened.
const attempts = 5

func openOn(files durable.FS, path string, more ...family.Family) (*Run, error) {
	var messages []string
	for range attempts {
		messages = append(messages, tidy(files, path)...)
		before, _ := os.Stat(path)
		r, err := openOnce(files, path, more)
		after, _ := os.Stat(path)
		switch moved := !sameFolder(before, after); {
		case err == nil && !moved:
			r.Messages = append(messages, r.Messages...)
			return r, nil
		case err != nil && !moved && sameTime(before, after) && !(before == nil && durable.Temps(path) != nil):
			return nil, withMessages(err, messages)
		}
	}
	return nil, withMessages(fmt.Errorf("run %s: %w", path, ErrReplaced), messages)
}

// withMessages adds sentences to an error.
func withMessages(err error, messages []string) error {
	for _, s := range messages {
		err = fmt.Errorf("%w\n%s", err, s)
	}
	return err
}

func sameFolder(a, b os.FileInfo) bool {
	return a == nil && b == nil || a != nil && b != nil && os.SameFile(a, b)
}

// sameTime tells a folder from a later one to which the system gave the number
// of the first: nothing was written into it in between.
func sameTime(a, b os.FileInfo) bool {
	return a == nil || b == nil || a.ModTime().Equal(b.ModTime())
}

// tidy waits for whoever is renaming a run, and cleans up after who was killed.
// A folder that cannot be written is left as it is.
func tidy(files durable.FS, path string) (messages []string) {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	path = filepath.Clean(path)
	if durable.Temps(path) != nil || durable.Unused(nameLock(path)) {
		name, err := lockName(files, path, moment)
		if err != nil {
			return nil
		}
		messages, _ = clean(files, path) // the command at hand does not depend on it
		release(name)
	}
	if lock := filepath.Join(path, stageLock); durable.Unused(lock) {
		if l, err := files.TryLock(lock); err == nil {
			release(l)
		}
	}
	if n := cleanEdits(files, path); n > 0 {
		messages = append(messages, fmt.Sprintf("Removed %s that stopped work had left in %s.", count(n, "unfinished file"), path))
	}
	return messages
}

// openOnce reads a run folder.
func openOnce(files durable.FS, path string, more []family.Family) (*Run, error) {
	r := &Run{Path: path, Outcome: &fit.Outcome{}, files: files}
	m, text, err := readManifest(path)
	if err != nil {
		return nil, err
	}
	if r.seals, err = readSeals(path); err != nil {
		return nil, damaged(path, err)
	}
	version, err := r.readGroups(more)
	if err != nil {
		return nil, damaged(path, err)
	}
	if err := r.agree(m, version); err != nil {
		return nil, damaged(path, err)
	}
	if r.Manifest, err = parseManifest(text, r.seals); err != nil {
		return nil, damaged(path, err)
	}
	r.Outcome.Verdict = r.Manifest.Verdict
	if err := r.readAssignments(); err != nil {
		return nil, damaged(path, err)
	}
	if r.Edits, err = openEdits(path, r.id(), r.Unchecked); err != nil {
		return nil, damaged(path, err)
	}
	if r.Unchecked {
		r.beCareful()
	}
	return r, nil
}

// agree tells a run that was written before the list of checksums from one that
// has lost it: by the version of the container of its groups.
func (r *Run) agree(m Manifest, version uint32) error {
	r.Unchecked = r.seals == nil
	switch {
	case r.Unchecked && version == 1 && m.Version == 1, !r.Unchecked && version >= 2 && m.Version >= 2:
		return nil
	case r.Unchecked:
		return fmt.Errorf("the list of its checksums, %s, is missing: %w", sealsFile, container.ErrDamaged)
	}
	return fmt.Errorf("its files do not belong together: %w", container.ErrDamaged)
}

// beCareful opens a run without checksums: nothing says that its limit on small
// cells is the one that it was written with, so the default holds at least.
func (r *Run) beCareful() {
	m := &r.Manifest
	m.Health = m.Health || fit.IsHealth(m.Encoding.Format, r.Outcome.Model.Vocab.System, false)
	m.MinCell = max(m.MinCell, report.DefaultMinCell)
	r.Messages = append(r.Messages, fmt.Sprintf("The run %s is unchecked: it was written before runs had checksums of all their files. "+
		"Counts below %d are not shown. Fit again for a run that is checked.", r.Path, m.MinCell))
}

// readManifest reads the manifest as far as to tell whose it is and from when.
func readManifest(path string) (m Manifest, text []byte, err error) {
	text, err = os.ReadFile(filepath.Join(path, manifestFile))
	if info, statErr := os.Stat(path); errors.Is(err, fs.ErrNotExist) || err != nil && statErr == nil && !info.IsDir() {
		return m, nil, notRun(path)
	}
	if err != nil {
		return m, nil, err
	}
	var head struct {
		Kind    string `json:"kind"`
		Version int    `json:"version"`
	}
	err = json.Unmarshal(text, &head)
	switch {
	case err != nil && !json.Valid(text), err != nil && head.Kind == manifestKind:
		return m, nil, damaged(path, fmt.Errorf("%s: %w", manifestFile, container.ErrDamaged))
	case head.Kind != manifestKind:
		return m, nil, notRun(path)
	case head.Version > manifestVersion:
		return m, nil, damaged(path, container.ErrNewer)
	}
	m.Kind, m.Version = head.Kind, head.Version
	return m, text, nil
}

// parseManifest reads a manifest whole. With a list of checksums it must be what
// the list says, without one it must have all keys of its time.
func parseManifest(text []byte, list *seals) (m Manifest, err error) {
	bad := func(why error) (Manifest, error) {
		return Manifest{}, fmt.Errorf("%s: %w (%v)", manifestFile, container.ErrDamaged, why)
	}
	if list == nil {
		if err := loosely(text, &m, strings.Fields(firstKeys)); err != nil {
			return bad(err)
		}
	} else {
		if err := list.check(manifestFile, sealed(text)); err != nil {
			return m, err
		}
		if err := strictly(text, &m, keysOf(m)); err != nil {
			return bad(err)
		}
		if !bytes.HasSuffix(text, m.Timings.ending()) || m.Timings.sum() != m.Timings.Sum {
			return bad(errors.New("its timings do not have their checksum"))
		}
	}
	if m.Encoding == nil || m.Records < 0 || m.Features < 0 || m.Groups < 1 || m.MinCell < 0 {
		return bad(errors.New("its numbers make no sense"))
	}
	return m, nil
}

// firstKeys are the keys of a manifest of version 1.
const firstKeys = "kind version program records features groups holds_records health min_cell seed data settings inputs " +
	"reading plan encoding warnings timings"

// timingsKey begins the end of a manifest.
const timingsKey = "\n  \"timings\": "

// sealed returns the checksum of a manifest without its timings.
func sealed(text []byte) string { return textSum(untimed(text)) }

// untimed is a manifest up to its timings.
func untimed(text []byte) []byte { return text[:max(0, bytes.LastIndex(text, []byte(timingsKey)))] }

// sum returns the checksum of timings.
func (t Timings) sum() string {
	t.Sum = ""
	return textSum(jsonFile(t))
}

// ending is how a manifest with these timings ends.
func (t Timings) ending() []byte {
	text, err := json.MarshalIndent(t, "  ", "  ")
	if err != nil {
		return nil
	}
	return append(append([]byte(timingsKey), text...), "\n}\n"...)
}

// noRun is an error about a path that is no run: its own sentence, whatever the
// reason is called.
type noRun string

func (e noRun) Error() string { return string(e) }
func (e noRun) Unwrap() error { return ErrNotRun }

// notRun says what is wrong with a path that is no run.
func notRun(path string) error {
	const remedy = "name the folder that \"moiety fit -o\" wrote"
	switch info, err := os.Stat(path); {
	case err != nil:
		return noRun(fmt.Sprintf("there is no folder %s: %s", path, remedy))
	case !info.IsDir():
		return noRun(fmt.Sprintf("%s is a file, not a run folder: %s; \"moiety inspect %s\" looks at data", path, remedy, path))
	}
	return noRun(fmt.Sprintf("%s is not a run folder, it has no %s of this program: %s", path, manifestFile, remedy))
}

// damaged words an error about a file of the run.
func damaged(path string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("run %s: a file is missing: %w (%w)", path, container.ErrDamaged, err)
	}
	return fmt.Errorf("run %s: %w", path, err)
}

// readGroups reads the model or the tree and returns the version of its
// container.
func (r *Run) readGroups(more []family.Family) (uint32, error) {
	name, kind := treeFile, tree.File
	data, err := os.ReadFile(filepath.Join(r.Path, treeFile))
	if errors.Is(err, fs.ErrNotExist) {
		name, kind = modelFile, container.Model
		data, err = os.ReadFile(filepath.Join(r.Path, modelFile))
	}
	if err != nil {
		return 0, err
	}
	o := r.Outcome
	if name == treeFile {
		if o.Tree, err = tree.Read(data, more...); err == nil {
			o.Leaves = o.Tree.Leaf()
			orderLeaves(o.Tree, o.Leaves)
			o.Model, err = o.Tree.Model(o.Leaves)
		}
	} else {
		o.Model, err = model.Read(data, more...)
	}
	if err == nil && r.seals != nil {
		err = r.seals.check(name, container.Seal(data))
	}
	if err != nil {
		return 0, fmt.Errorf("%s: %w", name, err)
	}
	return kind.VersionOf(data), nil
}

// readAssignments reads the place of every row.
func (r *Run) readAssignments() error {
	data, err := os.ReadFile(filepath.Join(r.Path, assignmentsFile))
	if err != nil {
		return err
	}
	o := r.Outcome
	if o.Group, o.Probability, err = decodeAssignments(data); err != nil {
		return fmt.Errorf("%s: %w", assignmentsFile, err)
	}
	if r.seals != nil {
		if err := r.seals.check(assignmentsFile, container.Seal(data)); err != nil {
			return err
		}
	}
	k := o.K()
	for _, g := range o.Group {
		if g < 0 || int(g) >= k {
			return fmt.Errorf("%s: %w", assignmentsFile, container.ErrDamaged)
		}
	}
	return nil
}

// id identifies the run: what was fitted, by the sum of its checksums.
func (r *Run) id() string {
	if r.seals == nil {
		return r.Manifest.Data
	}
	return r.seals.Sum
}
