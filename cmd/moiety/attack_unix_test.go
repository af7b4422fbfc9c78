//go:build unix

package main

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The end of the terminal ends the program as Ctrl-C does, and nothing stays behind;
// under nohup it is no end.
func TestHangup(t *testing.T) {
	dir := t.TempDir()
	r := filepath.Join(dir, "r")
	if code, _, said := inProcess(t, nil, "fit", smallTable(t), "-k", "2", "-o", r, "-q"); code != 0 {
		t.Fatal(said)
	}
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, syscall.SIGHUP) // what these tests start must not inherit a nohup of their own
	draw := func(n string) []string { return []string{"sample", r, "-n", n, "-o", filepath.Join(dir, "s.csv")} }
	if code, took := stopped(t, draw("2000000000"), dir, syscall.SIGHUP, 300*time.Millisecond); code != exitCancelled || took > 3*time.Second {
		t.Errorf("exit code %d after %v", code, took)
	}
	if left := hidden(t, dir); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	signal.Ignore(syscall.SIGHUP) // as nohup does, and those it starts inherit
	defer signal.Reset(syscall.SIGHUP)
	if code, _ := stopped(t, draw("300000"), dir, syscall.SIGHUP, 200*time.Millisecond); code != exitDone {
		t.Errorf("under nohup: exit code %d", code)
	}
}

// A pipe that nobody writes into is named, wherever it stands: as data, or as a list
// that a flag names.
func TestWaitingIsSaid(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skipf("no named pipe can be made here: %v", err)
	}
	data := smallTable(t)
	for _, args := range [][]string{
		{"inspect", pipe},
		{"fit", data, "-k", "2", "--titles", pipe, "-o", filepath.Join(dir, "r")},
		{"fit", data, "-k", "2", "--stopwords", pipe, "-o", filepath.Join(dir, "r")},
		{"eval", "--pred", pipe, "--truth", data},
	} {
		t.Run(strings.Join(args[:1], ""), func(t *testing.T) {
			t.Parallel()
			c := child(t, args...)
			var said bytes.Buffer
			c.Stderr = &said
			if err := c.Start(); err != nil {
				t.Fatal(err)
			}
			time.Sleep(unheard + 1500*time.Millisecond)
			if err := c.Process.Signal(syscall.SIGTERM); err != nil {
				t.Error(err)
			}
			c.Wait()
			if !strings.Contains(said.String(), "waiting for somebody who writes into "+pipe) {
				t.Errorf("said %q", said.String())
			}
		})
	}
}

// What holds records is readable by its owner alone, whatever the user's habit: every
// verb that writes some, under a umask that forbids nothing.
func TestRecordsAreClosed(t *testing.T) {
	dir, data := t.TempDir(), smallTable(t)
	path := func(name string) string { return filepath.Join(dir, name) }
	for _, args := range [][]string{
		{"fit", data, "-k", "2", "-o", path("r")},
		{"fit", data, "--leaves", "3", "-o", path("tree")},
		{"fit", "--within", path("r") + ":1", "-k", "1", "-o", path("inside")},
		{"edit", path("r"), "note", "1", "seen"},
		{"assign", path("r"), data, "-o", path("placed.csv")},
		{"sample", path("r"), "-n", "50", "-o", path("drawn.csv")},
		{"convert", data, "--to", "csv", "-o", path("copy.csv")},
		{"convert", data, "--to", "mtx", "-o", path("copy.mtx")},
		{"convert", data, "--to", "parquet", "-o", path("copy.parquet")},
		{"export", path("r"), "--to", "csv", "-o", path("tables")},
		{"export", path("r"), "--to", "npz", "--theta", "-o", path("theta.npz")},
	} {
		c := child(t, args...)
		open := exec.Command("sh", append([]string{"-c", `umask 000 && exec "$@"`, "sh", c.Path}, c.Args[1:]...)...)
		open.Env = c.Env
		if text, err := open.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, text)
		}
	}
	seen := 0
	err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		if filepath.Dir(name) == path("tables") && filepath.Base(name) != "assignments.csv" {
			return nil // of groups
		}
		seen++
		info, err := os.Stat(name)
		if err == nil && info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v", name, info.Mode())
		}
		return err
	})
	if err != nil || seen < 20 {
		t.Errorf("%d files: %v", seen, err)
	}
}
