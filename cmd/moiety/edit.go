package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/internal/run"
	"github.com/moiety-go/moiety/internal/suggest"
)

// editing is an order to change a run by hand.
type editing struct {
	to, by     string
	undo, list bool
}

func (a *app) editCommand() *cobra.Command {
	e := &editing{}
	c := &cobra.Command{
		Use:   "edit RUN [rename|note|move|merge] ...",
		Short: "Name groups, write notes, move records by hand",
		Long: `Changes a run by hand. Nothing that was fitted is lost: edits are kept in a list
beside it, told in every report, and can be taken back one by one, the last
first.

  moiety edit RUN rename GROUP NAME        call a group by a name of your own
  moiety edit RUN note GROUP TEXT          write a note beside a group
  moiety edit RUN move ID... --to GROUP    put records into another group
  moiety edit RUN merge GROUP --to GROUP   put all records of a group into another
  moiety edit RUN --undo                   take the last edit back
  moiety edit RUN --list                   list the edits in force`,
		Args: argsBetween(1, -1, "RUN [rename|note|move|merge] ..."),
		RunE: func(c *cobra.Command, args []string) error {
			r, err := a.openRun(args[0])
			if err != nil {
				return err
			}
			return a.edit(c.Context(), r, e, args[1:])
		},
	}
	c.Flags().StringVar(&e.to, "to", "", "the group that records go to")
	c.Flags().StringVar(&e.by, "by", "", "who makes the edit, for the list")
	c.Flags().BoolVar(&e.undo, "undo", false, "take the last edit back")
	c.Flags().BoolVar(&e.list, "list", false, "list the edits in force")
	return c
}

// edit does one thing with the edits of a run.
func (a *app) edit(ctx context.Context, r *run.Run, e *editing, args []string) error {
	switch {
	case e.undo && e.list, (e.undo || e.list) && (len(args) > 0 || e.to != "" || e.by != ""):
		return misuse("--undo and --list stand alone: leave the rest out")
	case e.undo:
		return a.undoEdit(r)
	case len(args) == 0 && (e.to != "" || e.by != ""):
		return misuse("nothing to do: write rename, note, move or merge")
	case len(args) == 0:
		return a.listEdits(r)
	}
	edits, err := e.read(ctx, r, args)
	if err != nil {
		return err
	}
	if err := r.AddEdits(edits); err != nil {
		return err
	}
	return a.editDone(r, edits, "Done: ")
}

// read turns the arguments into edits, all of them checked.
func (e *editing) read(ctx context.Context, r *run.Run, args []string) ([]run.Edit, error) {
	switch action := args[0]; action {
	case run.Rename, run.Note:
		return e.words(r, action, args[1:])
	case run.MoveOne:
		return e.move(ctx, r, args[1:])
	case "merge":
		return e.merge(r, args[1:])
	default:
		return nil, misuse("there is no edit %q%s; write rename, note, move or merge", action,
			suggest.Hint(action, []string{run.Rename, run.Note, run.MoveOne, "merge"}))
	}
}

// words reads a name or a note.
func (e *editing) words(r *run.Run, kind string, args []string) ([]run.Edit, error) {
	if e.to != "" {
		return nil, misuse("--to is for move and merge")
	}
	if len(args) != 2 {
		return nil, misuse("want \"moiety edit RUN %s GROUP TEXT\", with the text in quotes, got %s", kind, countArgs(args))
	}
	text := strings.TrimSpace(args[1])
	if text == "" || strings.ContainsFunc(text, unicode.IsControl) {
		return nil, misuse("%s %q: write a line of text; --undo takes an earlier one back", kind, args[1])
	}
	if err := knownGroup(r, args[0], allGroups(r)); err != nil {
		return nil, err
	}
	return []run.Edit{{Kind: kind, Group: args[0], Text: text, By: e.by}}, nil
}

// move reads the records to move: each must be there, and not yet in the group.
func (e *editing) move(ctx context.Context, r *run.Run, ids []string) ([]run.Edit, error) {
	if len(ids) == 0 || e.to == "" {
		return nil, misuse("want \"moiety edit RUN move ID... --to GROUP\"")
	}
	if err := knownGroup(r, e.to, leafGroups(r)); err != nil {
		return nil, err
	}
	d, err := r.Data()
	if err != nil {
		return nil, err
	}
	if d.Steps != nil {
		return nil, misuse("sequences pass through states: they cannot be moved into one")
	}
	at, err := groupsByID(ctx, r, d, ids)
	if err != nil {
		return nil, err
	}
	var out []run.Edit
	for _, id := range ids {
		groups, ok := at[id]
		switch {
		case !ok:
			return nil, misuse("there is no record %q in the run", id)
		case !slices.ContainsFunc(groups, func(g string) bool { return g != e.to }):
			return nil, misuse("record %q is in group %s already", id, e.to)
		case slices.ContainsFunc(out, func(x run.Edit) bool { return x.Record == id }):
			return nil, misuse("record %q is named twice", id)
		}
		out = append(out, run.Edit{Kind: run.MoveOne, Record: id, To: e.to, By: e.by})
	}
	return out, nil
}

// groupsByID finds the groups of the wanted records after the edits so far.
func groupsByID(ctx context.Context, r *run.Run, d *dataset.Dataset, ids []string) (map[string][]string, error) {
	at := make(map[string][]string, len(ids))
	wanted := make(map[string]bool, len(ids))
	for _, id := range ids {
		wanted[id] = true
	}
	edited, err := r.Edited(ctx, d)
	if err != nil {
		return nil, err
	}
	for i := range d.Len() {
		if id := d.ID(i); wanted[id] {
			at[id] = append(at[id], r.GroupID(int(edited.Group[i])))
		}
	}
	return at, nil
}

// merge reads a group to put into another.
func (e *editing) merge(r *run.Run, args []string) ([]run.Edit, error) {
	if len(args) != 1 || e.to == "" {
		return nil, misuse("want \"moiety edit RUN merge GROUP --to GROUP\"")
	}
	for _, id := range []string{args[0], e.to} {
		if err := knownGroup(r, id, leafGroups(r)); err != nil {
			return nil, err
		}
	}
	if args[0] == e.to {
		return nil, misuse("group %s cannot be merged into itself", e.to)
	}
	return []run.Edit{{Kind: run.MoveGroup, Group: args[0], To: e.to, By: e.by}}, nil
}

// allGroups lists the groups, and the inner nodes of a tree.
func allGroups(r *run.Run) []string {
	t := r.Outcome.Tree
	if t == nil {
		return leafGroups(r)
	}
	var out []string
	for i := range t.Nodes {
		out = append(out, t.Nodes[i].ID)
	}
	return out
}

// leafGroups lists the groups that records lie in.
func leafGroups(r *run.Run) []string {
	out := make([]string, r.Outcome.K())
	for j := range out {
		out[j] = r.GroupID(j)
	}
	return out
}

func knownGroup(r *run.Run, id string, known []string) error {
	if slices.Contains(known, id) {
		return nil
	}
	if slices.Contains(allGroups(r), id) {
		return misuse("group %s is split further: records lie in %s", id, strings.Join(known, ", "))
	}
	return misuse("there is no group %q; the groups are %s", id, strings.Join(known, ", "))
}

func (a *app) undoEdit(r *run.Run) error {
	if len(r.Edits.List()) == 0 {
		return fmt.Errorf("%s has no edit to undo", r.Path)
	}
	x, err := r.Undo()
	if err != nil {
		return err
	}
	return a.editDone(r, []run.Edit{x}, "Taken back: ")
}

// editDone says what was done.
func (a *app) editDone(r *run.Run, edits []run.Edit, lead string) error {
	if a.json {
		return a.editDocument(r)
	}
	for _, x := range edits {
		a.print("%s%s.\n", lead, editWords(x))
	}
	return nil
}

func (a *app) listEdits(r *run.Run) error {
	list := r.Edits.List()
	if slices.ContainsFunc(list, func(x run.Edit) bool { return x.Kind == run.MoveOne }) {
		a.say("The list names single records.")
	}
	if a.json {
		return a.editDocument(r)
	}
	if len(list) == 0 {
		a.print("No edits.\n")
	}
	for i, x := range list {
		who := ""
		if x.By != "" {
			who = " (" + printable(x.By) + ")"
		}
		a.print("%d. %s%s\n", i+1, sentenceCase(editWords(x)), who)
	}
	return nil
}

// editDocument prints the edits in force.
func (a *app) editDocument(r *run.Run) error {
	list := r.Edits.List()
	if list == nil {
		list = []run.Edit{}
	}
	return a.document("edits", struct {
		Edits []run.Edit `json:"edits"`
	}{list})
}

// editWords tells an edit.
func editWords(x run.Edit) string {
	switch x.Kind {
	case run.Rename:
		return fmt.Sprintf("group %s is called \"%s\"", x.Group, printable(x.Text))
	case run.Pin:
		if x.Text == "off" {
			return fmt.Sprintf("group %s is no longer pinned", x.Group)
		}
		return fmt.Sprintf("group %s is pinned", x.Group)
	case run.Note:
		return fmt.Sprintf("note on group %s: \"%s\"", x.Group, printable(x.Text))
	case run.MoveOne:
		return fmt.Sprintf("record %s is moved to group %s", printable(x.Record), x.To)
	}
	return fmt.Sprintf("all records of group %s are moved to group %s", x.Group, x.To)
}

// printable takes control characters out of texts that may come from elsewhere.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
			return -1
		}
		return r
	}, s)
}

func sentenceCase(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
