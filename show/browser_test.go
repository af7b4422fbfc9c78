package show_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/show"
)

// browser is a headless browser with one page, which notes what the page
// complains of and asks for.
type browser struct {
	t   *testing.T
	ctx context.Context

	mu    sync.Mutex
	notes []string
}

// browserTime is the longest a test of pages may take; it takes a few seconds
// on an idle machine.
const browserTime = 4 * time.Minute

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
		t.Skip("no Chromium is installed: pages are not opened in a browser")
	}
	ctx, cancel := context.WithTimeout(t.Context(), browserTime)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewExecAllocator(ctx, chromedp.ExecPath(path), chromedp.Headless, chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.NoFirstRun, chromedp.UserDataDir(t.TempDir()), chromedp.WindowSize(1200, 1600),
		chromedp.Flag("disable-dev-shm-usage", true), chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true))
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	b := &browser{t: t, ctx: ctx}
	b.listen()
	b.theme("light")
	return b
}

// listen notes messages of the console and requests that leave the file.
func (b *browser) listen() {
	b.t.Helper()
	messages, requests := chromedp.Console(b.ctx), chromedp.Events(b.ctx, network.RequestWillBeSent)
	if _, err := chromedp.Call(b.ctx, network.Enable, network.EnableParams{}); err != nil {
		b.t.Fatal(err)
	}
	note := func(s string) {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.notes = append(b.notes, s)
	}
	go func() {
		for m, err := range messages {
			if err != nil {
				return
			}
			if m.Type == chromedp.ConsoleError || m.Type == chromedp.ConsoleWarning || m.IsException() {
				note(m.String())
			}
		}
	}()
	go func() {
		for r, err := range requests {
			if err != nil {
				return
			}
			if url := r.Request.URL; !strings.HasPrefix(url, "file:") && !strings.HasPrefix(url, "data:") {
				note("request for " + url)
			} else if strings.HasPrefix(url, "file:") && url != r.DocumentURL {
				note("request for another file: " + url)
			}
		}
	}()
}

// open shows a page.
func (b *browser) open(name string, page []byte) {
	b.t.Helper()
	path := filepath.Join(b.t.TempDir(), name)
	if err := os.WriteFile(path, page, 0o644); err != nil {
		b.t.Fatal(err)
	}
	b.do(chromedp.Navigate("file://" + filepath.ToSlash(path)))
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
	s, err := chromedp.Run(b.ctx, chromedp.Evaluate[string]("String("+js+")"))
	if err != nil {
		b.t.Fatalf("%s: %v", js, err)
	}
	return s
}

// theme sets what the system of the reader prefers: light or dark, and no
// motion, since a page that still scrolls is clicked in the wrong place.
func (b *browser) theme(name string) {
	b.t.Helper()
	_, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}, {Name: "prefers-reduced-motion", Value: "reduce"}},
	})
	if err != nil {
		b.t.Fatal(err)
	}
}

// quiet fails the test for everything noted so far.
func (b *browser) quiet(what string) {
	b.t.Helper()
	b.eval("1") // what was sent before has arrived after an answer
	time.Sleep(50 * time.Millisecond)
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, n := range b.notes {
		b.t.Errorf("%s: %s", what, n)
	}
	b.notes = nil
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
	if err := os.WriteFile(filepath.Join(*pictures, name), png, 0o644); err != nil {
		b.t.Fatal(err)
	}
}

// axe returns the source of the checker of accessibility.
func axe(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("sh", filepath.Join("..", "scripts", "axe.sh")).Output()
	if err != nil {
		t.Skip("axe-core cannot be had: accessibility is not checked")
	}
	b, err := os.ReadFile(strings.TrimSpace(string(out)))
	if err != nil {
		t.Skip("axe-core cannot be read: accessibility is not checked")
	}
	return string(b)
}

// accessible runs axe over the page in light and dark.
func (b *browser) accessible(what, axe string) {
	b.t.Helper()
	for _, theme := range []string{"light", "dark"} {
		b.theme(theme)
		b.do(chromedp.Evaluate[chromedp.Void](axe))
		out, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](
			`axe.run().then(r => JSON.stringify(r.violations.map(v => v.id + ": " + v.help + " " + v.nodes.slice(0, 3).map(n => n.html.slice(0, 160) + " " + n.failureSummary).join(" | "))))`, chromedp.EvalAwaitPromise))
		if err != nil {
			b.t.Fatal(err)
		}
		var violations []string
		if err := json.Unmarshal([]byte(out), &violations); err != nil {
			b.t.Fatal(err)
		}
		for _, v := range violations {
			b.t.Errorf("%s, %s: %s", what, theme, v)
		}
		b.shoot(fmt.Sprintf("page-%s-%s.png", strings.ReplaceAll(what, " ", "-"), theme))
	}
	b.theme("light")
}

func TestPagesInBrowser(t *testing.T) {
	b := openBrowser(t)
	pages := demoPages(t)
	t.Run("report", func(t *testing.T) { reportInBrowser(t, b, branches(t)) })
	t.Run("topics", func(t *testing.T) { topicsInBrowser(t, b, pages["ldavis.html"]) })
	t.Run("accessible", func(t *testing.T) {
		source := axe(t)
		b.t = t
		for _, name := range []string{"ward.html", "library.html", "ldavis.html"} {
			b.open(name, pages[name])
			b.accessible(strings.TrimSuffix(name, ".html"), source)
			if name == "ldavis.html" {
				b.do(chromedp.Click(chromedp.CSS("#next")))
				b.accessible("ldavis chosen", source)
			}
			b.quiet(name)
		}
		more := layoutPages(t)
		for _, name := range []string{"population", "everything", "walks"} { // with all that folds opened
			b.open(name+".html", more[name])
			b.do(chromedp.Evaluate[chromedp.Void](`document.querySelectorAll("details").forEach((d) => { d.open = true; })`))
			b.accessible(name, source)
			b.quiet(name)
		}
	})
}

// branches is the page of a tree whose shape is known: 1 with 1.1, that with
// 1.1.1 and 1.1.2, and 1.2.
func branches(t *testing.T) []byte {
	t.Helper()
	r := &report.Report{
		Shape: report.Tree, Unit: report.Unit{One: "patient", Many: "patients", Feature: "diagnosis", Features: "diagnoses"},
		Leaves: []int{2, 3, 4}, Data: report.Data{Records: report.CountOf(100), Rows: report.CountOf(100)},
	}
	for _, g := range []struct {
		id, parent string
		number, n  int
		children   []string
	}{
		{"1", "", 0, 100, []string{"1.1", "1.2"}},
		{"1.1", "1", 0, 60, []string{"1.1.1", "1.1.2"}},
		{"1.2", "1", 1, 40, nil},
		{"1.1.1", "1.1", 2, 35, nil},
		{"1.1.2", "1.1", 3, 25, nil},
	} {
		r.Groups = append(r.Groups, report.Group{
			ID: g.id, Name: "Group of " + g.id, Parent: g.parent, Number: g.number, Children: g.children,
			N: report.CountOf(g.n), Share: report.NumberOf(float64(g.n) / 100), Text: "Text.",
		})
	}
	r.Table.Centers = make([][]report.Number, 3)
	var b bytes.Buffer
	if err := show.WriteReportHTML(&b, r, show.Pages{}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// reportInBrowser walks the tree with the keyboard.
func reportInBrowser(t *testing.T, b *browser, page []byte) {
	b.t = t
	b.open("report.html", page)
	b.quiet("opening the report")
	at := `document.activeElement.dataset.group`
	b.do(chromedp.Evaluate[chromedp.Void](`document.getElementById("all").open = true`))
	b.do(chromedp.Focus(chromedp.CSS(`[role="tree"] [tabindex="0"]`)))
	press := func(key, want string) {
		t.Helper()
		b.do(chromedp.KeyEvent(key))
		if got := b.eval(at); got != want {
			t.Errorf("at %s, want %s", got, want)
		}
	}
	if got := b.eval(at); got != "1" {
		t.Fatalf("the tree starts at %s, want 1", got)
	}
	press(kb.ArrowDown, "1-1")
	press(kb.ArrowUp, "1")
	press(kb.ArrowRight, "1-1")
	press(kb.ArrowLeft, "1-1") // closes it
	if got := b.eval(`document.activeElement.getAttribute("aria-expanded")`); got != "false" {
		t.Errorf("left did not close the node: %s", got)
	}
	press(kb.ArrowDown, "1-2")
	press(kb.Home, "1")
	press(kb.ArrowDown, "1-1")
	press(kb.ArrowRight, "1-1") // opens it
	press(kb.ArrowRight, "1-1-1")
	press(kb.ArrowLeft, "1-1")
	press(kb.ArrowLeft, "1-1") // closes it again
	press("]", "1-1")          // one level more
	press(kb.ArrowDown, "1-1-1")
	press("[", "1-1")   // one level less, the item is hidden
	press("1.2", "1-2") // by typing
	press("*", "1-2")   // opens all beside it
	last := b.eval(`[...document.querySelectorAll('[role="treeitem"]')].pop().dataset.group`)
	press(kb.End, last)
	if got := b.eval(`document.querySelectorAll('[role="treeitem"][tabindex="0"]').length`); got != "1" {
		t.Errorf("%s tab stops in the tree, want 1", got)
	}
	b.do(chromedp.KeyEvent(kb.Enter))
	if got := b.eval(`document.activeElement.id`); got != "group-"+last {
		t.Errorf("Enter went to %q, want the section of %s", got, last)
	}
	b.do(chromedp.Click(chromedp.CSS("#theme")))
	if got := b.eval(`getComputedStyle(document.body).backgroundColor`); got != "rgb(22, 24, 28)" {
		t.Errorf("the dark page is %s", got)
	}
	b.quiet("the report")
}

// topicsInBrowser moves the slider and chooses topics.
func topicsInBrowser(t *testing.T, b *browser, page []byte) {
	b.t = t
	b.open("topics.html", page)
	b.quiet("opening the page of topics")
	bars := func() string {
		return b.eval(`[...document.querySelectorAll("#bars g text:first-of-type")].map(e => e.textContent).join()`)
	}
	slide := func(v string) {
		b.do(chromedp.Evaluate[chromedp.Void](`(() => { const s = document.getElementById("lambda"); s.value = ` + v + `; s.dispatchEvent(new Event("input")); })()`))
	}
	salient := bars()
	if n := len(strings.Split(salient, ",")); n != 30 {
		t.Errorf("%d bars, want 30", n)
	}
	b.do(chromedp.Focus(chromedp.CSS(`#map .bubble`)), chromedp.KeyEvent(kb.ArrowRight), chromedp.KeyEvent(kb.Enter))
	if got := b.eval(`document.getElementById("topic").value`); got != "2" {
		t.Errorf("the keyboard chose topic %s, want 2", got)
	}
	second := bars()
	if second == salient {
		t.Error("choosing a topic did not change the bars")
	}
	slide("0")
	lifted := bars()
	slide("1")
	frequent := bars()
	if lifted == second || frequent == lifted {
		t.Error("the slider did not change the bars")
	}
	if got, want := b.eval(`document.getElementById("lambda-value").textContent`), "1.00"; got != want {
		t.Errorf("the slider shows %s, want %s", got, want)
	}
	radius := func() string { return b.eval(`document.querySelector("#map circle").getAttribute("r")`) }
	before := radius()
	b.do(chromedp.Evaluate[chromedp.Void](`(() => { const s = document.getElementById("term"); s.selectedIndex = 1; s.dispatchEvent(new Event("change")); })()`))
	if radius() == before {
		t.Error("choosing a word did not change the circles")
	}
	b.do(chromedp.Click(chromedp.CSS("#clear")))
	slide("0.6")
	if got := bars(); got != salient {
		t.Errorf("after Clear the bars are %s", got)
	}
	b.do(chromedp.Click(chromedp.CSS(`#map .bubble:last-of-type`)))
	if got := b.eval(`document.getElementById("topic").value`); got != "5" {
		t.Errorf("a click chose topic %s, want 5", got)
	}
	b.quiet("the page of topics")
}

// TestFilesInBrowser opens an SVG file, which must be read as a picture.
func TestFilesInBrowser(t *testing.T) {
	b := openBrowser(t)
	for _, p := range generic() {
		var sb strings.Builder
		if err := show.WriteSVG(&sb, p.scene); err != nil {
			t.Fatal(err)
		}
		b.open(p.name+".svg", []byte(sb.String()))
		if got := b.eval(`document.documentElement.getAttribute("role")`); got != "img" {
			t.Errorf("%s: role %s", p.name, got)
		}
		b.quiet(p.name)
	}
}
