package web_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/api"
	"github.com/moiety-go/moiety/internal/web"
	"github.com/moiety-go/moiety/internal/web/webtest"
)

// TestEveryPageAsJSON: every screen is also there as JSON, under its own path, and
// lists that come in parts link to the next one.
func TestEveryPageAsJSON(t *testing.T) {
	c, _ := newClient(t, web.Options{})
	head, rows := api.ExampleAnswers(1, 130)
	if status, text := c.Send("PUT", "/api/data?name=a.csv", strings.NewReader(webtest.TableText(t, head, rows))); status != 200 {
		t.Fatal(text)
	}
	c.Fit(`{"data": "a.csv", "settings": {"id": "person", "label": ["age", "region"], "groups": 2}}`)
	_, text := c.Send("GET", "/api/jobs", nil)
	var jobs api.JobList
	if err := json.Unmarshal([]byte(text), &jobs); err != nil || len(jobs.Jobs) == 0 {
		t.Fatalf("jobs: %s", text)
	}
	pages := map[string]string{ // a word of what each shows
		"/index": `"about"`, "/data/a.csv": `"rows"`, "/jobs/" + jobs.Jobs[0].ID: `"state"`, "/runs/a": `"report"`,
		"/runs/a/compare": `"runs"`, "/runs/a/members": `"members"`, "/runs/a/score": `"a.csv"`, "/runs/a/report": `"formats"`,
		"/runs/a/texts": `"report"`, "/runs/a/courses": `"report"`, "/studies": `"studies"`, "/settings": `"formats"`, "/help": `"formats"`,
	}
	for path, word := range pages {
		status, text := c.Send("GET", path+".json", nil)
		if status != 200 || !json.Valid([]byte(text)) || !strings.Contains(text, word) {
			t.Errorf("%s.json: %d, want JSON with %s: %.300s", path, status, word, text)
		}
		if path == "/index" {
			path = "/"
		}
		if status, text := c.Send("GET", path, nil); status != 200 || !strings.Contains(text, "<html") {
			t.Errorf("%s: %d", path, status)
		}
	}
	seen, parts, next := map[string]bool{}, 0, "/runs/a/members.json?group=1&most=25"
	for next != "" {
		r, err := http.NewRequestWithContext(t.Context(), "GET", c.Base+next, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+webtest.Key)
		got, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(got.Body)
		got.Body.Close()
		var m api.Members
		if err := json.Unmarshal(text, &m); err != nil {
			t.Fatalf("%s: %s", next, text)
		}
		for _, x := range m.Members {
			if seen[x.ID] {
				t.Errorf("%s comes twice", x.ID)
			}
			seen[x.ID] = true
		}
		parts++
		link, ok := strings.CutPrefix(got.Header.Get("Link"), "<")
		if next, _, _ = strings.Cut(link, ">"); !ok {
			next = ""
		}
	}
	t.Logf("%d pages; %d members in %d parts", len(pages), len(seen), parts)
	if parts < 2 || len(seen) < 30 {
		t.Errorf("%d members in %d parts", len(seen), parts)
	}
}
