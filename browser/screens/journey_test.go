package screens_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/browser/browsertest"
	"github.com/moiety-go/moiety/internal/api"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/internal/study"
	"github.com/moiety-go/moiety/internal/web"
	"github.com/moiety-go/moiety/internal/web/webtest"
)

// TestJourney walks the whole way for patients, texts and answers: drop a file,
// look at what was read, find groups, walk the tree by keyboard, change the level,
// rename, score, compare, export; then the server starts anew and everything is
// found again.
func TestJourney(t *testing.T) {
	b := openBrowser(t)
	b.axe = browsertest.Axe(t, "../..")
	dir := t.TempDir()
	s, addr, stop := webtest.Serve(t, dir, web.Options{})
	b.Navigate(s.URL(addr, "/"))
	b.until("the start is shown", `document.querySelector(".drop")`)
	if q := b.Eval("location.search"); q != "" {
		t.Errorf("the key stays in the address: %s", q)
	}
	b.until("the lists are there", `document.querySelector("[data-example]")`)
	b.picture("start")
	b.walk("start")

	give := func(head []string, rows [][]string) string { return webtest.TableText(t, head, rows) }
	t.Run("patients", func(t *testing.T) { b.patients(t, give(api.ExamplePatients(7, 1500))) })
	t.Run("texts", func(t *testing.T) { b.texts(t, give(api.ExampleTexts(7, 400))) })
	t.Run("answers", func(t *testing.T) { b.answers(t, give(api.ExampleAnswers(7, 800))) })
	t.Run("repairs", func(t *testing.T) { b.repairs(t) })
	t.Run("sequences", func(t *testing.T) { b.sequences(t) })
	t.Run("studies", func(t *testing.T) { b.studies(t, dir) })
	b.T = t

	for _, page := range []string{"/settings", "/help"} {
		b.Navigate("http://" + addr.String() + page)
		b.until(page, `document.querySelector("main h1")`)
		b.picture(page[1:])
	}
	b.spanish()

	stop() // another day
	s, addr, _ = webtest.Serve(t, dir, web.Options{})
	b.Navigate(s.URL(addr, "/"))
	b.click("a.name", "ward")
	b.until("the run is found again", `document.querySelector(".groups")`)
	b.until("its name stays", `document.querySelector(".groups").textContent.includes("Hearts of Monday")`)
	b.Quiet("another day")
	t.Logf("%d screens looked at from 320 to 1400 pixels, axe run %d times", b.looked, b.checked)
}

// found finds groups of a file that was given.
func (b *browser) found(t *testing.T, name, text string, size int) {
	t.Helper()
	b.Eval(`document.querySelector("a.brand").click()`)
	b.give(name, text)
	b.until("what was read is shown", `document.querySelector("#find")`)
	b.picture("read-" + strings.TrimSuffix(name, ".csv"))
	b.find(t, size)
}

// find finds groups of what was read; a size of 0 leaves their number to the data.
func (b *browser) find(t *testing.T, size int) {
	t.Helper()
	b.until("what was read is shown", `document.querySelector("#find")`)
	b.Eval(fmt.Sprintf(`(() => { document.querySelector(".go details").open = true; document.querySelector("#size").value = "%d"; })()`, size))
	if size == 0 {
		b.Eval(`document.querySelector("#size").value = ""`)
	}
	b.Eval(`document.querySelector("#find").click()`)
	b.until("the work is shown", `location.pathname.startsWith("/jobs/") || document.querySelector(".groups")`)
	if size == 0 {
		b.until("steps are told", `document.querySelector(".steps li") || document.querySelector(".groups")`)
		b.picture("running")
	}
	b.until("the groups are shown", `document.querySelector(".groups")`)
}

func (b *browser) patients(t *testing.T, text string) {
	b.T = t
	b.found(t, "ward.csv", text, 0)
	b.picture("groups")
	if b.Eval(`document.querySelector('.treepane [role="tree"]') ? "yes" : ""`) != "yes" {
		t.Fatal("there is no tree")
	}
	// By keyboard alone: into the tree, down, and choose.
	b.Eval(`document.querySelector('[role="treeitem"][tabindex="0"]').focus()`)
	b.Press(browsertest.ArrowDown, browsertest.ArrowDown, browsertest.ArrowUp, browsertest.End, browsertest.Home, browsertest.ArrowDown, browsertest.Enter)
	b.until("a group is chosen", `document.querySelector(".chosen .told")`)
	b.until("the focus is on it", `document.activeElement.id === "chosen"`)
	group := b.Eval(`document.querySelector(".chosen").dataset.group`)
	if !strings.Contains(b.Eval("location.search"), "group="+group) {
		t.Errorf("the address does not say which group is chosen: %s", b.Eval("location.search"))
	}
	b.picture("group")
	b.walk("group")

	took := b.Eval(`(async () => { const t = performance.now(); document.querySelector(".chosen .back button").click(); document.querySelector(".card:not([hidden]) h3 a").click(); while (!document.querySelector(".chosen .told")) await new Promise(requestAnimationFrame); return Math.round(performance.now() - t); })()`)
	paint := b.Eval(`Math.round(performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? -1)`)
	t.Logf("first paint after %s ms, a click on a group answered in %s ms", paint, took)

	// Fewer and more.
	b.Eval(`(() => { const s = document.querySelector("#level"); s.value = 2; s.dispatchEvent(new Event("input", { bubbles: true })); })()`)
	if !strings.Contains(b.Eval("location.search"), "level=2") {
		t.Error("the address does not say the level")
	}
	b.click(".chosen .back button", "")
	b.until("two cards are shown", `document.querySelectorAll(".card:not([hidden])").length === 2`)
	b.Eval("history.back()")
	b.until("back leads back", `document.querySelector(".chosen")`)

	// Rename and note.
	b.click(".chosen .actions button", "Rename")
	b.Eval(`(() => { const f = document.querySelector("#edit"); f.value = "Hearts of Monday"; f.form.requestSubmit(); })()`)
	b.until("the new name is shown", `document.querySelector("#chosen")?.textContent.includes("Hearts of Monday")`)
	b.click(".chosen .actions button", "Note")
	b.Eval(`(() => { const f = document.querySelector("#edit"); f.value = "ask Dr. <b>Who</b>"; f.form.requestSubmit(); })()`)
	b.until("the note is shown as it was written", `document.querySelector(".note")?.textContent.includes("ask Dr. <b>Who</b>")`)
	b.click(".chosen .actions button", "Pin")
	b.until("it is pinned", `document.querySelector('.chosen [aria-pressed="true"]')`)

	b.click("#undo", "")
	b.until("the pin is taken back", `document.querySelector('.chosen [aria-pressed="false"]')`)

	b.click(".chosen a", "Compare with the nearest")
	b.until("two groups are drawn", `document.querySelector("main figure svg")`)
	b.picture("compare")
	b.click(".tabs a", "Who is in it")
	b.until("single records are not shown", `document.querySelector("main").textContent.includes("only when you ask")`)
	b.click("main button", "Show single records")
	b.until("records are shown", `document.querySelectorAll(".members tbody tr").length > 10`)
	b.picture("members")
	b.click(".tabs a", "New records")
	b.until("there is a place for a new file", `document.querySelector("#earlier")`)
	b.Eval(`(() => { const s = document.querySelector("#earlier"); s.value = "ward.csv"; s.dispatchEvent(new Event("change")); })()`)
	b.until("records are placed", `document.querySelector(".scored tbody tr")`)
	b.picture("score")
	b.click(".tabs a", "Report")
	b.until("the exports are there", `document.querySelector('[data-format="pdf"]')`)
	b.picture("report")
	for _, format := range api.ExportFormats() {
		got := b.Eval(fmt.Sprintf(`(async () => { const a = document.querySelector('[data-format=%q]'); if (!a) return "no link"; const r = await fetch(a.href); const x = await r.blob(); return r.status + " " + (x.size > 100); })()`, format))
		offered := format != "ldavis" && format != "octis" && format != "omop-cohort" // these are no texts, and have no dates
		if want := map[bool]string{true: "200 true", false: "no link"}[offered]; got != want {
			t.Errorf("export of %s: %s, want %s", format, got, want)
		}
	}
}

func (b *browser) texts(t *testing.T, text string) {
	b.T = t
	b.Eval(`document.querySelector("a.brand").click()`)
	b.give("texts.csv", text)
	b.click(`[data-repair="time"] button`, "by year")
	b.until("the offer is taken", `decodeURIComponent(location.href).includes('"time":"year"') && document.querySelector("#time")?.value === "year"`)
	b.find(t, 6)
	b.picture("topics")
	b.click(".tabs a", "Topics")
	b.until("documents are listed", `document.querySelector(".item.text mark")`)
	b.Eval(`(() => { const f = document.querySelector("#word"); f.value = "orchestra"; f.dispatchEvent(new Event("input")); })()`)
	b.until("a word is found", `document.querySelector("main").textContent.includes("orchestra")`)
	const first = "#over .trends > :first-child " // the others may be drawn before it
	b.until("topics are drawn over time", `document.querySelector("`+first+`figure svg")`)
	if got := b.Eval(`document.querySelector("` + first + `figcaption").textContent`); !strings.Contains(got, "year") {
		t.Errorf("topics over time: %s", got)
	}
	b.picture("texts")
}

func (b *browser) answers(t *testing.T, text string) {
	b.T = t
	b.found(t, "answers.csv", text, 3)
	b.picture("answers")
	b.Eval(`document.querySelector(".card h3 a").click()`)
	b.until("a group is chosen", `document.querySelector(".chosen .told")`)
	b.picture("answers-group")
	b.MayRefuse("/api/runs/answers/compare") // runs of other kinds cannot be compared
	b.click(".tabs a", "Compare")
	b.until("another run is offered", `document.querySelector("#with")`)
	b.Eval(`(() => { const s = document.querySelector("#with"); s.value = "ward"; s.dispatchEvent(new Event("change")); })()`)
	b.until("two runs are compared", `[...document.querySelectorAll("main section")][1].querySelectorAll("p").length > 2`)
}

// repairs gives a file in which everybody has one diagnosis, mends that by one click,
// and sets the groups of both runs beside each other.
func (b *browser) repairs(t *testing.T) {
	b.T = t
	head, rows := api.ExamplePatients(7, 600)
	for i := range rows {
		rows[i] = append(rows[i], "Z99.2")
	}
	b.Eval(`document.querySelector("a.brand").click()`)
	b.give("dialysis.csv", webtest.TableText(t, append(head, "dx0"), rows))
	b.click(`[data-repair="exclude"] button`, "Z99")
	b.until("it is left out", `decodeURIComponent(location.href).includes('"exclude":["Z99')`)
	b.until("it is read anew without it", `document.querySelector("#find") && !document.querySelector('[data-repair="exclude"]')`)
	b.picture("repaired")
	b.find(t, 3)
	b.click(".tabs a", "Compare")
	b.until("another run is offered", `document.querySelector("#with")`)
	b.Eval(`(() => { const s = document.querySelector("#with"); s.value = "ward"; s.dispatchEvent(new Event("change")); })()`)
	b.until("two runs are set beside each other", `[...document.querySelectorAll("main table caption")].some((e) => e.textContent.includes("Groups that belong together"))`)
	if said := b.Eval(`document.querySelector("main").innerText`); !strings.Contains(said, "agreement (1: the same groups") {
		t.Errorf("two runs over patients of the same names are compared without an agreement: %.400s", said)
	}
	if rows := b.Eval(`[...document.querySelectorAll(".pairs tbody tr")].filter((r) => /\d/.test(r.cells[1].innerText) && r.cells[4].innerText !== "").length`); rows != "3" && rows != "2" && rows != "1" {
		t.Errorf("%s groups that belong together are told with their numbers", rows)
	}
	if both := b.Eval(`(async () => { const c = await (await fetch("/api/runs/dialysis/compare?with=ward")).json(); return c.pairs.every((p, i) => { const cell = document.querySelectorAll(".pairs tbody tr")[i].cells[4].innerText; return p.both === null ? !/\d/.test(cell) : cell === new Intl.NumberFormat("en").format(p.both); }) && c.alone_b.every((x) => document.querySelector("main").innerText.includes(x.group.name)); })()`); both != "true" {
		t.Error("how many are in both, or who is alone, is not what the comparison says")
	}
	b.picture("compare-runs")
}

// sequences gives people who pass through states in one of two ways.
func (b *browser) sequences(t *testing.T) {
	b.T = t
	head, rows := walks(240)
	b.Eval(`document.querySelector("a.brand").click()`)
	b.give("walks.csv", webtest.TableText(t, head, rows))
	b.until("sequences are understood", `document.querySelector("#courses")`)
	b.picture("read-walks")
	b.Eval(`document.querySelector("#courses").value = "2"`)
	b.find(t, 3)
	b.picture("states")
	b.click(".tabs a", "Courses")
	b.until("states over time are drawn", `document.querySelectorAll("main figure svg").length >= 2`)
	b.until("two kinds of courses are told", `document.querySelectorAll("[data-course]").length === 2`)
	b.picture("courses")
}

// studies begins a study in the workspace and looks at it.
func (b *browser) studies(t *testing.T, dir string) {
	b.T = t
	p, err := study.NewPaper("lungs", 3, false, []byte("{}"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := study.New(filepath.Join(dir, "lungs"), p); err != nil {
		t.Fatal(err)
	}
	webtest.Studied(t, dir)
	b.Eval(`document.querySelector("a.brand").click()`)
	b.click("main a.name", "Studies in this folder: 5")
	b.until("the study that begins is told", `[...document.querySelectorAll(".study")].some((e) => e.textContent.includes("0 of 3 sites have joined"))`)
	b.until("the study that is over is told", `[...document.querySelectorAll(".study")].some((e) => e.textContent.includes("rounds are done, and no site has sent anything since"))`)
	b.until("what has left a site is told", `document.querySelectorAll(".study table tbody tr").length > 10`)
	b.picture("studies")
}

// walks are people who pass through states in one of two ways.
func walks(n int) (head []string, rows [][]string) {
	r := stream.New(5, "walks")
	head = []string{"person"}
	for step := range 12 {
		head = append(head, fmt.Sprintf("s%d", step+1))
	}
	for i := range n {
		row, at := []string{fmt.Sprintf("P%d", i+1)}, r.IntN(3)
		for range 12 {
			if stays := []float64{.9, .25}[i%2]; r.Float64() > stays {
				at = (at + 1 + r.IntN(2)) % 3
			}
			seen := at
			if r.Float64() < .05 {
				seen = r.IntN(3)
			}
			row = append(row, []string{"home", "ward", "clinic"}[seen])
		}
		rows = append(rows, row)
	}
	return head, rows
}

// spanish changes the language and back.
func (b *browser) spanish() {
	b.T.Helper()
	b.Eval(`localStorage.setItem("language", "es")`)
	b.Navigate(b.Eval(`location.origin`) + "/")
	b.until("the start is in Spanish", `document.documentElement.lang === "es" && document.querySelector(".dropline")`)
	b.picture("spanish")
	b.click("a.name", "answers")
	b.until("the groups are told in Spanish", `document.querySelector(".card .quiet")?.textContent.includes(" de ")`)
	b.click(".card h3 a", "")
	b.until("a group is told in Spanish", `/(Típico|Raro aquí|Nada)/.test(document.querySelector(".chosen .told p")?.textContent)`)
	b.picture("spanish-group")
	b.Eval(`localStorage.removeItem("language")`)
}
