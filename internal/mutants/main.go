// Mutants makes small wrong changes to the program, one at a time, and counts
// which of them the tests notice, area by area: how strong the tests are where a
// wrong answer would hurt. The files themselves are not touched.
//
//	go run ./internal/mutants              all of them
//	go run ./internal/mutants explain run  some areas
//
// A change that no test notices is listed with its place; one that cannot be made
// any more, because its line has changed, is an error: the list is in list.go.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
)

func main() {
	score, err := tried(os.Args[1:])
	if err == nil {
		err = score.print(os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// scores counts changes and killed ones by area.
type scores struct {
	areas         []string
	made, killed  map[string]int
	alive, broken []string
}

// tried makes the changes of some areas, or of all, and runs the tests.
func tried(areas []string) (*scores, error) {
	dir, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	s := &scores{made: map[string]int{}, killed: map[string]int{}}
	for _, m := range list() {
		if len(areas) > 0 && !slices.Contains(areas, m.area) {
			continue
		}
		noticed, err := m.noticed(dir)
		if err != nil {
			s.broken = append(s.broken, fmt.Sprintf("%s: %s: %v", m.file, m.why, err))
			continue
		}
		if !slices.Contains(s.areas, m.area) {
			s.areas = append(s.areas, m.area)
		}
		s.made[m.area]++
		if noticed {
			s.killed[m.area]++
		} else {
			s.alive = append(s.alive, m.file+": "+m.why)
		}
		fmt.Printf("%-8s %s: %s\n", map[bool]string{true: "killed", false: "ALIVE"}[noticed], m.file, m.why)
	}
	return s, nil
}

// print writes the table; a change that could not be made is an error.
func (s *scores) print(out *os.File) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "\narea\tkilled\tchanges")
	made, killed := 0, 0
	for _, a := range s.areas {
		fmt.Fprintf(w, "%s\t%d\t%d\n", a, s.killed[a], s.made[a])
		made, killed = made+s.made[a], killed+s.killed[a]
	}
	fmt.Fprintf(w, "all\t%d\t%d\n", killed, made)
	if err := w.Flush(); err != nil {
		return err
	}
	if len(s.broken) > 0 {
		return fmt.Errorf("%d changes could not be made or did not build:\n%s", len(s.broken), strings.Join(s.broken, "\n"))
	}
	return nil
}

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

// noticed runs the tests over the change, which lies over the file.
func (m mutant) noticed(dir string) (bool, error) {
	text, err := m.changed(".")
	if err != nil {
		return false, err
	}
	file, overlay := filepath.Join(dir, "file.go"), filepath.Join(dir, "overlay.json")
	real, err := filepath.Abs(m.file)
	if err != nil {
		return false, err
	}
	layer, err := json.Marshal(map[string]map[string]string{"Replace": {real: file}})
	if err != nil {
		return false, err
	}
	for path, data := range map[string][]byte{file: []byte(text), overlay: layer} {
		if err := os.WriteFile(path, data, 0o600); err != nil {
			return false, err
		}
	}
	args := []string{"test", "-short", "-count=1", "-timeout=10m", "-overlay=" + overlay}
	if m.run != "" {
		args = append(args, "-run="+m.run)
	}
	packages := m.packages
	if packages == nil {
		packages = []string{"./" + filepath.ToSlash(filepath.Dir(m.file))}
	}
	said, err := exec.Command("go", append(args, packages...)...).CombinedOutput()
	if strings.Contains(string(said), "[build failed]") || strings.Contains(string(said), "[setup failed]") {
		return false, fmt.Errorf("it does not build: %.300s", said)
	}
	return err != nil, nil
}
