package study

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/exchange"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/read"
	"github.com/moiety-go/moiety/internal/run"
	"github.com/moiety-go/moiety/pass"
)

func aPaper(t *testing.T, sites int) *Paper {
	t.Helper()
	p, err := NewPaper("test", sites, false, json.RawMessage(`{"k":3}`))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func firstOf(p *Paper, site string) exchange.File {
	return exchange.File{Study: p.Settings, Number: p.Number, Sites: []exchange.Site{{Name: site, Key: site + " key", Open: json.RawMessage(`{}`)}}}
}

// The coordinator takes the file of the site that sends it, of this study and its
// settings, and no other.
func TestPutByHand(t *testing.T) {
	p := aPaper(t, 2)
	f, err := New(filepath.Join(t.TempDir(), "study"), p)
	if err != nil {
		t.Fatal(err)
	}
	put := func(file exchange.File) error {
		data, err := file.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		return f.Put("a", data)
	}
	number, settings, mode, others, done := firstOf(p, "a"), firstOf(p, "a"), firstOf(p, "a"), firstOf(p, "b"), firstOf(p, "a")
	number.Number = "another"
	settings.Study = json.RawMessage(`{"k":4}`)
	mode.Open = true
	done.Done = []exchange.Total{{Round: pass.Round{Name: "x"}}}
	two := firstOf(p, "a")
	two.Sites = append(two.Sites, firstOf(p, "b").Sites...)
	for want, file := range map[string]exchange.File{
		"another study": number, "other settings": settings, "with other": mode, "not the first file": others, "the first file of": done, "first file of this": two,
	} {
		if err := put(file); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if err := put(firstOf(p, "a")); err != nil {
		t.Error(err)
	}
	post := func(number, site string) error {
		data, err := (&exchange.Post{Number: number, Mode: exchange.Secure, Site: site}).Bytes()
		if err != nil {
			t.Fatal(err)
		}
		return f.Put("a", data)
	}
	for _, c := range [][3]string{{"another", "a", "another study"}, {p.Number, "b", "it is of b"}} {
		if err := post(c[0], c[1]); err == nil || !strings.Contains(err.Error(), c[2]) {
			t.Errorf("%v, want %q", err, c[2])
		}
	}
	if err := post(p.Number, "a"); err != nil {
		t.Error(err)
	}
}

// Sites are waited for by number until they have joined, then by name; a third in a
// study of two is an error.
func TestGatherByHand(t *testing.T) {
	p := aPaper(t, 2)
	f, err := New(filepath.Join(t.TempDir(), "study"), p)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"2 sites", "one site"}
	for i, site := range []string{"a", "b", "c"} {
		s, err := f.gather(p, func(*exchange.File) error { return nil })
		switch {
		case err != nil:
			t.Fatal(err)
		case i < 2 && s.Waiting() != want[i]:
			t.Errorf("waiting for %q, want %q", s.Waiting(), want[i])
		case i == 2 && (!s.Joined || s.Waiting() != "a, b"):
			t.Errorf("%+v after two sites", s)
		}
		file := firstOf(p, site)
		data, err := file.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Put(site, data); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := f.gather(p, nil); err == nil || !strings.Contains(err.Error(), "3 sites have joined a study of 2") {
		t.Errorf("a third site: %v", err)
	}
}

// nobody is a way that takes everything and keeps it.
type nobody struct {
	head []byte
	got  [][]byte
}

func (n *nobody) paper(context.Context) (*Paper, error) { return nil, nil }

func (n *nobody) put(_ context.Context, _ string, data []byte) error {
	n.got = append(n.got, data)
	return nil
}

func (n *nobody) total(context.Context, int, bool) ([]byte, error) { return n.head, nil }

func (n *nobody) leave(context.Context, string) error { return nil }

// What leaves a site is listed with a head and numbered by rounds, in files that
// others cannot read; a round that was sent is sent again as it was.
func TestLogByHand(t *testing.T) {
	way := &nobody{}
	h := &Home{Dir: filepath.Join(t.TempDir(), "home"), post: way, site: site{Moiety: siteKind, Version: 1, Name: "a", Paper: aPaper(t, 3)}}
	if err := h.make(); err != nil {
		t.Fatal(err)
	}
	if err := h.note(Sent{Mode: exchange.Secure, What: "names"}, []byte("first"), "page"); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"counts", "means", "counts"} {
		if err := h.Send(t.Context(), &exchange.Post{Number: h.Paper.Number, Mode: exchange.Secure, Site: "a", Round: pass.Round{Name: name}}); err != nil {
			t.Fatal(err)
		}
	}
	if len(way.got) != 3 || bytes.Equal(way.got[0], way.got[1]) || !bytes.Equal(way.got[0], way.got[2]) {
		t.Errorf("the same round was sent with other bytes")
	}
	text, err := os.ReadFile(h.path(logFile))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil || len(rows) != 4 || rows[0][0] != "file" || rows[1][1] != "0" || rows[2][1] != "1" || rows[3][1] != "2" {
		t.Errorf("the list of what left is %q (%v)", text, err)
	}
	for _, name := range []string{siteFile, logFile, "sent/0000.mom", "sent/0000.txt"} {
		if info, err := os.Stat(h.path(name)); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s has the rights %v (%v)", name, info.Mode(), err)
		}
	}
}

// A list of sites of another study is refused; memory, room on disk and workers are
// those of the call, all else that of the day the site joined.
func TestHeadByHand(t *testing.T) {
	p := aPaper(t, 2)
	h := &Home{Dir: t.TempDir(), site: site{Paper: p, Read: fit.ReadSettings{Decimal: ","}}}
	if err := os.Mkdir(h.path(totals), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		number string
		sites  int
		legal  bool
	}{{p.Number, 2, true}, {"another", 2, false}, {p.Number, 3, false}} {
		file := firstOf(p, "a")
		file.Number = c.number
		for _, more := range []string{"b", "c"}[:c.sites-1] {
			file.Sites = append(file.Sites, firstOf(p, more).Sites...)
		}
		data, err := file.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		h.post = &nobody{head: data}
		if _, err := h.head(t.Context(), false); (err == nil) != c.legal {
			t.Errorf("%+v: %v", c, err)
		}
	}
	var o run.Order
	o.Read = read.Options{MaxMemory: 5, TempDir: "/elsewhere", Workers: 3}
	if r := h.withMachine(o); r.MaxMemory != 5 || r.TempDir != "/elsewhere" || r.Workers != 3 || r.Decimal != "," {
		t.Errorf("read with %+v", r)
	}
}
