// Package api is the workbench without a door: what a person can do with a file
// and its groups, as functions of a request that give a response. One door is
// web (net/http), another the page that runs in a browser alone; both call the
// same functions, so that both show the same numbers.
//
// Step in the flow: on top of run, explain and show. Every number passes the gate
// of explain; single records are shown where they are asked for and marked as such.
// It must not know net/http, nor where a store keeps its things.
package api

import (
	"context"
	"sync"
	"time"

	"github.com/moiety-go/moiety/internal/fit"
)

// API answers requests. It is safe for many goroutines.
type API struct {
	store Store
	now   func() time.Time

	jobs queue
	// findStudies lists the studies of the workspace; nil where a door has none.
	findStudies func() ([]Study, error)

	mu      sync.Mutex
	stories map[string]*story // of runs that were opened, by id
	recent  []string          // ids of stories, the latest last
	seen    map[string]any    // answers of inspection, by what was asked
	asked   []string          // keys of seen, the latest last

	verdicts fit.Recall // the last verdict on data, for the fit that follows
}

// Bounds on what is kept in memory between requests.
const (
	keptStories = 6
	keptAnswers = 24
)

// New returns an API over a store; now tells the time. The context carries values
// for the work, such as the list of its unfinished files, and does not end it.
func New(ctx context.Context, store Store, now func() time.Time) *API {
	a := &API{store: store, now: now, stories: make(map[string]*story), seen: make(map[string]any)}
	a.jobs.now, a.jobs.base = now, context.WithoutCancel(ctx)
	return a
}

// Close cancels all jobs and waits until they are gone, or the context is done.
func (a *API) Close(ctx context.Context) error { return a.jobs.close(ctx) }

// Nothing is a request without fields.
type Nothing struct{}

// About is what the program says of itself.
type About struct {
	Program   string   `json:"program"`
	Workspace string   `json:"workspace"` // where runs are kept, for people
	Examples  []string `json:"examples"`
	Formats   []string `json:"formats"` // of exports
	Studies   int      `json:"studies" gate:"studies"`
}

// About says which program this is and where it keeps things.
func (a *API) About(ctx context.Context, _ Nothing) (*About, error) {
	studies, err := a.Studies(ctx, Nothing{})
	if err != nil {
		return nil, err
	}
	return &About{
		Program: fit.Program(), Workspace: a.store.Where(), Examples: ExampleKinds(), Formats: ExportFormats(), Studies: len(studies.Studies),
	}, nil
}

// forgetData drops what is remembered of data.
func (a *API) forgetData() {
	a.verdicts.Forget()
	a.mu.Lock()
	defer a.mu.Unlock()
	a.seen, a.asked = make(map[string]any), nil
}

// remember keeps an answer, and forgets the oldest where there are too many.
func (a *API) remember(key string, answer any) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if _, ok := a.seen[key]; !ok {
		a.asked = append(a.asked, key)
	}
	a.seen[key] = answer
	if len(a.asked) > keptAnswers {
		delete(a.seen, a.asked[0])
		a.asked = a.asked[1:]
	}
}

func (a *API) remembered(key string) (any, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	answer, ok := a.seen[key]
	return answer, ok
}
