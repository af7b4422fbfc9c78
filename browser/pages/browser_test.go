package pages_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/moiety-go/moiety/browser/browsertest"
	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/showtest"
	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/show"
)

// browserTime is the longest a test of pages may take; it takes a few seconds
// on an idle machine.
const browserTime = 4 * time.Minute

var pictures = flag.String("pictures", "", "folder for pictures of the pages, to be looked at")

func openBrowser(t *testing.T) *browsertest.Browser {
	t.Helper()
	return browsertest.Open(t, browsertest.Settings{Width: 1200, Height: 1600, Time: browserTime, Allowed: func(page, address string) bool {
		return strings.HasPrefix(address, "file:") && address == page
	}})
}

// accessible runs axe over the page in light and dark.
func accessible(b *browsertest.Browser, what, axe string) {
	b.T.Helper()
	for _, theme := range []string{"light", "dark"} {
		b.Theme(theme)
		b.Accessible(what+", "+theme, axe)
		if *pictures != "" {
			b.Picture(filepath.Join(*pictures, fmt.Sprintf("page-%s-%s.png", strings.ReplaceAll(what, " ", "-"), theme)))
		}
	}
	b.Theme("light")
}

// demoPages are the pages of the example hospital and of the example corpus.
func demoPages(t *testing.T) map[string][]byte {
	t.Helper()
	out := make(map[string][]byte)
	w, l := showtest.Ward(t, 1, 1500), showtest.Library(t, 1, 200)
	wo, lo := showtest.Grown(t, w, fit.TreeShape{Leaves: 5}), showtest.Flat(t, l, 5, "lda")
	wr, lr := showtest.Explained(t, wo, w, report.Settings{Health: true}), showtest.Explained(t, lo, l, report.Settings{})
	wRec, lRec := recordsOf(wo, w), recordsOf(lo, l)
	write := func(name string, f func(b *bytes.Buffer) error) {
		var b bytes.Buffer
		if err := f(&b); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		out[name] = b.Bytes()
	}
	write("ward.html", func(b *bytes.Buffer) error { return show.WriteReportHTML(b, wr, show.Pages{Records: &wRec}) })
	write("library.html", func(b *bytes.Buffer) error { return show.WriteReportHTML(b, lr, show.Pages{Records: &lRec}) })
	write("ldavis.html", func(b *bytes.Buffer) error { return show.WriteLDAvis(b, lr) })
	return out
}

func recordsOf(o *fit.Outcome, d *dataset.Dataset) show.Records {
	return show.Records{Rows: show.RowsOf(context.Background(), d), Group: o.Group, Probability: o.Probability}
}

func TestPagesInBrowser(t *testing.T) {
	b := openBrowser(t)
	pages := demoPages(t)
	t.Run("report", func(t *testing.T) { reportInBrowser(t, b, branches(t)) })
	t.Run("topics", func(t *testing.T) { topicsInBrowser(t, b, pages["ldavis.html"]) })
	t.Run("accessible", func(t *testing.T) {
		source := browsertest.Axe(t, "../..")
		if source == "" {
			t.Skip("axe-core cannot be had: accessibility is not checked")
		}
		b.T = t
		for _, name := range []string{"ward.html", "library.html", "ldavis.html"} {
			b.Show(name, pages[name])
			accessible(b, strings.TrimSuffix(name, ".html"), source)
			if name == "ldavis.html" {
				b.Click("#next")
				accessible(b, "ldavis chosen", source)
			}
			b.Quiet(name)
		}
		more := layoutPages(t)
		for _, name := range []string{"population", "everything", "walks"} { // with all that folds opened
			b.Show(name+".html", more[name])
			b.Run(`document.querySelectorAll("details").forEach((d) => { d.open = true; })`)
			accessible(b, name, source)
			b.Quiet(name)
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
func reportInBrowser(t *testing.T, b *browsertest.Browser, page []byte) {
	b.T = t
	b.Show("report.html", page)
	b.Quiet("opening the report")
	at := `document.activeElement.dataset.group`
	b.Run(`document.getElementById("all").open = true`)
	b.Focus(`[role="tree"] [tabindex="0"]`)
	press := func(key, want string) {
		t.Helper()
		b.Press(key)
		if got := b.Eval(at); got != want {
			t.Errorf("at %s, want %s", got, want)
		}
	}
	if got := b.Eval(at); got != "1" {
		t.Fatalf("the tree starts at %s, want 1", got)
	}
	press(browsertest.ArrowDown, "1-1")
	press(browsertest.ArrowUp, "1")
	press(browsertest.ArrowRight, "1-1")
	press(browsertest.ArrowLeft, "1-1") // closes it
	if got := b.Eval(`document.activeElement.getAttribute("aria-expanded")`); got != "false" {
		t.Errorf("left did not close the node: %s", got)
	}
	press(browsertest.ArrowDown, "1-2")
	press(browsertest.Home, "1")
	press(browsertest.ArrowDown, "1-1")
	press(browsertest.ArrowRight, "1-1") // opens it
	press(browsertest.ArrowRight, "1-1-1")
	press(browsertest.ArrowLeft, "1-1")
	press(browsertest.ArrowLeft, "1-1") // closes it again
	press("]", "1-1")                   // one level more
	press(browsertest.ArrowDown, "1-1-1")
	press("[", "1-1")   // one level less, the item is hidden
	press("1.2", "1-2") // by typing
	press("*", "1-2")   // opens all beside it
	last := b.Eval(`[...document.querySelectorAll('[role="treeitem"]')].pop().dataset.group`)
	press(browsertest.End, last)
	if got := b.Eval(`document.querySelectorAll('[role="treeitem"][tabindex="0"]').length`); got != "1" {
		t.Errorf("%s tab stops in the tree, want 1", got)
	}
	b.Press(browsertest.Enter)
	if got := b.Eval(`document.activeElement.id`); got != "group-"+last {
		t.Errorf("Enter went to %q, want the section of %s", got, last)
	}
	b.Click("#theme")
	if got := b.Eval(`getComputedStyle(document.body).backgroundColor`); got != "rgb(22, 24, 28)" {
		t.Errorf("the dark page is %s", got)
	}
	b.Quiet("the report")
}

// topicsInBrowser moves the slider and chooses topics.
func topicsInBrowser(t *testing.T, b *browsertest.Browser, page []byte) {
	b.T = t
	b.Show("topics.html", page)
	b.Quiet("opening the page of topics")
	bars := func() string {
		return b.Eval(`[...document.querySelectorAll("#bars g text:first-of-type")].map(e => e.textContent).join()`)
	}
	slide := func(v string) {
		b.Run(`(() => { const s = document.getElementById("lambda"); s.value = ` + v + `; s.dispatchEvent(new Event("input")); })()`)
	}
	salient := bars()
	if n := len(strings.Split(salient, ",")); n != 30 {
		t.Errorf("%d bars, want 30", n)
	}
	b.Focus(`#map .bubble`)
	b.Press(browsertest.ArrowRight, browsertest.Enter)
	if got := b.Eval(`document.getElementById("topic").value`); got != "2" {
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
	if got, want := b.Eval(`document.getElementById("lambda-value").textContent`), "1.00"; got != want {
		t.Errorf("the slider shows %s, want %s", got, want)
	}
	radius := func() string { return b.Eval(`document.querySelector("#map circle").getAttribute("r")`) }
	before := radius()
	b.Run(`(() => { const s = document.getElementById("term"); s.selectedIndex = 1; s.dispatchEvent(new Event("change")); })()`)
	if radius() == before {
		t.Error("choosing a word did not change the circles")
	}
	b.Click("#clear")
	slide("0.6")
	if got := bars(); got != salient {
		t.Errorf("after Clear the bars are %s", got)
	}
	b.Click(`#map .bubble:last-of-type`)
	if got := b.Eval(`document.getElementById("topic").value`); got != "5" {
		t.Errorf("a click chose topic %s, want 5", got)
	}
	b.Quiet("the page of topics")
}

// TestFilesInBrowser opens SVG files, which must be read as pictures: every drawing of a
// report, as tests of show keep them, and charts of figures.
func TestFilesInBrowser(t *testing.T) {
	b := openBrowser(t)
	files, err := filepath.Glob("../../show/testdata/components/*.svg")
	if err != nil || len(files) < 20 {
		t.Fatalf("%d drawings are kept: %v", len(files), err)
	}
	texts := make(map[string][]byte)
	for _, file := range files {
		if texts[filepath.Base(file)], err = os.ReadFile(file); err != nil {
			t.Fatal(err)
		}
	}
	x, y := []float64{2, 3, 4, 6, 8, 12}, []float64{3, 1, .4, .1, .06, .02}
	lines := show.LineChart{ID: "lines", Title: "Time", XLabel: "k", YLabel: "seconds", Series: []show.Series{{Name: "moments", X: x, Y: y}}, At: []show.Reference{{X: 4, Name: "chosen"}}}
	logs := lines
	logs.LogY = true
	bars := show.BarChart{ID: "bars", Title: "Rand index", XLabel: "ARI", Categories: []string{"moments", "k-means"}, Series: []show.Bars{{Name: "all", Value: []float64{.9, .6}, Low: []float64{.8, .5}, High: []float64{.95, .7}}}}
	for name, scene := range map[string]*show.Scene{"lines.svg": lines.Scene(), "logs.svg": logs.Scene(), "bars.svg": bars.Scene()} {
		var text bytes.Buffer
		if err := show.WriteSVG(&text, scene); err != nil {
			t.Fatal(err)
		}
		texts[name] = text.Bytes()
	}
	for name, text := range texts {
		b.Show(name, text)
		if got := b.Eval(`document.documentElement.getAttribute("role")`); got != "img" {
			t.Errorf("%s: role %s", name, got)
		}
		b.Quiet(name)
	}
}
