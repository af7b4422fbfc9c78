// Package browsertest drives the Chromium of the system in tests: a page is opened, typed
// into, clicked, measured, and whatever it complains of or asks for is noted.
package browsertest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
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
	allowed func(page, address string) bool

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
	program := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if p, err := exec.LookPath(name); err == nil && program == "" {
			program = p
		}
	}
	if program == "" {
		t.Skip("no Chromium is installed: pages are not opened in a browser")
	}
	b := &Browser{T: t, Profile: t.TempDir(), allowed: s.Allowed}
	within, stop := chromedp.NewExecAllocator(context.Background(),
		chromedp.ExecPath(program), chromedp.UserDataDir(b.Profile), chromedp.WindowSize(s.Width, s.Height),
		chromedp.Headless, chromedp.NoSandbox, chromedp.DisableGPU, chromedp.NoFirstRun, chromedp.Flag("lang", "en"),
		chromedp.Flag("disable-dev-shm-usage", true), chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true))
	t.Cleanup(stop)
	page, leave := chromedp.NewContext(within)
	t.Cleanup(leave)
	if err := chromedp.Listen(page, b.hear); err != nil { // which starts it
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := chromedp.Cancel(page); err != nil && !errors.Is(err, context.Canceled) {
			t.Errorf("the browser did not end: %v", err)
		}
	})
	ctx, cancel := context.WithTimeout(page, s.Time)
	t.Cleanup(cancel)
	b.ctx = ctx
	b.Theme("light")
	return b
}

// do does what is asked of the page.
func (b *Browser) do(steps ...chromedp.Action[chromedp.Void]) {
	b.T.Helper()
	if err := chromedp.Do(b.ctx, steps...); err != nil {
		b.T.Fatal(err)
	}
}

// hear notes messages of the console, requests that are refused and those that are not
// allowed. It hears an event before the call that follows it returns.
func (b *Browser) hear(event any) {
	switch e := event.(type) {
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.ConsoleAPICalledTypeError || e.Type == runtime.ConsoleAPICalledTypeWarning {
			said := string(e.Type) + ":"
			for _, arg := range e.Args {
				said += " " + string(arg.Value) + arg.Description
			}
			b.note(said)
		}
	case *runtime.EventExceptionThrown:
		b.note(thrown(e.ExceptionDetails))
	case *log.EventEntryAdded: // requests that fail are noted below, with their address
		if bad := e.Entry.Level == log.EntryLevelError || e.Entry.Level == log.EntryLevelWarning; bad && !strings.Contains(e.Entry.Text, "Failed to load resource") {
			b.note(string(e.Entry.Level) + ": " + e.Entry.Text + " " + e.Entry.URL)
		}
	case *network.EventResponseReceived:
		if e.Response.Status >= 400 {
			b.note(fmt.Sprintf("%d for %s", e.Response.Status, e.Response.URL))
		}
	case *network.EventRequestWillBeSent:
		if url := e.Request.URL; !strings.HasPrefix(url, "data:") && !b.allowed(e.DocumentURL, url) {
			b.note("request for " + url)
		}
	}
}

// thrown is what a script threw.
func thrown(e *runtime.ExceptionDetails) string {
	if e.Exception == nil {
		return e.Text
	}
	return e.Text + " " + string(e.Exception.Value) + e.Exception.Description
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
	if err := chromedp.Do(b.ctx, chromedp.Navigate(address)); err != nil {
		b.T.Fatalf("%s: %v", address, err)
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
	by := true
	out, err := chromedp.Call(b.ctx, runtime.Evaluate, runtime.EvaluateParams{Expression: js, AwaitPromise: &by, ReturnByValue: &by, UserGesture: &by})
	if err != nil {
		b.T.Fatal(err)
	}
	if out.ExceptionDetails != nil {
		b.T.Fatalf("%.2000s: %s", js, thrown(out.ExceptionDetails))
	}
	var value string
	if out.Result.Type == runtime.RemoteObjectTypeString {
		if err := json.Unmarshal(out.Result.Value, &value); err != nil {
			b.T.Fatal(err)
		}
	}
	return value
}

// Theme sets what the system of the reader prefers: light or dark, and no motion, since a
// page that still scrolls is clicked in the wrong place.
func (b *Browser) Theme(name string) {
	b.T.Helper()
	_, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
		{Name: "prefers-color-scheme", Value: name}, {Name: "prefers-reduced-motion", Value: "reduce"},
	}})
	if err != nil {
		b.T.Fatal(err)
	}
}

// Resize sets the size of the window, and how many pixels of the screen one of the page takes.
func (b *Browser) Resize(width, height int, scale float64) {
	b.T.Helper()
	b.do(chromedp.EmulateViewport(int64(width), int64(height), chromedp.EmulateScale(scale)))
}

// Picture keeps a picture of the whole page, to be looked at.
func (b *Browser) Picture(path string) {
	b.T.Helper()
	png, err := chromedp.Run(b.ctx, chromedp.FullScreenshot(100))
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
