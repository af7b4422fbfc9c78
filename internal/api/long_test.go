package api_test

import (
	"testing"
	"time"

	"github.com/moiety-go/moiety/internal/api"
	"github.com/moiety-go/moiety/internal/numtest"
)

// TestHalfAMillion measures what a click on the tree of 500,000 records costs: it
// must not go over the records again.
func TestHalfAMillion(t *testing.T) {
	n := numtest.Scale(0, 0, 500000)
	if n == 0 {
		t.Skip("half a million records take minutes: MOIETY_LONG=1 runs it")
	}
	a, f, _ := workbench(t)
	head, rows := api.ExamplePatients(1, n)
	data := put(t, f, "many.csv", head, rows)
	j, err := a.StartFit(t.Context(), api.FitRequest{Data: data, Settings: api.Settings{Label: []string{"sex", "age"}, Leaves: 8}})
	j = wait(t, a, j, err)
	if j.State != api.Done {
		t.Fatal(j.Error)
	}
	t.Logf("fit of %d records: %.1f s", n, j.Seconds)
	for _, c := range []struct {
		what string
		do   func() error
	}{
		{"the whole tree", func() error { _, err := a.Groups(t.Context(), api.RunRequest{Run: j.Run}); return err }},
		{"one group", func() error { _, err := a.Group(t.Context(), api.GroupRequest{Run: j.Run, Group: "1.1"}); return err }},
		{"two groups", func() error {
			_, err := a.Beside(t.Context(), api.BesideRequest{Run: j.Run, A: "1.1", B: "1.2"})
			return err
		}},
		{"the list of runs", func() error { _, err := a.Runs(t.Context(), api.PageRequest{}); return err }},
	} {
		start := time.Now()
		if err := c.do(); err != nil {
			t.Fatal(err)
		}
		took := time.Since(start)
		t.Logf("%s: %v", c.what, took)
		if took > 10*time.Second { // a pass over the records
			t.Errorf("%s took %v", c.what, took)
		}
	}
}
