package kernel

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestGenerated runs the generators again, elsewhere: the assembly that is
// compiled is what they write, so that nobody mends it by hand.
func TestGenerated(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: compiles the generators of the assembly")
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("the go command is not there to run the generators")
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	out := t.TempDir()
	for _, files := range generators(t) {
		args := []string{"run"}
		for _, f := range files {
			args = append(args, filepath.Join(here, f))
		}
		c := exec.Command("go", args...)
		c.Dir = out
		c.Env = append(os.Environ(), "GOOS=", "GOARCH=") // this machine's, where tests are emulated
		if text, err := c.CombinedOutput(); err != nil {
			t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, text)
		}
	}
	made, err := os.ReadDir(out)
	if err != nil || len(made) == 0 {
		t.Fatalf("the generators wrote %d files (%v)", len(made), err)
	}
	for _, f := range made {
		want, err := os.ReadFile(filepath.Join(out, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(f.Name())
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is not what its generator writes: run go generate ./internal/kernel", f.Name())
		}
	}
	checkNoOther(t, out)
}

// generators returns the files of every go:generate line of the package.
func generators(t *testing.T) (list [][]string) {
	t.Helper()
	sources, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range sources {
		text, err := os.ReadFile(s)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			if files, ok := strings.CutPrefix(strings.TrimSpace(line), "//go:generate go run "); ok {
				list = append(list, strings.Fields(files))
			}
		}
	}
	return list
}

// checkNoOther finds assembly that no generator writes.
func checkNoOther(t *testing.T, made string) {
	t.Helper()
	assembly, err := filepath.Glob("*.s")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range assembly {
		if _, err := os.Stat(filepath.Join(made, s)); err != nil {
			t.Errorf("%s is written by no generator", s)
		}
	}
}
