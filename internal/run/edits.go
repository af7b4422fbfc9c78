package run

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/internal/container"
	"github.com/moiety-go/moiety/internal/durable"
)

// Kinds of edits.
const (
	Rename    = "rename"     // Group is called Text
	Note      = "note"       // Text is written beside Group
	Pin       = "pin"        // Group is one to come back to; Text is "off" where it no longer is
	MoveOne   = "move"       // Record goes to group To
	MoveGroup = "move-group" // all records of Group go to group To
)

// Edit is one change made by hand. Nothing that was fitted is changed: edits
// are laid over it and reported in every report.
type Edit struct {
	Kind   string `json:"kind"`
	Group  string `json:"group,omitempty"`  // id of a group or node
	Record string `json:"record,omitempty"` // id of a record
	To     string `json:"to,omitempty"`     // id of a group
	Text   string `json:"text,omitempty"`
	By     string `json:"by,omitempty"` // who, if they said so
	Undone bool   `json:"undone,omitempty"`
}

// Edits is the list of a run's edits, in order; undone ones stay in it.
type Edits struct {
	Version int    `json:"version"`
	Run     string `json:"run"` // id of the run that they belong to
	All     []Edit `json:"edits"`
	Sum     string `json:"sum"` // checksum of the file without it
}

// editsVersion 2 has a checksum; every run with a list of checksums has such a
// file from the start, so that it cannot be lost unnoticed.
const editsVersion = 2

// text is the list as it stands in its file.
func (e Edits) text() []byte {
	e.Sum = ""
	e.Sum = textSum(jsonFile(e))
	return jsonFile(e)
}

// newEdits returns a list of a run, and of nobody else.
func newEdits(id string, all []Edit) *Edits {
	if all == nil {
		all = []Edit{}
	}
	return &Edits{Version: editsVersion, Run: id, All: all}
}

// openEdits reads the edits of a run; one without checksums may have none.
func openEdits(dir, id string, unchecked bool) (*Edits, error) {
	text, err := os.ReadFile(filepath.Join(dir, editsFile))
	if unchecked && errors.Is(err, fs.ErrNotExist) {
		return newEdits(id, nil), nil
	}
	if err != nil {
		return nil, err
	}
	e, err := parseEdits(text, unchecked)
	if err == nil && e.Version > 1 && e.Run != id {
		err = fmt.Errorf("it belongs to another run: %w", container.ErrDamaged)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", editsFile, err)
	}
	return newEdits(id, e.All), nil
}

// parseEdits accepts exactly the bytes that text writes, and for a run without
// checksums also the list of the first version.
func parseEdits(text []byte, unchecked bool) (*Edits, error) {
	var head struct {
		Version int `json:"version"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return nil, fmt.Errorf("%w (%v)", container.ErrDamaged, err)
	}
	e := &Edits{}
	switch {
	case head.Version > editsVersion:
		return nil, container.ErrNewer
	case head.Version == 1 && unchecked:
		if err := strictly(text, e, []string{"version", "edits"}); err != nil {
			return nil, fmt.Errorf("%w (%v)", container.ErrDamaged, err)
		}
		return e, nil
	}
	if err := strictly(text, e, keysOf(*e)); err != nil {
		return nil, fmt.Errorf("%w (%v)", container.ErrDamaged, err)
	}
	if e.Version != editsVersion || !bytes.Equal(text, e.text()) {
		return nil, container.ErrDamaged
	}
	return e, nil
}

// List returns the edits in force, in order.
func (e *Edits) List() []Edit {
	return slices.DeleteFunc(slices.Clone(e.All), func(x Edit) bool { return x.Undone })
}

// Names returns the names given by hand, by group id.
func (e *Edits) Names() map[string]string { return e.texts(Rename) }

// Notes returns the notes, by group id.
func (e *Edits) Notes() map[string]string { return e.texts(Note) }

// Pinned returns the ids of the groups to come back to.
func (e *Edits) Pinned() map[string]bool {
	out := make(map[string]bool)
	for id, text := range e.texts(Pin) {
		if text != "off" {
			out[id] = true
		}
	}
	return out
}

func (e *Edits) texts(kind string) map[string]string {
	out := make(map[string]string)
	for _, x := range e.List() {
		if x.Kind == kind {
			out[x.Group] = x.Text
		}
	}
	return out
}

// AddEdit checks an edit, adds it to the list and writes that. When it returns
// nil, the edit survives a kill and a power cut, and so do those that others
// made at the same time.
func (r *Run) AddEdit(x Edit) error { return r.AddEdits([]Edit{x}) }

// AddEdits adds several edits, all or none.
func (r *Run) AddEdits(list []Edit) error {
	for i := range list {
		list[i].Undone = false
		if err := r.checkEdit(list[i]); err != nil {
			return err
		}
	}
	return r.change(func(all []Edit) ([]Edit, error) { return append(all, list...), nil })
}

// Undo takes the last edit in force back and returns it.
func (r *Run) Undo() (x Edit, err error) {
	err = r.change(func(all []Edit) ([]Edit, error) {
		for i := len(all) - 1; i >= 0; i-- {
			if !all[i].Undone {
				all[i].Undone = true
				x = all[i]
				return all, nil
			}
		}
		return nil, errors.New("run: there is no edit to undo")
	})
	return x, err
}

// change writes the list anew, from what is in the folder at this moment and
// under the lock of the run.
func (r *Run) change(how func([]Edit) ([]Edit, error)) error {
	dir, err := filepath.EvalSymlinks(r.Path)
	if err != nil {
		return fmt.Errorf("run %s: %w", r.Path, ErrReplaced)
	}
	lock, err := lockEdits(r.files, dir)
	if err != nil {
		return fmt.Errorf("run: the edit cannot be written: %w", err)
	}
	defer release(lock)
	now, err := r.editsNow(dir)
	if err != nil {
		return err
	}
	cleanEdits(r.files, dir)
	all, err := how(slices.Clone(now.All))
	if err != nil {
		return err
	}
	next := newEdits(now.Run, all)
	if err := durable.WriteFile(r.files, filepath.Join(dir, editsFile), next.text(), secret); err != nil {
		return fmt.Errorf("run: the edit cannot be written: %w", err)
	}
	r.Edits = next
	return nil
}

// lockEdits holds a run against others who edit or replace it: by the lock of
// its name, or where that cannot be made, as beside a folder that is mounted, by
// one inside.
func lockEdits(files durable.FS, dir string) (durable.Lock, error) {
	lock, err := lockName(files, dir, patience)
	if err == nil || errors.Is(err, durable.ErrLocked) {
		return lock, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	return files.Lock(ctx, filepath.Join(dir, stageLock))
}

// editsNow reads the list as it is now, if the run is still the one that was
// opened.
func (r *Run) editsNow(dir string) (*Edits, error) {
	list, err := readSeals(dir)
	switch {
	case err != nil:
		return nil, damaged(r.Path, err)
	case (list == nil) != (r.seals == nil), list != nil && list.Sum != r.seals.Sum:
		return nil, fmt.Errorf("run %s: %w", r.Path, ErrReplaced)
	}
	e, err := openEdits(dir, r.id(), r.Unchecked)
	if err != nil {
		return nil, damaged(r.Path, err)
	}
	return e, nil
}

func (r *Run) checkEdit(x Edit) error {
	switch x.Kind {
	case Rename, Note, Pin:
		if !r.hasGroup(x.Group) {
			return fmt.Errorf("run: there is no group %q", x.Group)
		}
	case MoveOne, MoveGroup:
		if _, ok := r.Find(x.To); !ok {
			return fmt.Errorf("run: there is no group %q to move to: it must be a group without further splits", x.To)
		}
		if _, ok := r.Find(x.Group); x.Kind == MoveGroup && !ok {
			return fmt.Errorf("run: there is no group %q to move: it must be a group without further splits", x.Group)
		}
		if x.Kind == MoveOne && x.Record == "" {
			return errors.New("run: no record to move")
		}
	default:
		return fmt.Errorf("run: unknown edit %q", x.Kind)
	}
	return nil
}

// hasGroup reports whether id is a group or any node of the tree.
func (r *Run) hasGroup(id string) bool {
	if t := r.Outcome.Tree; t != nil {
		_, ok := t.Find(id)
		return ok
	}
	_, ok := r.Find(id)
	return ok
}

// Find returns the number, from 0, of the group of that id.
func (r *Run) Find(id string) (int, bool) {
	for j := range r.Outcome.K() {
		if r.GroupID(j) == id {
			return j, true
		}
	}
	return 0, false
}

// groups returns the group of every row after the edits. Rows of sequences
// cannot be moved one by one.
func (r *Run) groups(ctx context.Context, records dataset.Data) ([]int32, error) {
	rows, err := r.movedRows(ctx, records)
	if err != nil {
		return nil, err
	}
	moves := slices.DeleteFunc(r.Edits.List(), func(x Edit) bool { return x.Kind != MoveGroup && x.Kind != MoveOne })
	if len(moves) == 0 {
		return r.Outcome.Group, nil
	}
	out := slices.Clone(r.Outcome.Group)
	for _, x := range moves {
		switch to, _ := r.Find(x.To); x.Kind {
		case MoveGroup:
			from, _ := r.Find(x.Group)
			for i, g := range out {
				if g == int32(from) {
					out[i] = int32(to)
				}
			}
		case MoveOne:
			for _, i := range rows[x.Record] {
				out[i] = int32(to)
			}
		}
	}
	return out, nil
}

// movedRows finds the rows of the records that were moved one by one.
func (r *Run) movedRows(ctx context.Context, records dataset.Data) (map[string][]int, error) {
	rows := make(map[string][]int)
	for _, x := range r.Edits.List() {
		if x.Kind == MoveOne {
			rows[x.Record] = nil
		}
	}
	if len(rows) == 0 {
		return nil, nil
	}
	return rows, records.Each(ctx, func(first int, part *dataset.Dataset) error {
		for i := range part.Len() {
			if list, ok := rows[part.ID(i)]; ok {
				rows[part.ID(i)] = append(list, first+i)
			}
		}
		return nil
	})
}
