package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/moiety-go/moiety/internal/stream"
)

// writeWide writes a table of 0/1 columns, enough of them for long algebra.
func writeWide(t *testing.T, path string, n, d int) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w, r := bufio.NewWriter(f), stream.New(1, "cmd/signals_test")
	w.WriteString("id")
	for j := range d {
		fmt.Fprintf(w, ",v%d", j)
	}
	for i := range n {
		fmt.Fprintf(w, "\nr%d", i)
		for j := range d {
			w.WriteByte(',')
			w.WriteByte("01"[(r.IntN(10)+(i%5)*(j%7))/9%2])
		}
	}
	w.WriteString("\n")
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// TERM and INT end every stage within a second, with the code of the contract,
// and nothing stays behind.
func TestSignals(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no signals of this kind")
	}
	if testing.Short() {
		t.Skip("-short: stops the program in every stage")
	}
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	writeWide(t, path("wide.csv"), 1500, 1200)
	writeBig(t, path("long.csv"), 40_000_000)
	if code, _, said := inProcess(t, nil, "fit", path("wide.csv"), "-k", "2", "-o", path("run"), "-q"); code != 0 {
		t.Fatal(said)
	}
	if code, _, said := inProcess(t, nil, "fit", path("long.csv"), "-k", "2", "--refine", "none", "-o", path("places"), "-q"); code != 0 {
		t.Fatal(said)
	}
	keep, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	clear := func() {
		for _, name := range []string{"r", "s.csv", "x.parquet", "a.csv"} {
			if err := os.RemoveAll(path(name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	temp := t.TempDir()
	for _, stage := range []struct {
		name  string
		after time.Duration
		args  []string
	}{
		{"reading", 50 * time.Millisecond, []string{"fit", path("long.csv"), "-k", "4", "-o", path("r")}},
		{"encoding", 400 * time.Millisecond, []string{"fit", path("long.csv"), "-k", "4", "-o", path("r"), "--max-memory", "20MB"}},
		{"algebra", 500 * time.Millisecond, []string{"fit", path("wide.csv"), "-k", "100", "-o", path("r")}},
		{"dense algebra of another method", 500 * time.Millisecond, []string{"fit", path("wide.csv"), "-k", "60", "--method", "tpm", "-o", path("r")}},
		{"a tree", 300 * time.Millisecond, []string{"fit", path("wide.csv"), "--leaves", "40", "-o", path("r")}},
		{"choosing", 400 * time.Millisecond, []string{"choose", path("wide.csv"), "--max", "30"}},
		{"inspecting", 500 * time.Millisecond, []string{"inspect", path("long.csv")}},
		{"drawing", 300 * time.Millisecond, []string{"sample", path("run"), "-n", "200000000", "-o", path("s.csv")}},
		{"drawing to nowhere", 300 * time.Millisecond, []string{"sample", path("run"), "-n", "200000000"}},
		{"converting", 150 * time.Millisecond, []string{"convert", path("long.csv"), "--to", "parquet", "-o", path("x.parquet")}},
		{"placing", 150 * time.Millisecond, []string{"assign", path("places"), path("long.csv"), "-o", path("a.csv")}},
	} {
		for _, signal := range []os.Signal{syscall.SIGTERM, os.Interrupt} {
			t.Run(stage.name+" "+signal.String(), func(t *testing.T) {
				code, took := exitDone, time.Duration(0)
				for after := stage.after; code == exitDone && after > time.Millisecond; after /= 2 {
					clear() // what a fast machine had finished before the signal came
					code, took = stopped(t, stage.args, temp, signal, after)
				}
				if code != exitCancelled {
					t.Errorf("exit code %d after %v", code, took)
				}
				if took > 1500*time.Millisecond { // a second, and what a busy machine adds
					t.Errorf("ended after %v", took)
				}
				t.Logf("ended after %v", took)
				now, err := os.ReadDir(dir)
				if err != nil {
					t.Fatal(err)
				}
				if len(now) != len(keep) {
					var names []string
					for _, e := range now {
						names = append(names, e.Name())
					}
					t.Errorf("left behind: %s", strings.Join(names, ", "))
				}
				if left, _ := filepath.Glob(filepath.Join(temp, "moiety*")); len(left) > 0 {
					t.Errorf("left among the temporary files: %v", left)
				}
			})
		}
	}
}

// stopped starts the program, sends it a signal after a while and returns its
// exit code and how long it took to end.
func stopped(t *testing.T, args []string, temp string, signal os.Signal, after time.Duration) (int, time.Duration) {
	t.Helper()
	c := child(t, append(args, "-q")...)
	c.Env = append(c.Env, "TMPDIR="+temp)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(after)
	if err := c.Process.Signal(signal); err != nil {
		t.Fatal(err)
	}
	begun := time.Now()
	killer := time.AfterFunc(30*time.Second, func() { c.Process.Kill() })
	c.Wait()
	killer.Stop()
	return c.ProcessState.ExitCode(), time.Since(begun)
}
