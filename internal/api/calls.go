package api

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/moiety-go/moiety/show"
)

// Call is a function of the API as data: every door makes its own of this table.
type Call struct {
	Name   string
	Method string // "GET" changes nothing
	// Path is where it lives under the root of a server; {x} is the field x of
	// the request.
	Path    string
	Summary string

	Request, Response reflect.Type
	do                func(ctx context.Context, request any) (any, error)
}

// New returns an empty request, to be filled.
func (c *Call) New() any { return reflect.New(c.Request).Interface() }

// Do answers a request that New made.
func (c *Call) Do(ctx context.Context, request any) (any, error) { return c.do(ctx, request) }

// JSON answers a request in JSON by a response in JSON.
func (c *Call) JSON(ctx context.Context, request []byte) ([]byte, error) {
	q := c.New()
	if len(request) > 0 {
		if err := json.Unmarshal(request, q); err != nil {
			return nil, refused("The request cannot be read: %v", err)
		}
	}
	answer, err := c.Do(ctx, q)
	if err != nil {
		return nil, err
	}
	return Marshal(answer)
}

// Marshal writes a response: lists are never null, masked numbers are.
func Marshal(answer any) ([]byte, error) { return show.MarshalJSON(answer) }

func call[Q, R any](name, method, path, summary string, f func(context.Context, Q) (R, error)) Call {
	return Call{
		Name: name, Method: method, Path: path, Summary: summary, Request: reflect.TypeFor[Q](), Response: reflect.TypeFor[R](),
		do: func(ctx context.Context, request any) (any, error) {
			q, ok := request.(*Q)
			if !ok {
				return nil, fmt.Errorf("api: %s was given a %T", name, request)
			}
			return f(ctx, *q)
		},
	}
}

// Calls lists all functions.
func (a *API) Calls() []Call {
	return []Call{
		call("about", "GET", "/api/about", "Which program this is, and where it keeps things", a.About),
		call("words", "POST", "/api/words", "Texts of answers in another language", a.Words),
		call("studies", "GET", "/api/studies", "The studies with other sites in the workspace, and how far they are", a.Studies),
		call("data", "GET", "/api/data", "The data files", a.Data),
		call("dropData", "DELETE", "/api/data/{data}", "Delete a data file", a.DropData),
		call("example", "POST", "/api/examples", "Make an example file", a.Example),
		call("read", "POST", "/api/read", "Begin to read data; the job's result is what was understood", a.StartRead),
		call("light", "POST", "/api/light", "Begin to judge whether data are enough; the job's result is the light", a.StartLight),
		call("fit", "POST", "/api/fit", "Begin to look for groups; the job's run is what it made", a.StartFit),
		call("score", "POST", "/api/score", "Begin to place new records; the job's result is how many belong where", a.StartScore),
		call("jobs", "GET", "/api/jobs", "All work, the latest first", a.Jobs),
		call("job", "GET", "/api/jobs/{job}", "How far work is", a.Job),
		call("cancel", "DELETE", "/api/jobs/{job}", "Cancel work", a.Cancel),
		call("runs", "GET", "/api/runs", "The analyses, the latest first", a.Runs),
		call("groups", "GET", "/api/runs/{run}", "The groups of a run", a.Groups),
		call("dropRun", "DELETE", "/api/runs/{run}", "Delete a run", a.DropRun),
		call("undo", "POST", "/api/runs/{run}/undo", "Take the last edit back", a.Undo),
		call("group", "GET", "/api/runs/{run}/groups/{group}", "One group", a.Group),
		call("edit", "POST", "/api/runs/{run}/groups/{group}", "Rename a group, write a note, pin it", a.Edit),
		call("members", "GET", "/api/runs/{run}/groups/{group}/members", "Records of a group", a.Members),
		call("beside", "GET", "/api/runs/{run}/beside", "Two groups against each other", a.Beside),
		call("picture", "GET", "/api/runs/{run}/pictures/{name}", "One picture with its words and its table", a.Picture),
		call("compare", "GET", "/api/runs/{run}/compare", "What changed between two runs", a.Compare),
	}
}
