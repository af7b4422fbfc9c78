package screens_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/api"
	"github.com/moiety-go/moiety/internal/codes"
	"github.com/moiety-go/moiety/internal/web"
	"github.com/moiety-go/moiety/internal/web/webtest"
)

// spoken are all texts of a screen, to the eye and aloud, behind folds too; of the map of
// topics also what its script writes.
const spoken = `(async () => {
	const out = new Set(), add = (s) => { s = (s || "").replace(/\s+/g, " ").trim(); if (/\p{L}{3}/u.test(s)) out.add(s); };
	const walk = (root) => {
		const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
		for (let n = texts.nextNode(); n; n = texts.nextNode()) if (!n.parentElement.closest("script, style, noscript, pre, code")) add(n.textContent);
		for (const e of root.querySelectorAll("[aria-label], [title], [placeholder], [alt]")) for (const a of ["aria-label", "title", "placeholder", "alt"]) add(e.getAttribute(a));
	};
	walk(document.body);
	add(document.title);
	const frame = document.querySelector("iframe.map");
	if (frame) {
		const page = new DOMParser().parseFromString((await (await fetch(frame.src)).text()).replace(/<style>.*?<\/style>/s, ""), "text/html");
		walk(page.body);
		Object.values(JSON.parse(page.getElementById("labels").textContent).said).forEach(add);
	}
	return JSON.stringify([...out]);
})()`

var (
	ofCounts = regexp.MustCompile(`^[EVev]?\d{2,3} |[\d.]+\d:?( %)?|\b\d\b| – moiety$|^[A-Z]: |[()]|sent/\d+\.mom|^/.*|^[0-9a-f]{40,}$|×`)
	ofNames  = regexp.MustCompile(`, ?| · |; | › | \(`)
)

// ofData says whether a text is made of names of data alone: titles of codes, words, columns,
// files, formats and languages.
func ofData(text string, names map[string]bool) bool {
	for _, part := range ofNames.Split(strings.ToLower(text), -1) {
		part = ofCounts.ReplaceAllString(part, "")
		part = strings.TrimSpace(part)
		if names[part] || strings.HasSuffix(part, "…") { // cut off
			continue
		}
		if slices.ContainsFunc(strings.FieldsFunc(part, func(r rune) bool { return r == ' ' || r == '=' || r == ':' }), func(w string) bool { return len(w) > 2 && !names[w] }) {
			return false
		}
	}
	return true
}

// TestScreensInSpanish goes over the screens in English and in Spanish: whatever is said is
// said otherwise, text by text, unless it is of the data.
func TestScreensInSpanish(t *testing.T) {
	b := openBrowser(t)
	dir := t.TempDir()
	s, addr, _ := webtest.Serve(t, dir, web.Options{Token: webtest.Key})
	c := webtest.NewClient(t, addr.String())
	names := make(map[string]bool)
	for _, w := range strings.Fields("moiety csv svg png pdf html json npz numpy zip graphviz octis omop english español (sin revisar) total holm control devel csv: excel parquet " +
		"again ward texts walks ward.csv again.csv english: español sin revisar north-run hearts lungs north south west patients.csv texts.csv walks.csv") {
		names[w] = true
	}
	give := func(name, settings string, head []string, rows [][]string) {
		text := webtest.TableText(t, head, rows)
		for _, w := range regexp.MustCompile(`[\p{L}\d_=.-]+`).FindAllString(strings.ToLower(text), -1) {
			names[w] = true
			if code, ok := codes.Roll(codes.ICD9, codes.Normalize(strings.ToUpper(w)), codes.Three); ok {
				title := codes.Title(codes.ICD9, code, codes.Three)
				for _, said := range []string{title, codes.Short(title)} {
					for _, part := range ofNames.Split(strings.ToLower(said), -1) {
						names[strings.TrimSpace(ofCounts.ReplaceAllString(part, ""))] = true
					}
					for _, line := range strings.Fields(strings.ToLower(codes.Short(title))) { // words of a drawing stand in lines
						names[strings.Trim(line, ",")] = names[strings.Trim(line, ",")] || len(line) > 5
					}
				}
			}
		}
		if status, said := c.Send("PUT", "/api/data?name="+name+".csv", strings.NewReader(text)); status >= 300 {
			t.Fatal(said)
		}
		c.Fit(fmt.Sprintf(`{"data":"%s.csv","settings":%s}`, name, settings))
	}
	head, rows := api.ExamplePatients(7, 500)
	give("ward", `{"label":["sex","age"],"leaves":4}`, head, rows)
	give("again", `{"label":["sex","age"],"leaves":3}`, head, rows[:400])
	head, rows = api.ExampleTexts(7, 300)
	give("texts", `{"text":"text","time":"year","label":["theme"],"groups":3}`, head, rows)
	head, rows = walks(120)
	give("walks", `{"groups":3,"courses":2}`, head, rows)
	webtest.Studied(t, dir)
	if status, said := c.Send("POST", "/api/runs/ward/groups/1.1", strings.NewReader(`{"kind":"note","text":"ward"}`)); status >= 300 {
		t.Fatal(said)
	}

	screens := [][2]string{ // and what shows that one is there
		{"/", `document.querySelector(".begun h2")`},
		{"/data/ward.csv", `document.querySelector("#find")`},
		{"/data/texts.csv", `document.querySelector("#find")`},
		{"/runs/ward", `document.querySelector(".card")`},
		{"/runs/ward?group=1.1", `document.querySelector(".chosen .told")`},
		{"/runs/ward/compare?a=1.1&b=1.2&with=again", `document.querySelector("main figure svg") && document.querySelector(".pairs")`},
		{"/runs/ward/compare?a=1.1&b=1.2&with=texts", `document.querySelector("main figure svg") && document.querySelector("main .alert")`},
		{"/runs/ward/members?group=1.1", `document.querySelector("main .panel button")`},
		{"/runs/ward/members?group=1.1&show=true", `document.querySelector(".members tbody tr")`},
		{"/runs/ward/score?data=again.csv", `document.querySelector(".scored tbody tr")`},
		{"/runs/ward/report", `document.querySelector('[data-format="pdf"]')`},
		{"/runs/texts", `document.querySelector(".card")`},
		{"/runs/texts/texts", `document.querySelector(".item.text mark") && document.querySelector("#over figure svg")`},
		{"/runs/walks/courses", `document.querySelectorAll("main figure svg").length >= 2`},
		{"/studies", `document.querySelector(".study table")`},
		{"/settings", `document.querySelector("main fieldset")`},
		{"/help", `document.querySelector("main kbd")`},
		{"/nowhere", `document.querySelector("main h1") && !document.querySelector("main .loading")`},
	}
	b.MayRefuse("with=texts") // runs of other kinds cannot be compared
	said := [2][]map[string]bool{}
	for i, language := range []string{"en", "es"} {
		b.Navigate(s.URL(addr, "/"))
		b.Eval(fmt.Sprintf(`localStorage.setItem("language", %q)`, language))
		b.Navigate(s.URL(addr, "/"))
		b.until("the language is "+language, `document.documentElement.lang === "`+language+`" && document.querySelector(".begun h2")`)
		for _, x := range screens {
			b.Eval(`import("/assets/ui.js").then((m) => m.go(` + strconv.Quote(x[0]) + `))`)
			b.until(x[0]+" is shown in "+language, x[1])
			b.until("nothing is awaited", `![...document.querySelectorAll("main p")].some((p) => ["Loading…", "Cargando…"].includes(p.textContent.trim())) && !document.querySelector("main [aria-busy=true]")`)
			var texts []string
			if err := json.Unmarshal([]byte(b.Eval(spoken)), &texts); err != nil {
				t.Fatal(err)
			}
			all := make(map[string]bool)
			for _, text := range texts {
				all[text] = true
			}
			said[i] = append(said[i], all)
		}
	}
	if !strings.Contains(b.Eval(`document.querySelector("#foot").textContent`), "sin revisar") {
		t.Error("a translation that nobody reviewed does not say so")
	}
	compared := 0
	for k, x := range screens {
		for text := range said[1][k] {
			compared++
			if said[0][k][text] && !ofData(text, names) {
				t.Errorf("%s: %q", x[0], text)
			}
		}
	}
	b.Quiet("screens in Spanish")
	t.Logf("%d texts of %d screens in Spanish", compared, len(screens))
}
