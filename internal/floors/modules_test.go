package floors

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestModulesAreOfTheProgram: a module that only tests import does not stand in go.mod.
func TestModulesAreOfTheProgram(t *testing.T) {
	root := filepath.Join("..", "..")
	text, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	unused := make(map[string]bool)
	for _, m := range regexp.MustCompile(`(?m)^\t(\S+) v\S+$`).FindAllStringSubmatch(string(text), -1) {
		unused[m[1]] = true
	}
	if len(unused) == 0 {
		t.Fatal("go.mod names no module")
	}
	err = filepath.WalkDir(root, func(file string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if e.IsDir() && file != root && (strings.HasPrefix(e.Name(), ".") || e.Name() == "testdata" || isModule(file)) {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") || e.IsDir() {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, imp := range f.Imports {
			name, _ := strconv.Unquote(imp.Path.Value)
			for module := range unused {
				if name == module || strings.HasPrefix(name, module+"/") {
					delete(unused, module)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for module := range unused {
		t.Errorf("go.mod: no file of the program imports %s", module)
	}
}

// TestNoBeam: clusters are a module of their own, and who builds moiety downloads nothing
// of Beam, Flink or stores. go.sum has every module that `go list -m all` knows.
func TestNoBeam(t *testing.T) {
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile("../../" + name)
		if err != nil {
			t.Fatal(err)
		}
		for _, word := range []string{"apache/beam", "aws-sdk", "cloud.google.com"} {
			if strings.Contains(string(text), word) {
				t.Errorf("%s names %s", name, word)
			}
		}
	}
}
