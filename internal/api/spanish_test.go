package api_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/api"
)

// TestSpanish: a group is reported in another language with the same numbers, and a
// language without words is refused.
func TestSpanish(t *testing.T) {
	a, f, _ := workbench(t)
	head, rows := api.ExampleAnswers(3, 300)
	data := put(t, f, "answers.csv", head, rows)
	j, err := a.StartFit(t.Context(), api.FitRequest{Data: data, Settings: api.Settings{ID: "person", Label: []string{"age", "region"}, Groups: 3}})
	if j = wait(t, a, j, err); j.State != api.Done {
		t.Fatal(j.Error)
	}
	numbers := regexp.MustCompile(`\d+([.,]\d+)? %|\d+[.,]\d+ (times|veces)`)
	compared := 0
	for _, id := range []string{"1", "2", "3"} {
		shown := make(map[string]string)
		for _, language := range []string{"en", "es"} {
			g, err := a.Group(t.Context(), api.GroupRequest{Run: j.Run, Group: id, Language: language})
			if err != nil {
				t.Fatal(err)
			}
			shown[language] = g.Group.Text
		}
		if !strings.Contains(shown["en"], "Typical: ") || !strings.Contains(shown["es"], "Típico: ") || strings.Contains(shown["es"], "overall") {
			t.Errorf("group %s: %q and %q", id, shown["en"], shown["es"])
		}
		en, es := numbers.FindAllString(strings.ReplaceAll(shown["en"], "times", "veces"), -1), numbers.FindAllString(shown["es"], -1)
		compared += len(en)
		slices.Sort(en)
		slices.Sort(es)
		if !slices.Equal(en, es) {
			t.Errorf("group %s: %v in English, %v in Spanish", id, en, es)
		}
	}
	if compared < 10 {
		t.Errorf("only %d numbers were compared", compared)
	}
	if _, err := a.Groups(t.Context(), api.RunRequest{Run: j.Run, Language: "xx"}); api.Wrap(err).Kind != api.Refused {
		t.Errorf("a language without words: %v", err)
	}
}
