package floors

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/model"
)

// kinds are the files in which words that are also names of families mean kinds
// of records or columns.
var kinds = []string{"record/record.go", "vocab/vocab.go", "internal/read/formats.go", "internal/read/delimited/options.go"}

// TestFamiliesAreNotNamed: a family is named in its own room and in the table of
// all families alone; the others ask its Info. A comparison with a name is a
// family that a new one beside it does not get.
func TestFamiliesAreNotNamed(t *testing.T) {
	root := filepath.Join("..", "..")
	names := model.Names()
	err := filepath.WalkDir(root, func(file string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if e.IsDir() && file != root && (strings.HasPrefix(e.Name(), ".") || e.Name() == "testdata" || isModule(file)) {
			return filepath.SkipDir
		}
		rel, err := filepath.Rel(root, file)
		if err != nil || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return err
		}
		pkg, rel := filepath.ToSlash(filepath.Dir(rel)), filepath.ToSlash(rel)
		if f, _ := floor(pkg); f == outside || strings.HasPrefix(pkg, "internal/family/") || rel == "model/families.go" || slices.Contains(kinds, rel) {
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			return err
		}
		for _, i := range parsed.Imports {
			if p, _ := strconv.Unquote(i.Path.Value); strings.HasPrefix(p, module+"/internal/family/") {
				t.Errorf("%s imports %s: ask family.Info instead", rel, p)
			}
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
				if word, _ := strconv.Unquote(l.Value); slices.Contains(names, word) {
					t.Errorf("%s: the name %q of a family: ask family.Info instead", rel, word)
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
