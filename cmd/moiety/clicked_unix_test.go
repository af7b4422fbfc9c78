//go:build unix && !darwin

package main

import (
	"html"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
	"time"
)

// TestClicked: a double click, which is a start without words, terminal and pipes,
// opens the workbench in the browser of the desktop. The browser is given a page that
// leads there and that only this user may read: the key is in no arguments.
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
		if left, _ := filepath.Glob(filepath.Join(dir, "moiety", "open-*.html")); len(left) > 0 {
			t.Errorf("left behind: %s", left)
		}
	})
	var path []byte
	for deadline := time.Now().Add(time.Minute); len(path) == 0; time.Sleep(20 * time.Millisecond) {
		if path, _ = os.ReadFile(opened); time.Now().After(deadline) {
			t.Fatal("no page was opened")
		}
	}
	info, err := os.Stat(string(path))
	if err != nil {
		t.Fatalf("the browser was given %s: %v", path, err)
	}
	if info.Mode().Perm() != 0o600 {
		t.Errorf("others may read %s: mode %v", path, info.Mode())
	}
	page, err := os.ReadFile(string(path))
	if err != nil {
		t.Fatal(err)
	}
	to := regexp.MustCompile(`url=(http://127\.0\.0\.1:[^"]+)"`).FindSubmatch(page)
	if to == nil {
		t.Fatalf("the page leads nowhere: %s", page)
	}
	url := html.UnescapeString(string(to[1]))
	got, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	got.Body.Close()
	if got.StatusCode != http.StatusOK {
		t.Errorf("%s: %s", url, got.Status)
	}
}
