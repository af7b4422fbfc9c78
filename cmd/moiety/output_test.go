package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// child is the program as a process of its own.
func child(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(self)
	cache := t.TempDir()
	c.Env = append(os.Environ(), childArgs+"="+strings.Join(args, "|"), "XDG_CACHE_HOME="+cache, "HOME="+cache)
	return c
}

// patients writes a small table of 0/1 columns of two kinds of records.
func smallTable(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "small.csv")
	var b strings.Builder
	b.WriteString("id,a,b,c,d,e,f\n")
	for i := range 60 {
		line := []string{"1,1,0,1,0,0", "0,0,1,0,1,1", "1,1,0,1,0,1", "0,1,1,0,1,1"}[i%4]
		b.WriteString(strings.Repeat("r", 1+i%3) + string(rune('A'+i%26)) + string(rune('a'+i/26)) + "," + line + "\n")
	}
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// Every verb that prints says so, with exit 1, when standard output is full; a
// reader who has seen enough is no error.
func TestStandardOutput(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("/dev/full is a device of Linux")
	}
	data := smallTable(t)
	r := filepath.Join(t.TempDir(), "r")
	if code, _, said := inProcess(t, nil, "fit", data, "-k", "2", "-o", r); code != 0 {
		t.Fatalf("fit: %s", said)
	}
	verbs := [][]string{
		{"inspect", data},
		{"inspect", data, "--json"},
		{"fit", data, "-k", "2", "-o", filepath.Join(t.TempDir(), "r2")},
		{"fit", data, "-k", "2", "--dry-run"},
		{"show", r},
		{"show", r, "1"},
		{"show", r, "--json"},
		{"eval", r},
		{"choose", data, "--max", "2"},
		{"compare", r, r},
		{"sample", r, "-n", "50"},
		{"assign", r, data},
		{"edit", r, "--list"},
		{"version"},
		{"--version"},
		{"help"},
		{"man"},
	}
	for _, args := range verbs {
		t.Run(strings.Join(args[:1], " "), func(t *testing.T) {
			full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
			if err != nil {
				t.Skip(err)
			}
			defer full.Close()
			errs, err := os.Create(filepath.Join(t.TempDir(), "err"))
			if err != nil {
				t.Fatal(err)
			}
			defer errs.Close()
			a := &app{in: os.Stdin, out: &output{f: full}, err: errs}
			code := a.run(args)
			said, _ := os.ReadFile(errs.Name())
			if code != exitError || !strings.Contains(string(said), "could not be written to standard output: no space left on device") {
				t.Errorf("code %d, said %q", code, said)
			}
			// A pipe without a reader.
			reader, writer, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			reader.Close()
			defer writer.Close()
			if args[0] == "fit" {
				return // done above, and its folder is there
			}
			if err := errs.Truncate(0); err != nil {
				t.Fatal(err)
			}
			a = &app{in: os.Stdin, out: &output{f: writer}, err: errs, quiet: true}
			code = a.run(append(args, "-q"))
			said, _ = os.ReadFile(errs.Name())
			if code != exitDone || len(strings.Trim(string(said), "\x00")) != 0 {
				t.Errorf("a closed pipe: code %d, said %q", code, said)
			}
		})
	}
}
