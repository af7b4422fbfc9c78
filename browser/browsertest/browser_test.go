package browsertest

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// TestNotes: whatever a page complains of and asks for is noted, and nothing else is.
func TestNotes(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(`<!doctype html><link rel="icon" href="data:,"><title>A page</title><input id="box"><button onclick="document.title = 'clicked'">Click</button>`))
	}))
	defer server.Close()
	b := Open(t, Settings{Width: 800, Height: 600, Time: time.Minute, Allowed: func(_, address string) bool { return strings.HasPrefix(address, server.URL) }})
	for _, c := range []struct{ js, want string }{
		{`console.log("only said")`, ""},
		{`console.error("said loudly")`, "said loudly"},
		{`console.warn("said in doubt")`, "said in doubt"},
		{`new Promise((done) => { setTimeout(() => { setTimeout(done, 20); throw new Error("thrown") }, 0) })`, "thrown"},
		{`fetch("/missing").then(() => 1)`, "404 for " + server.URL + "/missing"},
		{`fetch("/fine-to-refuse").then(() => 1)`, ""},
		{`fetch("http://127.0.0.2:1/").catch(() => 1)`, "request for http://127.0.0.2:1/"},
	} {
		b.Navigate(server.URL + "/")
		b.MayRefuse("/fine-to-refuse")
		b.Eval(c.js)
		b.Eval("1")
		b.mu.Lock()
		got := strings.Join(b.notes, "\n")
		b.notes = nil
		b.mu.Unlock()
		if (c.want == "") != (got == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s: noted %q, want %q", c.js, got, c.want)
		}
	}
	b.Focus("#box")
	b.Press("a1]", Home, "x", Tab, Enter)
	if got := b.Eval(`document.getElementById("box").value + " " + document.title`); got != "xa1] clicked" {
		t.Errorf("typed and entered: %q", got)
	}
	b.Navigate(server.URL + "/")
	b.Click("button")
	if got := b.Eval(`document.title`); got != "clicked" {
		t.Errorf("clicked: %q", got)
	}
	b.Resize(400, 300, 2)
	if got := b.Eval(`innerWidth + " " + innerHeight + " " + devicePixelRatio`); got != "400 300 2" {
		t.Errorf("the window is %s", got)
	}
	b.Theme("dark")
	if got := b.Eval(`matchMedia("(prefers-color-scheme: dark)").matches`); got != "true" {
		t.Error("the theme is not dark")
	}
	b.Quiet("the end")
}
