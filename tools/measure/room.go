package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

const (
	longFile     = 350
	longFunction = 60
	largest      = 12 // packages that are listed by name
)

// judging are the rooms whose numbers are counted, with the packages inside.
var judging = []string{"internal/verdict", "internal/choose"}

// within reports whether a package is a room or inside it.
func within(path, room string) bool { return path == room || strings.HasPrefix(path, room+"/") }

// room is what was counted in one package.
type room struct {
	files               map[string]*ast.File // by name
	lines, functions    int
	longFiles           int
	longFunctions       int
	constants, literals int // numbers other than 0, 1 and 2: in named constants, and elsewhere
}

// read counts the packages of the module in a folder, by their paths in it.
func read(root string) (map[string]*room, error) {
	rooms := make(map[string]*room)
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if e.IsDir() && path != root && skipped(path, e.Name()) {
			return filepath.SkipDir
		}
		if e.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		dir, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			return err
		}
		dir = filepath.ToSlash(dir)
		if rooms[dir] == nil {
			rooms[dir] = &room{files: make(map[string]*ast.File)}
		}
		return rooms[dir].add(path)
	})
	return rooms, err
}

// skipped reports whether a folder is no part of the product.
func skipped(path, name string) bool {
	if strings.HasPrefix(name, ".") || strings.HasSuffix(name, "test") {
		return true
	}
	switch name {
	case "testdata", "docs", "scripts", "gen":
		return true
	}
	_, err := os.Stat(filepath.Join(path, "go.mod"))
	return err == nil
}

// add counts one file.
func (r *room) add(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, path, text, 0)
	if err != nil {
		return err
	}
	r.files[filepath.Base(path)] = f
	lines := strings.Count(string(text), "\n")
	r.lines += lines
	if lines > longFile {
		r.longFiles++
	}
	ast.Inspect(f, func(x ast.Node) bool {
		switch d := x.(type) {
		case *ast.FuncDecl:
			r.functions++
			if set.Position(d.End()).Line-set.Position(d.Pos()).Line+1 > longFunction {
				r.longFunctions++
			}
		case *ast.GenDecl:
			if d.Tok == token.CONST {
				r.constants += named(d)
				r.literals -= numbers(d)
			}
		}
		return true
	})
	r.literals += numbers(f)
	return nil
}

// named counts the constants of a declaration that are given by numbers.
func named(d *ast.GenDecl) int {
	n := 0
	for _, s := range d.Specs {
		for _, v := range s.(*ast.ValueSpec).Values {
			if numbers(v) > 0 {
				n++
			}
		}
	}
	return n
}

// numbers counts the numbers in a piece of code that are not 0, 1 or 2.
func numbers(x ast.Node) int {
	n := 0
	ast.Inspect(x, func(x ast.Node) bool {
		if l, ok := x.(*ast.BasicLit); ok && (l.Kind == token.INT || l.Kind == token.FLOAT) && !plain(l.Value) {
			n++
		}
		return true
	})
	return n
}

// plain reports whether a number is 0, 1 or 2.
func plain(text string) bool {
	if i, err := strconv.ParseInt(text, 0, 64); err == nil {
		return i >= 0 && i <= 2
	}
	x, err := strconv.ParseFloat(text, 64)
	return err == nil && (x == 0 || x == 1 || x == 2)
}
