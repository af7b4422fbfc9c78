package run

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/exchange"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/model"
)

// carried is a study by hand: tables of sites in a folder, and what they send.
type carried struct {
	t     *testing.T
	dir   string
	names []string
}

// carry writes tables of so many people at sites A, B and so on.
func carry(t *testing.T, people ...int) *carried {
	t.Helper()
	c := &carried{t: t, dir: t.TempDir()}
	for s, n := range people {
		c.names = append(c.names, string(rune('A'+s)))
		c.table(c.names[s], n)
	}
	return c
}

// table writes the table of a site, the rows of fewer people among those of more.
func (c *carried) table(site string, people int) {
	c.t.Helper()
	r := stream.New(3, "carried/"+site)
	text := "id,x0,x1,x2,x3,x4,x5"
	for i := range people {
		text += fmt.Sprintf("\n%s%d", site, i)
		for h := range 6 {
			p := .2
			if h/3 == i%2 {
				p = .8
			}
			text += fmt.Sprintf(",%d", b2i(r.Float64() < p))
		}
	}
	if err := os.WriteFile(c.path(site, "csv"), []byte(text+"\n"), 0o600); err != nil {
		c.t.Fatal(err)
	}
}

func (c *carried) path(name, ending string) string { return filepath.Join(c.dir, name+"."+ending) }

// send does a round at a site; with is the name of a file of totals, "" in the first.
func (c *carried) send(site, with string, open bool) (*exchange.File, *Leaving, error) {
	o := Order{Order: fit.Order{Args: []string{c.path(site, "csv")}, Fit: fit.Settings{K: 2, Seed: 1, Spec: model.Spec{Model: "bernoulli"}}}}
	if with != "" {
		with = c.path(with, "mom")
	}
	f, page, err := Sums(c.t.Context(), Part{Order: o, Site: site, Key: c.path(site, "key"), With: with, Open: open})
	if err == nil && page.NewKey != nil {
		err = os.WriteFile(c.path(site, "key"), page.NewKey, 0o600)
	}
	return f, page, err
}

// round does a round at all sites and writes what they send together.
func (c *carried) round(with, out string) *exchange.File {
	c.t.Helper()
	var files []exchange.Named
	for _, site := range c.names {
		f, _, err := c.send(site, with, false)
		if err != nil {
			c.t.Fatal(err)
		}
		files = append(files, exchange.Named{Name: site, File: f})
	}
	all, err := exchange.Merge(files)
	if err != nil {
		c.t.Fatal(err)
	}
	return c.write(all, out)
}

func (c *carried) write(f *exchange.File, name string) *exchange.File {
	c.t.Helper()
	data, err := f.Bytes()
	if err == nil {
		err = os.WriteFile(c.path(name, "mom"), data, 0o600)
	}
	if err != nil {
		c.t.Fatal(err)
	}
	return f
}

// refused wants an error with these words, and no file to send.
func (c *carried) refused(what, site, with string, words string) {
	c.t.Helper()
	f, page, err := c.send(site, with, false)
	if err == nil || !strings.Contains(err.Error(), words) || f != nil || page != nil {
		c.t.Errorf("%s: %v, want %q and nothing to send", what, err, words)
	}
}

// A list of fewer than three sites with records gets no sums: those of one or two would
// be bare to the others. Sites that say they have none hide nobody.
func TestFewSites(t *testing.T) {
	for _, c := range []struct {
		people []int
		words  string
	}{
		{[]int{40}, "1 site with records, of 1 site"},
		{[]int{40, 40}, "2 sites with records, of 2 sites"},
		{[]int{40, 0, 0}, "1 site with records, of 3 sites"},
		{[]int{40, 40, 0, 0}, "2 sites with records, of 4 sites"},
	} {
		s := carry(t, c.people...)
		s.round("", "all")
		s.refused(fmt.Sprint(c.people), "A", "all", c.words)
		if err := Ready(t.Context(), Order{Totals: []string{s.path("all", "mom")}, Unset: true}); !errors.Is(err, fit.ErrTooLittle) {
			t.Errorf("%v: the coordinator: %v", c.people, err)
		}
	}
	s := carry(t, 40, 40, 40, 0)
	s.round("", "all")
	if _, _, err := s.send("A", "all", false); err != nil {
		t.Errorf("three sites with records and one without: %v", err)
	}
}

// One key in the list under two names is one site.
func TestOneKeyTwice(t *testing.T) {
	s := carry(t, 40, 40, 40)
	all := s.round("", "all")
	all.Sites[2].Key = all.Sites[1].Key
	s.write(all, "all")
	s.refused("one key twice", "A", "all", "B and C have one key")
}

// That sums are open is said at the site, and not by the file that it gets.
func TestOpenUnasked(t *testing.T) {
	s := carry(t, 40, 40, 40)
	all := s.round("", "all")
	if _, _, err := s.send("A", "all", true); err == nil || !strings.Contains(err.Error(), "leave ‹open› out") {
		t.Errorf("open sums of one site: %v", err)
	}
	all.Open = true
	s.write(all, "all")
	s.refused("a forged header", "A", "all", "asks for open sums")
}

// Whoever changes the list of sites, or totals that a site has seen, gets nothing more of
// it: the same numbers under two masks, or others under one, would be bare.
func TestFollow(t *testing.T) {
	s := carry(t, 40, 40, 40)
	list := s.round("", "all")
	told := *list
	told.Sites = append([]exchange.Site{}, list.Sites...)
	told.Sites[0].Open = bytes.Replace(told.Sites[0].Open, []byte(`"x5"`), []byte(`"x5","x6"`), 1)
	s.write(&told, "told")
	s.refused("a name that the site has not told", "A", "told", "has not what A told")
	first := s.round("all", "first")
	other := *list
	other.Sites = append([]exchange.Site{}, list.Sites...)
	key, err := exchange.NewKey()
	if err != nil {
		t.Fatal(err)
	}
	other.Sites[2].Key = key.Public()
	s.write(&other, "other")
	s.refused("another key in the same round", "A", "other", "the list of sites has changed")
	other.Done = first.Done
	s.write(&other, "other")
	s.refused("another key in the next round", "A", "other", "the list of sites has changed")
	s.round("first", "second")
	changed := *first
	changed.Done = []exchange.Total{first.Done[0]}
	changed.Done[0].Sum = append(changed.Done[0].Sum[:0:0], changed.Done[0].Sum...)
	changed.Done[0].Sum[0].Hi++
	s.write(&changed, "changed")
	s.refused("another total", "A", "changed", "the total of round 1 has changed")
	s.refused("totals of long ago", "A", "all", "take the newest totals")
}

// A round that was sent is sent again as it was, and never with other data.
func TestOtherData(t *testing.T) {
	s := carry(t, 40, 40, 40)
	s.round("", "all")
	one, _, err := s.send("A", "all", false)
	if err != nil {
		t.Fatal(err)
	}
	two, _, err := s.send("A", "all", false)
	if err != nil {
		t.Fatal(err)
	}
	a, _ := one.Bytes()
	if b, _ := two.Bytes(); !bytes.Equal(a, b) {
		t.Error("the same round of the same data is another file")
	}
	s.table("A", 39)
	s.refused("a patient less", "A", "all", "sent other sums for round 1")
	if info, err := os.Stat(s.path("A", "sent")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("what was sent is kept as %v, %v", info, err)
	}
	s.refused("the same key in a new study", "A", "", "has hidden sums of a study")
	if err := os.Remove(s.path("A", "key")); err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.send("A", "", false); err != nil {
		t.Errorf("a new study with a new key: %v", err)
	}
}

// Records are of people where any site says so, whichever it is.
func TestHealthOfAnySite(t *testing.T) {
	list := carry(t, 40, 40, 40).round("", "all")
	for _, with := range []int{-1, 0, 1, 2} {
		f := *list
		f.Sites = append([]exchange.Site{}, list.Sites...)
		for i := range f.Sites {
			var told offered
			if err := json.Unmarshal(f.Sites[i].Open, &told); err != nil {
				t.Fatal(err)
			}
			told.Health = i == with
			text, err := json.Marshal(told)
			if err != nil {
				t.Fatal(err)
			}
			f.Sites[i].Open = text
		}
		all, err := offersOf(&f)
		if err != nil || all.Health != (with >= 0) {
			t.Errorf("site %d tells of people, and all are said to be: %v (%v)", with, all.Health, err)
		}
	}
}
