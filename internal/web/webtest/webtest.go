// Package webtest serves folders to tests of the web, and to those that open its screens in
// a browser.
package webtest

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/moiety-go/moiety/internal/api"
	"github.com/moiety-go/moiety/internal/web"
)

// Key is what a client shows to be let in.
const Key = "a-key-for-the-tests-alone"

// Client sends requests to a server.
type Client struct {
	T          *testing.T
	Base, Host string // http://HOST, and HOST
}

// NewClient returns a client of the server at an address.
func NewClient(t *testing.T, host string) *Client {
	return &Client{T: t, Base: "http://" + host, Host: host}
}

// Send sends a request and returns its status and its answer.
func (c *Client) Send(method, path string, body io.Reader, header ...string) (int, string) {
	c.T.Helper()
	r, err := http.NewRequestWithContext(c.T.Context(), method, c.Base+path, body)
	if err != nil {
		c.T.Error(err)
		return 0, err.Error()
	}
	r.Header.Set("Authorization", "Bearer "+Key)
	for i := 0; i < len(header); i += 2 {
		if header[i] == "Host" {
			r.Host = header[i+1]
			continue
		}
		r.Header.Set(header[i], header[i+1])
	}
	got, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return 0, err.Error()
	}
	defer got.Body.Close()
	text, _ := io.ReadAll(got.Body)
	return got.StatusCode, string(text)
}

// Fit makes a run and waits for it.
func (c *Client) Fit(request string) {
	c.T.Helper()
	status, text := c.Send("POST", "/api/fit", strings.NewReader(request))
	var job api.Job
	if err := json.Unmarshal([]byte(text), &job); err != nil || status != 200 {
		c.T.Fatalf("fit: %d %s", status, text)
	}
	_, events := c.Send("GET", "/api/jobs/"+job.ID+"/events", nil)
	lines := strings.Split(strings.TrimSpace(events), "\n\n")
	last := lines[len(lines)-1]
	if !strings.HasPrefix(last, "data: {") || !strings.Contains(last, `"state":"done"`) {
		c.T.Fatalf("the work ended with %s", last)
	}
}

// Serve starts a server over a folder and returns its address with the token; the
// function stops it.
func Serve(t *testing.T, dir string, o web.Options) (s *web.Server, addr net.Addr, stop func()) {
	t.Helper()
	o.Dir = dir
	s, err := web.New(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	over := make(chan error, 1)
	go func() { over <- s.Serve(ctx, ln) }()
	var once sync.Once
	stop = func() {
		once.Do(func() {
			cancel()
			if err := <-over; err != nil {
				t.Errorf("the server ended with %v", err)
			}
		})
	}
	t.Cleanup(stop)
	return s, ln.Addr(), stop
}

// TableText is a table as the text of a file.
func TableText(t *testing.T, head []string, rows [][]string) string {
	t.Helper()
	var b bytes.Buffer
	if err := csv.NewWriter(&b).WriteAll(append([][]string{head}, rows...)); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
