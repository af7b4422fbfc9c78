package run

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/moiety-go/moiety/chest"
	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/explain"
)

// Kinds of edits.
const (
	Rename    = "rename"     // Group is called Text
	Note      = "note"       // Text is written beside Group
	MoveOne   = "move"       // Record goes to group To
	MoveGroup = "move-group" // all records of Group go to group To
)

// Edit is one change made by hand. Nothing that was fitted is changed: edits
// are laid over it and told in every report.
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
	All     []Edit `json:"edits"`

	path string
}

const editsVersion = 1

// openEdits reads the edits of a run; a run without any has no file.
func openEdits(dir string) (*Edits, error) {
	e := &Edits{Version: editsVersion, path: filepath.Join(dir, editsFile)}
	text, err := os.ReadFile(e.path)
	if errors.Is(err, fs.ErrNotExist) {
		return e, nil
	}
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, e); err != nil {
		return nil, fmt.Errorf("%s: %w", editsFile, chest.ErrDamaged)
	}
	if e.Version > editsVersion {
		return nil, fmt.Errorf("%s: %w", editsFile, chest.ErrNewer)
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

func (e *Edits) texts(kind string) map[string]string {
	out := make(map[string]string)
	for _, x := range e.List() {
		if x.Kind == kind {
			out[x.Group] = x.Text
		}
	}
	return out
}

// AddEdit checks an edit, adds it and writes the list.
func (r *Run) AddEdit(x Edit) error {
	x.Undone = false
	if err := r.checkEdit(x); err != nil {
		return err
	}
	return r.Edits.save(append(slices.Clone(r.Edits.All), x))
}

// Undo takes the last edit in force back and returns it.
func (r *Run) Undo() (Edit, error) {
	all := slices.Clone(r.Edits.All)
	for i := len(all) - 1; i >= 0; i-- {
		if !all[i].Undone {
			all[i].Undone = true
			return all[i], r.Edits.save(all)
		}
	}
	return Edit{}, errors.New("run: there is no edit to undo")
}

func (e *Edits) save(all []Edit) error {
	text, err := json.MarshalIndent(Edits{Version: editsVersion, All: all}, "", "  ")
	if err != nil {
		return err
	}
	if err := chest.WriteFile(e.path, append(text, '\n')); err != nil {
		return fmt.Errorf("run: the edit cannot be written: %w", err)
	}
	e.All = all
	return nil
}

func (r *Run) checkEdit(x Edit) error {
	switch x.Kind {
	case Rename, Note:
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
func (r *Run) groups(ctx context.Context, records explain.Records) ([]int32, error) {
	rows, err := r.movedRows(ctx, records)
	if err != nil {
		return nil, err
	}
	out := slices.Clone(r.Outcome.Group)
	for _, x := range r.Edits.List() {
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
func (r *Run) movedRows(ctx context.Context, records explain.Records) (map[string][]int, error) {
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
