package web_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/moiety-go/moiety/internal/api"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/run"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/internal/study"
	"github.com/moiety-go/moiety/internal/web"
	"github.com/moiety-go/moiety/model"
)

// studied does a study of three sites in a workspace: the coordinator's folder hearts, the
// homes of the sites, and the runs of the coordinator and of one site.
func studied(t *testing.T, dir string) {
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

// TestStudiesAreWhatWasSent: the numbers on the screen of studies are those of the files
// that left each site, and the run that a study made is shown as it is exported, masked in
// both.
func TestStudiesAreWhatWasSent(t *testing.T) {
	c, dir := newClient(t, web.Options{})
	studied(t, dir)
	var list api.StudyList
	if status, text := c.send("GET", "/api/studies", nil); status != 200 || json.Unmarshal([]byte(text), &list) != nil || len(list.Studies) != 4 {
		t.Fatalf("%d: %s", status, text)
	}
	files, rounds := 0, 0
	for _, s := range list.Studies {
		if s.Problem != "" || s.Sites != 3 || s.Name != "hearts" || s.Unnamed != 0 || s.Stopped != "" {
			t.Errorf("%+v", s)
		}
		if s.Site == "" {
			rounds = s.Rounds
			if want := []string{"north", "south", "west"}; !reflect.DeepEqual(s.Joined, want) {
				t.Errorf("%v have joined, want %v", s.Joined, want)
			}
			continue
		}
		sent, err := filepath.Glob(filepath.Join(dir, s.Folder, "sent", "*.mom"))
		if err != nil || len(sent) != len(s.Sent) || len(sent) == 0 {
			t.Errorf("%s: %d files are told, %d lie there (%v)", s.Site, len(s.Sent), len(sent), err)
		}
		for _, x := range s.Sent {
			data, err := os.ReadFile(filepath.Join(dir, s.Folder, filepath.FromSlash(x.File)))
			sum := sha256.Sum256(data)
			if err != nil || x.Bytes != len(data) || x.Sum != hex.EncodeToString(sum[:]) || x.What == "" {
				t.Errorf("%s: %+v, and the file has %d bytes (%v)", s.Site, x, len(data), err)
			}
			files++
		}
	}
	for _, s := range list.Studies {
		if s.Rounds != rounds || rounds == 0 {
			t.Errorf("%s: %d rounds, the coordinator %d", s.Folder, s.Rounds, rounds)
		}
	}
	var shown struct {
		Report map[string]any `json:"report"`
	}
	var export map[string]any
	_, text := c.send("GET", "/api/runs/north-run", nil)
	_, file := c.send("GET", "/api/runs/north-run/export/json", nil)
	if err := errors.Join(json.Unmarshal([]byte(text), &shown), json.Unmarshal([]byte(file), &export)); err != nil {
		t.Fatal(err)
	}
	compared := 0
	for field, value := range shown.Report {
		if value != nil && !reflect.DeepEqual(export[field], value) {
			t.Errorf("%s is %.300s on the screen and %.300s in the export", field, fmt.Sprint(value), fmt.Sprint(export[field]))
		}
		compared++
	}
	if compared < 8 || fmt.Sprint(shown.Report["limit"]) != "11" {
		t.Errorf("%d fields were compared, the limit is %v", compared, shown.Report["limit"])
	}
	t.Logf("3 sites, %d rounds, %d files that left them, %d fields of the report of the study", rounds, files, compared)
}
