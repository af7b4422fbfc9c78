package program

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/moiety-go/moiety/bank/draw"
)

// script writes a shell script that stands for the program.
func script(t *testing.T, lines string) Program {
	t.Helper()
	path := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+lines), 0o755); err != nil {
		t.Fatal(err)
	}
	return Program{Path: path, CPU: time.Second}
}

func TestFit(t *testing.T) {
	p := script(t, `
if [ $1 = export ]; then
	mkdir -p "$6"
	printf 'id,group,probability\n1,1.2,1\n3,1.1,.5\n' > "$6/assignments.csv"
	exit 0
fi
echo "$@" > args
echo '{"verdict": {"groups": 2, "range": [1, 4], "sure": true, "segments": {"groups": 3}, "new": 1},
"report": {"claim": {"sureness": "fair"}}}'
`)
	folder := t.TempDir()
	f := draw.File{Path: "data.csv", Flags: []string{"--format", "x"}, Keys: []string{"1", "2", "3"}}
	got := p.Fit(t.Context(), f, folder, 4)
	if got.Error != "" || !reflect.DeepEqual(got.Members, []string{"1.2", "", "1.1"}) {
		t.Errorf("members %q, error %q", got.Members, got.Error)
	}
	whole := got.Verdict.Whole
	got.Verdict.Whole = nil
	if want := (Verdict{Groups: 2, Low: 1, High: 4, Sure: true, Sureness: "fair", Segments: 3}); !reflect.DeepEqual(got.Verdict, want) || !bytes.Contains(whole, []byte(`"new": 1`)) {
		t.Errorf("verdict %+v", got.Verdict)
	}
	args, err := os.ReadFile(filepath.Join(folder, "args"))
	want := "fit data.csv -o " + filepath.Join(folder, "run") + " --force --json -q --workers 1 --format x -k 4\n"
	if err != nil || string(args) != want {
		t.Errorf("arguments %q, want %q", args, want)
	}
}

func TestFaults(t *testing.T) {
	for _, c := range []struct {
		name, lines, want string
		exit              int
	}{
		{"a document of the error", `echo '{"moiety": "error", "message": "too few"}'; exit 4`, "too few", 4},
		{"a line of standard error", "echo one >&2; echo two >&2; exit 2", "two", 2},
		{"a panic", "echo 'panic: index' >&2; echo 'goroutine 1' >&2; exit 2", "panic: index", 2},
		{"no end", "while :; do :; done", "took more than 1 s of CPU", -1},
		{"no document", "echo words", "document of the fit", 0},
		{"no tables", `if [ $1 = export ]; then exit 3; fi; echo '{}'`, "export: exit status 3", 0},
	} {
		got := script(t, c.lines).Fit(t.Context(), draw.File{Keys: []string{"1"}}, t.TempDir(), 0)
		if !strings.Contains(got.Error, c.want) || got.Exit != c.exit {
			t.Errorf("%s: exit %d, %q", c.name, got.Exit, got.Error)
		}
	}
}

func TestStepsAreKnownByTwoColumns(t *testing.T) {
	folder := t.TempDir()
	os.WriteFile(filepath.Join(folder, "steps.csv"), []byte("id,step,group,probability\n1,1,2,1\n1,2,1,1\n"), 0o644)
	got, err := members(folder, draw.File{Steps: true, Keys: []string{"1,1", "1,2"}})
	if err != nil || !reflect.DeepEqual(got, []string{"2", "1"}) {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := members(folder, draw.File{Steps: true, Keys: []string{"1,1"}}); err == nil {
		t.Error("a step that is not in the file is not missed")
	}
}
