package api_test

import (
	"html"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/api"
	"github.com/moiety-go/moiety/internal/numtest"
)

var (
	tagOf   = regexp.MustCompile(`(?s)<style.*?</style>|<script.*?</script>|<[^>]*>`)
	aloud   = regexp.MustCompile(`(?:aria-label|title|alt)="([^"]+)"`)
	letters = regexp.MustCompile(`\p{L}{3,}`)
	hash    = regexp.MustCompile(`^[0-9a-f]{40,}$|^moiety v|\.csv|^[EV]?\d{2,3} [A-Z]`) // and titles of codes
)

// texts are what a piece of a page says, to the eye and aloud.
func texts(page string) map[string]bool {
	out := make(map[string]bool)
	add := func(s string) {
		if s = strings.TrimSpace(html.UnescapeString(s)); letters.MatchString(s) && !hash.MatchString(s) {
			out[s] = true
		}
	}
	for _, m := range aloud.FindAllStringSubmatch(page, -1) {
		add(m[1])
	}
	for _, s := range strings.Split(tagOf.ReplaceAllString(page, "\x00"), "\x00") {
		add(s)
	}
	return out
}

// alike are words of both languages, signs and names of formats.
var alike = strings.Fields("csv svg png json moiety holm pearson welch total control devel short")

// TestNoEnglishOnSpanishScreens: whatever groups are reported in Spanish, text by text, is not
// what is said in English, unless it is made of words of the data.
func TestNoEnglishOnSpanishScreens(t *testing.T) {
	numtest.NotShort(t)
	a, f, _ := workbench(t)
	for _, kind := range []string{"patients", "answers", "texts", "walks", "measurements"} {
		var head []string
		var rows [][]string
		var s api.Settings
		switch kind {
		case "patients":
			head, rows = api.ExamplePatients(3, 500)
			s = api.Settings{Label: []string{"sex", "age"}, Leaves: 4}
		case "answers":
			head, rows = api.ExampleAnswers(3, 400)
			s = api.Settings{ID: "person", Label: []string{"age", "region"}}
		case "texts":
			head, rows = api.ExampleTexts(3, 300)
			s = api.Settings{Text: "text", Time: "year", Label: []string{"theme"}, Groups: 3}
		case "walks":
			head, rows = made(kind, 120)
			s = api.Settings{Groups: 3, Courses: 2}
		default:
			head, rows = made(kind, 200)
			s = api.Settings{Groups: 3}
		}
		data := put(t, f, kind+".csv", head, rows)
		j, err := a.StartFit(t.Context(), api.FitRequest{Data: data, Settings: s})
		if j = wait(t, a, j, err); j.State != api.Done {
			t.Fatal(kind, j.Error)
		}
		known := make(map[string]bool)
		learn := func(text string) {
			for _, w := range letters.FindAllString(strings.ToLower(text), -1) {
				known[w] = true
			}
		}
		for _, row := range append(rows, head, alike) {
			learn(strings.Join(row, " "))
		}
		said := [2]map[string]bool{}
		for i, language := range []string{"en", "es"} {
			g, err := a.Groups(t.Context(), api.RunRequest{Run: j.Run, Language: language})
			if err != nil {
				t.Fatal(err)
			}
			var page strings.Builder
			for _, part := range g.HTML {
				page.WriteString(part)
			}
			for _, x := range g.Report.Groups {
				one, err := a.Group(t.Context(), api.GroupRequest{Run: j.Run, Group: x.ID, Language: language})
				if err != nil {
					t.Fatal(err)
				}
				page.WriteString(one.HTML)
				for _, f := range slices.Concat(x.Typical, x.Frequent, x.Rare) {
					learn(f.Name + " " + f.Title + " " + f.Short)
				}
				if language == "en" && strings.HasPrefix(kind, "patients") {
					learn(regexp.MustCompile(`(?i)\b(no|rarely|all|group) `).ReplaceAllString(x.Name, ""))
				}
			}
			if n := len(g.Report.Groups); n > 2 {
				b, err := a.Beside(t.Context(), api.BesideRequest{Run: j.Run, A: g.Report.Groups[n-1].ID, B: g.Report.Groups[n-2].ID, Language: language})
				if err != nil {
					t.Fatal(err)
				}
				page.WriteString(b.HTML)
			}
			for _, w := range g.Report.Warnings { // with their remedies
				page.WriteString("<p>" + html.EscapeString(w.Text) + "</p><p>" + html.EscapeString(w.Remedy) + "</p>")
			}
			for _, text := range readTexts(t, a, data, s, language) {
				page.WriteString("<p>" + html.EscapeString(text) + "</p>")
			}
			said[i] = texts(page.String())
		}
		left := 0
		for text := range said[1] {
			bare := strings.TrimSuffix(text, "…")
			if !said[0][text] || bare != text || !slices.ContainsFunc(letters.FindAllString(strings.ToLower(bare), -1), func(w string) bool { return !known[w] }) {
				continue // said otherwise, cut off, or of the data
			}
			left++
			t.Errorf("%s: %q", kind, text)
		}
		if len(said[1]) < 50 {
			t.Errorf("%s: only %d texts were looked at", kind, len(said[1]))
		}
		t.Logf("%s: %d texts in Spanish, %d as in English", kind, len(said[1]), left)
	}
}

// readTexts are the sentences of what was read and of the light, as a screen has them said.
func readTexts(t *testing.T, a *api.API, data string, s api.Settings, language string) []string {
	t.Helper()
	q := api.DataRequest{Data: data, Settings: s}
	j, err := a.StartRead(t.Context(), q)
	if j = wait(t, a, j, err); j.State != api.Done {
		t.Fatal(j.Error)
	}
	read := j.Result.(*api.Read)
	list := append(slices.Clone(read.Notes), read.Words)
	for _, r := range read.Repaired {
		list = append(list, r.Name)
	}
	for _, w := range read.Warnings {
		list = append(list, w.Text, w.Remedy)
	}
	if s.Groups == 0 {
		j, err = a.StartLight(t.Context(), q)
		if j = wait(t, a, j, err); j.State != api.Done {
			t.Fatal(j.Error)
		}
		light := j.Result.(*api.Light)
		list = append(list, light.Reason, light.Remedy)
	}
	said, err := a.Words(t.Context(), api.WordsRequest{Language: language, Texts: list})
	if err != nil {
		t.Fatal(err)
	}
	return said.Texts
}
