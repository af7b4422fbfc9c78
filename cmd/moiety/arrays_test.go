package main

import (
	"archive/zip"
	"encoding/binary"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// arraysOf returns the arrays of an npz file: their heads and their bytes.
func arraysOf(t *testing.T, path string) (head map[string]string, data map[string][]byte) {
	t.Helper()
	z, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	head, data = map[string]string{}, map[string][]byte{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		n := 10 + int(binary.LittleEndian.Uint16(b[8:]))
		name := strings.TrimSuffix(f.Name, ".npy")
		head[name], data[name] = string(b[10:n]), b[n:]
	}
	return head, data
}

// textsOf reads an array of texts of that width.
func textsOf(b []byte, width int) (out []string) {
	for ; len(b) > 0; b = b[4*width:] {
		var s strings.Builder
		for i := range width {
			if r := rune(binary.LittleEndian.Uint32(b[4*i:])); r != 0 {
				s.WriteRune(r)
			}
		}
		out = append(out, s.String())
	}
	return out
}

// The rows of theta have ids, and features the place of their column.
func TestArraysTellWhoseTheyAre(t *testing.T) {
	dir := t.TempDir()
	var b strings.Builder
	columns := []string{"rare", "often", "always", "half"}
	b.WriteString("id," + strings.Join(columns, ",") + "\n")
	var ids []string
	for i := range 120 {
		ids = append(ids, fmt.Sprintf("é%d", i*i))
		bit := func(yes bool) int {
			if yes {
				return 1
			}
			return 0
		}
		fmt.Fprintf(&b, "%s,%d,%d,%d,%d\n", ids[i], bit(i%9 == 0), bit(i%5 > 0), bit(i%17 > 0), bit(i%2 == 0))
	}
	data, run, out := filepath.Join(dir, "wide.csv"), filepath.Join(dir, "run"), filepath.Join(dir, "a.npz")
	writeText(t, data, b.String())
	if code, _, said := do(t, "fit", data, "-k", "2", "-o", run, "--format", "binary", "--id", "id"); code != 0 {
		t.Fatal(said)
	}
	if code, _, said := do(t, "export", run, "--to", "npz", "--theta", "-o", out); code != 0 {
		t.Fatal(said)
	}
	head, arrays := arraysOf(t, out)
	if !strings.Contains(head["ids"], "'<U6'") || !slices.Equal(textsOf(arrays["ids"], 6), ids) {
		t.Errorf("ids %s: %q", head["ids"], textsOf(arrays["ids"], 6)[:3])
	}
	names := textsOf(arrays["vocabulary"], 6)
	for f, name := range names {
		if at := binary.LittleEndian.Uint64(arrays["columns"][8*f:]); columns[at] != name {
			t.Errorf("feature %d, %s, is told to be column %d, %s", f, name, at, columns[at])
		}
	}
	if slices.Equal(names, columns) {
		t.Error("features stand in the order of the columns: the index tells nothing")
	}
	out = filepath.Join(dir, "b.npz")
	if code, _, said := do(t, "export", run, "--to", "npz", "-o", out); code != 0 {
		t.Fatal(said)
	}
	if head, _ := arraysOf(t, out); head["ids"] != "" || head["theta"] != "" {
		t.Error("records are told without being asked for")
	}
}

// Of sequences the rows of theta are steps: lengths cut them, transitions are
// those of the states.
func TestArraysOfSequences(t *testing.T) {
	dir := t.TempDir()
	var b strings.Builder
	b.WriteString("id,t,state\n")
	rows := 0
	for i := range 40 {
		for step := range 6 + i%4 {
			fmt.Fprintf(&b, "s%d,%d,%s\n", i, step, []string{"a", "b", "c"}[(step/3+i%2)%3])
			rows++
		}
	}
	data, run, out := filepath.Join(dir, "steps.csv"), filepath.Join(dir, "run"), filepath.Join(dir, "a.npz")
	writeText(t, data, b.String())
	if code, _, said := do(t, "fit", data, "--format", "sequences", "--id", "id", "--time", "t", "-k", "2", "-o", run); code != 0 {
		t.Fatal(said)
	}
	if code, _, said := do(t, "export", run, "--to", "npz", "--theta", "-o", out); code != 0 {
		t.Fatal(said)
	}
	head, arrays := arraysOf(t, out)
	sum := 0
	for i := range 40 {
		n := int(binary.LittleEndian.Uint64(arrays["lengths"][8*i:]))
		if sum += n; n != 6+i%4 {
			t.Errorf("sequence %d has %d steps", i, n)
		}
	}
	if sum != rows || len(arrays["theta"]) != 8*2*rows || !strings.Contains(head["transitions"], "(2, 2)") {
		t.Errorf("%d steps of %d; theta has %d bytes; transitions %s", sum, rows, len(arrays["theta"]), head["transitions"])
	}
}
