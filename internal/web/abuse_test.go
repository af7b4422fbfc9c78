package web_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/moiety-go/moiety/internal/api"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/web"
	"github.com/moiety-go/moiety/internal/web/webtest"
)

func newClient(t *testing.T, o web.Options) (*webtest.Client, string) {
	t.Helper()
	dir := t.TempDir()
	o.Token = webtest.Key
	_, addr, _ := webtest.Serve(t, filepath.Join(dir, "work"), o)
	return webtest.NewClient(t, addr.String()), filepath.Join(dir, "work")
}

// paths are those that an intruder would try.
func paths() []string {
	out := []string{"/", "/index.json", "/assets/app.js", "/assets/en.json", "/data/x", "/runs/x", "/runs/x.json", "/jobs/1", "/settings", "/help", "/nothing", "/api/nothing", "/api/openapi.json"}
	f, _ := api.NewFolder(filepath.Join(os.TempDir(), "moiety-none"))
	for _, c := range api.New(context.Background(), f, time.Now).Calls() {
		out = append(out, c.Path)
	}
	return append(out, "/api/jobs/1/events", "/api/runs/x/export/csv", "/api/runs/x/scores")
}

// TestNobodyEnters: no path answers without the key, under another name, or to
// another page.
func TestNobodyEnters(t *testing.T) {
	c, _ := newClient(t, web.Options{})
	tried := 0
	for _, path := range paths() {
		for _, method := range []string{"GET", "POST", "PUT", "DELETE"} {
			for what, header := range map[string][]string{
				"no key": {"Authorization", ""}, "a wrong key": {"Authorization", "Bearer " + webtest.Key + "x"}, "half a key": {"Authorization", "Bearer a-key"},
				"a wrong cookie": {"Authorization", "", "Cookie", "moiety-" + c.Host[strings.LastIndex(c.Host, ":")+1:] + "=x"},
				"a foreign host": {"Host", "evil.example"}, "a host that is rebound": {"Host", "evil.example:" + c.Host[strings.LastIndex(c.Host, ":")+1:]},
				"a foreign origin": {"Origin", "http://evil.example"}, "no origin at all": {"Origin", "null"},
				"another port": {"Origin", "http://127.0.0.1:1"}, "another site": {"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "cors"},
			} {
				tried++
				status, text := c.Send(method, path, nil, header...)
				if status != 401 && status != 403 {
					t.Errorf("%s %s with %s: %d %s", method, path, what, status, text)
				}
				if strings.Contains(text, webtest.Key) {
					t.Errorf("%s %s with %s tells the key", method, path, what)
				}
			}
		}
	}
	if status, _ := c.Send("GET", "/api/runs?token="+webtest.Key[:5], nil, "Authorization", ""); status != 401 {
		t.Errorf("a piece of the key: %d", status)
	}
	if status, _ := c.Send("GET", "/api/runs?token="+webtest.Key, nil, "Authorization", ""); status != 200 {
		t.Errorf("the key in the address: %d", status)
	}
	t.Logf("%d requests, all refused", tried)
}

// TestNoPathLeadsOut tries to get out of the workspace by every parameter.
func TestNoPathLeadsOut(t *testing.T) {
	c, dir := newClient(t, web.Options{})
	const secret = "TOP SECRET"
	for _, at := range []string{filepath.Join(filepath.Dir(dir), "secret.csv"), filepath.Join(dir, "secret.csv")} {
		if err := os.WriteFile(at, []byte(secret), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	names := []string{"../secret.csv", "..%2fsecret.csv", "%2e%2e%2fsecret.csv", "..%5csecret.csv", "%2fetc%2fpasswd", "..", ".", "%00", "secret.csv", "data", "data%2f..%2fsecret.csv", "....%2f%2fsecret.csv", strings.Repeat("a", 3000)}
	tried := 0
	for _, n := range names {
		for _, path := range []string{
			"/api/runs/" + n, "/api/runs/" + n + "/groups/" + n, "/api/runs/" + n + "/groups/1/members", "/api/runs/" + n + "/export/csv", "/api/runs/x/export/" + n,
			"/api/runs/" + n + "/pictures/" + n, "/api/runs/" + n + "/compare?with=" + n, "/api/runs/" + n + "/beside?a=" + n + "&b=" + n, "/api/runs/" + n + "/scores?data=" + n,
			"/assets/" + n, "/runs/" + n + ".json", "/data/" + n + ".json", "/jobs/" + n + ".json", "/runs/" + n + "/compare.json", "/api/jobs/" + n + "/events",
		} {
			tried++
			status, text := c.Send("GET", path, nil)
			if strings.Contains(text, secret) || status == 200 || status >= 500 {
				t.Errorf("GET %s: %d %.200s", path, status, text)
			}
		}
		for _, path := range []string{"/api/runs/" + n, "/api/data/" + n} {
			tried++
			if status, text := c.Send("DELETE", path, nil); status == 200 || status >= 500 {
				t.Errorf("DELETE %s: %d %s", path, status, text)
			}
		}
		word, err := url.PathUnescape(n)
		if err != nil {
			word = n
		}
		for _, path := range []string{"/api/read", "/api/fit", "/api/light", "/api/score"} {
			tried++
			body, err := json.Marshal(map[string]string{"data": word, "run": word, "group": word})
			if err != nil {
				t.Fatal(err)
			}
			if status, text := c.Send("POST", path, bytes.NewReader(body)); status == 200 || status >= 500 || strings.Contains(text, secret) {
				t.Errorf("POST %s of %s: %d %s", path, n, status, text)
			}
		}
	}
	for _, at := range []string{filepath.Join(filepath.Dir(dir), "secret.csv"), filepath.Join(dir, "secret.csv")} {
		if _, err := os.Stat(at); err != nil {
			t.Error(err)
		}
	}
	t.Logf("%d requests, none led out", tried)
}

// endless is a body without an end.
type endless struct{ n atomic.Int64 }

func (e *endless) Read(p []byte) (int, error) {
	e.n.Add(int64(len(p)))
	for i := range p {
		p[i] = "1,2\n"[i%4]
	}
	return len(p), nil
}

// TestTooLarge: a file that announces 10 GB, and one that streams without an end,
// are refused at the limit, and nothing of them stays.
func TestTooLarge(t *testing.T) {
	const limit = 1 << 20
	c, dir := newClient(t, web.Options{MaxUpload: limit})
	conn, err := net.Dial("tcp", c.Host)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, "PUT /api/data?name=big.csv HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Length: 10000000000\r\n\r\n", c.Host, webtest.Key)
	got, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil || got.StatusCode != http.StatusRequestEntityTooLarge {
		t.Fatalf("a file that announces 10 GB: %v %v", err, got)
	}
	got.Body.Close()
	e := &endless{}
	status, text := c.Send("PUT", "/api/data?name=endless.csv", e)
	if status != http.StatusRequestEntityTooLarge && status != 0 {
		t.Errorf("a file without an end: %d %s", status, text)
	}
	if n := e.n.Load(); n > 64*limit {
		t.Errorf("%d bytes were taken where %d are allowed", n, limit)
	}
	if status, _ := c.Send("POST", "/api/read", &endless{}); status != http.StatusRequestEntityTooLarge && status != 0 {
		t.Errorf("a request without an end: %d", status)
	}
	if list, _ := os.ReadDir(filepath.Join(dir, "data")); len(list) != 0 {
		t.Errorf("%v stayed behind", list)
	}
	if status, _ := c.Send("PUT", "/api/data?name=small.csv", strings.NewReader("a,b\n1,2\n")); status != 200 {
		t.Errorf("a small file after it: %d", status)
	}
	t.Logf("refused after %d bytes", e.n.Load())
}

// TestSlowClient: who sends nothing for a while is cut off, and leaves nothing.
func TestSlowClient(t *testing.T) {
	c, dir := newClient(t, web.Options{Patience: 300 * time.Millisecond})
	conn, err := net.Dial("tcp", c.Host)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, "PUT /api/data?name=slow.csv HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Length: 1000\r\n\r\na,b\n", c.Host, webtest.Key)
	if err := conn.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(conn)
	if err != nil || strings.Contains(string(text), "200 OK") {
		t.Errorf("a slow client got %q, %v", text, err)
	}
	if list, _ := os.ReadDir(filepath.Join(dir, "data")); len(list) != 0 {
		t.Errorf("%v stayed behind", list)
	}
	if status, _ := c.Send("GET", "/api/runs", nil); status != 200 {
		t.Errorf("the server after it: %d", status)
	}
	t.Logf("1 client that stood still was cut off, 0 files stayed behind")
}

// TestManyReaders: many read a run while it is renamed, and all get an answer.
func TestManyReaders(t *testing.T) {
	c, _ := newClient(t, web.Options{})
	head, rows := api.ExampleAnswers(1, 300)
	if status, text := c.Send("PUT", "/api/data?name=a.csv", strings.NewReader(webtest.TableText(t, head, rows))); status != 200 {
		t.Fatal(text)
	}
	c.Fit(`{"data": "a.csv", "settings": {"id": "person", "label": ["age", "region"], "groups": 3}}`)
	var wait sync.WaitGroup
	var bad atomic.Int64
	readers := numtest.Scale(20, 200, 200)
	for i := range readers {
		wait.Add(1)
		go func() {
			defer wait.Done()
			path := []string{"/api/runs", "/api/runs/a", "/api/runs/a/groups/1", "/runs/a.json", "/api/runs/a/export/json"}[i%5]
			if status, _ := c.Send("GET", path, nil); status != 200 {
				bad.Add(1)
			}
		}()
	}
	for i := range 5 {
		if status, text := c.Send("POST", "/api/runs/a/groups/1", strings.NewReader(fmt.Sprintf(`{"kind": "rename", "text": "name %d"}`, i))); status != 200 {
			t.Errorf("renaming: %d %s", status, text)
		}
	}
	wait.Wait()
	if bad.Load() > 0 {
		t.Errorf("%d of %d readers got no answer", bad.Load(), readers)
	}
	if _, text := c.Send("GET", "/api/runs/a/groups/1", nil); !strings.Contains(text, "name 4") {
		t.Error("the last name is lost")
	}
	t.Logf("%d readers", readers)
}

// TestMalformed: requests that make no sense are refused in words, and files that
// cannot be read are said so.
func TestMalformed(t *testing.T) {
	c, _ := newClient(t, web.Options{})
	refused := 0
	for _, x := range [][3]string{
		{"POST", "/api/fit", "{"},
		{"POST", "/api/fit", `{"data": 7}`},
		{"POST", "/api/fit", `[]`},
		{"POST", "/api/fit", `{"data": "x", "settings": {"groups": -1}}`},
		{"POST", "/api/examples", `{"kind": "gold"}`},
		{"GET", "/api/runs?from=x", ""},
		{"GET", "/api/runs?most=1e9", ""},
		{"PATCH", "/api/runs", ""},
	} {
		status, text := c.Send(x[0], x[1], strings.NewReader(x[2]))
		if status < 400 || status >= 500 {
			t.Errorf("%s %s %s: %d %s", x[0], x[1], x[2], status, text)
		}
		refused++
	}
	unread := 0
	for name, text := range map[string]string{"empty.csv": "", "nul.csv": "a\x00b\n\x00\x00", "page.pdf": "%PDF-1.4 x", "half.csv.gz": "\x1f\x8b\x08half"} {
		if status, answer := c.Send("PUT", "/api/data?name="+name, strings.NewReader(text)); status != 200 {
			t.Errorf("%s: %d %s", name, status, answer)
		}
		if status, answer := c.Send("GET", "/data/"+name+".json", nil); status != 422 && status != 400 {
			t.Errorf("%s: %d %s", name, status, answer)
		}
		unread++
	}
	t.Logf("%d requests refused, %d files that cannot be read told so", refused, unread)
}

// TestStopsCleanly: a server that is told to stop while it works leaves nothing
// half done.
func TestStopsCleanly(t *testing.T) {
	dir := t.TempDir()
	_, addr, stop := webtest.Serve(t, dir, web.Options{Token: webtest.Key})
	c := webtest.NewClient(t, addr.String())
	head, rows := api.ExamplePatients(1, 3000)
	if status, text := c.Send("PUT", "/api/data?name=p.csv", strings.NewReader(webtest.TableText(t, head, rows))); status != 200 {
		t.Fatal(text)
	}
	if status, text := c.Send("POST", "/api/fit", strings.NewReader(`{"data": "p.csv"}`)); status != 200 {
		t.Fatal(text)
	}
	stop()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		if e.Name() != "data" {
			t.Errorf("%s stayed behind", e.Name())
		}
	}
}

// TestPassword: who knows the password gets in, who does not stays out.
func TestPassword(t *testing.T) {
	c, _ := newClient(t, web.Options{Password: "open sesame please"})
	post := func(word string) int {
		status, _ := c.Send("POST", "/login", strings.NewReader(url.Values{"password": {word}}.Encode()), "Authorization", "", "Content-Type", "application/x-www-form-urlencoded")
		return status
	}
	if got := post("open sesame"); got != 401 {
		t.Errorf("a wrong password: %d", got)
	}
	if got := post(""); got != 401 {
		t.Errorf("no password: %d", got)
	}
	if got := post("open sesame please"); got != 303 {
		t.Errorf("the password: %d", got)
	}
}
