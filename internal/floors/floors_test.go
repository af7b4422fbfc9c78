package floors

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/moiety-go/moiety"

// floors lists the rooms from the ground up. "x/*" means the folders in x,
// "x/..." all folders below x; a room's own line wins over a pattern.
var floors = []string{
	"internal/cells internal/durable internal/kernel internal/pages internal/par internal/parquet internal/pattern internal/progress internal/setting internal/stream internal/suggest internal/phrases internal/unfinished internal/xz",
	"internal/agree internal/outfile internal/regress internal/simplex internal/spectral sparse",
	"internal/codes internal/container internal/normals mixture pass record vocab warn",
	"dataset family/loglinear internal/exchange internal/family/topics moment report",
	"family internal/read/source internal/read/triplets internal/read/turned internal/spread",
	"decompose internal/assign internal/family/* internal/lca internal/presence internal/read/* internal/refine",
	"internal/encode internal/read model",
	"internal/division internal/evaluate internal/evaluate/... internal/kept internal/latent internal/private internal/synth internal/tree internal/verdict internal/verdict/...",
	"internal/fit internal/fit/... internal/inference",
	"internal/choose internal/explain",
	"internal/inspect show",
	"internal/run",
	"internal/study",
	". internal/export",
	"internal/api",
	"internal/web",
	"cmd/...",
}

// outbuildings may import anything; only outbuildings and tests import them.
const outbuildings = "docs/... internal/floors internal/kernel/gen internal/kernel/gen/... internal/kernel/simd internal/numtest " +
	"internal/showtest internal/web/webtest internal/durable/durabletest internal/lca/lcatest scripts/... internal/decomposetest family/familytest pass/passtest"

const outside = -1 // the floor of outbuildings

// floor returns the floor of a package, and whether it has one.
func floor(pkg string) (int, bool) {
	if listed(outbuildings, pkg, false) {
		return outside, true
	}
	for _, patterns := range []bool{false, true} {
		for f, rooms := range floors {
			if listed(rooms, pkg, patterns) {
				return f, true
			}
		}
		if listed(outbuildings, pkg, true) {
			return outside, true
		}
	}
	return 0, false
}

// listed reports whether pkg is one of the rooms, by name or by pattern.
func listed(rooms, pkg string, patterns bool) bool {
	for _, room := range strings.Fields(rooms) {
		below, isBelow := strings.CutSuffix(room, "/...")
		in, isIn := strings.CutSuffix(room, "/*")
		switch {
		case !patterns && room == pkg,
			patterns && isBelow && strings.HasPrefix(pkg, below+"/"),
			patterns && isIn && path.Dir(pkg) == in:
			return true
		}
	}
	return false
}

// allowed reports whether a package may import another: from lower floors, or
// from the folders of its own room on its own floor (fit and fit/...).
func allowed(from, to string) bool {
	f, _ := floor(from)
	t, ok := floor(to)
	switch {
	case !ok:
		return false
	case f == outside:
		return true
	case t == outside:
		return false
	}
	return t < f || t == f && (strings.HasPrefix(to, from+"/") || strings.HasPrefix(from, to+"/"))
}

func TestFloors(t *testing.T) {
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(file string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if e.IsDir() && file != root && (strings.HasPrefix(e.Name(), ".") || e.Name() == "testdata" || isModule(file)) {
			return filepath.SkipDir
		}
		if strings.HasSuffix(file, ".go") && !strings.HasSuffix(file, "_test.go") {
			check(t, root, file)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func isModule(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil
}

// check reads the imports of one file, whatever its build constraints.
func check(t *testing.T, root, file string) {
	rel, err := filepath.Rel(root, filepath.Dir(file))
	if err != nil {
		t.Fatal(err)
	}
	pkg := filepath.ToSlash(rel)
	if _, ok := floor(pkg); !ok {
		t.Errorf("%s: package %s has no floor: add it to the list, on the floor of its room", file, pkg)
		return
	}
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
	if err != nil {
		t.Error(err)
		return
	}
	for _, imp := range f.Imports {
		name, _ := strconv.Unquote(imp.Path.Value)
		if name == module {
			name += "/."
		}
		if to, ours := strings.CutPrefix(name, module+"/"); ours && !allowed(pkg, to) {
			t.Errorf("%s: %s may not import %s: it is not on a lower floor", file, pkg, to)
		}
	}
}

func TestAllowed(t *testing.T) {
	for _, c := range []struct {
		from, to string
		want     bool
	}{
		{"pass", "sparse", true},
		{"sparse", "pass", false},
		{"internal/par", "internal/stream", false},
		{"internal/family/mixed", "family", true},
		{"internal/family/mixed", "internal/family/bernoulli", false},
		{"family", "internal/family/bernoulli", false},
		{"internal/read/csv", "internal/read/source", true},
		{"internal/read", "internal/read/csv", true},
		{"internal/read/csv", "internal/read", false},
		{"internal/fit", "internal/fit/inner", true},
		{"internal/fit/inner", "internal/evaluate", true},
		{"pass", "pass/passtest", false},
		{"pass/passtest", "internal/numtest", true},
		{"cmd/moiety", "internal/run", true},
		{"cmd/moiety", "nowhere", false},
		{"scripts/reference", "internal/fit", true},
	} {
		if got := allowed(c.from, c.to); got != c.want {
			t.Errorf("allowed(%s, %s) = %v, want %v", c.from, c.to, got, c.want)
		}
	}
}
