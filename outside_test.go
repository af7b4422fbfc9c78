package moiety_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestOutside: a program of another module fits texts, a table with blanks and
// rows, places, reports, adds a family and a Runner, with public packages alone.
func TestOutside(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program of another module: not in the short form")
	}
	dir := t.TempDir()
	copied := func(from, to string, edit func(string) string) {
		text, err := os.ReadFile(filepath.FromSlash(from))
		if err != nil {
			t.Fatal(err)
		}
		to = filepath.Join(dir, filepath.FromSlash(to))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, []byte(edit(string(text))), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	root, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	as := func(s string) string { return s }
	copied("testdata/outside/main.go.txt", "main.go", as)
	copied("docs/geometric/geometric.go", "geometric/geometric.go", as)
	copied("go.sum", "go.sum", as)
	copied("go.mod", "go.mod", func(s string) string {
		s = strings.Replace(s, "module github.com/moiety-go/moiety\n", "module outside\n", 1)
		return s + "\nrequire github.com/moiety-go/moiety v0.0.0\n\nreplace github.com/moiety-go/moiety => " + filepath.ToSlash(root) + "\n"
	})
	program := filepath.Join(dir, "outside")
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	build := exec.Command("go", "build", "-mod=mod", "-trimpath", "-o", program, ".")
	build.Dir, build.Env = dir, append(os.Environ(), "GOPROXY=off", "GOFLAGS=", "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := exec.Command(program).CombinedOutput()
	const want = `texts: apart true steps told true problems 0
table: 300 people form 2 groups. largest told true shape true
rows: geometric, first average 8 or 1
runner: groups 2 few passes true records 4000 said 0
`
	if err != nil || string(out) != want {
		t.Errorf("%v\ngot\n%swant\n%s", err, out, want)
	}
}
