package api_test

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/moiety-go/moiety/internal/api"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/run"
)

// workbench is an API over an empty folder.
func workbench(t *testing.T) (*api.API, *api.Folder, string) {
	t.Helper()
	dir := t.TempDir()
	f, err := api.NewFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	a := api.New(context.Background(), f, time.Now)
	t.Cleanup(func() {
		if err := a.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return a, f, dir
}

// wait waits until a job is over.
func wait(t *testing.T, a *api.API, j *api.Job, err error) *api.Job {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	for {
		now, changed, err := a.Watch(j.ID)
		if err != nil {
			t.Fatal(err)
		}
		if now.State.Over() {
			return now
		}
		<-changed
	}
}

// put keeps a table as data.
func put(t *testing.T, f *api.Folder, name string, head []string, rows [][]string) string {
	t.Helper()
	var b bytes.Buffer
	if err := csv.NewWriter(&b).WriteAll(append([][]string{head}, rows...)); err != nil {
		t.Fatal(err)
	}
	d, err := f.PutData(t.Context(), name, &b)
	if err != nil {
		t.Fatal(err)
	}
	return d.ID
}

// TestPatients goes the whole way with a hospital: read, light, fit, look, edit,
// score, compare, export, and open again.
func TestPatients(t *testing.T) {
	a, f, dir := workbench(t)
	ctx := t.Context()
	head, rows := api.ExamplePatients(3, 1200)
	data := put(t, f, "ward.csv", head, rows)
	s := api.Settings{Label: []string{"sex", "age"}, Leaves: 4}

	j, err := a.StartRead(ctx, api.DataRequest{Data: data, Settings: s})
	j = wait(t, a, j, err)
	read, ok := j.Result.(*api.Read)
	if !ok {
		t.Fatalf("reading gave %+v", j.Error)
	}
	if n, _ := read.Records.Value(); n != 1200 || read.What != "codes" || !read.Health || len(read.Table.Rows) != 20 || len(read.Questions) != 3 {
		t.Errorf("read %v records of %s, health %v, %d rows, %d questions", n, read.What, read.Health, len(read.Table.Rows), len(read.Questions))
	}
	if read.Table.Rows[0][0] != rows[0][0] || read.Table.Rows[0][2] != rows[0][1] {
		t.Errorf("the first row is %v", read.Table.Rows[0])
	}

	j, err = a.StartFit(ctx, api.FitRequest{Data: data, Settings: s})
	j = wait(t, a, j, err)
	if j.State != api.Done {
		t.Fatalf("the fit is %s: %v", j.State, j.Error)
	}
	id := j.Run
	if len(j.Steps) < 3 {
		t.Errorf("%d steps were told", len(j.Steps))
	}
	groups, err := a.Groups(ctx, api.RunRequest{Run: id})
	if err != nil {
		t.Fatal(err)
	}
	if len(groups.Report.Leaves) != 4 || groups.HTML["whole"] == "" || strings.Contains(groups.HTML["next"], "moiety edit") {
		t.Errorf("%d groups, parts %d", len(groups.Report.Leaves), len(groups.HTML))
	}
	leaf := groups.Report.Leaf(0).ID
	edited, err := a.Edit(ctx, api.EditRequest{Run: id, Group: leaf, Kind: "rename", Text: "Hearts"})
	if err != nil || edited.Group.Name != "Hearts" || !edited.Named {
		t.Errorf("renamed: %v, %+v", err, edited)
	}
	if one, err := a.Edit(ctx, api.EditRequest{Run: id, Group: leaf, Kind: "pin"}); err != nil || !one.Pinned {
		t.Errorf("pinned: %v", err)
	}
	if one, err := a.Edit(ctx, api.EditRequest{Run: id, Group: leaf, Kind: "unpin"}); err != nil || one.Pinned {
		t.Errorf("unpinned: %v", err)
	}
	sameNumbers(t, a, id)

	m, err := a.Members(ctx, api.MembersRequest{Run: id, Group: leaf, Most: 5})
	if err != nil || !m.Hidden || len(m.Members) != 0 {
		t.Errorf("records of patients are told without being asked for: %v %+v", err, m)
	}
	m, err = a.Members(ctx, api.MembersRequest{Run: id, Group: leaf, Most: 5, Show: true})
	if err != nil || len(m.Members) != 5 || m.Next != 5 {
		t.Errorf("members: %v %+v", err, m)
	}
	if !slices.Equal(m.Beside, []string{"sex", "age"}) || len(m.Members[0].Beside) != 2 || m.Members[0].Beside[1] == "" {
		t.Errorf("what is kept beside records: %v %+v", m.Beside, m.Members[0])
	}
	if all, err := a.Members(ctx, api.MembersRequest{Run: id, Group: "1", From: 1199, Show: true}); err != nil || len(all.Members) != 1 || all.Next != 0 {
		t.Errorf("the last member: %v %+v", err, all)
	}

	j, err = a.StartScore(ctx, api.ScoreRequest{Run: id, Data: data})
	scored, ok := wait(t, a, j, err).Result.(*api.Scored)
	if !ok || len(scored.Groups) != 4 {
		t.Fatalf("scored %+v", scored)
	}
	if c, err := a.Compare(ctx, api.CompareRequest{Run: id, With: id}); err != nil || !c.Same {
		t.Errorf("a run compared with itself: %v", err)
	}

	// Another program on the same folder finds the run as it is.
	again, err := api.NewFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	b := api.New(context.Background(), again, time.Now)
	if list, err := b.Runs(ctx, api.PageRequest{}); err != nil || len(list.Runs) != 1 || list.Runs[0].ID != id {
		t.Errorf("found %v %+v", err, list)
	}
	if one, err := b.Group(ctx, api.GroupRequest{Run: id, Group: leaf}); err != nil || one.Group.Name != "Hearts" {
		t.Errorf("the name is lost: %v", err)
	}
	if _, err := b.DropRun(ctx, api.RunRequest{Run: id}); err != nil {
		t.Error(err)
	}
	if list, _ := b.Runs(ctx, api.PageRequest{}); len(list.Runs) != 0 {
		t.Error("a deleted run is still there")
	}
}

// sameNumbers compares what a screen shows with the tables of the export, number
// by number, masked in both.
func sameNumbers(t *testing.T, a *api.API, id string) {
	t.Helper()
	groups, err := a.Groups(t.Context(), api.RunRequest{Run: id})
	if err != nil {
		t.Fatal(err)
	}
	tables := archive(t, a, id, "csv")
	nodes := tables["nodes.csv"]
	for i := range groups.Report.Groups {
		g := &groups.Report.Groups[i]
		row := nodes[i+1]
		n, share := "", ""
		if v, ok := g.N.Value(); ok {
			n = strconv.Itoa(v)
		}
		if v, ok := g.Share.Value(); ok {
			share = strconv.FormatFloat(v, 'g', -1, 64)
		}
		if row[0] != g.ID || row[3] != n || !sameNumber(row[4], share) || row[5] != g.Name {
			t.Errorf("group %s: the export says %v, the screen %s %s %s", g.ID, row, n, share, g.Name)
		}
	}
	topics := tables["topics.csv"]
	for i := range groups.Report.Leaves {
		g := groups.Report.Leaf(i)
		for rank, x := range g.Typical {
			for _, row := range topics[1:] {
				if row[0] != g.ID || row[1] != strconv.Itoa(rank+1) {
					continue
				}
				p := ""
				if v, ok := x.Share.Value(); ok {
					p = strconv.FormatFloat(v, 'g', -1, 64)
				}
				if row[2] != x.Name || !sameNumber(row[4], p) {
					t.Errorf("group %s, rank %d: the export says %v, the screen %s %s", g.ID, rank+1, row, x.Name, p)
				}
			}
		}
	}
}

// sameNumber compares two written numbers to the digits that a table has.
func sameNumber(a, b string) bool {
	x, errA := strconv.ParseFloat(a, 64)
	y, errB := strconv.ParseFloat(b, 64)
	if errA != nil || errB != nil {
		return a == b
	}
	return x-y < 1e-6 && y-x < 1e-6
}

// archive reads the tables of an export.
func archive(t *testing.T, a *api.API, id, format string) map[string][][]string {
	t.Helper()
	x, err := a.Export(t.Context(), api.ExportRequest{Run: id, Format: format})
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	var b bytes.Buffer
	if err := x.Write(&b); err != nil {
		t.Fatal(err)
	}
	z, err := zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	out := make(map[string][][]string)
	for _, f := range z.File {
		if !strings.HasSuffix(f.Name, ".csv") {
			continue
		}
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		c := csv.NewReader(r)
		c.FieldsPerRecord = -1
		if out[f.Name], err = c.ReadAll(); err != nil {
			t.Fatal(err)
		}
		r.Close()
	}
	return out
}

// TestEveryFormat exports texts and answers in every format.
func TestEveryFormat(t *testing.T) {
	numtest.NotShort(t)
	a, f, _ := workbench(t)
	head, rows := api.ExampleTexts(2, 300)
	texts := put(t, f, "texts.csv", head, rows)
	head, rows = api.ExampleAnswers(2, 400)
	answers := put(t, f, "answers.csv", head, rows)
	for data, s := range map[string]api.Settings{
		texts:   {Text: "text", Label: []string{"title", "theme"}, Groups: 3},
		answers: {ID: "person", Label: []string{"age", "region"}, Groups: 3},
	} {
		j, err := a.StartFit(t.Context(), api.FitRequest{Data: data, Settings: s})
		j = wait(t, a, j, err)
		if j.State != api.Done {
			t.Fatalf("%s: %v", data, j.Error)
		}
		for _, format := range api.ExportFormats() {
			x, err := a.Export(t.Context(), api.ExportRequest{Run: j.Run, Format: format})
			if format == "omop-cohort" { // these data have no dates
				if api.Wrap(err).Kind != api.Refused {
					t.Errorf("%s: a cohort without dates: %v", data, err)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s, %s: %v", data, format, err)
				continue
			}
			var b bytes.Buffer
			err = x.Write(&b)
			if err != nil || b.Len() == 0 {
				t.Errorf("%s, %s: %d bytes, %v", data, format, b.Len(), err)
			}
			x.Close()
			if format == "run" {
				sameRun(t, a, j.Run, b.Bytes())
			}
		}
		if _, err := a.Export(t.Context(), api.ExportRequest{Run: j.Run, Format: "docx"}); api.Wrap(err).Kind != api.Refused {
			t.Errorf("an unknown format: %v", err)
		}
		x, err := a.Groups(t.Context(), api.RunRequest{Run: j.Run, Lambda: "0"})
		if err != nil || x.Topics != (data == texts) {
			t.Errorf("%s: topics %v, %v", data, x.Topics, err)
		}
	}
}

// sameRun holds that the archive of a run is opened by the program, and is the run.
func sameRun(t *testing.T, a *api.API, id string, archive []byte) {
	t.Helper()
	file := filepath.Join(t.TempDir(), id+".zip")
	if err := os.WriteFile(file, archive, 0o600); err != nil {
		t.Fatal(err)
	}
	dir, fresh, err := run.Unpack(file)
	if err != nil || !fresh {
		t.Fatal(dir, fresh, err)
	}
	f, err := api.NewFolder(filepath.Dir(dir))
	if err != nil {
		t.Fatal(err)
	}
	other := api.New(t.Context(), f, time.Now)
	defer other.Close(t.Context())
	text := func(a *api.API) string {
		g, err := a.Groups(t.Context(), api.RunRequest{Run: id})
		if err != nil {
			t.Fatal(err)
		}
		text, err := api.Marshal(g)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	if got, want := text(other), text(a); got != want {
		t.Errorf("%s: the run of the archive tells something else: %d and %d bytes", id, len(got), len(want))
	}
	if _, err := a.Export(t.Context(), api.ExportRequest{Run: id, Format: "run", Share: true}); api.Wrap(err).Kind != api.Refused {
		t.Errorf("records were shared: %v", err)
	}
}

// TestNames holds that no request leads out of the workspace.
func TestNames(t *testing.T) {
	a, f, dir := workbench(t)
	ctx := t.Context()
	secret := filepath.Join(filepath.Dir(dir), "secret.csv")
	if err := os.WriteFile(secret, []byte("a,b\n1,2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"../secret.csv", "..", ".", "", "/etc/passwd", `..\secret.csv`, "data/../../secret.csv", "\x00", "%2e%2e", strings.Repeat("x", 5000)} {
		if _, err := f.Input(name); err == nil {
			t.Errorf("data %q was opened", name)
		}
		if _, err := a.Groups(ctx, api.RunRequest{Run: name}); api.Wrap(err).Kind != api.Unknown {
			t.Errorf("run %q: %v", name, err)
		}
		if _, err := a.DropRun(ctx, api.RunRequest{Run: name}); err == nil {
			t.Errorf("run %q was deleted", name)
		}
		if _, err := a.DropData(ctx, api.DataRequest{Data: name}); err == nil {
			t.Errorf("data %q were deleted", name)
		}
		d, err := f.PutData(ctx, name, strings.NewReader("x"))
		if err != nil {
			t.Errorf("data called %q: %v", name, err)
			continue
		}
		if filepath.Base(d.ID) != d.ID || strings.HasPrefix(d.ID, ".") {
			t.Errorf("data called %q were kept as %q", name, d.ID)
		}
		if _, err := os.Stat(filepath.Join(dir, "data", d.ID)); err != nil {
			t.Errorf("data called %q: %v", name, err)
		}
	}
	if _, err := a.DropRun(ctx, api.RunRequest{Run: "data"}); err == nil {
		t.Error("the folder of data was deleted as a run")
	}
	if _, err := os.Stat(secret); err != nil {
		t.Error(err)
	}
}

// cut is a reader that fails after some bytes.
type cut struct{ n int }

func (c *cut) Read(p []byte) (int, error) {
	if c.n <= 0 {
		return 0, errors.New("the line is cut")
	}
	c.n -= len(p)
	return len(p), nil
}

// TestCutShort holds that an upload that breaks off leaves nothing.
func TestCutShort(t *testing.T) {
	_, f, dir := workbench(t)
	if _, err := f.PutData(t.Context(), "big.csv", &cut{1 << 20}); err == nil {
		t.Error("no error")
	}
	list, err := os.ReadDir(filepath.Join(dir, "data"))
	if err != nil || len(list) != 0 {
		t.Errorf("%v %v", list, err)
	}
}

// TestCancelAtEachStage cancels fits one step later each, and looks for what they
// left behind.
func TestCancelAtEachStage(t *testing.T) {
	numtest.NotShort(t)
	a, f, dir := workbench(t)
	head, rows := api.ExamplePatients(5, 600)
	data := put(t, f, "ward.csv", head, rows)
	cancelled := map[string]int{}
	every := numtest.Scale(3, 1, 1)
	for steps := 0; steps < 12; steps += every {
		j, err := a.StartFit(t.Context(), api.FitRequest{Data: data, Settings: api.Settings{Leaves: 3}})
		if err != nil {
			t.Fatal(err)
		}
		for {
			now, changed, err := a.Watch(j.ID)
			if err != nil {
				t.Fatal(err)
			}
			if now.State.Over() || now.State == api.Running && len(now.Steps) >= steps {
				break
			}
			<-changed
		}
		if _, err := a.Cancel(t.Context(), api.JobRequest{Job: j.ID}); err != nil {
			t.Fatal(err)
		}
		j = wait(t, a, j, nil)
		cancelled[string(j.State)]++
		list, err := a.Runs(t.Context(), api.PageRequest{})
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range list.Runs {
			if j.State == api.WasCancel {
				t.Errorf("cancelled after %d steps, and there is a run %s", steps, x.ID)
			}
			if _, err := a.DropRun(t.Context(), api.RunRequest{Run: x.ID}); err != nil {
				t.Error(err)
			}
		}
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if e.Name() != "data" && !strings.HasPrefix(e.Name(), ".") {
				t.Errorf("cancelled after %d steps, %s stayed behind", steps, e.Name())
			}
		}
	}
	if cancelled["cancelled"] < 2 {
		t.Errorf("too few were cancelled: %v", cancelled)
	}
	t.Logf("%v", cancelled)
}

// TestBadFiles holds that a file which cannot be read is said so in words.
func TestBadFiles(t *testing.T) {
	a, f, _ := workbench(t)
	for name, text := range map[string]string{
		"empty.csv": "", "head.csv": "a,b,c\n", "zeros.bin": "\x00\x01\x02\x00\x00", "paper.pdf": "%PDF-1.7\n%âãÏÓ\n",
		"quote.csv": "a,b\n\"x,1\ny,2\n",
	} {
		d, err := f.PutData(t.Context(), name, strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		j, err := a.StartFit(t.Context(), api.FitRequest{Data: d.ID})
		j = wait(t, a, j, err)
		if j.State != api.Failed || j.Error.Kind == api.Fault || j.Error.Message == "" {
			t.Errorf("%s: %s %+v", name, j.State, j.Error)
		}
	}
}

// TestCallsAreWhole holds that every call answers in JSON, and none shows a number
// past the gate.
func TestCallsAreWhole(t *testing.T) {
	a, _, _ := workbench(t)
	seen := map[string]bool{}
	for _, c := range a.Calls() {
		if seen[c.Name] || seen[c.Method+" "+c.Path] || c.Summary == "" {
			t.Errorf("the call %s %s %s is there twice or has no summary", c.Name, c.Method, c.Path)
		}
		seen[c.Name], seen[c.Method+" "+c.Path] = true, true
		if _, err := c.JSON(t.Context(), []byte(`{"run": 7}`)); strings.Contains(c.Path, "{run}") && api.Wrap(err).Kind != api.Refused {
			t.Errorf("%s took a number for a name: %v", c.Name, err)
		}
		_, _ = c.JSON(t.Context(), nil)
	}
	for name, want := range map[string]string{"about": "program", "runs": "runs", "data": "data", "jobs": "jobs"} {
		for _, c := range a.Calls() {
			if c.Name != name {
				continue
			}
			text, err := c.JSON(t.Context(), nil)
			if err != nil || !strings.Contains(string(text), `"`+want+`"`) {
				t.Errorf("%s: %v %s", name, err, text)
			}
		}
	}
}
