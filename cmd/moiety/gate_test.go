package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// TestDocumentsAreBehindTheGate: no field of what a command prints as JSON is a
// bare number, unless its tag says what it is: a count of people or entries is an
// report.Count, which the gate may withhold. explain.TestNumbersAreBehindTheGate
// looks into the types of explain.
func TestDocumentsAreBehindTheGate(t *testing.T) {
	paths, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	fields := 0
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			s, ok := n.(*ast.StructType)
			if !ok {
				return true
			}
			for _, f := range s.Fields.List {
				if f.Tag == nil || !strings.Contains(f.Tag.Value, `json:"`) {
					continue
				}
				fields++
				if isNumber(f.Type) && !strings.Contains(f.Tag.Value, `gate:"`) {
					t.Errorf("%s: a bare number is printed: let it be an report.Count or report.Number behind the gate, or say in a tag gate what it is", set.Position(f.Pos()))
				}
			}
			return true
		})
	}
	if fields < 50 {
		t.Errorf("%d fields found: the test tests nothing", fields)
	}
}

// isNumber reports numbers, and lists and pointers of them.
func isNumber(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.StarExpr:
		return isNumber(e.X)
	case *ast.ArrayType:
		return isNumber(e.Elt)
	case *ast.MapType:
		return isNumber(e.Value)
	case *ast.Ident:
		return strings.HasPrefix(e.Name, "int") || strings.HasPrefix(e.Name, "uint") || strings.HasPrefix(e.Name, "float")
	}
	return false
}
