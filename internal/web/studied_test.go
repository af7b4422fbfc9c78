package web_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/moiety-go/moiety/internal/api"
	"github.com/moiety-go/moiety/internal/web"
	"github.com/moiety-go/moiety/internal/web/webtest"
)

// TestStudiesAreWhatWasSent: the numbers on the screen of studies are those of the files
// that left each site, and the run that a study made is shown as it is exported, masked in
// both.
func TestStudiesAreWhatWasSent(t *testing.T) {
	c, dir := newClient(t, web.Options{})
	webtest.Studied(t, dir)
	var list api.StudyList
	if status, text := c.Send("GET", "/api/studies", nil); status != 200 || json.Unmarshal([]byte(text), &list) != nil || len(list.Studies) != 4 {
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
	_, text := c.Send("GET", "/api/runs/north-run", nil)
	_, file := c.Send("GET", "/api/runs/north-run/export/json", nil)
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
