// Package browsertest drives the Chromium of the system in tests, by the DevTools protocol:
// a page is opened, typed into, clicked, measured, and whatever it complains of or asks for
// is noted. It holds what our tests need and no more (docs/decisions/0073).
package browsertest

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// Settings say how a browser is opened.
type Settings struct {
	Width, Height int           // of the window
	Time          time.Duration // the longest that the test may take
	// Allowed says whether a page may ask for an address; data: is allowed in any case.
	Allowed func(page, address string) bool
}

// Browser is a headless browser with one page.
type Browser struct {
	T       *testing.T // who is told of what goes wrong
	Profile string     // the folder of its profile

	ctx     context.Context
	pipe    *pipe
	allowed func(page, address string) bool
	loaded  chan string // names of pages that were loaded

	mu      sync.Mutex
	notes   []string
	refused []string // parts of addresses whose requests are refused, and rightly
}

// Open starts a browser; it ends with the test.
func Open(t *testing.T, s Settings) *Browser {
	t.Helper()
	if testing.Short() {
		t.Skip("browser tests do not run under -short")
	}
	if runtime.GOOS == "windows" {
		t.Skip("no browser is driven on Windows: programs inherit no pipes there")
	}
	program := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if p, err := exec.LookPath(name); err == nil && program == "" {
			program = p
		}
	}
	if program == "" {
		t.Skip("no Chromium is installed: pages are not opened in a browser")
	}
	ctx, cancel := context.WithTimeout(t.Context(), s.Time)
	t.Cleanup(cancel)
	b := &Browser{T: t, Profile: t.TempDir(), ctx: ctx, allowed: s.Allowed, loaded: make(chan string, 1000)}
	p, err := start(ctx, program, []string{
		"--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--hide-scrollbars", "--mute-audio", "--lang=en",
		"--user-data-dir=" + b.Profile, fmt.Sprintf("--window-size=%d,%d", s.Width, s.Height),
		"--disable-dev-shm-usage", "--disable-background-networking", "--disable-component-update", "--disable-sync",
	}, b.hear)
	if p != nil {
		t.Cleanup(p.close)
	}
	if err != nil {
		t.Fatal(err)
	}
	b.pipe = p
	for _, domain := range []string{"Page", "Runtime", "Log", "Network"} {
		b.call(domain+".enable", nil, nil)
	}
	b.call("Page.setLifecycleEventsEnabled", map[string]any{"enabled": true}, nil)
	b.Theme("light")
	return b
}

func (b *Browser) call(method string, params map[string]any, result any) {
	b.T.Helper()
	if err := b.pipe.call(b.ctx, method, params, result); err != nil {
		b.T.Fatal(err)
	}
}

// hear notes messages of the console, requests that are refused and those that are not allowed.
func (b *Browser) hear(method string, params json.RawMessage) {
	var e struct {
		LoaderID, Name, Type, DocumentURL string
		Args                              []struct{ Value, Description any }
		ExceptionDetails                  exception
		Entry                             struct{ Level, Text, URL string }
		Request                           struct{ URL string }
		Response                          struct {
			Status int
			URL    string
		}
	}
	switch method {
	case "Page.lifecycleEvent", "Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded", "Network.responseReceived", "Network.requestWillBeSent":
		if err := json.Unmarshal(params, &e); err != nil {
			b.note(fmt.Sprintf("%s cannot be read: %v", method, err))
			return
		}
	}
	switch method {
	case "Page.lifecycleEvent":
		if e.Name == "load" {
			b.loaded <- e.LoaderID
		}
	case "Runtime.consoleAPICalled":
		if e.Type == "error" || e.Type == "warning" {
			b.note(fmt.Sprint(e.Type, ": ", e.Args))
		}
	case "Runtime.exceptionThrown":
		b.note(e.ExceptionDetails.String())
	case "Log.entryAdded": // requests that fail are noted below, with their address
		if (e.Entry.Level == "error" || e.Entry.Level == "warning") && !strings.Contains(e.Entry.Text, "Failed to load resource") {
			b.note(e.Entry.Level + ": " + e.Entry.Text + " " + e.Entry.URL)
		}
	case "Network.responseReceived":
		if e.Response.Status >= 400 {
			b.note(fmt.Sprintf("%d for %s", e.Response.Status, e.Response.URL))
		}
	case "Network.requestWillBeSent":
		if url := e.Request.URL; !strings.HasPrefix(url, "data:") && !b.allowed(e.DocumentURL, url) {
			b.note("request for " + url)
		}
	}
}

// exception is what a script threw.
type exception struct {
	Text      string
	Exception struct{ Description, Value any }
}

func (e exception) String() string {
	if e.Exception.Description == nil {
		return fmt.Sprint(e.Text, " ", e.Exception.Value)
	}
	return fmt.Sprint(e.Text, " ", e.Exception.Description)
}

func (b *Browser) note(s string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !slices.ContainsFunc(b.refused, func(part string) bool { return strings.Contains(s, part) }) {
		b.notes = append(b.notes, s)
	}
}

// MayRefuse says that requests whose address holds the text are refused from now on.
func (b *Browser) MayRefuse(address string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.refused = append(b.refused, address)
}

// Quiet fails the test for everything noted so far.
func (b *Browser) Quiet(what string) {
	b.T.Helper()
	b.Eval("1") // what was sent before an answer has arrived
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, n := range b.notes {
		b.T.Errorf("%s: %s", what, n)
	}
	b.notes = nil
}

// Navigate opens an address and waits until it is loaded.
func (b *Browser) Navigate(address string) {
	b.T.Helper()
	var went struct{ LoaderID, ErrorText string }
	b.call("Page.navigate", map[string]any{"url": address}, &went)
	if went.ErrorText != "" {
		b.T.Fatalf("%s: %s", address, went.ErrorText)
	}
	for went.LoaderID != "" { // none: another place on the same page
		select {
		case name := <-b.loaded:
			if name == went.LoaderID {
				return
			}
		case <-b.ctx.Done():
			b.T.Fatalf("%s: %v", address, b.ctx.Err())
		}
	}
}

// Show opens a page of its own, by the name of a file.
func (b *Browser) Show(name string, page []byte) {
	b.T.Helper()
	path := filepath.Join(b.T.TempDir(), name)
	if err := os.WriteFile(path, page, 0o644); err != nil {
		b.T.Fatal(err)
	}
	b.Navigate("file://" + filepath.ToSlash(path))
}

// Eval returns the value of an expression as text; promises are waited for.
func (b *Browser) Eval(js string) string {
	b.T.Helper()
	return b.run("(async () => String(await (" + js + ")))()")
}

// Run runs a script for what it does.
func (b *Browser) Run(js string) {
	b.T.Helper()
	b.run(js + "\n;undefined")
}

func (b *Browser) run(js string) string {
	b.T.Helper()
	var out struct {
		Result           struct{ Value string }
		ExceptionDetails *exception
	}
	b.call("Runtime.evaluate", map[string]any{"expression": js, "awaitPromise": true, "returnByValue": true, "userGesture": true}, &out)
	if out.ExceptionDetails != nil {
		b.T.Fatalf("%.2000s: %s", js, out.ExceptionDetails)
	}
	return out.Result.Value
}

// Theme sets what the system of the reader prefers: light or dark, and no motion, since a
// page that still scrolls is clicked in the wrong place.
func (b *Browser) Theme(name string) {
	b.T.Helper()
	b.call("Emulation.setEmulatedMedia", map[string]any{"features": []any{
		map[string]any{"name": "prefers-color-scheme", "value": name}, map[string]any{"name": "prefers-reduced-motion", "value": "reduce"},
	}}, nil)
}

// Resize sets the size of the window, and how many pixels of the screen one of the page takes.
func (b *Browser) Resize(width, height int, scale float64) {
	b.T.Helper()
	b.call("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": height, "deviceScaleFactor": scale, "mobile": false}, nil)
}

// Picture keeps a picture of the whole page, to be looked at.
func (b *Browser) Picture(path string) {
	b.T.Helper()
	var page struct {
		Size struct{ Width, Height float64 } `json:"cssContentSize"`
	}
	b.call("Page.getLayoutMetrics", nil, &page)
	var shot struct{ Data string }
	b.call("Page.captureScreenshot", map[string]any{"captureBeyondViewport": true, "clip": map[string]any{"x": 0, "y": 0, "width": page.Size.Width, "height": page.Size.Height, "scale": 1}}, &shot)
	png, err := base64.StdEncoding.DecodeString(shot.Data)
	if err == nil {
		err = os.WriteFile(path, png, 0o644)
	}
	if err != nil {
		b.T.Fatal(err)
	}
}

// Axe returns the source of the checker of accessibility, "" where it cannot be had; root is
// the folder of the repository.
func Axe(t *testing.T, root string) string {
	t.Helper()
	out, err := exec.Command("sh", filepath.Join(root, "scripts", "axe.sh")).Output()
	if err != nil {
		t.Log("axe-core cannot be had: accessibility is not checked")
		return ""
	}
	source, err := os.ReadFile(strings.TrimSpace(string(out)))
	if err != nil {
		t.Log("axe-core cannot be read: accessibility is not checked")
		return ""
	}
	return string(source)
}

// Accessible runs the checker over the page, frames of other pages aside.
func (b *Browser) Accessible(what, axe string) {
	b.T.Helper()
	b.Run(axe)
	var violations []string
	if err := json.Unmarshal([]byte(b.Eval(`axe.run({exclude: ["iframe"]}).then(r => JSON.stringify(r.violations.map(v => v.id + ": " + v.help + " " + v.nodes.slice(0, 3).map(n => n.html.slice(0, 160) + " " + n.failureSummary).join(" | "))))`)), &violations); err != nil {
		b.T.Fatal(err)
	}
	for _, v := range violations {
		b.T.Errorf("%s: %s", what, v)
	}
}
