// Package run keeps what a fit gave: a folder with a manifest, the model or the
// tree, the compact encoded rows, the place of every record, and the edits that
// people made by hand.
//
// Steps: Make does an order (fit.Do is the way) in the folder that it writes, New
// and Made.Write write what was made without one, Open reads one. A folder is written under a temporary name and renamed when
// it is whole and on the disk; the same data and settings give the same bytes,
// but for the manifest's field "timings". A list of checksums binds the files
// of a folder together (seals); docs/promises.md says what holds under kills,
// damage and many users at once, and which test holds it.
//
// The package knows files, and no stage of a fit, formula, colour or flag.
package run

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/internal/container"
	"github.com/moiety-go/moiety/internal/durable"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/report"
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
// container.ErrDamaged and container.ErrNewer.
var (
	ErrNotRun = errors.New("not a run folder")
	ErrExists = errors.New("there is already something")
	// ErrBusy says that the same run is being made by somebody else.
	ErrBusy = errors.New("another moiety is making a run of that name at this moment")
	// ErrUnwritable says that the target cannot be written.
	ErrUnwritable = errors.New("the run cannot be written")
	// ErrReplaced says that somebody put another run in the place of one.
	ErrReplaced = errors.New("it was replaced by another run at this moment; give the command again")
)

// Run is an opened run folder. Everything but the rows is in memory.
type Run struct {
	Path     string
	Manifest Manifest
	// Outcome is what the fit gave: the groups, the tree, and the place of
	// every row, before edits.
	Outcome *fit.Outcome
	Edits   *Edits
	// Unchecked says that the run was written before there were checksums of
	// all its files.
	Unchecked bool
	// Report is the one that was ordered with the run; nil elsewhere.
	Report *report.Report
	// Messages has sentences about what was met on the way: work of others that was
	// stopped, a run that is unchecked.
	Messages []string

	files  durable.FS
	seals  *seals       // nil where the run is unchecked
	memory dataset.Data // the records of a run that has no folder yet
}

// Records returns the records of the run and a function that closes them.
func (r *Run) Records() (dataset.Data, func() error, error) {
	if r.memory != nil {
		return r.memory, func() error { return nil }, nil
	}
	f, err := r.Rows()
	if err != nil {
		return nil, nil, err
	}
	return f, f.Close, nil
}

// Rows opens the stored rows on disk; the caller closes them.
func (r *Run) Rows() (*dataset.File, error) {
	f, err := dataset.Open(filepath.Join(r.Path, rowsFile))
	if err == nil {
		if err = r.own(f); err != nil {
			f.Close()
		}
	}
	if err == nil {
		return f, nil
	}
	if now, e := readSeals(r.Path); r.seals != nil && (missing(r.Path) || e == nil && now != nil && now.Sum != r.seals.Sum) {
		return nil, fmt.Errorf("run %s: %w", r.Path, ErrReplaced)
	}
	return nil, damaged(r.Path, err)
}

// own refuses rows that are not those of the run.
func (r *Run) own(f *dataset.File) error {
	if f.Fingerprint() != r.Manifest.Data {
		return fmt.Errorf("%s does not belong to it: %w", rowsFile, container.ErrDamaged)
	}
	if r.seals != nil {
		return r.seals.check(rowsFile, f.Seal())
	}
	return nil
}

// Data reads the stored rows into memory.
func (r *Run) Data() (*dataset.Dataset, error) {
	f, err := r.Rows()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	d, err := f.Load(0)
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
		return s, damaged(r.Path, fmt.Errorf("%s: %w", manifestFile, container.ErrDamaged))
	}
	return s, nil
}
