package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// tree is a product of two packages, with all that does not count beside it.
var tree = map[string]string{
	"go.mod":                         "module example.org/p\n",
	"p.go":                           "package p\n\nfunc F() int { return 7 }\n",
	"p_test.go":                      "package p\n\nconst Seven = 7\n",
	"numtest/n.go":                   "package numtest\n",
	"docs/d.go":                      "package docs\n",
	"scripts/s/s.go":                 "package main\n",
	"beside/go.mod":                  "module example.org/p/beside\n",
	"beside/b.go":                    "package beside\n",
	"internal/verdict/testdata/t.go": "package t\n",
	"internal/verdict/a.go":          "package verdict\n\nconst (\n\tseed, range_ = 2, .25\n\tlimit = 1\n)\n\nfunc a() int { return b() + c() }\n",
	"internal/verdict/b.go":          "package verdict\n\nfunc b() int { return c() + 0x10 }\n\ntype t struct{}\n\nfunc (t) m() { _ = limit }\n",
	"internal/verdict/c.go":          "package verdict\n\nfunc c() int { b := 2.0 * 1e-3; return int(b) + 10*1.0 }\n",
	"internal/verdict/sub/long.go":   "package sub\n\nfunc long() {\n" + strings.Repeat("\t_ = 3\n", longFile) + "}\n",
}

func planted(t *testing.T) map[string]*room {
	t.Helper()
	root := t.TempDir()
	for name, text := range tree {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	rooms, err := read(root)
	if err != nil {
		t.Fatal(err)
	}
	return rooms
}

func TestRooms(t *testing.T) {
	rooms := planted(t)
	if len(rooms) != 3 {
		t.Errorf("%d packages, want 3: %v", len(rooms), rooms)
	}
	v, long := rooms["internal/verdict"], rooms["internal/verdict/sub"]
	if v.lines != 8+7+3 || v.functions != 4 || v.longFunctions != 0 || v.longFiles != 0 {
		t.Errorf("%d lines, %d functions, %d and %d long", v.lines, v.functions, v.longFunctions, v.longFiles)
	}
	if v.constants != 1 || v.literals != 3 { // .25; 0x10, 1e-3 and 10
		t.Errorf("%d constants and %d other numbers, want 1 and 3", v.constants, v.literals)
	}
	if long.longFunctions != 1 || long.longFiles != 1 || long.literals != longFile {
		t.Errorf("%d and %d long, %d numbers", long.longFunctions, long.longFiles, long.literals)
	}
	// a refers to b and c, b to c and, for the limit, to a: a and b refer to each other.
	if all, up := v.arrows(); all != 4 || up != 2 {
		t.Errorf("%d references, %d up, want 4 and 2", all, up)
	}
}

func TestTable(t *testing.T) {
	var b strings.Builder
	if err := write(&b, planted(t)); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"lines of the product ", "numbers in internal/verdict, constants + others        1 + 353\n", "internal/verdict/sub  "} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the table lacks %q:\n%s", want, b.String())
		}
	}
}
