package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/numtest"
)

// claimed is a command of docs/claims.md and what the page says that it says.
var claimed = regexp.MustCompile(`\n    moiety (fit ([^/\s]+)/[^\n]*)\n\n((?:>[^\n]*\n)+)`)

// claimedAlways are the sets of docs/claims.md that take a second or two; the others are
// for the long form.
var claimedAlways = []string{"classics", "house-votes-84", "ap", "kos", "sotu"}

// TestClaims types the commands of docs/claims.md: the page is what a person reads who asks
// what is claimed of a set and why, and every claim is what the program says today.
func TestClaims(t *testing.T) {
	numtest.NotShort(t)
	page, err := os.ReadFile("../../docs/claims.md")
	if err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	found := claimed.FindAllSubmatch(page, -1)
	if len(found) < 14 {
		t.Fatalf("only %d claims", len(found))
	}
	for _, m := range found {
		command, set, quote := string(m[1]), string(m[2]), string(m[3])
		t.Run(command, func(t *testing.T) {
			if os.Getenv("MOIETY_LONG") == "" && !slices.Contains(claimedAlways, set) {
				t.Skip("a whole fit of a larger set is for the long form (MOIETY_LONG=1)")
			}
			data := filepath.Dir(numtest.Data(t, set))
			out := filepath.Join(t.TempDir(), "run")
			c := exec.Command(self)
			c.Dir = data
			c.Env = append(os.Environ(), childArgs+"="+strings.Join(append(strings.Fields(command), "-o", out), "|"))
			said, err := c.Output()
			if err != nil {
				t.Fatal(err)
			}
			plain := func(s string) string { return strings.Join(strings.Fields(s), " ") }
			want := plain(strings.ReplaceAll("\n"+quote, "\n>", "\n"))
			if got := plain(string(said)); !strings.Contains(got, want) {
				t.Errorf("the page: %s\nthe program: %s", want, got[:min(len(got), 900)])
			}
		})
	}
}
