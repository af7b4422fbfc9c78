package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// product is the folder of the module that is changed, from where the command is run.
const product = ".."

// A fate is what became of a change.
type fate string

const (
	killed fate = "killed"
	slow   fate = "killed (time)" // the tests did not end in time
	alive  fate = "ALIVE"
	equal  fate = "same result" // the list says why no test can notice
	broken fate = "BROKEN"      // it cannot be made, does not build, or its tests are not green
)

// changed returns the file with the change.
func (m mutant) changed(root string) (string, error) {
	text, err := os.ReadFile(filepath.Join(root, m.file))
	if err != nil {
		return "", err
	}
	if n := strings.Count(string(text), m.from); n != 1 {
		return "", fmt.Errorf("%q is there %d times, want once", m.from, n)
	}
	return strings.Replace(string(text), m.from, m.to, 1), nil
}

// tests are the arguments after "go test" that choose the tests of the change.
func (m mutant) tests() string {
	packages := m.packages
	if packages == nil {
		packages = []string{"./" + filepath.ToSlash(filepath.Dir(m.file))}
	}
	return strings.Join(append([]string{"-run=" + m.run}, packages...), " ")
}

// noticed runs the tests over the change, which lies over the file.
func (m mutant) noticed(limit time.Duration) (fate, error) {
	text, err := m.changed(product)
	if err != nil {
		return broken, err
	}
	dir, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return broken, err
	}
	defer os.RemoveAll(dir)
	file, overlay := filepath.Join(dir, "file.go"), filepath.Join(dir, "overlay.json")
	real, err := filepath.Abs(filepath.Join(product, m.file))
	if err != nil {
		return broken, err
	}
	layer, err := json.Marshal(map[string]map[string]string{"Replace": {real: file}})
	if err != nil {
		return broken, err
	}
	for path, data := range map[string][]byte{file: []byte(text), overlay: layer} {
		if err := os.WriteFile(path, data, 0o600); err != nil {
			return broken, err
		}
	}
	how, err := run(m.tests(), limit, "-short", "-overlay="+overlay)
	switch {
	case err != nil || how != alive:
	case m.same != "":
		how = equal
	default: // by what the quick form leaves out; that it takes long says nothing there
		if usual, _ := run(m.tests(), 10*limit, "-overlay="+overlay); usual == killed {
			how = killed
		}
	}
	return how, err
}

// run asks tests: killed if one of them fails.
func run(tests string, limit time.Duration, more ...string) (fate, error) {
	args := append([]string{"test", "-count=1", "-vet=off", "-failfast", "-timeout=" + limit.String()}, more...)
	ctx, stop := context.WithTimeout(context.Background(), 4*limit) // the build is in it too
	defer stop()
	c := exec.CommandContext(ctx, "go", append(args, strings.Fields(tests)...)...)
	c.Dir = product
	out, err := c.CombinedOutput()
	said := string(out)
	switch {
	case strings.Contains(said, "[build failed]"), strings.Contains(said, "[setup failed]"):
		return broken, fmt.Errorf("it does not build: %.400s", said)
	case strings.Contains(said, "no tests to run") && !strings.Contains(tests, " ./cmd/"):
		return broken, fmt.Errorf("%s asks no tests", tests)
	case strings.Contains(said, "panic: test timed out"), ctx.Err() != nil:
		return slow, nil
	case err != nil:
		return killed, nil
	}
	return alive, nil
}
