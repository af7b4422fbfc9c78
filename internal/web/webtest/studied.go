package webtest

import (
	"errors"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/run"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/internal/study"
	"github.com/moiety-go/moiety/model"
)

// Studied does a study of three sites in a workspace: the coordinator's folder hearts, the
// homes of the sites, and the runs of the coordinator and of one site.
func Studied(t *testing.T, dir string) {
	t.Helper()
	settings, err := run.StudyOf(run.Order{Order: fit.Order{Fit: fit.Settings{K: 2, Seed: 1, Method: "auto", Refine: fit.EM, Spec: model.Spec{Model: "auto"}}}})
	if err != nil {
		t.Fatal(err)
	}
	p, err := study.NewPaper("hearts", 3, false, settings)
	if err != nil {
		t.Fatal(err)
	}
	f, err := study.New(filepath.Join(dir, "hearts"), p)
	if err != nil {
		t.Fatal(err)
	}
	s, err := study.NewServer(f, run.Check, func(study.State) {})
	if err != nil {
		t.Fatal(err)
	}
	post := httptest.NewServer(s.Handler())
	defer post.Close()
	r, codes := stream.New(3, "studied"), strings.Fields("428 427 414 401 250 272 585 403")
	homes, errs := make([]*study.Home, 3), make([]error, 3)
	for i, site := range []string{"north", "south", "west"} {
		text := "patient,code\n"
		for n := range 150 {
			for h, code := range codes {
				if p := []float64{.1, .7}[(n+h/4)%2]; r.Float64() < p {
					text += fmt.Sprintf("%s%d,%s\n", site, n, code)
				}
			}
		}
		file := filepath.Join(t.TempDir(), site+".csv")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		homes[i], err = study.Join(t.Context(), study.Joining{Home: filepath.Join(dir, site), Where: post.URL + "/#" + s.Token(), Name: site, Order: run.Order{Order: fit.Order{Args: []string{file}}}})
		if err != nil {
			t.Fatal(err)
		}
	}
	var wg sync.WaitGroup
	for i, h := range homes {
		wg.Go(func() { _, errs[i] = h.Round(t.Context(), run.Order{}, true) })
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	m, err := homes[0].Close(t.Context(), run.Order{})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if _, err := m.Write(t.Context(), filepath.Join(dir, "north-run"), false); err != nil {
		t.Fatal(err)
	}
}
