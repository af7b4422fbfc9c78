package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/moiety-go/moiety/bank/result"
)

// stand writes a script that stands for the program: it says one group of everything.
func stand(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "program")
	script := `#!/bin/sh
if [ $1 = fit ]; then
	echo '{"verdict": {"groups": 1, "range": [1, 1], "sure": true}}'
else
	mkdir -p "$6"
	echo 'id,group,probability' > "$6/assignments.csv"
	echo 'id,step,group,probability' > "$6/steps.csv"
fi
`
	if err := os.WriteFile(path, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestRun sees that results do not depend on the number of workers but for times, and
// that they can be told and compared.
func TestRun(t *testing.T) {
	folder, program := t.TempDir(), stand(t)
	one, four := filepath.Join(folder, "1.jsonl"), filepath.Join(folder, "4.jsonl")
	for path, workers := range map[string]string{one: "1", four: "4"} {
		args := []string{"run", "-program", program, "-out", path, "-part", "all", "-laws", "^s", "-n", "50", "-seeds", "2,1", "-workers", workers}
		if err := command(t.Context(), args); err != nil {
			t.Fatal(err)
		}
	}
	if a, b := withoutTimes(t, one), withoutTimes(t, four); a != b || !strings.Contains(a, `"sure":true`) {
		t.Errorf("with one and with four workers:\n%s\n%s", a, b)
	}
	var told, compared bytes.Buffer
	if err := printTable(&told, []string{"-oracles", "", one}); err != nil || !strings.Contains(told.String(), "## By part") {
		t.Errorf("%v, table %s", err, told.String())
	}
	if err := printComparison(&compared, []string{"-oracles", "", one, four}); err != nil || !strings.Contains(compared.String(), " 0 only before") {
		t.Errorf("%v, comparison %s", err, compared.String())
	}
}

// TestRunOfSets sees that a real set goes through run and table, and that one that was not
// fetched is skipped.
func TestRunOfSets(t *testing.T) {
	folder, out := t.TempDir(), filepath.Join(t.TempDir(), "sets.jsonl")
	files := map[string]string{
		"sets.tsv":             "name\tkind\tgroups\tseen\trecords\tsha256\nold bones\tmeasurements\t2\t\t4\tHASH\nlost\ttexts\t2\t\t9\t0\n",
		"old-bones/data.csv":   "a,b\n1,2.5\n1,2.4\n7,0.1\n6,0.2\n",
		"old-bones/labels.csv": "class\nape\nape\nman\nman\n",
		"peers.csv":            "set,method,told,groups,ari\nold bones,k-means,0,2,1\n",
	}
	hash := sha256.Sum256([]byte(files["old-bones/data.csv"] + files["old-bones/labels.csv"]))
	files["sets.tsv"] = strings.Replace(files["sets.tsv"], "HASH", hex.EncodeToString(hash[:]), 1)
	for name, content := range files {
		path := filepath.Join(folder, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(content), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	if err := command(t.Context(), []string{"run", "-program", stand(t), "-out", out, "-part", "all", "-sets", folder}); err != nil {
		t.Fatal(err)
	}
	var told bytes.Buffer
	err := printTable(&told, []string{"-peers", filepath.Join(folder, "peers.csv"), out})
	if want := "| left alone: k-means | 1.00 : .00 of 1 |"; err != nil || !strings.Contains(told.String(), want) || strings.Contains(told.String(), "lost") {
		t.Errorf("%v, no %q in %s", err, want, told.String())
	}
}

// withoutTimes reads results and writes them again without their times.
func withoutTimes(t *testing.T, path string) string {
	t.Helper()
	draws, err := load(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := range draws {
		draws[i].Alone.CPU = 0
		if draws[i].Told != nil {
			draws[i].Told.CPU = 0
		}
	}
	var b bytes.Buffer
	if err := result.Write(&b, draws); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestOracle sees that a second question keeps what the first one found.
func TestOracle(t *testing.T) {
	path := filepath.Join(t.TempDir(), "oracles.csv")
	for _, name := range []string{"types of values", "voting blocs"} {
		args := []string{"oracle", "-hands", "surveys", "-laws", name, "-n", "60", "-seeds", "1", "-oracles", path}
		if err := command(t.Context(), args); err != nil {
			t.Fatal(err)
		}
	}
	table, err := loadOracles(path)
	if err != nil || len(table) != 2 {
		t.Errorf("%d cases, %v", len(table), err)
	}
}

func TestWrongUsage(t *testing.T) {
	for _, args := range [][]string{
		nil,
		{"walk"},
		{"run"},
		{"run", "-program", "/nowhere/at/all", "-out", "x"},
		{"run", "-program", "/bin/sh", "-out", "/nowhere/at/all"},
		{"run", "-program", "/bin/sh", "-out", "x", "-sets", "/nowhere/at/all"},
		{"table"},
		{"table", "/nowhere/at/all"},
		{"draw"},
		{"oracle", "-part", "half"},
		{"oracle", "-hands", "nobody"},
		{"oracle", "-laws", "("},
		{"oracle", "-laws", "no such law"},
		{"oracle", "-n", "many"},
		{"oracle", "-seeds", "0"},
	} {
		if err := command(t.Context(), args); err == nil {
			t.Errorf("%q is taken", args)
		}
	}
}

func TestParallelStopsAtAFault(t *testing.T) {
	fault := errors.New("a fault")
	var calls atomic.Int32
	err := parallel(t.Context(), io.Discard, 2, 1000, func(context.Context, int) error {
		calls.Add(1)
		return fault
	})
	if !errors.Is(err, fault) || calls.Load() > 10 {
		t.Errorf("%v after %d calls", err, calls.Load())
	}
}
