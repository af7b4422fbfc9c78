package study_test

import (
	"bytes"
	"context"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"log"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/moiety-go/moiety/internal/exchange"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/read"
	"github.com/moiety-go/moiety/internal/run"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/internal/study"
	"github.com/moiety-go/moiety/model"
)

// patients writes tables of codes of three hospitals, whose groups are mixed
// otherwise at each, and all of them in one; some codes are of a few patients.
func patients(t *testing.T, dir string) (sites []string, pooled string) {
	t.Helper()
	r := stream.New(11, "hospitals")
	codes := strings.Fields("428 427 414 401 250 272 585 403 496 486 518 491 715 733 724 274")
	head, all := "patient,code\n", "patient,code\n"
	for s, n := range []int{700, 400, 300} {
		text := ""
		for i := range n {
			z := (r.IntN(4) + s*r.IntN(2)) % 4
			for h, code := range codes {
				p := .06
				if h/4 == z {
					p = .6
				}
				if r.Float64() < p {
					text += fmt.Sprintf("s%d-%d,%s\n", s, i, code)
				}
			}
			if i%90 == 0 {
				text += fmt.Sprintf("s%d-%d,042\n", s, i) // few patients have it
			}
			text += fmt.Sprintf("s%d-%d,%s\n", s, i, codes[4*z])
		}
		name := filepath.Join(dir, fmt.Sprintf("site%d.csv", s))
		write(t, name, head+text)
		sites = append(sites, name)
		for line := range strings.Lines(text) {
			if !strings.HasSuffix(line, ",042\n") { // of too few to be reported by name: in no vocabulary
				all += line
			}
		}
	}
	pooled = filepath.Join(dir, "pooled.csv")
	write(t, pooled, all)
	return sites, pooled
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func order(k int, tree bool) run.Order {
	return run.Order{Order: fit.Order{Fit: fit.Settings{K: k, Over: tree, Seed: 1, Method: "auto", Refine: fit.EM, Spec: model.Spec{Model: "auto"}}}}
}

// begin makes the folder of a study.
func begin(t *testing.T, dir string, sites int, open bool, o run.Order) *study.Folder {
	t.Helper()
	settings, err := run.StudyOf(o)
	if err != nil {
		t.Fatal(err)
	}
	p, err := study.NewPaper("test", sites, open, settings)
	if err != nil {
		t.Fatal(err)
	}
	f, err := study.New(filepath.Join(dir, "study"), p)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// whole does a study over HTTP, all sites at once, and returns their homes.
func whole(t *testing.T, dir string, f *study.Folder, files []string, as read.Options) []*study.Home {
	t.Helper()
	s, err := study.NewServer(f, run.Check, func(study.State) {})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(s.Handler())
	defer server.Close()
	p, err := f.Paper()
	if err != nil {
		t.Fatal(err)
	}
	homes, errs := make([]*study.Home, len(files)), make([]error, len(files))
	for i, file := range files {
		home := filepath.Join(dir, fmt.Sprintf("home%02d", i))
		homes[i], err = study.Join(t.Context(), study.Joining{
			Home: home, Where: server.URL + "/#" + s.Token(), Name: fmt.Sprintf("site %02d", i), Open: p.Open(), Order: run.Order{Order: fit.Order{Args: []string{file}, Read: as}},
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	var wg sync.WaitGroup
	for i, h := range homes {
		wg.Go(func() {
			step, err := h.Round(t.Context(), run.Order{}, true)
			if err == nil && !step.Done {
				err = errors.New("not done")
			}
			errs[i] = err
		})
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	return homes
}

// samePlaces compares the groups of the records of sites with those of one machine,
// which has them in the order of the sites. What else is to be said of the run of a site
// is said while it is there: to close one is to do its part of the study again.
func samePlaces(t *testing.T, homes []*study.Home, pooled *run.Made, others ...func(*study.Home, *run.Made)) {
	t.Helper()
	r, at := pooled.Run(), 0
	for _, h := range homes {
		m, err := h.Close(t.Context(), run.Order{})
		if err != nil {
			t.Fatal(err)
		}
		own := m.Run()
		for i, g := range own.Outcome.Group {
			if got, want := own.GroupID(int(g)), r.GroupID(int(r.Outcome.Group[at])); got != want {
				t.Errorf("%s: record %d goes to %s, on one machine to %s", h.Name, i, got, want)
			}
			at++
		}
		if far := farthest(own.Outcome, r.Outcome); !(far <= 1e-9) {
			t.Errorf("%s: centers are off by %g from those of one machine", h.Name, far)
		}
		for _, say := range others {
			say(h, m)
		}
		m.Close()
	}
	if at != pooled.Len() {
		t.Errorf("%d records placed at the sites, %d on one machine", at, pooled.Len())
	}
}

func farthest(a, b *fit.Outcome) float64 {
	far, x, y := 0.0, a.Model.Params.Centers, b.Model.Params.Centers
	d, k := y.Dims()
	for h := range d {
		for j := range k {
			far = max(far, math.Abs(x.At(h, j)-y.At(h, j)))
		}
	}
	return far
}

// posts returns all that a site has sent but its first file, and checks that every
// byte of it is listed.
func posts(t *testing.T, h *study.Home) []*exchange.Post {
	t.Helper()
	log, err := h.Log()
	if err != nil {
		t.Fatal(err)
	}
	var out []*exchange.Post
	for i, s := range log {
		data, err := os.ReadFile(filepath.Join(h.Dir, s.File))
		if err != nil || len(data) != s.Bytes {
			t.Fatalf("%s: %d bytes, the log says %d (%v)", s.File, len(data), s.Bytes, err)
		}
		page, err := os.ReadFile(filepath.Join(h.Dir, strings.TrimSuffix(s.File, "mom")+"txt"))
		if err != nil || !strings.HasPrefix(string(page), "What leaves the house") {
			t.Errorf("%s has no page in plain words: %v", s.File, err)
		}
		if i == 0 {
			continue
		}
		p, err := exchange.ReadPost(data)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, p)
	}
	return out
}

// TestSecureStudy: three hospitals over HTTP get the groups and the tree of one
// machine, every byte is listed, and what a site sent looks like chance.
func TestSecureStudy(t *testing.T) {
	dir := t.TempDir()
	files, all := patients(t, dir)
	o := order(4, true)
	f := begin(t, dir, 3, false, o)
	homes := whole(t, dir, f, files, read.Options{})
	o.Args = []string{all}
	pooled, err := fit.Do(t.Context(), o.Order)
	if err != nil {
		t.Fatal(err)
	}
	defer pooled.Close()
	samePlaces(t, homes, run.New(pooled))
	uniform(t, posts(t, homes[1]))
	if _, err := homes[0].Round(t.Context(), run.Order{}, false); err == nil {
		t.Error("the server is gone, and a round says nothing")
	}
}

// uniform tests bytes for being as chance makes them: each of the 256 as often as
// any other (chi square, 255 degrees of freedom: beyond 380 in 1 of 1,000,000).
func uniform(t *testing.T, list []*exchange.Post) {
	t.Helper()
	var seen [256]float64
	n := 0.0
	for _, p := range list {
		if p.Mode != exchange.Secure {
			t.Errorf("%s is sent as %s", p.Round.Name, p.Mode)
		}
		for _, b := range p.Words() {
			seen[b]++
			n++
		}
	}
	chi := 0.0
	for _, v := range seen {
		chi += (v - n/256) * (v - n/256) / (n / 256)
	}
	if n < 1e4 || chi > 380 {
		t.Errorf("%v bytes with chi square %v do not look like chance", n, chi)
	}
}

// TestOpenStudy: no table that leaves a hospital holds a cell of 1 to 10 people,
// and what that costs is reported.
func TestOpenStudy(t *testing.T) {
	dir := t.TempDir()
	files, _ := patients(t, dir)
	f := begin(t, dir, 3, true, order(4, false))
	openly(t, f, whole(t, dir, f, files, read.Options{}))
}

// openly checks what sites of a study of open sums have sent, and that its loss is
// reported.
func openly(t *testing.T, f *study.Folder, homes []*study.Home) {
	t.Helper()
	open := 0
	for _, h := range homes {
		for _, p := range posts(t, h) {
			if p.Mode != exchange.Open {
				continue
			}
			open++
			for i, v := range counts(p) {
				if v > 0 && v < 11 {
					t.Fatalf("%s, %s: number %d is %v", h.Name, p.Round.Name, i, v)
				}
			}
		}
	}
	if open == 0 {
		t.Error("nothing was sent openly")
	}
	r, err := run.Make(t.Context(), run.Order{Totals: []string{f.Sums()}, Unset: true, Out: filepath.Join(t.TempDir(), "run")})
	if err != nil {
		t.Fatal(err)
	}
	words := ""
	for _, w := range r.Manifest.Warnings {
		if words += w.String(); w.Code == "open-sums" {
			t.Log(w.String())
		}
	}
	if !strings.Contains(words, "nats a record") {
		t.Errorf("the loss is not told: %s", words)
	}
}

// counts returns the numbers of a post that may be counts of people.
func counts(p *exchange.Post) []float64 {
	values := p.Floats()
	switch {
	case strings.HasPrefix(p.Round.Name, "counts of"): // of each name four, and four of its values
		out := values[:2]
		for at := 2; at+8 <= len(values); at += 8 {
			out = append(out, values[at:at+4]...)
		}
		return out
	case strings.HasPrefix(p.Round.Name, "records of"): // last: whether rows hold values, and that all is well
		return values[:len(values)-2]
	}
	return values[:len(values)-1]
}

// TestDoor: nobody without the token, and no way in the open without TLS.
func TestDoor(t *testing.T) {
	dir := t.TempDir()
	files, _ := patients(t, dir)
	f := begin(t, dir, 3, false, order(2, false))
	s, err := study.NewServer(f, run.Check, func(study.State) {})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(s.Handler())
	defer server.Close()
	for _, path := range []string{"/study", "/totals/0", "/", "/in/x"} {
		resp, err := http.Get(server.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != http.StatusUnauthorized {
			t.Errorf("%s without a token: %s", path, resp.Status)
		}
	}
	join := func(where, name string) error {
		_, err := study.Join(t.Context(), study.Joining{Home: filepath.Join(dir, "home "+name), Where: where, Name: name, Order: run.Order{Order: fit.Order{Args: files[:1]}}})
		return err
	}
	for _, c := range []struct{ where, name, want string }{
		{server.URL, "a", "no token"},
		{server.URL + "/#wrong", "a", "does not know the token"},
		{"http://study.example.org/#x", "a", "https"},
		{server.URL + "/#" + s.Token(), "a/../b", "no name"},
		{dir, "a", "holds no study"},
	} {
		if err := join(c.where, c.name); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.where, err, c.want)
		}
	}
	if _, err := study.Listen("0.0.0.0:0", false); err == nil {
		t.Error("an address that others reach without TLS")
	}
	if err := join(server.URL+"/#"+s.Token(), "a"); err != nil {
		t.Error(err)
	}
	if err := f.Put("b", []byte("moiety post\nrubbish")); err == nil {
		t.Error("rubbish was taken")
	}
}

// TestSentAsBefore: a round that is asked for again gets the bytes of before, and
// the sites of a study cannot be changed under way.
func TestSentAsBefore(t *testing.T) {
	dir := t.TempDir()
	files, _ := patients(t, dir)
	f := begin(t, dir, 3, false, order(2, false))
	var homes []*study.Home
	for i, file := range files {
		h, err := study.Join(t.Context(), study.Joining{Home: filepath.Join(dir, fmt.Sprint("h", i)), Where: f.Dir, Name: fmt.Sprint("s", i), Order: run.Order{Order: fit.Order{Args: []string{file}}}})
		if err != nil {
			t.Fatal(err)
		}
		homes = append(homes, h)
	}
	if s, err := f.Round(run.Check); err != nil || !s.Joined {
		t.Fatal(s, err)
	}
	for range 3 {
		for _, h := range homes {
			if _, err := h.Round(t.Context(), run.Order{}, false); err != nil {
				t.Fatal(err)
			}
		}
		if s, err := f.Round(run.Check); err != nil || !s.Added {
			t.Fatal(s, err)
		}
	}
	in := filepath.Join(f.Dir, "in", "s1.mom")
	if _, err := homes[1].Round(t.Context(), run.Order{}, false); err != nil {
		t.Fatal(err)
	}
	first, err := os.ReadFile(in)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(files[1])
	if err != nil {
		t.Fatal(err)
	}
	write(t, files[1], string(text[:len(text)-len(text)/10])) // somebody mends the data under way
	again, err := study.OpenHome(homes[1].Dir)
	if err != nil {
		t.Fatal(err)
	}
	os.Remove(in)
	_, err = again.Round(t.Context(), run.Order{}, false)
	second, _ := os.ReadFile(in)
	if err == nil && string(first) != string(second) {
		t.Error("other numbers behind the same mask")
	}
}

func TestCancelled(t *testing.T) {
	dir := t.TempDir()
	files, _ := patients(t, dir)
	f := begin(t, dir, 3, false, order(2, false))
	h, err := study.Join(t.Context(), study.Joining{Home: filepath.Join(dir, "h"), Where: f.Dir, Name: "s", Order: run.Order{Order: fit.Order{Args: files[:1]}}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := h.Round(ctx, run.Order{}, true); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// TestTLS: a site trusts the certificate that it was given, and no other.
func TestTLS(t *testing.T) {
	dir := t.TempDir()
	files, _ := patients(t, dir)
	f := begin(t, dir, 3, false, order(2, false))
	s, err := study.NewServer(f, run.Check, func(study.State) {})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewTLSServer(s.Handler())
	defer server.Close()
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	ca := filepath.Join(dir, "ca.pem")
	write(t, ca, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})))
	join := func(name, ca string) error {
		_, err := study.Join(t.Context(), study.Joining{Home: filepath.Join(dir, name), Where: server.URL + "/#" + s.Token(), CA: ca, Name: name, Order: run.Order{Order: fit.Order{Args: files[:1]}}})
		return err
	}
	if err := join("a", ""); err == nil || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("a certificate that nobody knows: %v", err)
	}
	if err := join("b", ca); err != nil {
		t.Errorf("with its certificate: %v", err)
	}
	if err := join("c", files[0]); err == nil || !strings.Contains(err.Error(), "no certificate") {
		t.Errorf("a file without a certificate: %v", err)
	}
}

// TestLeave: a site leaves when all rounds are done. Whoever has the token says so of
// others in vain, and of names that have not joined; sums come when all have.
func TestLeave(t *testing.T) {
	dir := t.TempDir()
	files, _ := patients(t, dir)
	f := begin(t, dir, 3, false, order(2, false))
	s, err := study.NewServer(f, run.Check, func(study.State) {})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(s.Handler())
	defer server.Close()
	ask := func(method, path string, body []byte, status int, want string) {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), method, server.URL+path, bytes.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+s.Token())
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		if text, err := io.ReadAll(resp.Body); err != nil || resp.StatusCode != status || !strings.Contains(string(text), want) {
			t.Errorf("%s: %s, %q, want %q", path, resp.Status, text, want)
		}
	}
	early, err := (&exchange.Post{Mode: exchange.Secure, Site: "a"}).Bytes()
	if err != nil {
		t.Fatal(err)
	}
	ask(http.MethodPut, "/in/a", early, http.StatusBadRequest, "not all sites have joined")
	leave := func(site, want string) { ask(http.MethodPut, "/left/"+site, nil, http.StatusConflict, want) }
	for i, name := range []string{"a", "b", "c"} {
		leave(name, "no site of the study")
		if _, err := study.Join(t.Context(), study.Joining{Home: filepath.Join(dir, name), Where: server.URL + "/#" + s.Token(), Name: name, Order: run.Order{Order: fit.Order{Args: files[i : i+1]}}}); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"a", "b", "c"} {
		leave(name, "not all rounds are done")
	}
	leave("d", "no site of the study")
}

// TestOpenAsked: a site joins a study of open sums where it says so itself, and no other.
func TestOpenAsked(t *testing.T) {
	for _, open := range []bool{true, false} {
		dir := t.TempDir()
		files, _ := patients(t, dir)
		f := begin(t, dir, 3, open, order(2, false))
		home := filepath.Join(dir, "h")
		_, err := study.Join(t.Context(), study.Joining{Home: home, Where: f.Dir, Name: "s", Open: !open, Order: run.Order{Order: fit.Order{Args: files[:1]}}})
		if _, gone := os.Stat(home); err == nil || !strings.Contains(err.Error(), "‹open›") || !errors.Is(gone, os.ErrNotExist) {
			t.Errorf("open %v: %v, %v", open, err, gone)
		}
	}
}

// A study has three sites or more: of two each has the sums of the other.
func TestTwoSites(t *testing.T) {
	_, made := study.NewPaper("two", 2, false, nil)
	_, read := study.ReadPaper([]byte(`{"moiety":"study","version":1,"number":"1","sites":2,"settings":{}}`))
	for _, err := range []error{made, read} {
		if err == nil || !strings.Contains(err.Error(), "each has the sums of the other") {
			t.Errorf("%v", err)
		}
	}
}
