package show_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/show"
)

func TestWords(t *testing.T) {
	for name, r := range cases(t) {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			check := func(err error) {
				t.Helper()
				if err != nil {
					t.Fatal(err)
				}
				b.WriteString("\n" + strings.Repeat("=", 80) + "\n")
			}
			check(show.Tree(&b, r, show.Options{}))
			check(show.Summary(&b, r, show.Options{}))
			for _, g := range r.Groups {
				check(show.Group(&b, r, g.ID, show.Options{Top: 4}))
			}
			fmt.Fprintln(&b, r.Methods)
			for _, term := range r.Glossary {
				fmt.Fprintf(&b, "%s: %s\n", term.Word, term.Meaning)
			}
			golden(t, name+".txt", b.Bytes())
		})
	}
}

func TestWidth(t *testing.T) {
	r := cases(t)["hospital-tree"]
	for _, width := range []int{40, 60, 80, 120} {
		var b bytes.Buffer
		if err := show.Tree(&b, r, show.Options{Width: width}); err != nil {
			t.Fatal(err)
		}
		if err := show.Summary(&b, r, show.Options{Width: width}); err != nil {
			t.Fatal(err)
		}
		for i := range r.Groups {
			if err := show.Group(&b, r, r.Groups[i].ID, show.Options{Width: width}); err != nil {
				t.Fatal(err)
			}
		}
		if width >= 60 && (!strings.Contains(b.String(), "█") || !strings.Contains(b.String(), "━●")) {
			t.Errorf("width %d: no bars or no dots", width)
		}
		for _, l := range strings.Split(b.String(), "\n") {
			if n := utf8.RuneCountInString(l); n > width {
				t.Errorf("width %d: a line of %d columns: %s", width, n, l)
			}
		}
		if strings.Contains(b.String(), "\x1b") {
			t.Errorf("colours that nobody asked for")
		}
	}
}

func TestColorAndLevel(t *testing.T) {
	r := cases(t)["hospital-tree"]
	var b bytes.Buffer
	if err := show.Tree(&b, r, show.Options{Color: true, Level: 1}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "\x1b[1mAll patients\x1b[0m") {
		t.Errorf("no colour though asked for:\n%s", b.String())
	}
	if strings.Contains(b.String(), "1.1.1") {
		t.Errorf("level 2 though level 1 was asked for:\n%s", b.String())
	}
}

func TestUnknownGroup(t *testing.T) {
	r := cases(t)["hospital-flat"]
	err := show.Group(&bytes.Buffer{}, r, "7", show.Options{})
	if err == nil || !strings.Contains(err.Error(), `no group "7"; there are 1, 2, 3`) {
		t.Errorf("got %v", err)
	}
}

// TestHostileNames: names come from data; they must not break lines, colours or
// the width.
func TestHostileNames(t *testing.T) {
	d := hospital(t, 1, 300)
	for h, title := range []string{
		"a\nb\tc", "\x1b[31mred\x1b[0m", strings.Repeat("W", 200), "\u202eesrever", "日本語の見出し",
		strings.Repeat("Oncology of the ", 20), "", "\ue000bold",
	} {
		d.Vocab.Titles[h] = title
	}
	for _, o := range []*fit.Outcome{flat(t, d, 3, ""), grown(t, d, fit.TreeShape{Leaves: 3})} {
		r := explained(t, o, d, report.Settings{})
		var b bytes.Buffer
		for _, err := range []error{
			show.Tree(&b, r, show.Options{Width: 60}), show.Summary(&b, r, show.Options{Width: 60}),
			show.Group(&b, r, r.Leaf(0).ID, show.Options{}), show.Group(&b, r, r.Leaf(1).ID, show.Options{}),
		} {
			if err != nil {
				t.Fatal(err)
			}
		}
		for _, l := range strings.Split(b.String(), "\n") {
			if n := utf8.RuneCountInString(l); n > 80 {
				t.Errorf("a line of %d letters: %s", n, l)
			}
		}
		if strings.ContainsAny(b.String(), "\x1b\t\u202e\ue000") {
			t.Errorf("a name reached the terminal as it is:\n%q", b.String())
		}
	}
}
