package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/run"
)

// outputs puts every command that writes a file through the rule for them:
// outputs RUN DATA
func outputs(s *script, neg bool, args []string) {
	if neg || len(args) != 2 {
		s.Fatalf("usage: outputs RUN DATA")
	}
	run, data := args[0], args[1]
	for name, command := range map[string][]string{
		"report.html": {"report", run}, "report.pdf": {"report", run}, "places.csv": {"assign", run, data}, "made.csv": {"sample", run, "-n", "30"},
		"out.json": {"export", run, "--to", "json"}, "out.npz": {"export", run, "--to", "npz"}, "theta.npz": {"export", run, "--to", "npz", "--theta"},
		"topics.html": {"export", run, "--to", "ldavis"}, "topics.json": {"export", run, "--to", "ldavis"},
		"octis.json": {"export", run, "--to", "octis"}, "out.dot": {"export", run, "--to", "dot"},
		"out.csv": {"convert", data, "--to", "csv"}, "out.mtx": {"convert", data, "--to", "mtx"}, "out.svm": {"convert", data, "--to", "svmlight"},
		"docword.out.txt": {"convert", data, "--to", "uci"}, "out.jsonl": {"convert", data, "--to", "jsonl"}, "out.parquet": {"convert", data, "--to", "parquet"},
		"tables/weights.csv": {"export", run, "--to", "csv"}, "tables/centers.csv": {"export", run, "--to", "csv"},
		"tables/topics.csv": {"export", run, "--to", "csv"}, "tables/assignments.csv": {"export", run, "--to", "csv"},
		"pictures/heatmap.svg": {"export", run, "--to", "svg"}, "pictures/heatmap.png": {"export", run, "--to", "png"},
	} {
		one(s, filepath.Join("o", strings.ReplaceAll(name, ".", "-")), name, command, data)
	}
}

// one tries one command on an empty place, an earlier output, a file of the
// user's, and data of the user's that look alike.
func one(s *script, dir, name string, command []string, data string) {
	path := s.MkAbs(filepath.Join(dir, name))
	out := path
	if strings.Contains(name, "/") {
		out = filepath.Dir(path) // the format is a folder
	}
	do := func(more ...string) error {
		return s.Exec("moiety", append(append(append([]string{}, command...), "-q", "-o", out), more...)...)
	}
	s.Check(do()) // makes the folder too
	written, err := os.ReadFile(path)
	s.Check(err)
	s.Check(os.WriteFile(path, append(bytes.Clone(written[:len(written)/2]), written[len(written)/2:]...), 0o644))
	if err := do(); err != nil {
		s.Fatalf("%s: an earlier output is not replaced: %v", name, err)
	}
	records, err := os.ReadFile(s.MkAbs(data))
	s.Check(err)
	for _, mine := range [][]byte{[]byte("my own notes\n"), records} {
		s.Check(os.WriteFile(path, mine, 0o644))
		err := do()
		if now, _ := os.ReadFile(path); err == nil || !bytes.Equal(now, mine) {
			s.Fatalf("%s: the file of a user was replaced (%v): %.40q", name, err, mine)
		}
	}
	if err := do("--force"); err != nil {
		s.Fatalf("%s: --force does not replace: %v", name, err)
	}
	again, err := os.ReadFile(path)
	s.Check(err)
	if !bytes.Equal(again, written) {
		s.Fatalf("%s: not the same bytes the third time", name)
	}
	list, err := os.ReadDir(filepath.Dir(path))
	s.Check(err)
	for _, e := range list {
		if strings.HasPrefix(e.Name(), ".") {
			s.Fatalf("%s: %s is left behind", name, e.Name())
		}
	}
}

// TestRefusedZip: of an archive whose run is refused no folder is left.
func TestRefusedZip(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	text := "id,a,b,c\n" + strings.Repeat("1,1,0,1\n2,0,1,1\n3,1,1,0\n", 10)
	if err := os.WriteFile(path("d.csv"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, said := inProcess(t, nil, "fit", path("d.csv"), "-k", "2", "-o", path("r"), "-q"); code != exitDone {
		t.Fatal(said)
	}
	r, err := run.Open(path("r"))
	if err != nil {
		t.Fatal(err)
	}
	for _, broken := range []bool{false, true} {
		var b bytes.Buffer
		if broken {
			if err := os.WriteFile(path("r/assignments.moiety"), []byte("cut"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if err := r.WriteZip(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
		name := fmt.Sprint("sent", broken)
		if err := os.WriteFile(path(name+".zip"), b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		code, _, said := inProcess(t, nil, "show", path(name+".zip"), "-q")
		if _, err := os.Stat(path(name)); (err != nil) != broken || (code != exitDone) != broken {
			t.Errorf("broken %v: exit %d, folder %v: %s", broken, code, err, said)
		}
	}
}
