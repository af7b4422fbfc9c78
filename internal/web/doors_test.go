package web_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/moiety-go/moiety/internal/api"
)

var exported = regexp.MustCompile(`(?m)^export (?:const|class) (\w+)`)

// TestDoors holds that the one page has, in place of modules of the server's
// screens, ones with the same exports, and sends what the program takes.
func TestDoors(t *testing.T) {
	read := func(path ...string) string {
		text, err := os.ReadFile(filepath.Join(path...))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	names := func(text string) []string {
		var out []string
		for _, m := range exported.FindAllStringSubmatch(text, -1) {
			if m[1] != "routes" { // of HTTP alone
				out = append(out, m[1])
			}
		}
		slices.Sort(out)
		return out
	}
	page := filepath.Join("..", "..", "cmd", "page")
	for _, name := range []string{"door.js", "place.js"} {
		if a, b := names(read("assets", name)), names(read(page, name)); !slices.Equal(a, b) || len(a) < 5 {
			t.Errorf("%s exports %v, and in the page %v", name, a, b)
		}
	}
	store, err := api.NewFolder(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	var want, got []string
	for _, c := range api.New(t.Context(), store, time.Now).Calls() {
		if c.Method == "POST" {
			want = append(want, `"`+c.Name+`"`)
		}
	}
	list := regexp.MustCompile(`posted = new Set\(\[(.*)\]\)`).FindStringSubmatch(read(page, "door.js"))
	if list != nil {
		got = regexp.MustCompile(`"\w+"`).FindAllString(list[1], -1)
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("the page posts %v, and the program takes %v", got, want)
	}
}
