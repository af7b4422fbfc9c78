package screens_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/moiety-go/moiety/browser/browsertest"
	"github.com/moiety-go/moiety/internal/api"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/run"
	"github.com/moiety-go/moiety/internal/web/webtest"
)

// TestPage opens the one page as a file, drops patients onto it and holds its
// groups against those of the program; nothing is asked of anybody.
func TestPage(t *testing.T) {
	b := openBrowser(t)
	b.axe = browsertest.Axe(t, "../..")
	path := filepath.Join(t.TempDir(), "moiety.html")
	build := exec.Command("go", "run", "./scripts/page", "-o", path)
	build.Dir = "../.."
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	b.page, b.slow = "file://"+path, 3
	b.Navigate(b.page)
	b.until("the start is shown", `document.querySelector(".drop")`)
	ready := b.Eval("Math.round(performance.now())")
	b.picture("page-start")

	b.Eval(`(() => { window.saved = []; const make = URL.createObjectURL; URL.createObjectURL = (x) => { saved.push(x); return make.call(URL, x); }; })()`)
	b.example(t, info.Size(), ready)
	b.picture("page-groups")
	b.newcomer(t)
	b.click(".tabs a", "Report")
	report, archive := "", ""
	for _, format := range api.ExportFormats() {
		if format == "ldavis" || format == "octis" || format == "omop-cohort" {
			continue // not of patients, and not without dates
		}
		b.Eval("saved = []")
		b.click(fmt.Sprintf("[data-format=%q]", format), "")
		b.until(format+" is saved", "saved.length === 1 && saved[0].size > 100")
		if format == "json" {
			report = b.Eval("saved[0].text()")
		}
		if format == "run" {
			archive = b.Eval(`saved[0].arrayBuffer().then((x) => btoa(Array.from(new Uint8Array(x), (c) => String.fromCharCode(c)).join("")))`)
		}
	}
	head, rows := api.ExamplePatients(1, examplePatients)
	want := programReport(t, webtest.TableText(t, head, rows))
	sameGroups(t, report, want)
	sameGroups(t, openedReport(t, archive), want)

	// Work that is cancelled is gone, and the page goes on.
	b.click("a.brand", "")
	head, rows = api.ExamplePatients(8, 700) // others: what was judged before is not judged again
	b.give("other.csv", webtest.TableText(t, head, rows))
	b.click("#find", "")
	b.click(".actions button", "Cancel")
	b.until("the work is gone", `document.querySelector("main").textContent.includes("cancelled")`)
	b.click("a.brand", "")
	b.until("one analysis and two files are there", `document.querySelectorAll(".items a.name").length === 3`)

	// Texts and answers go the same way.
	head, rows = api.ExampleTexts(7, 300)
	t.Run("texts", func(t *testing.T) { b.texts(t, webtest.TableText(t, head, rows)) })
	head, rows = api.ExampleAnswers(7, 500)
	t.Run("answers", func(t *testing.T) {
		b.T = t
		b.found(t, "answers.csv", webtest.TableText(t, head, rows), 3)
		b.click(".card h3 a", "")
		b.until("a group is chosen", `document.querySelector(".chosen .told")`)
		b.picture("page-answers")
	})
	b.T = t
	b.Quiet("page")
}

// examplePatients are in the example of the page.
const examplePatients = 6000

// Most that the page may take for its example patients.
const (
	pageSeconds = 20 // of computing, on a machine whose cores are shared; ten on one that is idle
	pageMemory  = 400 << 20
)

// example finds the groups of the example patients, from the click on them, and says
// what it took.
func (b *browser) example(t *testing.T, size int64, ready string) {
	t.Helper()
	before, _, err := renderer(b.Profile)
	if err != nil {
		t.Log(err)
	}
	most := 0
	over, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			_, own, _ := renderer(b.Profile)
			most = max(most, own)
			select {
			case <-over:
				return
			case <-time.After(100 * time.Millisecond):
			}
		}
	}()
	b.until("the program is ready", `document.querySelector('[data-example="patients"]')`)
	waited := b.Eval("Math.round(performance.now())")
	b.Eval(`(window.began = performance.now(), document.querySelector('[data-example="patients"]').click())`)
	b.until("what was read is shown", `document.querySelector("#find")`)
	read := b.Eval("Math.round(performance.now() - began)")
	b.Eval(`document.querySelector("#find").click()`)
	b.until("the groups are shown", `document.querySelector(".groups")`)
	took := b.Eval("Math.round(performance.now() - began)")
	close(over)
	<-done
	cpu, _, _ := renderer(b.Profile)
	t.Logf("%d bytes; first screen after %s ms, the program is ready after %s ms; %d example patients: read after %s ms, groups after %s ms, %.1f s of computing (all threads, %.1f before), %d MB of its own at most",
		size, ready, waited, examplePatients, read, took, cpu-before, before, most>>20)
	if err == nil && cpu-before > pageSeconds {
		t.Errorf("the example takes %.1f s of computing, and %d are the most", cpu-before, pageSeconds)
	}
	if most > pageMemory {
		t.Errorf("the page takes %d MB, and %d are the most", most>>20, pageMemory>>20)
	}
}

// newcomer answers the first question of who has never seen the page, from what is
// on the screen: what is most typical of the largest group.
func (b *browser) newcomer(t *testing.T) {
	t.Helper()
	card := `document.querySelector(".card:not([hidden])")`
	share := b.Eval(`Math.max(...[...document.querySelectorAll(".card:not([hidden])")].map((c) => parseFloat(c.innerText.match(/([\d.]+)\s%/)[1]))) - parseFloat(` + card + `.innerText.match(/([\d.]+)\s%/)[1])`)
	if share != "0" {
		t.Errorf("the first card is not of the largest group: %s %% less", share)
	}
	text := b.Eval(card + ".innerText.replaceAll(/\\s+/g, ' ')")
	b.click(".card:not([hidden]) h3 a", "")
	b.until("a group is chosen", `document.querySelector(".chosen .told")`)
	said := b.Eval(`document.querySelector(".chosen .told p").innerText`)
	_, typical, ok := strings.Cut(said, "Typical: ")
	typical, _, _ = strings.Cut(typical, " (")
	if !ok || typical == "" {
		t.Errorf("what is typical of the largest group is not told: %s", said)
	}
	if !strings.Contains(text, " "+typical+" ") {
		t.Errorf("the paragraph calls %q what the card calls otherwise: %s", typical, text)
	}
	t.Logf("the largest group: %.120s; most typical: %s", text, typical)
	b.picture("page-group")
}

// programReport finds the groups of a file as the program does, and exports them.
func programReport(t *testing.T, text string) string {
	t.Helper()
	store, err := api.NewFolder(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	if _, err := store.PutData(ctx, "ward.csv", strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	a := api.New(ctx, store, time.Now)
	defer a.Close(context.WithoutCancel(ctx))
	job, err := a.StartFit(ctx, api.FitRequest{Data: "ward.csv", Settings: api.Settings{Label: []string{"sex", "age"}}})
	for err == nil && !job.State.Over() {
		var changed <-chan struct{}
		if job, changed, err = a.Watch(job.ID); err == nil && !job.State.Over() {
			<-changed
		}
	}
	if err != nil || job.Error != nil {
		t.Fatal(err, job.Error)
	}
	t.Logf("the program takes %.1f s", job.Seconds)
	return reportOf(t, a, job.Run)
}

// openedReport opens the run that the page saved as an archive, as the program does.
func openedReport(t *testing.T, archive string) string {
	t.Helper()
	content, err := base64.StdEncoding.DecodeString(archive)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "saved.zip")
	if err := os.WriteFile(file, content, 0o600); err != nil {
		t.Fatal(err)
	}
	dir, _, err := run.Unpack(file)
	if err != nil {
		t.Fatal(err)
	}
	store, err := api.NewFolder(filepath.Dir(dir))
	if err != nil {
		t.Fatal(err)
	}
	a := api.New(t.Context(), store, time.Now)
	defer a.Close(context.WithoutCancel(t.Context()))
	return reportOf(t, a, filepath.Base(dir))
}

// reportOf returns the report of a run.
func reportOf(t *testing.T, a *api.API, id string) string {
	t.Helper()
	x, err := a.Export(t.Context(), api.ExportRequest{Run: id, Format: "json"})
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	var b strings.Builder
	if err := x.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// sameGroups holds that two reports tell the same groups, with numbers to 1e-4:
// kernels of other processors round in another order.
func sameGroups(t *testing.T, page, program string) {
	t.Helper()
	var a, b struct {
		Groups any `json:"groups"`
		Leaves any `json:"leaves"`
	}
	if err := errors.Join(json.Unmarshal([]byte(page), &a), json.Unmarshal([]byte(program), &b)); err != nil {
		t.Fatal(err)
	}
	n := same(t, "groups", a.Groups, b.Groups) + same(t, "leaves", a.Leaves, b.Leaves)
	if n < 1000 {
		t.Errorf("only %d numbers were compared", n)
	}
	t.Logf("%d numbers of the groups are the program's, to 1e-4", n)
}

// same compares two values of JSON, and counts their numbers.
func same(t *testing.T, where string, a, b any) int {
	t.Helper()
	n := 0
	switch x := a.(type) {
	case map[string]any:
		y, _ := b.(map[string]any)
		if len(x) != len(y) {
			t.Errorf("%s: %d fields, and %d of the program", where, len(x), len(y))
		}
		for k, v := range x {
			n += same(t, where+"."+k, v, y[k])
		}
	case []any:
		y, _ := b.([]any)
		if len(x) != len(y) {
			t.Errorf("%s: %d entries, and %d of the program", where, len(x), len(y))
			return n
		}
		for i, v := range x {
			n += same(t, fmt.Sprintf("%s[%d]", where, i), v, y[i])
		}
	case float64:
		y, ok := b.(float64)
		if !ok || numtest.Off(x, y, 1e-4*max(1, math.Abs(y))) {
			t.Errorf("%s: %v, and %v of the program", where, a, b)
		}
		return 1
	default:
		if a != b {
			t.Errorf("%s: %v, and %v of the program", where, a, b)
		}
	}
	return n
}
