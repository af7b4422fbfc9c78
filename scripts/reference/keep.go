package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Names in the folder of a set, beside its tables.
const (
	exitFile  = "exit.txt"  // exit code and last line of what was said
	filesFile = "files.txt" // names in the run folder, keys of the manifest, fingerprint
)

// keep asks the program about every set and writes a folder for each.
func keep(ctx context.Context, program string, names *regexp.Regexp, folder string) error {
	program, err := filepath.Abs(program)
	if err != nil {
		return err
	}
	data, err := dataFolder()
	if err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(data, "classics")); err != nil {
		fmt.Fprintf(os.Stderr, "reference: %v: the demo alone is kept\n", err)
		data = ""
	}
	for _, s := range sets {
		if !names.MatchString(s.name) || data == "" && s.verb == "" {
			continue
		}
		if err := s.keep(ctx, program, data, filepath.Join(folder, s.name)); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	return nil
}

// dataFolder is where real data are: $MOIETY_DATA, or shared/data beside the repository.
func dataFolder() (string, error) {
	dir := os.Getenv("MOIETY_DATA")
	if dir == "" {
		dir = filepath.Join("..", "shared", "data")
	}
	dir, err := filepath.Abs(dir)
	return filepath.ToSlash(dir), err
}

// keep fits one set and exports it; an error of the program is an answer too.
func (s set) keep(ctx context.Context, program, data, folder string) error {
	work, err := os.MkdirTemp("", "reference")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	if err := os.RemoveAll(folder); err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	run := filepath.Join(work, "run")
	said, err := ask(ctx, program, append(s.words(data), "-q", "-o", run)...)
	if err != nil {
		return err
	}
	fmt.Printf("%-20s %s\n", s.name, said)
	if err := os.WriteFile(filepath.Join(folder, exitFile), []byte(said+"\n"), 0o644); err != nil {
		return err
	}
	if said != "exit 0" {
		return nil
	}
	if said, err = ask(ctx, program, "export", run, "--to", "csv", "-q", "-o", filepath.Join(folder, "csv")); err != nil || said != "exit 0" {
		return fmt.Errorf("export: %s %w", said, err)
	}
	files, err := outline(run)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, filesFile), []byte(files), 0o644)
}

// ask runs the program and returns its exit code, with what it said where that
// is not 0.
func ask(ctx context.Context, program string, args ...string) (string, error) {
	out, err := exec.CommandContext(ctx, program, args...).CombinedOutput()
	var exit *exec.ExitError
	if err == nil {
		return "exit 0", nil
	}
	if !errors.As(err, &exit) || ctx.Err() != nil {
		return "", err
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	return fmt.Sprintf("exit %d: %s", exit.ExitCode(), lines[len(lines)-1]), nil
}

// outline returns the names of the files of a run, the keys of its manifest and
// the fingerprint of its data.
func outline(run string) (string, error) {
	entries, err := os.ReadDir(run)
	if err != nil {
		return "", err
	}
	var out []string
	for _, e := range entries {
		out = append(out, "file "+e.Name())
	}
	text, err := os.ReadFile(filepath.Join(run, "manifest.json"))
	if err != nil {
		return "", err
	}
	var manifest map[string]any
	if err := json.Unmarshal(text, &manifest); err != nil {
		return "", err
	}
	out = append(out, keys("", manifest)...)
	out = append(out, fmt.Sprint("data ", manifest["data"]))
	return strings.Join(out, "\n") + "\n", nil
}

// keys returns the paths of all keys below a value.
func keys(path string, v any) []string {
	m, ok := v.(map[string]any)
	if !ok {
		return nil
	}
	var out []string
	for k, w := range m {
		out = append(out, "key "+path+k)
		out = append(out, keys(path+k+".", w)...)
	}
	slices.Sort(out)
	return out
}
