// Licences writes THIRD_PARTY_LICENSES: the licences of everything that is linked into the
// program on any system it is made for. Archives and wheels carry the file.
//
//	go generate ./scripts/licences
package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

//go:generate go run . -- ../../THIRD_PARTY_LICENSES

func main() {
	text, err := Text("../..")
	if err == nil {
		err = os.WriteFile(os.Args[len(os.Args)-1], text, 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "licences:", err)
		os.Exit(1)
	}
}

// module is what the program is made of.
type module struct{ path, version, dir string }

// Text returns the licences of all that the sources in root link.
func Text(root string) ([]byte, error) {
	var all []module
	for _, system := range []string{"linux", "darwin", "windows"} {
		linked, err := linkedOn(root, system)
		if err != nil {
			return nil, err
		}
		all = append(all, linked...)
	}
	slices.SortFunc(all, func(a, b module) int { return strings.Compare(a.path, b.path) })
	all = slices.Compact(all)
	var out bytes.Buffer
	fmt.Fprintf(&out, "The program moiety links the standard library of Go and %d modules. Their licences:\n", len(all))
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, err
	}
	if err := add(&out, "Go, runtime and standard library", strings.TrimSpace(string(goroot))); err != nil {
		return nil, err
	}
	for _, m := range all {
		if err := add(&out, m.path+" "+m.version, m.dir); err != nil {
			return nil, err
		}
	}
	return out.Bytes(), nil
}

// linkedOn lists the modules that are linked on a system.
func linkedOn(root, system string) ([]module, error) {
	c := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}}\t{{.Version}}\t{{.Dir}}{{end}}{{end}}", "./cmd/moiety")
	c.Dir, c.Stderr = root, os.Stderr
	c.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+system, "GOARCH=amd64")
	listed, err := c.Output()
	if err != nil {
		return nil, err
	}
	var out []module
	for line := range strings.Lines(string(listed)) {
		if f := strings.Split(strings.TrimSpace(line), "\t"); len(f) == 3 {
			out = append(out, module{f[0], f[1], f[2]})
		}
	}
	return out, nil
}

// add writes what the folder of a module says of its licence.
func add(w io.Writer, name, dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	found := false
	for _, e := range entries {
		if !isLicence(e.Name()) {
			continue
		}
		if e.IsDir() { // of what the module took over
			if err := add(w, name+", "+e.Name(), filepath.Join(dir, e.Name())); err != nil {
				return err
			}
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return err
		}
		found = true
		rule := strings.Repeat("=", 80)
		fmt.Fprintf(w, "\n%s\n%s: %s\n%s\n\n%s\n", rule, name, e.Name(), rule, bytes.TrimRight(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")), " \n"))
	}
	if !found {
		return fmt.Errorf("%s has no licence in %s", name, dir)
	}
	return nil
}

func isLicence(file string) bool {
	name := strings.ToUpper(file)
	return slices.ContainsFunc([]string{"LICENSE", "LICENCE", "COPYING", "NOTICE", "PATENTS", "THIRD_PARTY_LICENSES"}, func(word string) bool {
		return strings.Contains(name, word)
	})
}
