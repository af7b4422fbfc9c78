package show_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/show"
)

// TestReportHTML writes a report of every shape as a page.
func TestReportHTML(t *testing.T) {
	for name, r := range cases(t) {
		var a, b bytes.Buffer
		if err := show.WriteReportHTML(&a, r, show.Pages{}); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := show.WriteReportHTML(&b, r, show.Pages{}); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(a.Bytes(), b.Bytes()) {
			t.Errorf("%s: two pages of the same report differ", name)
		}
		page := a.String()
		for _, g := range r.Groups {
			if !strings.Contains(page, `id="group-`+strings.ReplaceAll(g.ID, ".", "-")+`"`) {
				t.Errorf("%s: no section for group %s", name, g.ID)
			}
		}
		for _, bad := range []string{"http-src", `src="`, "@import", "ZgotmplZ", "url("} {
			if strings.Contains(page, bad) {
				t.Errorf("%s: the page holds %q", name, bad)
			}
		}
		want := []string{"Glossary", "Methods", strings.Split(r.Summary[0], " form ")[0] + " form ", r.RingWords()}
		for i := range r.Groups { // every group is on the page with its words
			want = append(want, r.Groups[i].Name, r.Groups[i].Text)
		}
		for _, s := range append(want, r.Next...) {
			if !strings.Contains(page, template(s)) {
				t.Errorf("%s: the page lacks %q", name, s)
			}
		}
	}
}

// template escapes a sentence as the page does.
func template(s string) string {
	return strings.NewReplacer("&", "&amp;", "'", "&#39;", `"`, "&#34;", "<", "&lt;", ">", "&gt;", "+", "&#43;").Replace(s)
}

func TestReportHTMLOfHostileNames(t *testing.T) {
	d := hospital(t, 3, 300)
	for i := range d.Vocab.Titles {
		d.Vocab.Titles[i] = hostile[i%len(hostile)]
	}
	o := grown(t, d, fit.TreeShape{Leaves: 3})
	rec := recordsOf(o, d)
	var b bytes.Buffer
	if err := show.WriteReportHTML(&b, explained(t, o, d, report.Settings{}), show.Pages{Title: "<b>T</b>", Records: &rec}); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(b.String(), "<script>alert") || strings.Contains(b.String(), "<b>T</b>") {
		t.Error("a name became an element")
	}
	b.Reset()
	if err := show.WriteLDAvis(&b, explained(t, o, d, report.Settings{})); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(b.String(), "<script>alert") {
		t.Error("a name became an element of the page of topics")
	}
}

func TestReportPDF(t *testing.T) {
	for name, r := range cases(t) {
		var a, b bytes.Buffer
		if err := show.WriteReportPDF(&a, r, show.Pages{}); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		front := 2
		if len(r.Leaves) == 1 { // nothing to list, and here all of it fits on one
			front = 1
		}
		if got, want := bytes.Count(a.Bytes(), []byte("/Type /Page\n")), front+len(r.Leaves); got != want {
			t.Errorf("%s: %d pages, want %d of the whole and one a group: %d", name, got, front, want)
		}
		if testing.Short() {
			continue
		}
		var full bytes.Buffer
		if err := show.WriteReportPDF(&full, r, show.Pages{Full: true}); err != nil {
			t.Fatal(err)
		}
		if got := bytes.Count(full.Bytes(), []byte("/Type /Page\n")); got < 2+len(r.Groups)+1 {
			t.Errorf("%s: %d pages with all nodes, want %d and more", name, got, 2+len(r.Groups)+1)
		}
		if err := show.WriteReportPDF(&b, r, show.Pages{}); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(a.Bytes(), b.Bytes()) || !bytes.HasPrefix(a.Bytes(), []byte("%PDF-")) {
			t.Errorf("%s: no PDF, or two that differ", name)
		}
	}
}

// TestLDAvis checks the field names that others read, and the numbers behind
// them.
func TestLDAvis(t *testing.T) {
	d := corpus(1, 400)
	r := explained(t, flat(t, d, 4, "lda"), d, report.Settings{})
	var b bytes.Buffer
	if err := show.WriteLDAvisJSON(&b, r); err != nil {
		t.Fatal(err)
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(b.Bytes(), &fields); err != nil {
		t.Fatal(err)
	}
	for _, f := range []string{"mdsDat", "tinfo", "token.table", "R", "lambda.step", "plot.opts", "topic.order"} {
		if fields[f] == nil {
			t.Errorf("no field %q", f)
		}
	}
	var v show.LDAvis
	if err := json.Unmarshal(b.Bytes(), &v); err != nil {
		t.Fatal(err)
	}
	k, n := 4, len(v.Tinfo.Term)
	if len(v.MdsDat.X) != k || len(v.MdsDat.Freq) != k || len(v.Tinfo.Category) != n || len(v.Tinfo.Loglift) != n || len(v.Tinfo.Total) != n {
		t.Fatalf("columns of different lengths: %d topics, %d terms", len(v.MdsDat.X), n)
	}
	sum := 0.0
	for _, f := range v.MdsDat.Freq {
		sum += f
	}
	if sum < 99.9 || sum > 100.1 {
		t.Errorf("shares add up to %v per cent", sum)
	}
	// The terms of a topic hold the report's most relevant ones, in its order.
	for j := range k {
		var got []string
		relevance := func(i int) float64 { return r.Lambda*v.Tinfo.Logprob[i] + (1-r.Lambda)*v.Tinfo.Loglift[i] }
		var at []int
		for i, c := range v.Tinfo.Category {
			if c == "Topic"+string(rune('1'+j)) {
				at = append(at, i)
			}
		}
		slices.SortStableFunc(at, func(x, y int) int {
			if relevance(x) > relevance(y) {
				return -1
			}
			return 1
		})
		for _, i := range at[:5] {
			got = append(got, v.Tinfo.Term[i])
		}
		for i, f := range r.Leaf(j).Typical[:5] {
			if got[i] != f.Title {
				t.Errorf("topic %d: terms %v, the report has %q in place %d", j+1, got, f.Title, i+1)
				break
			}
		}
	}
	// Occurrences of a term over the topics are all its occurrences.
	share := make(map[string]float64)
	for i, term := range v.TokenTable.Term {
		share[term] += v.TokenTable.Freq[i]
	}
	for term, s := range share {
		if numtest.Off(s, 1, 1e-3) { // shares are written with four digits
			t.Errorf("%q lies in topics to %v", term, s)
		}
	}
}

// TestLDAvisOfAllShapes makes the page of every kind of report that has
// frequencies.
func TestLDAvisOfAllShapes(t *testing.T) {
	for name, r := range cases(t) {
		v, err := show.NewLDAvis(r)
		if name == "laboratory" {
			if !errors.Is(err, show.ErrNoPicture) {
				t.Errorf("measurements: %v", err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		open := 0 // groups whose sizes may be reported: the others are not drawn
		for _, w := range r.Table.Weights {
			if !w.Masked() {
				open++
			}
		}
		if len(v.MdsDat.Topics) != open || len(v.Tinfo.Term) == 0 {
			t.Errorf("%s: %d topics, %d terms", name, len(v.MdsDat.Topics), len(v.Tinfo.Term))
		}
		if err := show.WriteLDAvis(io.Discard, r); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestPagesKeepSmallNumbers looks for counts of 1 to 10 patients in pages and
// charts of a report that masks them.
func TestPagesKeepSmallNumbers(t *testing.T) {
	said := regexp.MustCompile(`\b([1-9]|10) (patients?|in all)\b|N = ([1-9]|10)\b`)
	for _, seed := range []uint64{2, 3, 4} {
		d := hospital(t, seed, 150)
		o := grown(t, d, fit.TreeShape{Leaves: 4})
		r := explained(t, o, d, report.Settings{Health: true})
		rec := recordsOf(o, d)
		var b bytes.Buffer
		if err := show.WriteReportHTML(&b, r, show.Pages{Records: &rec}); err != nil {
			t.Fatal(err)
		}
		if m := said.FindString(b.String()); m != "" {
			t.Errorf("the page says %q", m)
		}
		for _, p := range scenes(t, "small", r, rec) {
			for c, head := range p.scene.Table.Head {
				if head != "n" {
					continue
				}
				for _, row := range p.scene.Table.Rows {
					n, err := strconv.Atoi(strings.ReplaceAll(row[c], ",", ""))
					if err == nil && n > 0 && n < 11 {
						t.Errorf("%s: %d %s", p.name, n, row[0])
					}
				}
			}
		}
	}
}

// TestLDAvisKeepsSmallNumbers finds no count of 1 to 10 records.
func TestLDAvisKeepsSmallNumbers(t *testing.T) {
	d := hospital(t, 2, 150)
	r := explained(t, flat(t, d, 3, ""), d, report.Settings{Health: true})
	v, err := show.NewLDAvis(r)
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range v.Tinfo.Freq {
		if f > 0 && f < 11 {
			t.Errorf("%s in %s: %v records", v.Tinfo.Term[i], v.Tinfo.Category[i], f)
		}
	}
}

// TestWritePages writes the pages to be looked at, when asked to.
func TestWritePages(t *testing.T) {
	if *pictures == "" {
		t.Skip("no -pictures folder: pages are written only to be looked at")
	}
	for name, p := range demoPages(t) {
		if err := os.WriteFile(filepath.Join(*pictures, name), p, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// demoPages are the pages of the two example data sets.
func demoPages(t *testing.T) map[string][]byte {
	t.Helper()
	out := make(map[string][]byte)
	w, l := ward(t, 1, 1500), library(t, 1, 200)
	wo, lo := grown(t, w, fit.TreeShape{Leaves: 5}), flat(t, l, 5, "lda")
	wr, lr := explained(t, wo, w, report.Settings{Health: true}), explained(t, lo, l, report.Settings{})
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
	write("ward.pdf", func(b *bytes.Buffer) error { return show.WriteReportPDF(b, wr, show.Pages{Records: &wRec}) })
	return out
}
