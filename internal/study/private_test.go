package study_test

import (
	"errors"
	"fmt"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/read"
	"github.com/moiety-go/moiety/internal/run"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/internal/study"
)

// people writes tables of presences at three sites.
func people(t *testing.T, dir string) (files []string, sizes []int) {
	t.Helper()
	r := stream.New(12, "people")
	const d, k = 16, 4
	sizes = []int{4000, 2500, 1500}
	for s, n := range sizes {
		var b strings.Builder
		b.WriteString("id")
		for h := range d {
			fmt.Fprintf(&b, ",c%d", h)
		}
		for i := range n {
			z := (r.IntN(k) + s*r.IntN(2)) % k
			fmt.Fprintf(&b, "\ns%d-%d", s, i)
			for h := range d {
				p := .08
				if h/4 == z {
					p = .7
				}
				fmt.Fprintf(&b, ",%d", map[bool]int{true: 1}[r.Float64() < p])
			}
		}
		name := filepath.Join(dir, fmt.Sprintf("people%d.csv", s))
		write(t, name, b.String()+"\n")
		files = append(files, name)
	}
	return files, sizes
}

// TestPrivateStudy: sites learn together with noise, one of all or each its own; no
// number leaves a site without it, not even how many records there are, and the report
// of the study is made of the model alone.
func TestPrivateStudy(t *testing.T) {
	for name, open := range map[string]bool{"one noise in a secure sum": false, "open sums, each its own noise": true} {
		if testing.Short() && open {
			continue
		}
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			files, sizes := people(t, dir)
			o := order(4, false)
			o.Fit.Privacy, o.Health = fit.Privacy{Epsilon: 20}, true
			f := begin(t, dir, 3, open, o)
			homes := whole(t, dir, f, files, read.Options{})
			var first *run.Made
			for _, h := range homes {
				m, err := h.Close(t.Context(), run.Order{})
				if err != nil {
					t.Fatal(err)
				}
				defer m.Close()
				if first == nil {
					first = m
				}
				if far := farthest(m.Outcome, first.Outcome); far != 0 {
					t.Errorf("%s: centers are off by %g from those of another site", h.Name, far)
				}
			}
			c := first.Outcome.Model.Params.Centers
			for j := range 4 {
				high := 0
				for h := range 16 {
					if c.At(h, j) > .4 {
						high++
					}
				}
				if high != 4 {
					t.Errorf("group %d has %d frequent codes, planted are 4", j, high)
				}
			}
			list := posts(t, homes[0])
			if got := len(list); got != 6 {
				t.Errorf("%d sums left a site, want those of the ledger: 6", got)
			}
			for _, p := range list {
				if !strings.Contains(p.Round.Name, "with noise") {
					t.Errorf("%s left without noise", p.Round.Name)
				}
			}
			if n := list[0].Floats()[0]; open && (numtest.Off(n, float64(sizes[0]), 100) || n == float64(sizes[0])) {
				t.Errorf("the first site says that it has %v records, and has %d", n, sizes[0])
			}
			order := run.Order{Totals: []string{f.Sums()}, Unset: true, Out: filepath.Join(dir, "run")}
			r, err := run.Make(t.Context(), order)
			if err != nil {
				t.Fatal(err)
			}
			for _, w := range r.Manifest.Warnings {
				if w.Code != "private" {
					t.Errorf("of records that nobody counted is said: %s", w.Text)
				}
			}
			if e := r.Manifest.Encoding; e.Read.Or(0) != 0 || len(e.Top) > 0 {
				t.Errorf("counts that nobody made are told: %+v", e)
			}
			n := r.Outcome.Model.Provenance.Records
			if tables := r.Manifest.Tables; numtest.Off(float64(n), 8000, 200) || tables[0] != float64(n) || r.Manifest.Records != 0 {
				t.Errorf("the run says %d records, its tables %v, its manifest %d", n, tables[0], r.Manifest.Records)
			}
		})
	}
}

// TestPrivateRefusal: where the noise is larger than what tells groups apart every
// site says so, and nobody waits.
func TestPrivateRefusal(t *testing.T) {
	dir := t.TempDir()
	files, _ := people(t, dir)
	o := order(4, false)
	o.Fit.Privacy = fit.Privacy{Epsilon: .1}
	f := begin(t, dir, 3, false, o)
	server, err := study.NewServer(f, run.Check, func(study.State) {})
	if err != nil {
		t.Fatal(err)
	}
	door := httptest.NewServer(server.Handler())
	defer door.Close()
	var homes []*study.Home
	for i, file := range files {
		h, err := study.Join(t.Context(), study.Joining{
			Home: filepath.Join(dir, fmt.Sprint("home", i)), Where: door.URL + "/#" + server.Token(), Name: fmt.Sprint("site", i),
			Order: run.Order{Order: fit.Order{Args: []string{file}}},
		})
		if err != nil {
			t.Fatal(err)
		}
		homes = append(homes, h)
	}
	var wg sync.WaitGroup
	errs := make([]error, 3)
	for i, h := range homes {
		wg.Go(func() { _, errs[i] = h.Round(t.Context(), run.Order{}, true) })
	}
	wg.Wait()
	_, err = run.Make(t.Context(), run.Order{Totals: []string{f.Sums()}, Unset: true, Out: filepath.Join(dir, "run")})
	for i, err := range append(errs, err) {
		if !errors.Is(err, fit.ErrTooLittle) || !strings.Contains(err.Error(), "larger than what tells the groups apart") {
			t.Errorf("site %d: %v", i, err)
		}
	}
	if s, err := f.Round(run.Check); err != nil || s.Stopped == "" {
		t.Errorf("the coordinator: %+v, %v", s, err)
	}
	o.Encode.MinDF.Count = 5
	if _, err := run.StudyOf(o); err == nil || !strings.Contains(err.Error(), "‹min-df›") {
		t.Errorf("a limit on counts that nobody tells: %v", err)
	}
}
