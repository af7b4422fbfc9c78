package main

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestReadme runs the commands that the README prints, in their order, in an
// empty folder. Commands of go and make are other tests' business.
func TestReadme(t *testing.T) {
	if testing.Short() {
		t.Skip("runs a dozen fits: not under -short")
	}
	bin := filepath.Join(t.TempDir(), "moiety")
	build := exec.Command("go", "build", "-o", bin, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building: %v\n%s", err, out)
	}
	dir := t.TempDir()
	ran := 0
	for _, line := range readmeCommands(t, filepath.Join("..", "..", "README.md")) {
		if !strings.HasPrefix(line, "moiety ") {
			continue
		}
		cmd := exec.Command("sh", "-c", strings.Replace(line, "moiety ", "'"+bin+"' ", 1))
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", line, err, out)
		}
		ran++
	}
	if ran < 8 {
		t.Errorf("only %d commands found in the README", ran)
	}
}

// readmeCommands returns the lines of the shell blocks of a Markdown file.
func readmeCommands(t *testing.T, path string) []string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []string
	inside := false
	for s := bufio.NewScanner(f); s.Scan(); {
		switch line := s.Text(); {
		case strings.HasPrefix(line, "```"):
			inside = !inside && line == "```sh"
		case inside:
			out = append(out, strings.TrimSpace(line))
		}
	}
	return out
}
