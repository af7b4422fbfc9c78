package floors

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// flag is a flag in a sentence; commands that are quoted may have some.
var (
	flag    = regexp.MustCompile(`(^|[ (,:'])(--[a-z%]|-[ko]\b)`)
	command = regexp.MustCompile(`"moiety [^"]*"`)
)

// makers are the functions whose sentences are errors.
var makers = map[string]bool{"Errorf": true, "New": true, "Unsuited": true, "asked": true, "notData": true}

// TestErrorsNameSettings: an error below the roof names a setting in marks
// (internal/setting), and the door says it: a flag, a field, a word of a form.
func TestErrorsNameSettings(t *testing.T) {
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(file string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if e.IsDir() && file != root && (strings.HasPrefix(e.Name(), ".") || e.Name() == "testdata" || isModule(file)) {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return nil
		}
		rel, err := filepath.Rel(root, filepath.Dir(file))
		if err != nil {
			return err
		}
		if pkg := filepath.ToSlash(rel); strings.HasPrefix(pkg, "cmd/") {
			return nil
		} else if f, _ := floor(pkg); f == outside {
			return nil
		}
		for _, s := range errorFlags(t, file, nil) {
			t.Errorf("%s: write the name of the setting in marks, ‹name›: the door says it", s)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// errorFlags lists the errors of a file that name a flag.
func errorFlags(t *testing.T, file string, src any) (out []string) {
	t.Helper()
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, file, src, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(f, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || !makers[called(call)] {
			return true
		}
		for _, arg := range call.Args {
			ast.Inspect(arg, func(n ast.Node) bool {
				lit, ok := n.(*ast.BasicLit)
				if !ok || lit.Kind != token.STRING {
					return true
				}
				if text, err := strconv.Unquote(lit.Value); err == nil && flag.MatchString(command.ReplaceAllString(text, "")) {
					out = append(out, set.Position(lit.Pos()).String()+": "+text)
				}
				return true
			})
		}
		return true
	})
	return out
}

// called returns the name of the function of a call; of errors.New alone New.
func called(c *ast.CallExpr) string {
	switch f := c.Fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		if x, ok := f.X.(*ast.Ident); f.Sel.Name != "New" || ok && x.Name == "errors" {
			return f.Sel.Name
		}
	}
	return ""
}

func TestErrorFlags(t *testing.T) {
	const head = "package p\nvar e = "
	for _, c := range []struct {
		line string
		want int
	}{
		{`fmt.Errorf("raise --max-memory: %w", err)`, 1},
		{`errors.New("ask with -k")`, 1},
		{`fit.Unsuited("ask for one " + "(--covariance spherical)")`, 1},
		{`fmt.Errorf("--%s is for others", name)`, 1},
		{`fmt.Errorf("raise ‹max-memory›")`, 0},
		{`fmt.Errorf("write it with \"moiety fit %s -o RUN\"", x)`, 0},
		{`warn.New(1, "x", "with --strict")`, 0},
		{`fmt.Errorf("a b--c and -kos")`, 0},
	} {
		if got := errorFlags(t, "p.go", head+c.line); len(got) != c.want {
			t.Errorf("%s: %d found, want %d", c.line, len(got), c.want)
		}
	}
}
