package api

import (
	"context"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/moiety-go/moiety/internal/run"
)

// Bounds of what is written by hand.
const (
	longestLabel = 80
	longestNote  = 2000
)

// Edit names a group, writes a note or pins it. Nothing that was fitted changes;
// the edit is on the disk when the answer comes.
func (a *API) Edit(ctx context.Context, r EditRequest) (*OneGroup, error) {
	s, err := a.open(r.Run)
	if err != nil {
		return nil, err
	}
	x := run.Edit{Kind: r.Kind, Group: r.Group, Text: cleaned(r.Text), By: cleaned(r.By)}
	switch {
	case r.Kind == run.Rename && x.Text == "":
		return nil, refused("Write a name.")
	case r.Kind == run.Rename && utf8.RuneCountInString(x.Text) > longestLabel:
		return nil, refused("The name is too long: %d letters at most.", longestLabel)
	case utf8.RuneCountInString(x.Text) > longestNote:
		return nil, refused("The note is too long: %d letters at most.", longestNote)
	case r.Kind == "unpin":
		x.Kind, x.Text = run.Pin, "off"
	case r.Kind == run.Pin:
		x.Text = ""
	case r.Kind != run.Rename && r.Kind != run.Note:
		return nil, refused("There is no edit %q: rename, note, pin or unpin.", r.Kind)
	}
	if _, ok := groupOf(s.run, r.Group); !ok {
		return nil, unknown("There is no group %q.", r.Group)
	}
	if err := s.run.AddEdit(x); err != nil {
		return nil, err
	}
	a.forget(r.Run)
	return a.Group(ctx, GroupRequest{Run: r.Run, Group: r.Group})
}

// Undone is an edit that was taken back.
type Undone struct {
	Edit run.Edit `json:"edit"`
}

// Undo takes the last edit back.
func (a *API) Undo(_ context.Context, r RunRequest) (*Undone, error) {
	s, err := a.open(r.Run)
	if err != nil {
		return nil, err
	}
	if len(s.run.Edits.List()) == 0 {
		return nil, refused("There is nothing to take back.")
	}
	x, err := s.run.Undo()
	a.forget(r.Run)
	return &Undone{x}, err
}

// cleaned takes out what is no letter for people.
func cleaned(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return ' '
		case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r), r == utf8.RuneError:
			return -1
		}
		return r
	}, s)
	return strings.TrimSpace(s)
}
