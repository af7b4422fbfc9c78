package main

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// TestServe starts the workbench as a program, asks it, and stops it.
func TestServe(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no signals")
	}
	dir := filepath.Join(t.TempDir(), "work")
	c := child(t, "serve", dir, "--no-browser")
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil || !strings.HasPrefix(line, "http://127.0.0.1:") || !strings.Contains(line, "token=") {
		t.Fatalf("printed %q, %v", line, err)
	}
	get := func(url string) (int, string) {
		r, err := http.Get(url)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Body.Close()
		text, err := io.ReadAll(r.Body)
		if err != nil {
			t.Fatal(err)
		}
		return r.StatusCode, string(text)
	}
	url := strings.TrimSpace(line)
	if status, text := get(url); status != 200 || !strings.Contains(text, "moiety") {
		t.Errorf("the page: %d %s", status, text)
	}
	at, _, _ := strings.Cut(url, "?")
	if status, _ := get(at + "api/runs"); status != 401 {
		t.Errorf("without the key: %d", status)
	}
	if err := c.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := c.Wait(); err != nil {
		t.Errorf("stopped with %v", err)
	}
	if _, err := os.Stat(dir); err != nil {
		t.Error(err)
	}
}

// TestServeHere: who listens on this machine alone needs no certificate.
func TestServeHere(t *testing.T) {
	for listen, encrypted := range map[string]bool{
		"127.0.0.1:8765": false, "localhost:0": false, "[::1]:0": false, "127.0.0.2:1": false,
		":8765": true, "0.0.0.0:0": true, "10.0.0.1:80": true, "host.example:80": true,
	} {
		o, err := (&serving{listen: listen, maxUpload: "1GB"}).options()
		if (err != nil) != encrypted {
			t.Errorf("%s: %v", listen, err)
		}
		if host, _, _ := net.SplitHostPort(listen); err == nil && !slices.Contains(o.Hosts, host) {
			t.Errorf("%s: the server does not answer to %q", listen, host)
		}
	}
}

// TestServeRefuses holds what serve does not do.
func TestServeRefuses(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a.csv")
	if err := os.WriteFile(file, []byte("a\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"--listen", "0.0.0.0:0"},
		{"--listen", "0.0.0.0:0", "--port", "1"},
		{"--token", "short"},
		{"--tls-cert", file, "--tls-key", file},
		{"--max-upload", "much"},
		{"--password-file", file},
		{file},
		{dir, dir},
	} {
		if code, _, text := do(t, append([]string{"serve", "--no-browser"}, args...)...); code != exitUsage || text == "" {
			t.Errorf("serve %v: exit %d, %s", args, code, text)
		}
	}
}
