//go:build unix && !darwin

package main

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestClicked: a double click, which is a start without words, terminal and pipes,
// opens the workbench in the browser of the desktop.
func TestClicked(t *testing.T) {
	dir := t.TempDir()
	opened := filepath.Join(dir, "opened")
	script := "#!/bin/sh\nprintf %s \"$1\" > '" + opened + ".part' && mv '" + opened + ".part' '" + opened + "'\n"
	if err := os.WriteFile(filepath.Join(dir, "xdg-open"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	c := exec.Command("moiety") // its ends are the null device
	c.Env = append(os.Environ(), "DISPLAY=:0", "HOME="+dir, "XDG_DATA_HOME="+dir, "PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	c.Dir = dir
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	t.Cleanup(func() {
		_ = c.Process.Signal(os.Interrupt)
		if err := <-ended; err != nil {
			t.Errorf("the workbench ended with %v", err)
		}
	})
	var url []byte
	for deadline := time.Now().Add(time.Minute); len(url) == 0; time.Sleep(20 * time.Millisecond) {
		if url, _ = os.ReadFile(opened); time.Now().After(deadline) {
			t.Fatal("no page was opened")
		}
	}
	if !strings.HasPrefix(string(url), "http://127.0.0.1:") {
		t.Fatalf("opened %s", url)
	}
	got, err := http.Get(string(url))
	if err != nil {
		t.Fatal(err)
	}
	got.Body.Close()
	if got.StatusCode != http.StatusOK {
		t.Errorf("%s: %s", url, got.Status)
	}
}
