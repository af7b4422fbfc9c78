package show_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// outputs are the types that a writer of this package may take: where to write,
// values whose numbers are behind the gate, values marked as records, and what
// says how to write.
var outputs = map[string]string{
	"io.Writer": "place", "context.Context": "place",
	"*report.Report": "gate", "*report.Comparison": "gate", "*report.Group": "gate", "*report.FeatureTree": "gate",
	"Records": "records", "dataset.Data": "records", "report.Placed": "records", "Posterior": "records",
	"Options": "setting", "Pages": "setting", "Dates": "setting", "FeatureOrder": "setting", "string": "setting",
	"*Scene": "drawing",
}

// exempt are functions that take other things, and why.
var exempt = map[string]string{
	"OCTISArrays": "as OCTIS",
	"OCTIS":       "as NPZ: theta is given only where the file is marked as holding records",
	"NPZ":         "theta is the probabilities of every record, given only where the file is marked as holding records",
	"TopicMap":    "a number of the topic to look at", "WritePNG": "the scale of a picture",
	"Move": "drawing", "Draw": "drawing", "Curve": "drawing", "Close": "drawing", "RGB": "drawing", "Beside": "drawing", "Plain": "words", "FormOf": "words", "TableForm": "words",
	"NewPlaces":    "ids of groups; what is collected is records",
	"HoldsRecords": "words", "RowsOf": "records", "MarshalJSON": "writes what TestNumbersAreBehindTheGate of explain looks into",
}

// TestWritersTakeNothingBare: no writer takes a bare number, or a type that this
// test does not know: what reaches a file is behind the gate or marked as
// records. TestNumbersAreBehindTheGate of explain looks into the types.
func TestWritersTakeNothingBare(t *testing.T) {
	paths, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	writers := 0
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Recv != nil || !f.Name.IsExported() {
				continue
			}
			if _, known := exempt[f.Name.Name]; known {
				continue
			}
			writers++
			for _, p := range f.Type.Params.List {
				if word := typeName(p.Type); outputs[word] == "" {
					t.Errorf("%s takes a %s: let it take a value of explain whose numbers can be withheld, or mark it as records", f.Name.Name, word)
				}
			}
		}
	}
	if writers < 15 {
		t.Errorf("%d writers found: the test tests nothing", writers)
	}
}

// typeName writes a type as it stands in the source.
func typeName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return typeName(e.X) + "." + e.Sel.Name
	case *ast.StarExpr:
		return "*" + typeName(e.X)
	case *ast.ArrayType:
		return "[]" + typeName(e.Elt)
	}
	return "?"
}
