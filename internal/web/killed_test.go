package web_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/moiety-go/moiety/internal/api"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/internal/web"
	"github.com/moiety-go/moiety/internal/web/webtest"
)

// serveFolder names the folder that this program serves, in place of running tests.
const serveFolder = "MOIETY_TEST_SERVE"

func TestMain(m *testing.M) {
	if dir := os.Getenv(serveFolder); dir != "" {
		if err := serveFor(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// serveFor is a server of its own process; it says where it answers.
func serveFor(dir string) error {
	s, err := web.New(context.Background(), web.Options{Dir: dir, Token: webtest.Key})
	if err != nil {
		return err
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println(ln.Addr())
	return s.Serve(context.Background(), ln)
}

// process is a server that can be killed.
type process struct {
	*webtest.Client
	cmd *exec.Cmd
}

func startProcess(t *testing.T, dir, temp string) *process {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), serveFolder+"="+dir, "TMPDIR="+temp)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	addr, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	addr = strings.TrimSpace(addr)
	return &process{webtest.NewClient(t, addr), cmd}
}

// kill ends the process as kill -9 does: it is told nothing.
func (p *process) kill() {
	p.cmd.Process.Kill()
	p.cmd.Wait()
}

// list returns what a page of the API lists.
func (p *process) list(path, of string) []map[string]any {
	p.T.Helper()
	status, text := p.Send("GET", path, nil)
	parts, out := map[string]json.RawMessage{}, []map[string]any{}
	if err := json.Unmarshal([]byte(text), &parts); err != nil || status != 200 {
		p.T.Fatalf("%s: %d %s", path, status, text)
	}
	if err := json.Unmarshal(parts[of], &out); err != nil {
		p.T.Fatal(err)
	}
	return out
}

// TestKilled kills a server while it takes a file, fits, writes a run and renames a
// group, at many moments, and starts it again: what was finished is there, whole, and of
// the rest there is nothing.
func TestKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: slow: starts a server many times")
	}
	dir, temp := filepath.Join(t.TempDir(), "work"), t.TempDir()
	p := startProcess(t, dir, temp)
	head, rows := api.ExampleAnswers(1, 300)
	table := webtest.TableText(t, head, rows)
	if status, text := p.Send("PUT", "/api/data?name=a.csv", strings.NewReader(table)); status != 200 {
		t.Fatal(text)
	}
	const order = `{"data": "a.csv", "settings": {"id": "person", "label": ["age", "region"], "groups": 3}, "name": %q}`
	began := time.Now()
	p.Fit(fmt.Sprintf(order, "first"))
	usual := time.Since(began)
	_, report := p.Send("GET", "/api/runs/first/export/csv", nil)

	r := stream.New(1, "kills")
	wait := func(most time.Duration) { time.Sleep(time.Duration(r.Float64() * float64(most))) }
	name, asked := "", ""
	killed := map[string]int{}
	moments := []string{"taking a file", "fitting", "writing a run", "renaming"}
	for i := range numtest.Scale(4, 16, 200) {
		what := moments[i%len(moments)]
		switch what {
		case "taking a file":
			body, stop := openBody(table, r.IntN(3*len(table)))
			over := make(chan bool, 1)
			go func() { p.Send("PUT", "/api/data?name=more.csv", body); over <- true }()
			<-body.given
			wait(20 * time.Millisecond)
			p.kill()
			stop()
			<-over
		case "fitting":
			p.Send("POST", "/api/fit", strings.NewReader(fmt.Sprintf(order, fmt.Sprint("second", i))))
			wait(usual + usual/2)
			p.kill()
		case "writing a run":
			p.Send("POST", "/api/fit", strings.NewReader(fmt.Sprintf(order, fmt.Sprint("third", i))))
			for until := time.Now().Add(20 * usual); len(hidden(t, dir)) == 0 && time.Now().Before(until); {
				time.Sleep(time.Millisecond)
			}
			wait(usual / 4)
			p.kill()
		case "renaming":
			for range 1 + r.IntN(5) {
				asked = fmt.Sprintf("name %d", r.IntN(1e6))
				p.Send("POST", "/api/runs/first/groups/1", strings.NewReader(fmt.Sprintf(`{"kind": "rename", "text": %q}`, asked)))
				name = asked
			}
			asked = fmt.Sprintf("name %d", r.IntN(1e6))
			go p.Send("POST", "/api/runs/first/groups/1", strings.NewReader(fmt.Sprintf(`{"kind": "rename", "text": %q}`, asked)))
			wait(5 * time.Millisecond)
			p.kill()
		}
		killed[what]++

		p = startProcess(t, dir, temp)
		if left := append(hidden(t, dir), hidden(t, filepath.Join(dir, "data"))...); len(left) > 0 {
			t.Errorf("killed while %s, %v stayed behind", what, left)
		}
		if left, _ := os.ReadDir(temp); len(left) > 0 {
			t.Errorf("killed while %s, %v stayed behind elsewhere", what, left)
		}
		for _, d := range p.list("/api/data", "data") {
			if d["id"] != "a.csv" || d["bytes"] != float64(len(table)) {
				t.Errorf("killed while %s, there is a file %v", what, d)
			}
		}
		found := false
		for _, x := range p.list("/api/runs", "runs") {
			id := x["id"].(string)
			found = found || id == "first"
			if status, text := p.Send("GET", "/api/runs/"+id, nil); status != 200 || x["problem"] != nil && x["problem"] != "" {
				t.Errorf("killed while %s, the run %v cannot be opened: %d %.200s", what, x, status, text)
			}
			if id != "first" { // it was finished in time
				killed["finished in time"]++
				p.Send("DELETE", "/api/runs/"+id, nil)
			}
		}
		if !found {
			t.Fatalf("killed while %s, the first run is gone", what)
		}
		_, now := p.Send("GET", "/api/runs/first/groups/1", nil)
		if asked != "" && !strings.Contains(now, asked) && !strings.Contains(now, name) {
			t.Errorf("killed while %s, the name is neither %q nor %q", what, name, asked)
		}
		if strings.Contains(now, asked) {
			name = asked
		}
		if i == 0 {
			if _, again := p.Send("GET", "/api/runs/first/export/csv", nil); len(again) != len(report) {
				t.Errorf("the tables of the first run have %d bytes, and had %d", len(again), len(report))
			}
		}
	}
	t.Logf("killed %v; nothing half written, every earlier run is found", killed)
}

// hidden lists what is being written in a folder, or was.
func hidden(t *testing.T, dir string) []string {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range list {
		if strings.HasPrefix(e.Name(), ".") {
			out = append(out, e.Name())
		}
	}
	return slices.Compact(out)
}

// openBody is a body of which so many bytes come, and then none until it is stopped.
func openBody(text string, n int) (*heldBody, func()) {
	b := &heldBody{text: text, left: n, given: make(chan bool), stopped: make(chan bool)}
	return b, func() { close(b.stopped) }
}

type heldBody struct {
	text           string
	left           int
	given, stopped chan bool
	reported       bool
}

func (b *heldBody) Read(p []byte) (int, error) {
	if b.left == 0 {
		if !b.reported {
			b.reported = true
			close(b.given)
		}
		<-b.stopped
		return 0, http.ErrBodyReadAfterClose
	}
	n := copy(p[:min(len(p), b.left)], b.text)
	b.left -= n
	return n, nil
}
