package web_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/moiety-go/moiety/web"
)

var pictures = flag.String("pictures", "", "folder for pictures of the screens, to be looked at")

// browserTime is the longest a test of screens may take; it takes a minute on an
// idle machine.
const browserTime = 9 * time.Minute

// browser is a headless browser with one page, which notes what the page
// complains of and asks for.
type browser struct {
	t    *testing.T
	ctx  context.Context
	axe  string
	page string // an address that may be asked for besides those of a server
	kept string // the folder of its profile
	slow int    // how many times longer than usual things may take; 0 means once

	looked  int // screens
	checked int // runs of axe

	mu      sync.Mutex
	notes   []string
	refused []string // parts of addresses whose requests are refused, and rightly
}

func openBrowser(t *testing.T) *browser {
	t.Helper()
	if testing.Short() {
		t.Skip("browser tests do not run under -short")
	}
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if p, err := exec.LookPath(name); err == nil && path == "" {
			path = p
		}
	}
	if path == "" {
		t.Skip("no Chromium is installed: screens are not opened in a browser")
	}
	ctx, cancel := context.WithTimeout(t.Context(), browserTime)
	t.Cleanup(cancel)
	profile := t.TempDir()
	ctx, cancel = chromedp.NewExecAllocator(ctx, chromedp.ExecPath(path), chromedp.Headless, chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.NoFirstRun, chromedp.UserDataDir(profile), chromedp.WindowSize(1400, 1000),
		chromedp.Flag("disable-dev-shm-usage", true), chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true), chromedp.Flag("lang", "en"))
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	b := &browser{t: t, ctx: ctx, kept: profile}
	b.listen()
	b.theme("light")
	return b
}

// listen notes messages of the console, requests that are refused and those that leave
// the server.
func (b *browser) listen() {
	b.t.Helper()
	messages, requests := chromedp.Console(b.ctx), chromedp.Events(b.ctx, network.RequestWillBeSent)
	answers := chromedp.Events(b.ctx, network.ResponseReceived)
	if _, err := chromedp.Call(b.ctx, network.Enable, network.EnableParams{}); err != nil {
		b.t.Fatal(err)
	}
	note := func(s string) {
		b.mu.Lock()
		defer b.mu.Unlock()
		if !slices.ContainsFunc(b.refused, func(part string) bool { return strings.Contains(s, part) }) {
			b.notes = append(b.notes, s)
		}
	}
	go func() {
		for m, err := range messages {
			if err != nil {
				return
			}
			said := m.String()
			if strings.Contains(said, "Failed to load resource") { // noted below, with its address
				continue
			}
			if m.Type == chromedp.ConsoleError || m.Type == chromedp.ConsoleWarning || m.IsException() {
				note(said)
			}
		}
	}()
	go func() {
		for r, err := range answers {
			if err != nil {
				return
			}
			if r.Response.Status >= 400 {
				note(fmt.Sprintf("%d for %s", int(r.Response.Status), r.Response.URL))
			}
		}
	}()
	go func() {
		for r, err := range requests {
			if err != nil {
				return
			}
			if url := r.Request.URL; !strings.HasPrefix(url, "data:") && !strings.HasPrefix(url, "blob:") && !strings.HasPrefix(url, "http://127.0.0.1:") && url != b.page {
				note("request for " + url)
			}
		}
	}()
}

// mayRefuse says that requests whose address holds the text are refused from now on.
func (b *browser) mayRefuse(address string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.refused = append(b.refused, address)
}

// quiet fails the test for everything noted so far.
func (b *browser) quiet(what string) {
	b.t.Helper()
	b.eval("1")
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, n := range b.notes {
		b.t.Errorf("%s: %s", what, n)
	}
	b.notes = nil
}

func (b *browser) do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	if err := chromedp.Do(b.ctx, steps...); err != nil {
		b.t.Fatal(err)
	}
}

// eval returns the value of an expression as text.
func (b *browser) eval(js string) string {
	b.t.Helper()
	s, err := chromedp.Run(b.ctx, chromedp.Evaluate[string]("(async () => String(await ("+js+")))()", chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatalf("%s: %v", js, err)
	}
	return s
}

// until waits until an expression is true.
func (b *browser) until(what, js string) {
	b.t.Helper()
	ok := b.eval(`new Promise((done) => { const end = performance.now() + ` + strconv.Itoa(100000*max(1, b.slow)) + `; const look = () => { let ok = false; try { ok = Boolean(` + js +
		`); } catch {} ok ? done("yes") : performance.now() > end ? done("no: " + location.pathname + " " + document.querySelector("main").innerText.slice(0, 400)) : setTimeout(look, 40); }; look(); })`)
	if ok != "yes" {
		b.t.Fatalf("%s: %s is not so: %s", what, js, ok)
	}
}

// click clicks the first element that fits and has the words.
func (b *browser) click(selector, words string) {
	b.t.Helper()
	find := fmt.Sprintf(`[...document.querySelectorAll(%q)].find((e) => e.textContent.includes(%q) && e.getBoundingClientRect().width > 0)`, selector, words)
	b.until("there is "+selector+" "+words, find)
	b.eval(find + ".click()")
}

// theme sets what the system of the reader prefers.
func (b *browser) theme(name string) {
	b.t.Helper()
	_, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}, {Name: "prefers-reduced-motion", Value: "reduce"}},
	})
	if err != nil {
		b.t.Fatal(err)
	}
}

// width sets the width of the window. Where it is that of a zoom (700 pixels are 1400 at
// 200 %, 320 are 1280 at 400 %), a pixel of the page is as large as it is there.
func (b *browser) width(w int) {
	b.t.Helper()
	zoom := map[int]float64{700: 2, 320: 4}[w]
	_, err := chromedp.Call(b.ctx, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: int64(w), Height: int64(1000 / max(zoom, 1)), DeviceScaleFactor: max(zoom, 1)})
	if err != nil {
		b.t.Fatal(err)
	}
}

// shoot keeps a picture of the whole page, to be looked at.
func (b *browser) shoot(name string) {
	b.t.Helper()
	if *pictures == "" {
		return
	}
	png, err := chromedp.Run(b.ctx, chromedp.FullScreenshot(100))
	if err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(*pictures, name+".png"), png, 0o644); err != nil {
		b.t.Fatal(err)
	}
}

// picture checks a screen: nothing to complain of for axe in light and dark, no
// sideways scrolling from 320 pixels (which is also 1280 at a zoom of 400 %) over 700
// (1400 at 200 %) to 1400, nothing that moves for who wants no motion, nothing on the
// console.
func (b *browser) picture(name string) {
	b.t.Helper()
	b.looked++
	for _, w := range []int{320, 390, 700, 1400} {
		b.width(w)
		if over := b.eval(`(() => { const wide = document.documentElement.clientWidth; if (document.documentElement.scrollWidth <= wide) return ""; return [...document.querySelectorAll("main *")].filter((e) => e.getBoundingClientRect().right > wide + 1 && !e.closest(".scroll, .drawing, .tabs, svg")).slice(0, 3).map((e) => e.outerHTML.slice(0, 120)).join(" | ") || "somewhere"; })()`); over != "" {
			b.t.Errorf("%s is wider than %d pixels: %s", name, w, over)
		}
		if moving := b.eval(`document.getAnimations().length`); moving != "0" {
			b.t.Errorf("%s: %s things move though the reader wants no motion", name, moving)
		}
		if w == 390 || w == 700 || w == 1400 {
			for _, theme := range []string{"light", "dark"} {
				b.theme(theme)
				b.shoot(fmt.Sprintf("%s-%d-%s", name, w, theme))
			}
		}
	}
	for _, theme := range []string{"light", "dark"} {
		b.theme(theme)
		b.accessible(name + " " + theme)
	}
	b.theme("light")
	b.quiet(name)
}

// accessible runs axe over the page.
func (b *browser) accessible(what string) {
	b.t.Helper()
	if b.axe == "" {
		return
	}
	b.checked++
	b.do(chromedp.Evaluate[chromedp.Void](b.axe))
	out, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](
		`axe.run({exclude: ["iframe"]}).then(r => JSON.stringify(r.violations.map(v => v.id + ": " + v.help + " " + v.nodes.slice(0, 3).map(n => n.html.slice(0, 160) + " " + n.failureSummary).join(" | "))))`, chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatal(err)
	}
	var violations []string
	if err := json.Unmarshal([]byte(out), &violations); err != nil {
		b.t.Fatal(err)
	}
	for _, v := range violations {
		b.t.Errorf("%s: %s", what, v)
	}
}

// axe returns the source of the checker of accessibility, "" where it cannot be
// had.
func axe(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("sh", filepath.Join("..", "scripts", "axe.sh")).Output()
	if err != nil {
		t.Log("axe-core cannot be had: accessibility is not checked")
		return ""
	}
	b, err := os.ReadFile(strings.TrimSpace(string(out)))
	if err != nil {
		t.Log("axe-core cannot be read: accessibility is not checked")
		return ""
	}
	return string(b)
}

// serve starts a server over a folder and returns its address with the token; the
// function stops it.
func serve(t *testing.T, dir string, o web.Options) (s *web.Server, addr net.Addr, stop func()) {
	t.Helper()
	o.Dir = dir
	s, err := web.New(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	over := make(chan error, 1)
	go func() { over <- s.Serve(ctx, ln) }()
	var once sync.Once
	stop = func() {
		once.Do(func() {
			cancel()
			if err := <-over; err != nil {
				t.Errorf("the server ended with %v", err)
			}
		})
	}
	t.Cleanup(stop)
	return s, ln.Addr(), stop
}

// give drops a file onto the page that is shown, as a hand would.
func (b *browser) give(name, text string) {
	b.t.Helper()
	content, err := json.Marshal(text)
	if err != nil {
		b.t.Fatal(err)
	}
	b.until("there is a place to drop files", `document.querySelector(".drop")`)
	b.eval(fmt.Sprintf(`(() => { const d = new DataTransfer(); d.items.add(new File([%s], %q)); document.querySelector(".drop").dispatchEvent(new DragEvent("drop", { dataTransfer: d, bubbles: true, cancelable: true })); })()`, content, name))
}

// press types keys into what has the focus.
func (b *browser) press(keys ...string) {
	b.t.Helper()
	for _, k := range keys {
		b.do(chromedp.KeyEvent(k))
	}
}

// walk goes through a screen by Tab alone: the focus moves on, is seen wherever it
// is, and comes to everything that can be clicked.
func (b *browser) walk(name string) {
	b.t.Helper()
	b.eval(`(() => { document.activeElement.blur(); window.visited = new Set(); window.unseen = []; })()`)
	n, _ := strconv.Atoi(b.eval(`(window.stops = () => [...document.querySelectorAll("a[href], button, input, select, textarea, summary, iframe, [tabindex='0']")].filter((e) => !e.disabled && e.tabIndex >= 0 && e.checkVisibility() && !(e.type === "radio" && !e.checked)))().length`))
	for range n + 2 {
		b.press(kb.Tab)
		b.eval(`(() => { const e = document.activeElement, s = getComputedStyle(e); visited.add(e);
			if (e !== document.body && e.tagName !== "IFRAME" && s.outlineStyle === "none" && s.boxShadow === "none" && !(e.labels && [...e.labels].some((l) => getComputedStyle(l).outlineStyle !== "none"))) unseen.push(e.outerHTML.slice(0, 120)); })()`)
	}
	if unseen := b.eval(`unseen.join(" | ")`); unseen != "" {
		b.t.Errorf("%s: the focus is not seen on %s", name, unseen)
	}
	if missed := b.eval(`stops().filter((e) => !visited.has(e)).map((e) => e.outerHTML.slice(0, 120)).join(" | ")`); missed != "" {
		b.t.Errorf("%s: Tab does not come to %s", name, missed)
	}
	b.t.Logf("%s: %d stops by keyboard", name, n)
}
