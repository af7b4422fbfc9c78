package api_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	"github.com/moiety-go/moiety/internal/api"
)

// TestScreensAreTheExport: what screens draw (groups, side columns and outcomes, courses,
// topics over time) is the report that is exported, value by value, masked in both.
func TestScreensAreTheExport(t *testing.T) {
	a, f, _ := workbench(t)
	for _, kind := range []string{"patients", "texts", "walks"} {
		if testing.Short() && kind == "texts" {
			continue
		}
		var head []string
		var rows [][]string
		var s api.Settings
		switch kind {
		case "patients":
			head, rows = api.ExamplePatients(3, 500)
			s = api.Settings{Label: []string{"sex", "age"}, Groups: 3}
		case "texts":
			head, rows = api.ExampleTexts(3, 300)
			s = api.Settings{Text: "text", Time: "year", Label: []string{"theme"}, Groups: 3}
		default:
			head, rows = made(kind, 120)
			s = api.Settings{Groups: 3, Courses: 2}
		}
		data := put(t, f, kind+".csv", head, rows)
		j, err := a.StartFit(t.Context(), api.FitRequest{Data: data, Settings: s})
		if j = wait(t, a, j, err); j.State != api.Done {
			t.Fatal(kind, j.Error)
		}
		shown, err := a.Groups(t.Context(), api.RunRequest{Run: j.Run})
		if err != nil {
			t.Fatal(err)
		}
		x, err := a.Export(t.Context(), api.ExportRequest{Run: j.Run, Format: "json"})
		if err != nil {
			t.Fatal(err)
		}
		var file bytes.Buffer
		if err := x.Write(&file); err != nil {
			t.Fatal(err)
		}
		x.Close()
		text, err := api.Marshal(shown.Report) // as every door does
		if err != nil {
			t.Fatal(err)
		}
		var screen, export map[string]any
		if err := json.Unmarshal(text, &screen); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(file.Bytes(), &export); err != nil {
			t.Fatal(err)
		}
		compared := 0
		for field, value := range screen {
			if value == nil {
				continue
			}
			compared++
			if !reflect.DeepEqual(export[field], value) {
				t.Errorf("%s: %s is %.300s on the screen and %.300s in the export", kind, field, fmt.Sprint(value), fmt.Sprint(export[field]))
			}
		}
		if compared < 8 {
			t.Errorf("%s: only %d fields were compared", kind, compared)
		}
		t.Logf("%s: %d fields of the report, %d bytes", kind, compared, len(text))
	}
}
