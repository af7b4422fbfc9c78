package study

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
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
	p := aPaper(t, 3)
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

// put sends files to a folder.
func put(t *testing.T, f *Folder, site string, file exchange.File) error {
	t.Helper()
	data, err := file.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	return f.Put(site, data)
}

// Sites are waited for by number until they have joined, then by name; a fourth in a
// study of three is refused, and so is another first file under the name of one.
func TestGatherByHand(t *testing.T) {
	p := aPaper(t, 3)
	f, err := New(filepath.Join(t.TempDir(), "study"), p)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"3 sites", "2 sites", "one site"}
	for i, site := range []string{"a", "b", "c"} {
		s, err := f.gather(p, func(*exchange.File) error { return nil })
		if err != nil || s.Waiting() != want[i] {
			t.Errorf("waiting for %q, want %q (%v)", s.Waiting(), want[i], err)
		}
		if err := put(t, f, site, firstOf(p, site)); err != nil {
			t.Fatal(err)
		}
		if err := put(t, f, site, firstOf(p, site)); err != nil {
			t.Errorf("the same file again: %v", err)
		}
		other := firstOf(p, site)
		other.Sites[0].Key = "another key"
		if err := put(t, f, site, other); err == nil || !strings.Contains(err.Error(), "of that name has joined") {
			t.Errorf("another first file of %s: %v", site, err)
		}
	}
	if err := put(t, f, "d", firstOf(p, "d")); err == nil || !strings.Contains(err.Error(), "all 3 sites of the study have joined") {
		t.Errorf("a fourth site: %v", err)
	}
	if s, err := f.gather(p, func(*exchange.File) error { return nil }); err != nil || !s.Joined || s.Waiting() != "a, b, c" {
		t.Errorf("%+v after three sites, %v", s, err)
	}
	if err := os.Remove(f.path(arrivalFile("a"))); err != nil {
		t.Fatal(err)
	}
	if err := put(t, f, "a", firstOf(p, "a")); err == nil || !strings.Contains(err.Error(), "have joined") {
		t.Errorf("a first file after the list: %v", err)
	}
	if err := os.WriteFile(f.path(arrivalFile("e")), nil, 0o600); err != nil { // by hand
		t.Fatal(err)
	}
	if err := os.WriteFile(f.path(arrivalFile("a")), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := f.gather(p, nil); err == nil {
		t.Error("files that nobody wrote are taken")
	}
}

// A site sends one file a round: another in its name, or one of a name that is not in the
// list, is refused; that it failed may be said at any time.
func TestOneFileARound(t *testing.T) {
	p := aPaper(t, 3)
	f, err := New(filepath.Join(t.TempDir(), "study"), p)
	if err != nil {
		t.Fatal(err)
	}
	for _, site := range []string{"a", "b", "c"} {
		if err := put(t, f, site, firstOf(p, site)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := f.Round(func(*exchange.File) error { return nil }); err != nil {
		t.Fatal(err)
	}
	send := func(f *Folder, site, round string, failed bool, x uint64) error {
		post := exchange.Post{Number: p.Number, Mode: exchange.Secure, Site: site, Round: pass.Round{Name: round}, Sum: []exchange.Fixed{{Hi: x}}, Failed: failed}
		data, err := post.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		return f.Put(site, data)
	}
	anew := &Folder{Dir: f.Dir} // a coordinator that was stopped
	for _, c := range []struct {
		to          *Folder
		site, round string
		failed      bool
		x           uint64
		want        string
	}{
		{f, "a", "one", false, 1, ""},
		{f, "a", "one", false, 1, ""},
		{f, "a", "one", false, 2, "another file for the round"},
		{anew, "a", "one", false, 2, "another file for the round"},
		{anew, "a", "one", false, 1, ""},
		{f, "d", "one", false, 1, "no site of that name"},
		{anew, "d", "one", false, 1, "no site of that name"},
		{f, "a", "", true, 1, ""},
		{f, "a", "one", false, 1, ""},
		{f, "a", "two", false, 2, ""},
	} {
		if err := send(c.to, c.site, c.round, c.failed, c.x); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s, round %s, %v: %v, want %q", c.site, c.round, c.x, err, c.want)
		}
	}
	list, err := f.list()
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // from memory, then from the folder
		if post, err := f.load(list)(0); err != nil || post.Round.Name != "two" || post.Numbers() != 1 {
			t.Errorf("the post of a is %+v (%v)", post, err)
		}
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
	if err := errors.Join(os.Mkdir(h.Dir, 0o700), h.make()); err != nil {
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
	p := aPaper(t, 3)
	h := &Home{Dir: filepath.Join(t.TempDir(), "home"), site: site{Name: "a", Paper: p, Read: fit.ReadSettings{Decimal: ","}}}
	if err := errors.Join(os.Mkdir(h.Dir, 0o700), h.make()); err != nil {
		t.Fatal(err)
	}
	if _, err := h.told(); err == nil {
		t.Error("a site that has sent nothing goes on")
	}
	first := firstOf(p, "a")
	data, err := first.Bytes()
	if err == nil {
		err = h.note(Sent{}, data, "page")
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		number string
		sites  int
		key    string
		legal  bool
	}{{p.Number, 3, "a key", true}, {"another", 3, "a key", false}, {p.Number, 4, "a key", false}, {p.Number, 3, "another", false}} {
		file := firstOf(p, "a")
		file.Number, file.Sites[0].Key = c.number, c.key
		for _, more := range []string{"b", "c", "d"}[:c.sites-1] {
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
