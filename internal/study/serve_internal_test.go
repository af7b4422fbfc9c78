package study

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/moiety-go/moiety/internal/exchange"
)

// served begins a study of three sites and its server, in which clients may stand still for
// a moment.
func served(t *testing.T, still time.Duration) (*Server, string) {
	t.Helper()
	f, err := New(filepath.Join(t.TempDir(), "study"), aPaper(t, 3))
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewServer(f, func(*exchange.File) error { return nil }, func(State) {})
	if err != nil {
		t.Fatal(err)
	}
	s.still = still
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	srv := s.server()
	t.Cleanup(func() { srv.Close() })
	go func() { _ = srv.Serve(l) }()
	return s, l.Addr().String()
}

// A client that stands still is left, wherever it does: one that has the token too.
func TestClientsThatStandStill(t *testing.T) {
	s, address := served(t, 200*time.Millisecond)
	head := func(method, path, token string, length int) string {
		return fmt.Sprintf("%s %s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nContent-Length: %d\r\n\r\n", method, path, token, length)
	}
	for name, text := range map[string]string{
		"says nothing": "", "in the head": "PUT /in/a HTTP/1.1\r\nHost: ", "in the body": head("PUT", "/in/a", s.token, 1000) + "ten bytes.",
		"without the token": head("PUT", "/in/a", "wrong", 1000) + "ten bytes.", "after an answer": head("GET", "/study", s.token, 0),
		"body nobody reads": head("GET", "/totals/0", s.token, 1000), "leaving": head("PUT", "/left/a", s.token, 1000),
	} {
		c, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if _, err := io.WriteString(c, text); err != nil {
			t.Fatal(err)
		}
		_ = c.SetReadDeadline(time.Now().Add(10 * time.Second))
		if _, err := io.Copy(io.Discard, c); err != nil && strings.Contains(err.Error(), "timeout") {
			t.Errorf("%s: it is still there", name)
		}
	}
}

// A client that sends slowly, but sends, is heard; and no more files are on their way than
// there are sites.
func TestFilesOnTheirWay(t *testing.T) {
	s, address := served(t, 500*time.Millisecond)
	file := firstOf(aPaper(t, 3), "a") // of another study
	data, err := file.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	begun := make([]net.Conn, 3)
	for i := range begun {
		if begun[i], err = net.Dial("tcp", address); err != nil {
			t.Fatal(err)
		}
		defer begun[i].Close()
		fmt.Fprintf(begun[i], "PUT /in/a HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nContent-Length: %d\r\n\r\n", s.token, len(data))
	}
	for range 1000 { // until all have begun
		if len(s.coming) == 3 {
			break
		}
		time.Sleep(time.Millisecond)
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPut, "http://"+address+"/in/a", strings.NewReader("x"))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+s.token)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("a fourth file of three sites: %s", resp.Status)
	}
	const parts = 4
	for p := range parts {
		time.Sleep(250 * time.Millisecond)
		if _, err := begun[0].Write(data[p*len(data)/parts : (p+1)*len(data)/parts]); err != nil {
			t.Fatal(err)
		}
	}
	resp, err = http.ReadResponse(bufio.NewReader(begun[0]), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if text, err := io.ReadAll(resp.Body); err != nil || !strings.Contains(string(text), "another study") {
		t.Errorf("a file that came in four parts: %q, %v", text, err)
	}
}
