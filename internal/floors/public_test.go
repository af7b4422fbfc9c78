package floors

import (
	"bytes"
	"fmt"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
	"testing"
)

// publicPackages are those that a program outside may import; docs/flow.md says
// for whom each is.
const publicPackages = ". dataset decompose family family/familytest family/loglinear mixture model moment " +
	"pass pass/passtest record report show sparse vocab warn"

// TestPublic: a program outside can name every type of a public signature, so
// none is of internal/. (Buffers is the one exception: the house's own runners
// hand it on, and others leave it nil.)
func TestPublic(t *testing.T) {
	imp, listed := compiled(t)
	want := map[string]bool{}
	for _, p := range strings.Fields(publicPackages) {
		want[strings.TrimSuffix(module+"/"+p, "/.")] = true
	}
	for path := range listed {
		if !want[path] {
			t.Errorf("%s can be imported from outside and is not in the list of public packages", path)
		}
	}
	for path := range want {
		if !listed[path] {
			t.Errorf("%s is in the list of public packages and is not there", path)
			continue
		}
		pkg, err := imp.Import(path)
		if err != nil {
			t.Fatal(err)
		}
		s := &signatures{pkg: path, found: map[string]bool{}, seen: map[types.Type]bool{}}
		s.scope(pkg.Scope())
		for _, f := range s.list() {
			t.Errorf("%s: %s: a program outside cannot name it", strings.TrimPrefix(path, module), f)
		}
	}
}

// compiled returns an importer of the public packages as the compiler sees them,
// and the paths of all that can be imported from outside.
func compiled(t *testing.T) (types.Importer, map[string]bool) {
	public, export := map[string]bool{}, map[string]string{}
	var roots []string
	list(t, func(path, name, _ string) {
		room, ours := strings.CutPrefix(path+"/", module+"/")
		if ours && name != "main" && !strings.HasPrefix(room, "internal/") && !strings.HasPrefix(room, "docs/") {
			public[path] = true
			roots = append(roots, path)
		}
	}, "./...")
	list(t, func(path, _, file string) { export[path] = file }, append([]string{"-export", "-deps"}, roots...)...)
	return importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(export[path])
	}), public
}

// list asks the go command for packages: path, name, and the file of what it exports.
func list(t *testing.T, of func(path, name, export string), args ...string) {
	cmd := exec.Command("go", append([]string{"list", "-f", "{{.ImportPath}}\t{{.Name}}\t{{.Export}}"}, args...)...)
	cmd.Dir = filepath.Join("..", "..")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, stderr.String())
	}
	for line := range strings.Lines(string(out)) {
		part := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		of(part[0], part[1], part[2])
	}
}

// signatures walks what a package exports.
type signatures struct {
	pkg   string
	found map[string]bool
	seen  map[types.Type]bool
}

func (s *signatures) list() []string {
	var out []string
	for f := range s.found {
		out = append(out, f)
	}
	sort.Strings(out)
	return out
}

func (s *signatures) scope(scope *types.Scope) {
	for _, name := range scope.Names() {
		o := scope.Lookup(name)
		if !o.Exported() {
			continue
		}
		if n, ok := o.(*types.TypeName); ok {
			s.declared(n)
			continue
		}
		s.walk(name, o.Type())
	}
}

// declared walks what a declared type shows: its fields or methods.
func (s *signatures) declared(n *types.TypeName) {
	if a, ok := n.Type().(*types.Alias); ok {
		s.walk(n.Name(), a.Rhs())
		return
	}
	named, ok := n.Type().(*types.Named)
	if !ok {
		return
	}
	s.walk(n.Name(), named.Underlying())
	for i := range named.NumMethods() {
		if m := named.Method(i); m.Exported() {
			s.walk(n.Name()+"."+m.Name(), m.Type())
		}
	}
}

// walk notes every named type of internal/ in a type, as it is written at place.
func (s *signatures) walk(place string, t types.Type) {
	switch t := t.(type) {
	case *types.Named:
		s.named(place, t.Obj(), t.TypeArgs())
	case *types.Alias:
		s.named(place, t.Obj(), t.TypeArgs())
	case *types.Pointer:
		s.walk(place, t.Elem())
	case *types.Slice:
		s.walk(place, t.Elem())
	case *types.Array:
		s.walk(place, t.Elem())
	case *types.Chan:
		s.walk(place, t.Elem())
	case *types.Map:
		s.walk(place, t.Key())
		s.walk(place, t.Elem())
	case *types.Signature:
		s.walk(place, t.Params())
		s.walk(place, t.Results())
	case *types.Tuple:
		for i := range t.Len() {
			s.walk(place, t.At(i).Type())
		}
	case *types.Struct:
		for i := range t.NumFields() {
			if f := t.Field(i); f.Exported() {
				s.walk(place+"."+f.Name(), f.Type())
			}
		}
	case *types.Interface:
		for i := range t.NumExplicitMethods() {
			if m := t.ExplicitMethod(i); m.Exported() {
				s.walk(place+"."+m.Name(), m.Type())
			}
		}
		for i := range t.NumEmbeddeds() {
			s.walk(place, t.EmbeddedType(i))
		}
	}
}

func (s *signatures) named(place string, n *types.TypeName, args *types.TypeList) {
	for i := range args.Len() {
		s.walk(place, args.At(i))
	}
	if n.Pkg() != nil && strings.HasPrefix(n.Pkg().Path(), module+"/internal/") && place != "Ability.Buffers" {
		s.found[fmt.Sprintf("%s is said in %s.%s", place, strings.TrimPrefix(n.Pkg().Path(), module+"/"), n.Name())] = true
	}
}
