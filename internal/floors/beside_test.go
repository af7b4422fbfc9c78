package floors

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// beside lists the internal rooms that modules beside the product import. A door that
// everybody may use would spare them: the list shows what the public packages lack.
var beside = map[string]string{
	"bank":    "",
	"beam":    "fit run spread stream",
	"bench":   "agree encode evaluate family/bernoulli fit kernel numtest pages read refine run spectral stream synth",
	"browser": "api codes fit numtest run showtest stream study web web/webtest",
	"experiments": "agree assign encode evaluate exchange explain family/bernoulli family/categorical family/gaussian family/hmm family/lda " +
		"family/poisson family/singletopic fit inference lca numtest par private progress read refine spectral stream synth tree verdict",
	"tools": "",
}

// TestRoomsOfModulesBeside: the modules are those of the list, and import what it says.
func TestRoomsOfModulesBeside(t *testing.T) {
	root := filepath.Join("..", "..")
	mods, err := filepath.Glob(filepath.Join(root, "*", "go.mod"))
	if err != nil || len(mods) != len(beside) {
		t.Errorf("%d modules beside the product, %d in the list (%v)", len(mods), len(beside), err)
	}
	for _, mod := range mods {
		dir := filepath.Dir(mod)
		name := filepath.Base(dir)
		if got := strings.Join(rooms(t, dir), " "); got != beside[name] {
			t.Errorf("module %s imports the rooms\n%s\nand the list says\n%s", name, got, beside[name])
		}
	}
}

// rooms returns the internal rooms of the product that the files in a folder import, tests
// among them.
func rooms(t *testing.T, dir string) (out []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(file string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(file, ".go") {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, imp := range f.Imports {
			path, _ := strconv.Unquote(imp.Path.Value)
			if room, ok := strings.CutPrefix(path, module+"/internal/"); ok && !slices.Contains(out, room) {
				out = append(out, room)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(out)
	return out
}
