package main

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// TestManPages: every command that help lists has a page, with all of its flags
// and examples, that is the same each time it is made.
func TestManPages(t *testing.T) {
	root := new(app).root()
	plain := strings.NewReplacer(`\-`, "-", `\e`, `\`, `\&`, "")
	var walk func(c *cobra.Command) int
	walk = func(c *cobra.Command) int {
		page, n := manPage(c), 1
		if page != manPage(c) {
			t.Errorf("%s: two pages of one command differ", c.CommandPath())
		}
		said := plain.Replace(page)
		for _, part := range []string{c.Short, c.Long, c.Example, c.UseLine()} {
			if !strings.Contains(strings.ReplaceAll(said, "\n.PP\n", "\n\n"), part) {
				t.Errorf("%s: the page lacks %q", c.CommandPath(), part)
			}
		}
		each := func(f *pflag.Flag) {
			if strings.Contains(said, "--"+f.Name+`\fP`) == f.Hidden {
				t.Errorf("%s: --%s, hidden %v, is not as it should be", c.CommandPath(), f.Name, f.Hidden)
			}
		}
		c.LocalFlags().VisitAll(each)
		c.InheritedFlags().VisitAll(each)
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() {
				if !strings.Contains(said, ".BR "+manName(sub)+" (1)") {
					t.Errorf("%s does not name the page of %s", c.CommandPath(), sub.Name())
				}
				n += walk(sub)
			}
		}
		return n
	}
	if n := walk(root); n < 25 {
		t.Errorf("%d pages", n)
	}
}

func TestRoff(t *testing.T) {
	for _, c := range [][2]string{
		{"a-b", `a\-b`},
		{`C:\x`, `C:\ex`},
		{".csv files\n'quoted'\nplain.", "\\&.csv files\n\\&'quoted'\nplain."},
	} {
		if got := roff(c[0]); got != c[1] {
			t.Errorf("roff(%q) = %q, want %q", c[0], got, c[1])
		}
	}
}
