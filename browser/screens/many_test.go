package screens_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/api"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/web"
	"github.com/moiety-go/moiety/internal/web/webtest"
)

// TestManyRecordsOnScreen measures how long a person waits before the tree of half a
// million records: for the first paint, and for every group that is clicked the first time.
func TestManyRecordsOnScreen(t *testing.T) {
	n := numtest.Scale(0, 0, 500000)
	if n == 0 {
		t.Skip("half a million records take minutes: MOIETY_LONG=1 runs it")
	}
	b := openBrowser(t)
	dir := t.TempDir()
	s, addr, _ := webtest.Serve(t, dir, web.Options{Token: webtest.Key})
	c := webtest.NewClient(t, addr.String())
	head, rows := api.ExamplePatients(1, n)
	var text bytes.Buffer
	if err := csv.NewWriter(&text).WriteAll(append([][]string{head}, rows...)); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d records, %d MB", n, text.Len()>>20)
	if status, answer := c.Send("PUT", "/api/data?name=many.csv", &text); status != 200 {
		t.Fatal(answer)
	}
	c.Fit(`{"data": "many.csv", "settings": {"label": ["sex", "age"], "leaves": 12}, "name": "many"}`)
	info, err := os.Stat(filepath.Join(dir, "many", "manifest.json"))
	if err != nil || info.Size() == 0 {
		t.Fatal(err)
	}

	b.Navigate(s.URL(addr, "/runs/many"))
	b.until("the groups are shown", `document.querySelector(".treepane [role=treeitem]")`)
	paint, _ := strconv.Atoi(b.Eval(`Math.round(performance.getEntriesByName("first-contentful-paint")[0].startTime)`))
	shown, _ := strconv.Atoi(b.Eval(`Math.round(performance.now())`))
	received := b.Eval(`Math.round(performance.getEntriesByType("resource").reduce((n, r) => n + r.encodedBodySize, 0) / 1000)`)
	ids := strings.Fields(b.Eval(`[...document.querySelectorAll("[role=treeitem]")].map((e) => e.dataset.group).join(" ")`))
	t.Logf("first paint after %d ms, at most %d ms until the tree is there, %s kB received, %d groups", paint, shown, received, len(ids))
	server := used()
	shows, _, _ := renderer(b.Profile)
	var took []int
	for i := range ids {
		ms, err := strconv.Atoi(b.Eval(fmt.Sprintf(`(async () => {
			const item = document.querySelectorAll("[role=treeitem]")[%d], before = document.querySelector(".chosen")?.dataset.group;
			const t = performance.now();
			item.click();
			while (!document.querySelector(".chosen .told") || document.querySelector(".chosen").dataset.group === before) {
				if (performance.now() - t > 5000) return -1;
				await new Promise(requestAnimationFrame);
			}
			return Math.round(performance.now() - t);
		})()`, i)))
		if err != nil || ms < 0 {
			t.Errorf("group %d was not shown: %d, %v", i, ms, err)
			continue
		}
		took = append(took, ms)
	}
	after, _, _ := renderer(b.Profile)
	t.Logf("computing of a click: %.1f ms by the server (with this test), %.1f ms by the page", 1000*(used()-server)/float64(len(ids)), 1000*(after-shows)/float64(len(ids)))
	slices.Sort(took)
	if len(took) == 0 {
		t.Fatal("no group was clicked")
	}
	t.Logf("%d clicks on groups: median %d ms, longest %d ms: %v", len(took), took[len(took)/2], took[len(took)-1], took)
	// A busy machine may be late now and then; the median is held to what is promised.
	if paint > 1000 || took[len(took)/2] > 100 || took[len(took)-1] > 1000 {
		t.Errorf("first paint after %d ms (1000 are the most), clicks %v ms (100 are the most)", paint, took)
	}
}
