package main

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/synth"
)

// Rows come back from a folder as they went in, with and without values.
func TestRowsThroughAFolder(t *testing.T) {
	b := &bench{dir: t.TempDir()}
	train, _, _ := corpus(20, 3, true)
	for name, rows := range map[string]synth.Set{
		"counts":    {Rows: packed(train)},
		"presences": synth.Patients(1, 50, 30, 2, 4),
	} {
		dir, err := b.save(name, rows.Rows)
		if err != nil {
			t.Fatal(err)
		}
		got, err := load(dir)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, rows.Rows) {
			t.Errorf("%s: rows changed on the way", name)
		}
	}
}

func TestTopicsThroughAFolder(t *testing.T) {
	dir := t.TempDir()
	m := mat.NewDense(3, 2, []float64{.5, .1, .25, .2, .25, .7})
	if err := saveTopics(dir, m); err != nil {
		t.Fatal(err)
	}
	got, err := loadTopics(dir, 3)
	if err != nil || !mat.EqualApprox(got, m, 1e-15) {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := loadTopics(filepath.Join(dir, "none"), 3); err == nil {
		t.Error("topics out of nothing")
	}
}

// The distance does not see the order of topics: one of two moves by .2.
func TestL1(t *testing.T) {
	a := mat.NewDense(3, 2, []float64{.5, 0, .5, .5, 0, .5})
	b := mat.NewDense(3, 2, []float64{0, .4, .5, .6, .5, 0})
	if got := l1(a, b); numtest.Off(got, .1, 1e-12) {
		t.Errorf("l1 %v, want .1", got)
	}
}

// A column is the medians of its runs, stage by stage, in whatever order they came.
func TestStageTable(t *testing.T) {
	table := &stageTable{runs: make([][]*spent, 2)}
	for i, seconds := range []float64{3, 1, 2} {
		table.add(i%2, &spent{[]string{"fitting"}, map[string]float64{"fitting": seconds}})
	}
	table.add(0, &spent{[]string{"fitting"}, map[string]float64{"fitting": 9}})
	if a, b := table.median(0, "fitting"), table.median(1, "fitting"); a != 3 || b != 1 {
		t.Errorf("medians %g and %g, not 3 and 1", a, b)
	}
}

// Every command of a crowd has its own data, and nobody's results.
func TestCopyCommands(t *testing.T) {
	b := &bench{dir: t.TempDir()}
	if err := os.MkdirAll(b.path("commands", "run"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(b.path("commands", "long.csv"), []byte("id,code\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 { // what is there stays
		if err := b.copyCommands(3); err != nil {
			t.Fatal(err)
		}
	}
	list, err := os.ReadDir(b.ownCopy(3))
	if err != nil || len(list) != 1 || list[0].Name() != "long.csv" {
		t.Fatalf("copied %v, %v", list, err)
	}
	if data, err := os.ReadFile(filepath.Join(b.ownCopy(3), "long.csv")); err != nil || string(data) != "id,code\n" {
		t.Errorf("the copy is %q, %v", data, err)
	}
}

func TestUnknownLoop(t *testing.T) {
	if err := (Loop{Name: "none", Threads: 1}).run(); err == nil {
		t.Error("a loop that is not there ran")
	}
}
