package api_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/api"
	"github.com/moiety-go/moiety/internal/numtest"
)

// judging is the step of the verdict.
func judging(s api.Step) bool { return strings.HasPrefix(s.Name, "judging") }

// TestJudgedOnce: who has seen the light does not wait for its verdict again; the
// groups are those that a fit finds on its own.
func TestJudgedOnce(t *testing.T) {
	numtest.NotShort(t)
	a, f, _ := workbench(t)
	ctx := t.Context()
	head, rows := api.ExamplePatients(3, 700)
	data := put(t, f, "ward.csv", head, rows)
	ask := api.DataRequest{Data: data, Settings: api.Settings{Label: []string{"sex"}}}
	fit := func() *api.Job {
		j, err := a.StartFit(ctx, api.FitRequest{Data: data, Settings: ask.Settings})
		if j = wait(t, a, j, err); j.State != api.Done {
			t.Fatal(j.Error)
		}
		return j
	}
	light := func() *api.Job {
		j, err := a.StartLight(ctx, ask)
		if err != nil {
			t.Fatal(err)
		}
		return j
	}
	alone := fit()
	if !slices.ContainsFunc(alone.Steps, judging) {
		t.Fatalf("a fit tells no step of the verdict: %v", alone.Steps)
	}
	if j := fit(); slices.ContainsFunc(j.Steps, judging) {
		t.Errorf("the same question is judged anew: %v", j.Steps)
	}
	// The light is at work when groups are asked for: the fit takes it over.
	ask.Settings.Label = []string{"sex", "age"}
	l := light()
	j, err := a.StartFit(ctx, api.FitRequest{Data: data, Settings: ask.Settings})
	if err != nil {
		t.Fatal(err)
	}
	shown := false
	for !j.State.Over() {
		now, changed, err := a.Watch(j.ID)
		if err != nil {
			t.Fatal(err)
		}
		lamp, err := a.Job(ctx, api.JobRequest{Job: l.ID})
		if err != nil {
			t.Fatal(err)
		}
		shown = shown || lamp.State == api.Running && now.State == api.Running && slices.ContainsFunc(now.Steps, judging)
		if j = now; !j.State.Over() {
			<-changed
		}
	}
	if !shown {
		t.Error("the steps of the light were not shown as those of the fit")
	}
	if n := len(slices.DeleteFunc(slices.Clone(j.Steps), func(s api.Step) bool { return !judging(s) })); j.State != api.Done || n != 1 {
		t.Fatalf("the fit is %s with %d verdicts: %v", j.State, n, j.Error)
	}
	x, err := a.Groups(ctx, api.RunRequest{Run: alone.Run})
	if err != nil {
		t.Fatal(err)
	}
	y, err := a.Groups(ctx, api.RunRequest{Run: j.Run})
	if err != nil {
		t.Fatal(err)
	}
	if x.HTML["whole"] != y.HTML["whole"] || len(x.HTML["whole"]) < 1000 {
		t.Error("the groups after the light are others than those without")
	}
	// Cancelled while it waits for the light, both are gone.
	ask.Settings.Label = nil
	l = light()
	if j, err = a.StartFit(ctx, api.FitRequest{Data: data, Settings: ask.Settings}); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Cancel(ctx, api.JobRequest{Job: j.ID}); err != nil {
		t.Fatal(err)
	}
	if j, l = wait(t, a, j, nil), wait(t, a, l, nil); j.State != api.WasCancel || l.State != api.WasCancel {
		t.Errorf("the fit is %s and the light %s", j.State, l.State)
	}
}

// TestAnotherFileOfTheName: a file that is deleted and given anew, with other content, is
// read anew.
func TestAnotherFileOfTheName(t *testing.T) {
	a, f, _ := workbench(t)
	for _, n := range []int{300, 500} {
		head, rows := api.ExamplePatients(3, n)
		data := put(t, f, "ward.csv", head, rows)
		j, err := a.StartRead(t.Context(), api.DataRequest{Data: data})
		read, _ := wait(t, a, j, err).Result.(*api.Read)
		if got, _ := read.Records.Value(); got != n {
			t.Errorf("%v records of a file with %d", got, n)
		}
		if _, err := a.DropData(t.Context(), api.DataRequest{Data: data}); err != nil {
			t.Fatal(err)
		}
	}
}
