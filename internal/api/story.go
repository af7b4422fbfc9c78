package api

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/moiety-go/moiety/internal/export"
	"github.com/moiety-go/moiety/internal/phrases"
	"github.com/moiety-go/moiety/internal/run"
	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/show"
)

// story is an opened run in words and numbers, kept between requests so that a
// click does not go over all records again.
type story struct {
	run   *run.Run
	stamp string

	mu    sync.Mutex
	views map[view]*viewed
}

// view is how a run is explained: λ, and the language of its sentences.
type view struct {
	lambda   float64
	language string
}

// viewed is a story in one view.
type viewed struct {
	report *report.Report
	parts  *show.Parts
}

// mostLambdas bounds the reports of one run that are kept.
const mostLambdas = 6

// open returns the story of a run as it is now.
func (a *API) open(id string) (*story, error) {
	stamp, err := a.store.Stamp(id)
	if err != nil {
		return nil, err
	}
	a.mu.Lock()
	s, ok := a.stories[id]
	a.mu.Unlock()
	if ok && s.stamp == stamp {
		return s, nil
	}
	r, err := a.store.Open(id)
	if err != nil {
		return nil, err
	}
	s = &story{run: r, stamp: stamp, views: make(map[view]*viewed)}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.stories[id] = s
	a.recent = append(slices.DeleteFunc(a.recent, func(x string) bool { return x == id }), id)
	if len(a.recent) > keptStories {
		delete(a.stories, a.recent[0])
		a.recent = a.recent[1:]
	}
	return s, nil
}

// forget drops what is kept of a run.
func (a *API) forget(id string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.stories, id)
}

// settingsFor checks λ and returns the settings of an explanation.
func settingsFor(lambda string) (report.Settings, float64, error) {
	v, err := parseShare(lambda, 0.6)
	if err != nil {
		return report.Settings{}, 0, refused("λ is %q: write a number from 0 to 1.", lambda)
	}
	s := report.Settings{Lambda: v}
	if v == 0 {
		s.Lambda = -1
	}
	return s, v, nil
}

// explain explains the run for a λ in a language.
func (s *story) explain(ctx context.Context, lambda, language string) (*viewed, error) {
	settings, v, err := settingsFor(lambda)
	if err != nil {
		return nil, err
	}
	if !phrases.Language(language).Known() {
		return nil, refused("There are no words in the language %q: choose en or es.", language)
	}
	if phrases.Language(language) == phrases.English {
		language = ""
	}
	settings.Language = language
	at := view{v, language}
	s.mu.Lock()
	defer s.mu.Unlock()
	if t, ok := s.views[at]; ok {
		return t, nil
	}
	x, err := export.Open(ctx, s.run, settings)
	if err != nil {
		return nil, err
	}
	for i, w := range x.Report.Warnings {
		l := phrases.Language(language)
		x.Report.Warnings[i].Text, x.Report.Warnings[i].Remedy = l.Shown(w.Text), l.Shown(w.Remedy)
	}
	rec, err := x.Behind(ctx)
	if err != nil {
		return nil, errors.Join(err, x.Close())
	}
	parts, err := show.NewParts(x.Report, show.Pages{Records: &rec})
	if err := errors.Join(err, x.Close()); err != nil {
		return nil, err
	}
	if len(s.views) >= mostLambdas {
		clear(s.views)
	}
	t := &viewed{x.Report, parts}
	s.views[at] = t
	return t, nil
}

// explained opens a run and explains it.
func (a *API) explained(ctx context.Context, id, lambda, language string) (*story, *viewed, error) {
	s, err := a.open(id)
	if err != nil {
		return nil, nil, err
	}
	t, err := s.explain(ctx, lambda, language)
	return s, t, err
}
