package api

import (
	"context"

	"github.com/moiety-go/moiety/internal/pattern"
	"github.com/moiety-go/moiety/internal/phrases"
	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/show"
)

// Groups is a run as a whole: the report, whose numbers are those of every
// export, and the pieces of its page.
type Groups struct {
	Run    string            `json:"run"`
	Item   RunItem           `json:"item"`
	Report *report.Report    `json:"report"`
	Notes  map[string]string `json:"notes"`
	Pinned []string          `json:"pinned"`
	Edits  int               `json:"edits" gate:"changes by hand"` // that can be taken back
	// Topics says that the groups are topics of texts.
	Topics bool `json:"topics"`
	// Sequences says that the groups are states that records pass through.
	Sequences bool `json:"sequences"`
	// Dated says that the records have dates, which a cohort needs.
	Dated bool `json:"dated"`
	// HTML has the parts of the page by their names, with all words escaped.
	HTML map[string]string `json:"html"`
}

// ofCommands are hints for the command line in sentences of reports.
var ofCommands = pattern.New(` \((moiety |--)[^)]*\)`)

// page is a piece of the report's page as a screen shows it: in the language of the story,
// without hints for the command line.
func (t *viewed) page(html string) string {
	said := phrases.Language(t.report.Language).Page(ofCommands.ReplaceAllString(html, ""))
	return loosePercent.ReplaceAllString(said, "$1\u00a0%")
}

// loosePercent finds a number that a line could part from its sign.
var loosePercent = pattern.New(`(\d) %`)

// Groups tells the groups of a run.
func (a *API) Groups(ctx context.Context, r RunRequest) (*Groups, error) {
	s, t, err := a.explained(ctx, r.Run, r.Lambda, r.Language)
	if err != nil {
		return nil, err
	}
	out := &Groups{
		Run: r.Run, Item: newRunItem(r.Run, s.run), Report: t.report, Notes: s.run.Edits.Notes(), Pinned: sortedKeys(s.run.Edits.Pinned()), Edits: len(s.run.Edits.List()),
		Topics: isTopical(t.report), Sequences: t.report.Shape == report.States, Dated: s.run.Manifest.Settings.Read.Time != "", HTML: make(map[string]string),
	}
	for _, part := range []string{
		show.PartClaim, show.PartNumbers, show.PartWhole, show.PartCards, show.PartOutcomes, show.PartNext, show.PartEvidence, show.PartMethods,
	} {
		html, err := t.parts.HTML(part)
		if err != nil {
			return nil, err
		}
		out.HTML[part] = t.page(html)
	}
	return out, nil
}

// isTopical reports whether features are words.
func isTopical(r *report.Report) bool { return r.Unit.Feature == "word" }

// GroupRequest names a group of a run.
type GroupRequest struct {
	Run    string `json:"run"`
	Group  string `json:"group"`
	Lambda string `json:"lambda"`
	// Language is that of sentences: "en" or "es"; "" means "en".
	Language string `json:"language"`
}

// OneGroup is one group.
type OneGroup struct {
	Run    string        `json:"run"`
	Group  *report.Group `json:"group"`
	Note   string        `json:"note"`
	Pinned bool          `json:"pinned"`
	Named  bool          `json:"named"` // by hand
	Style  string        `json:"style"` // its colours
	HTML   string        `json:"html"`  // what the report tells of it
	// Inside says that one may look for groups inside this one.
	Inside bool `json:"inside"`
}

// Group tells one group.
func (a *API) Group(ctx context.Context, r GroupRequest) (*OneGroup, error) {
	s, t, err := a.explained(ctx, r.Run, r.Lambda, r.Language)
	if err != nil {
		return nil, err
	}
	g, ok := t.report.Find(r.Group)
	if !ok {
		return nil, unknown("There is no group %q.", r.Group)
	}
	html, err := t.parts.Group(r.Group)
	if err != nil {
		return nil, err
	}
	edits := s.run.Edits
	_, named := edits.Names()[r.Group]
	return &OneGroup{
		Run: r.Run, Group: g, Note: edits.Notes()[r.Group], Pinned: edits.Pinned()[r.Group], Named: named,
		Style: t.parts.Colours(r.Group), HTML: t.page(html),
		Inside: t.report.Shape != report.States && s.run.Manifest.Tables == nil && len(t.report.Groups) > 1 && !g.Whole,
	}, nil
}

// BesideRequest names two groups of a run.
type BesideRequest struct {
	Run string `json:"run"`
	A   string `json:"a"`
	B   string `json:"b"`
	// Language is that of words: "en" or "es"; "" means "en".
	Language string `json:"language"`
}

// Beside is two groups against each other.
type Beside struct {
	A    *report.Group `json:"a"`
	B    *report.Group `json:"b"`
	HTML string        `json:"html"` // the drawing with its table
}

// Beside sets two groups of a run against each other.
func (a *API) Beside(ctx context.Context, r BesideRequest) (*Beside, error) {
	_, t, err := a.explained(ctx, r.Run, "", r.Language)
	if err != nil {
		return nil, err
	}
	out := &Beside{}
	for id, to := range map[string]**report.Group{r.A: &out.A, r.B: &out.B} {
		g, ok := t.report.Find(id)
		if !ok {
			return nil, unknown("There is no group %q.", id)
		}
		*to = g
	}
	if out.A == nil || out.B == nil {
		return nil, refused("Choose two different groups.")
	}
	html, err := t.parts.Beside(out.A, out.B)
	out.HTML = t.page(html)
	return out, err
}

// EditRequest changes a group by hand.
type EditRequest struct {
	Run   string `json:"run"`
	Group string `json:"group"`
	Kind  string `json:"kind"` // "rename", "note", "pin" or "unpin"
	Text  string `json:"text"`
	By    string `json:"by"`
}
