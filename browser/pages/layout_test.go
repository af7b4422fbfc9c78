package pages_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/showtest"
	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/show"
)

// widths are those of phones, tablets and screens.
var widths = []int{320, 390, 768, 1024, 1400, 1920}

// misfits lists what a reader would stumble over at a width: a page wider than
// its window, letters under 11 pixels, figures without words or table.
const misfits = `(() => {
	const out = [], root = document.documentElement;
	if (root.scrollWidth > innerWidth) {
		out.push("the page is " + root.scrollWidth + " wide");
		for (const e of document.querySelectorAll("body *")) {
			const b = e.getBoundingClientRect();
			if (b.right > innerWidth + 1 && b.width > 0 && !e.closest(".scroll, .drawing") && out.length < 4) out.push(e.tagName + "." + e.className + " ends at " + b.right);
		}
	}
	const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	let small = 0;
	while (walk.nextNode()) {
		const e = walk.currentNode.parentElement;
		if (!walk.currentNode.data.trim() || !e.checkVisibility() || e.closest("script, style, title, desc")) continue;
		let size = parseFloat(getComputedStyle(e).fontSize);
		const svg = e.ownerSVGElement;
		if (svg) size *= svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
		if (size < 10.95 && small++ < 3) out.push("letters of " + size.toFixed(1) + " pixels: " + walk.currentNode.data.trim().slice(0, 40));
	}
	for (const f of document.querySelectorAll("figure")) {
		const title = f.querySelector("figcaption strong"), sentence = f.querySelector("figcaption .quiet");
		if (!title || !title.textContent.trim() || !sentence || !sentence.textContent.trim()) out.push(f.id + " has no title or no sentence");
		if (!f.querySelector("table") && !f.textContent.includes("Nothing to draw")) out.push(f.id + " has no table");
		if (f.checkVisibility() && ![...f.querySelectorAll("svg")].some((s) => s.getBoundingClientRect().width > 0)) out.push(f.id + " shows no drawing");
	}
	return out.join("; ");
})()`

// TestPageLayout opens reports of every shape at all widths.
func TestPageLayout(t *testing.T) {
	b := openBrowser(t)
	for name, page := range layoutPages(t) {
		b.Show(name+".html", page)
		for _, open := range []bool{false, true} {
			b.Run(fmt.Sprintf(`document.querySelectorAll("details").forEach((d) => { d.open = %v; })`, open))
			for i, width := range widths {
				b.Theme([]string{"light", "dark"}[(i+map[bool]int{true: 1}[open])%2]) // each width in both themes
				b.Resize(width, 900, 1)
				if got := b.Eval(misfits); got != "" {
					t.Errorf("%s, %d pixels, all open %v: %s", name, width, open, got)
				}
			}
		}
		b.Quiet(name)
	}
}

// layoutPages are reports of every shape, and one of forty groups.
func layoutPages(t *testing.T) map[string][]byte {
	t.Helper()
	out := make(map[string][]byte)
	add := func(name string, r *report.Report, p show.Pages) {
		var b bytes.Buffer
		if err := show.WriteReportHTML(&b, r, p); err != nil {
			t.Fatal(err)
		}
		out[name] = b.Bytes()
	}
	for name, r := range showtest.Cases(t) {
		add(name, r, show.Pages{})
	}
	w, one := showtest.Ward(t, 1, 1500), showtest.Hospital(t, 2, 150)
	wo, oo := showtest.Grown(t, w, fit.TreeShape{Leaves: 5}), showtest.Flat(t, one, 1, "")
	for i := range w.Vocab.Titles { // long words do not break a page
		if i%5 == 0 {
			w.Vocab.Titles[i] = strings.Repeat("Overlong", 12)
		}
	}
	wRec, oRec := recordsOf(wo, w), recordsOf(oo, one)
	add("ward", showtest.Explained(t, wo, w, report.Settings{Health: true, Files: []string{strings.Repeat("file", 30) + ".csv"}}), show.Pages{Records: &wRec})
	add("population", showtest.Explained(t, oo, one, report.Settings{}), show.Pages{Records: &oRec})
	add("forty", showtest.Synthetic(40, 8), show.Pages{})
	add("everything", showtest.Everything(), show.Pages{})
	return out
}

// TestSlider: fewer groups are shown when it moves, and the recommended ones at
// first.
func TestSlider(t *testing.T) {
	b := openBrowser(t)
	b.Show("slider.html", layoutPages(t)["forty"])
	shown := func() string {
		return b.Eval(`[...document.querySelectorAll(".card")].filter((c) => !c.hidden).length`)
	}
	if got := shown(); got != "40" {
		t.Errorf("%s cards at first, want 40", got)
	}
	for _, k := range []string{"2", "7", "40"} {
		b.Run(`(() => { const s = document.getElementById("level"); s.value = ` + k + `; s.dispatchEvent(new Event("input")); })()`)
		if got := shown(); got != k {
			t.Errorf("%s cards, want %s", got, k)
		}
		if got := b.Eval(`document.getElementById("level-said").textContent`); got != k+" shown" {
			t.Errorf("it says %q", got)
		}
	}
	b.Click(".card:not([hidden]) h3 a")
	if got := b.Eval(`document.activeElement.closest("details").open`); got != "true" {
		t.Errorf("a card does not open its group: %s", got)
	}
	b.Quiet("the slider")
}
