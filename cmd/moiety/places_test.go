package main

import (
	"encoding/binary"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/numtest"
)

// answers writes a table of yes and no with two kinds of records.
func yesAndNo(t *testing.T, path string, n int) {
	t.Helper()
	var b strings.Builder
	b.WriteString("id,a,b,c,d,e,f\n")
	for i := range n {
		fmt.Fprintf(&b, "r%d", i)
		for f := range 6 {
			yes := (f < 3) == (i%3 == 0)
			if (i*7+f*11)%13 < 2 {
				yes = !yes
			}
			fmt.Fprintf(&b, ",%d", map[bool]int{true: 1}[yes])
		}
		b.WriteString("\n")
	}
	writeText(t, path, b.String())
}

func tableOf(t *testing.T, text string) [][]string {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// float64s reads the numbers of an array.
func float64s(b []byte) (out []float64) {
	for ; len(b) > 0; b = b[8:] {
		out = append(out, math.Float64frombits(binary.LittleEndian.Uint64(b)))
	}
	return out
}

// Every way to all probabilities gives the same numbers: assign to a table, to
// arrays and to a document, export, and fit itself.
func TestProbabilitiesOfEveryGroup(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	yesAndNo(t, in("x.csv"), 240)
	must := func(args ...string) string {
		t.Helper()
		code, out, said := do(t, args...)
		if code != 0 {
			t.Fatalf("%s: exit %d: %s", strings.Join(args, " "), code, said)
		}
		return out
	}
	writeText(t, in("fit.npz"), must("fit", in("x.csv"), "-k", "2", "-o", in("run"), "--format", "binary", "--id", "id", "--to", "npz", "-q"))
	head, arrays := arraysOf(t, in("fit.npz"))
	theta := float64s(arrays["theta"])
	if len(theta) != 480 || !strings.Contains(head["labels"], "(240,)") {
		t.Fatalf("theta has %d numbers, labels are %s", len(theta), head["labels"])
	}
	rows := tableOf(t, must("assign", in("run"), in("x.csv"), "--probabilities", "all"))
	if !slices.Equal(rows[0], []string{"id", "group", "probability", "1", "2"}) {
		t.Fatalf("the columns are %q", rows[0])
	}
	for i, row := range rows[1:] {
		sum := 0.0
		for j, cell := range row[3:] {
			p, err := strconv.ParseFloat(cell, 64)
			if err != nil || p != theta[2*i+j] {
				t.Fatalf("record %d: %s of group %d, theta has %v", i, cell, j+1, theta[2*i+j])
			}
			sum += p
		}
		label := int(binary.LittleEndian.Uint64(arrays["labels"][8*i:]))
		if numtest.Off(sum, 1, 1e-12) || row[1] != strconv.Itoa(label+1) || theta[2*i+label] < .5 {
			t.Fatalf("record %d: %q, label %d", i, row, label)
		}
	}
	must("assign", in("run"), in("x.csv"), "--probabilities", "all", "-o", in("new.npz"))
	if _, other := arraysOf(t, in("new.npz")); !slices.Equal(other["theta"], arrays["theta"]) || !slices.Equal(other["ids"], arrays["ids"]) || !slices.Equal(other["labels"], arrays["labels"]) {
		t.Error("assign and fit write other arrays")
	}
	must("assign", in("run"), in("x.csv"), "--probabilities", "all", "-o", in("new.npy"))
	if b, err := os.ReadFile(in("new.npy")); err != nil || !strings.HasSuffix(string(b), string(arrays["theta"])) {
		t.Errorf("the one array is another (%v)", err)
	}
	must("assign", in("run"), in("x.csv"), "--probabilities", "all", "-o", in("new.json"))
	must("export", in("run"), "--to", "json", "--probabilities", "all", "-o", in("all.json"))
	for name, key := range map[string]string{"new.json": "records", "all.json": "places"} {
		var document map[string]json.RawMessage
		var places []struct {
			ID            string
			Group         string
			Probabilities []float64
		}
		text, err := os.ReadFile(in(name))
		if err == nil {
			err = json.Unmarshal(text, &document)
		}
		if err == nil {
			err = json.Unmarshal(document[key], &places)
		}
		if err != nil || len(places) != 240 || places[7].ID != "r7" || !slices.Equal(places[7].Probabilities, theta[14:16]) || places[7].Group != rows[8][1] {
			t.Errorf("%s: %v, %d places", name, err, len(places))
		}
	}
	must("export", in("run"), "--to", "csv", "--probabilities", "all", "-o", in("tables"))
	text, err := os.ReadFile(filepath.Join(in("tables"), "assignments.csv"))
	if err != nil || !slices.EqualFunc(tableOf(t, string(text)), rows, slices.Equal[[]string]) {
		t.Errorf("assignments.csv is not what assign writes (%v)", err)
	}
	// Again without all: the wide table is known as ours, and replaced.
	must("export", in("run"), "--to", "csv", "-o", in("tables"))
}

// What cannot be had is said.
func TestProbabilitiesThatAreNotThere(t *testing.T) {
	dir := t.TempDir()
	data, run := filepath.Join(dir, "x.csv"), filepath.Join(dir, "run")
	yesAndNo(t, data, 240)
	if code, _, said := do(t, "fit", data, "--leaves", "2", "--model", "none", "--refine", "none", "-o", run, "--format", "binary", "--id", "id"); code != 0 {
		t.Fatal(said)
	}
	for _, c := range []struct {
		code int
		word string
		args []string
	}{
		{1, "a tree of rules", []string{"assign", run, data, "--probabilities", "all"}},
		{2, "best or all", []string{"assign", run, data, "--probabilities", "some"}},
		{2, "--probabilities all", []string{"assign", run, data, "-o", filepath.Join(dir, "x.npz")}},
		{2, "single records", []string{"export", run, "--to", "csv", "--share", "--probabilities", "all", "-o", filepath.Join(dir, "t")}},
		{2, "csv, json, npz and octis", []string{"export", run, "--to", "dot", "--probabilities", "all", "-o", filepath.Join(dir, "t")}},
		{2, "npz", []string{"fit", data, "-o", run, "--to", "csv"}},
	} {
		if code, _, said := do(t, c.args...); code != c.code || !strings.Contains(said, c.word) {
			t.Errorf("%s: exit %d: %s", strings.Join(c.args, " "), code, said)
		}
	}
}

// New data in a container whose format is named are read as the run's were: a
// measurement that happens to be 0 in all of them is still one.
func TestNewRecordsAreReadAsTheRunsWere(t *testing.T) {
	dir := t.TempDir()
	data, one, run := filepath.Join(dir, "x.jsonl"), filepath.Join(dir, "one.jsonl"), filepath.Join(dir, "run")
	var b strings.Builder
	for i := range 200 {
		fmt.Fprintf(&b, `{"id":"r%d","a":%.2f,"b":%.2f,"c":%d}`+"\n", i, float64(i%2)*9+math.Sin(float64(i)), float64(i%2)*7+math.Cos(float64(3*i)), i%2*20+i%7)
	}
	writeText(t, data, b.String())
	writeText(t, one, `{"id":"new","a":0,"b":1,"c":1}`+"\n")
	if code, _, said := do(t, "fit", data, "--format", "jsonl", "--id", "id", "-k", "2", "--model", "gaussian", "-o", run); code != 0 {
		t.Fatal(said)
	}
	code, _, said := do(t, "assign", run, one)
	if code != 0 || strings.Contains(said, "NaN") {
		t.Errorf("exit %d: %s", code, said)
	}
}
