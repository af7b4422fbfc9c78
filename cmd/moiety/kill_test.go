package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/run"
	"github.com/moiety-go/moiety/internal/stream"
)

// victim is the program as a process of its own, with its own folder for
// temporary files.
func victim(t *testing.T, temp string, args ...string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(exe)
	c.Env = append(os.Environ(), childArgs+"="+strings.Join(args, "|"), "TMPDIR="+temp, "TMP="+temp, "TEMP="+temp)
	return c
}

// hidden lists what killed work may have left.
func hidden(t *testing.T, dirs ...string) (left []string) {
	t.Helper()
	for _, dir := range dirs {
		entries, err := os.ReadDir(dir)
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		for _, e := range entries {
			if strings.HasPrefix(e.Name(), ".") || strings.Contains(e.Name(), "moiety-") {
				left = append(left, filepath.Join(dir, e.Name()))
			}
		}
	}
	return left
}

// The program is killed at random moments. The next command finds the run of
// before or of after, every edit that was acknowledged, and tidies up.
func TestKill(t *testing.T) {
	dir, temp := t.TempDir(), t.TempDir()
	data, out := filepath.Join(dir, "data.csv"), filepath.Join(dir, "r")
	if err := writePatients(target{path: data}, 1, 20000); err != nil {
		t.Fatal(err)
	}
	fit := func(seed int) []string {
		return []string{"fit", data, "-k", "3", "--seed", fmt.Sprint(seed), "-o", out, "--force", "-q", "--max-memory", "17MB"}
	}
	edit := func(note string) []string { return []string{"edit", out, "note", "1", note} }
	lasts := func(args []string) time.Duration {
		start := time.Now()
		if text, err := victim(t, temp, args...).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		return time.Since(start)
	}
	fitLasts := lasts(fit(1000))
	editLasts := lasts(edit("first"))
	random := stream.New(1, "kill")
	var notes []string
	kills, early, mess, replaced := numtest.Scale(4, 100, 300), 0, 0, 0
	last := uint64(1000)
	for i := range kills {
		note := fmt.Sprintf("note %d", i)
		args, limit := edit(note), editLasts
		if i%2 == 0 {
			args, limit = fit(i), fitLasts
		}
		c := victim(t, temp, args...)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(1.3 * random.Float64() * float64(limit)))
		killErr := c.Process.Kill()
		acknowledged := c.Wait() == nil
		if killErr != nil || acknowledged {
			early++
		}
		if len(hidden(t, dir, out)) > 0 {
			mess++
		}
		r, err := run.Open(out)
		if err != nil {
			t.Fatalf("kill %d of %v: %v", i, args, err)
		}
		if _, err := r.Data(); err != nil {
			t.Fatalf("kill %d of %v: %v", i, args, err)
		}
		if left := hidden(t, dir, out, temp); len(left) > 0 {
			t.Errorf("kill %d of %v: left %v", i, args, left)
		}
		now := r.Manifest.Seed
		if i%2 == 0 {
			if now != last {
				notes = nil // another run, without the notes of the last
				replaced++
			}
		} else if acknowledged {
			notes = append(notes, note)
		}
		last = now
		for _, note := range notes {
			if !slices.ContainsFunc(r.Edits.List(), func(x run.Edit) bool { return x.Text == note }) {
				t.Errorf("kill %d of %v: %q was acknowledged and is gone", i, args, note)
			}
		}
	}
	t.Logf("count: %d kills of the program at random moments: %d came too late, %d replaced the run, %d left something that the next command took away", kills, early, replaced, mess)
}
