// Package run keeps what a fit gave: a folder with a manifest, the model or the
// tree, the compact encoded rows, the place of every record, and the edits that
// people made by hand. It also holds the whole way from files to such a folder,
// so that the command line and the workbench take the same one.
//
// Steps: Prepare reads and encodes, Make prepares, fits and writes a folder,
// Open reads one. A folder is written under a temporary name and renamed when
// it is whole; the same data and settings give the same bytes, but for the
// manifest's field "timings".
//
// The package knows files and the order of the stages. It must not know
// formulas, colours or flags.
package run

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/moiety-go/moiety/chest"
	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/fit"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/tree"
)

// Files of a run folder.
const (
	manifestFile    = "manifest.json"
	modelFile       = "model.moiety"
	treeFile        = "tree.moiety"
	rowsFile        = "rows.moiety"
	assignmentsFile = "assignments.moiety"
	editsFile       = "edits.json"
)

// Errors of Open and Make. Files that are damaged or from a newer program give
// chest.ErrDamaged and chest.ErrNewer.
var (
	ErrNotRun = errors.New("not a run folder")
	ErrExists = errors.New("there is already something")
	// ErrUnwritable says that the target cannot be written.
	ErrUnwritable = errors.New("the run cannot be written")
	// ErrSettings says that settings do not go with each other or the data.
	ErrSettings = errors.New("settings do not fit")
)

// Run is an opened run folder. Everything but the rows is in memory.
type Run struct {
	Path     string
	Manifest Manifest
	// Outcome is what the fit gave: the groups, the tree, and the place of
	// every row, before edits.
	Outcome *fit.Outcome
	Edits   *Edits
}

// Open opens a run folder.
func Open(path string) (*Run, error) {
	r := &Run{Path: path, Outcome: &fit.Outcome{}}
	if err := r.readManifest(); err != nil {
		return nil, err
	}
	if err := r.readGroups(); err != nil {
		return nil, err
	}
	group, probability, err := readAssignments(filepath.Join(path, assignmentsFile))
	if err != nil {
		return nil, damaged(path, err)
	}
	r.Outcome.Group, r.Outcome.Probability = group, probability
	for _, g := range group {
		if g < 0 || int(g) >= r.Outcome.K() {
			return nil, damaged(path, chest.ErrDamaged)
		}
	}
	if r.Edits, err = openEdits(path); err != nil {
		return nil, damaged(path, err)
	}
	return r, nil
}

func (r *Run) readManifest() error {
	text, err := os.ReadFile(filepath.Join(r.Path, manifestFile))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return notRun(r.Path)
	case err != nil:
		return err
	}
	if err := json.Unmarshal(text, &r.Manifest); err != nil {
		return damaged(r.Path, fmt.Errorf("%s: %w", manifestFile, chest.ErrDamaged))
	}
	switch m := r.Manifest; {
	case m.Kind != manifestKind:
		return notRun(r.Path)
	case m.Version > manifestVersion:
		return damaged(r.Path, chest.ErrNewer)
	}
	return nil
}

// notRun says what is wrong with a path that is no run.
func notRun(path string) error {
	if _, err := os.Stat(path); err != nil {
		return fmt.Errorf("%s: there is no such folder: name the folder that \"moiety fit -o\" wrote: %w", path, ErrNotRun)
	}
	return fmt.Errorf("%s: %w: it has no %s of this program; name the folder that \"moiety fit -o\" wrote", path, ErrNotRun, manifestFile)
}

// damaged words an error about a file of the run.
func damaged(path string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("run %s: a file is missing: %w (%w)", path, chest.ErrDamaged, err)
	}
	return fmt.Errorf("run %s: %w", path, err)
}

// readGroups reads the model or the tree.
func (r *Run) readGroups() error {
	o := r.Outcome
	t, err := tree.Load(filepath.Join(r.Path, treeFile))
	if errors.Is(err, fs.ErrNotExist) {
		if o.Model, err = model.Load(filepath.Join(r.Path, modelFile)); err != nil {
			return damaged(r.Path, err)
		}
		return nil
	}
	if err != nil {
		return damaged(r.Path, err)
	}
	o.Tree, o.Leaves = t, t.Leaf()
	orderLeaves(t, o.Leaves)
	if o.Model, err = t.Model(o.Leaves); err != nil {
		return damaged(r.Path, err)
	}
	return nil
}

// Rows opens the stored rows on disk; the caller closes them.
func (r *Run) Rows() (*dataset.File, error) {
	f, err := dataset.Open(filepath.Join(r.Path, rowsFile))
	if err != nil {
		return nil, damaged(r.Path, err)
	}
	if f.Fingerprint() != r.Manifest.Data {
		f.Close()
		return nil, damaged(r.Path, fmt.Errorf("%s does not belong to it: %w", rowsFile, chest.ErrDamaged))
	}
	return f, nil
}

// Data reads the stored rows into memory.
func (r *Run) Data() (*dataset.Dataset, error) {
	f, err := r.Rows()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	d, err := f.Load()
	if err != nil {
		return nil, damaged(r.Path, err)
	}
	return d, nil
}

// GroupID returns the id of group j, counted from 0: its number from 1, or the
// path of its leaf in the tree.
func (r *Run) GroupID(j int) string { return groupID(r.Outcome, j) }

// FitSettings returns the settings of the fit, with what was left to choose
// filled in.
func (r *Run) FitSettings() (fit.Settings, error) {
	var s fit.Settings
	if err := json.Unmarshal(r.Manifest.Settings.Fit, &s); err != nil {
		return s, damaged(r.Path, fmt.Errorf("%s: %w", manifestFile, chest.ErrDamaged))
	}
	return s, nil
}
