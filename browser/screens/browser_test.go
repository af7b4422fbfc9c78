package screens_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/moiety-go/moiety/browser/browsertest"
)

var pictures = flag.String("pictures", "", "folder for pictures of the screens, to be looked at")

// browserTime is the longest a test of screens may take; it takes a minute on an
// idle machine.
const browserTime = 9 * time.Minute

// browser is a headless browser over the screens of a server.
type browser struct {
	*browsertest.Browser
	axe  string
	page string // an address that may be asked for besides those of a server
	slow int    // how many times longer than usual things may take; 0 means once

	looked  int // screens
	checked int // runs of axe
}

func openBrowser(t *testing.T) *browser {
	t.Helper()
	b := new(browser)
	b.Browser = browsertest.Open(t, browsertest.Settings{Width: 1400, Height: 1000, Time: browserTime, Allowed: func(_, address string) bool {
		return strings.HasPrefix(address, "blob:") || strings.HasPrefix(address, "http://127.0.0.1:") || address == b.page
	}})
	return b
}

// until waits until an expression is true.
func (b *browser) until(what, js string) {
	b.T.Helper()
	ok := b.Eval(`new Promise((done) => { const end = performance.now() + ` + strconv.Itoa(100000*max(1, b.slow)) + `; const look = () => { let ok = false; try { ok = Boolean(` + js +
		`); } catch {} ok ? done("yes") : performance.now() > end ? done("no: " + location.pathname + " " + document.querySelector("main").innerText.slice(0, 400)) : setTimeout(look, 40); }; look(); })`)
	if ok != "yes" {
		b.T.Fatalf("%s: %s is not so: %s", what, js, ok)
	}
}

// click clicks the first element that fits and has the words.
func (b *browser) click(selector, words string) {
	b.T.Helper()
	find := fmt.Sprintf(`[...document.querySelectorAll(%q)].find((e) => e.textContent.includes(%q) && e.getBoundingClientRect().width > 0)`, selector, words)
	b.until("there is "+selector+" "+words, find)
	b.Eval(find + ".click()")
}

// width sets the width of the window. Where it is that of a zoom (700 pixels are 1400 at
// 200 %, 320 are 1280 at 400 %), a pixel of the page is as large as it is there.
func (b *browser) width(w int) {
	b.T.Helper()
	zoom := map[int]float64{700: 2, 320: 4}[w]
	b.Resize(w, int(1000/max(zoom, 1)), max(zoom, 1))
}

// shoot keeps a picture of the whole page, to be looked at.
func (b *browser) shoot(name string) {
	b.T.Helper()
	if *pictures == "" {
		return
	}
	b.Picture(filepath.Join(*pictures, name+".png"))
}

// picture checks a screen: nothing to complain of for axe in light and dark, no
// sideways scrolling from 320 pixels (which is also 1280 at a zoom of 400 %) over 700
// (1400 at 200 %) to 1400, nothing that moves for who wants no motion, nothing on the
// console.
func (b *browser) picture(name string) {
	b.T.Helper()
	b.looked++
	for _, w := range []int{320, 390, 700, 1400} {
		b.width(w)
		if over := b.Eval(`(() => { const wide = document.documentElement.clientWidth; if (document.documentElement.scrollWidth <= wide) return ""; return [...document.querySelectorAll("main *")].filter((e) => e.getBoundingClientRect().right > wide + 1 && !e.closest(".scroll, .drawing, .tabs, svg")).slice(0, 3).map((e) => e.outerHTML.slice(0, 120)).join(" | ") || "somewhere"; })()`); over != "" {
			b.T.Errorf("%s is wider than %d pixels: %s", name, w, over)
		}
		if moving := b.Eval(`document.getAnimations().length`); moving != "0" {
			b.T.Errorf("%s: %s things move though the reader wants no motion", name, moving)
		}
		if w == 390 || w == 700 || w == 1400 {
			for _, theme := range []string{"light", "dark"} {
				b.Theme(theme)
				b.shoot(fmt.Sprintf("%s-%d-%s", name, w, theme))
			}
		}
	}
	for _, theme := range []string{"light", "dark"} {
		b.Theme(theme)
		b.accessible(name + " " + theme)
	}
	b.Theme("light")
	b.Quiet(name)
}

// accessible runs axe over the page.
func (b *browser) accessible(what string) {
	b.T.Helper()
	if b.axe == "" {
		return
	}
	b.checked++
	b.Accessible(what, b.axe)
}

// give drops a file onto the page that is shown, as a hand would.
func (b *browser) give(name, text string) {
	b.T.Helper()
	content, err := json.Marshal(text)
	if err != nil {
		b.T.Fatal(err)
	}
	b.until("there is a place to drop files", `document.querySelector(".drop")`)
	b.Eval(fmt.Sprintf(`(() => { const d = new DataTransfer(); d.items.add(new File([%s], %q)); document.querySelector(".drop").dispatchEvent(new DragEvent("drop", { dataTransfer: d, bubbles: true, cancelable: true })); })()`, content, name))
}

// walk goes through a screen by Tab alone: the focus moves on, is seen wherever it
// is, and comes to everything that can be clicked.
func (b *browser) walk(name string) {
	b.T.Helper()
	b.Eval(`(() => { document.activeElement.blur(); window.visited = new Set(); window.unseen = []; })()`)
	n, _ := strconv.Atoi(b.Eval(`(window.stops = () => [...document.querySelectorAll("a[href], button, input, select, textarea, summary, iframe, [tabindex='0']")].filter((e) => !e.disabled && e.tabIndex >= 0 && e.checkVisibility() && !(e.type === "radio" && !e.checked)))().length`))
	for range n + 2 {
		b.Press(browsertest.Tab)
		b.Eval(`(() => { const e = document.activeElement, s = getComputedStyle(e); visited.add(e);
			if (e !== document.body && e.tagName !== "IFRAME" && s.outlineStyle === "none" && s.boxShadow === "none" && !(e.labels && [...e.labels].some((l) => getComputedStyle(l).outlineStyle !== "none"))) unseen.push(e.outerHTML.slice(0, 120)); })()`)
	}
	if unseen := b.Eval(`unseen.join(" | ")`); unseen != "" {
		b.T.Errorf("%s: the focus is not seen on %s", name, unseen)
	}
	if missed := b.Eval(`stops().filter((e) => !visited.has(e)).map((e) => e.outerHTML.slice(0, 120)).join(" | ")`); missed != "" {
		b.T.Errorf("%s: Tab does not come to %s", name, missed)
	}
	b.T.Logf("%s: %d stops by keyboard", name, n)
}
