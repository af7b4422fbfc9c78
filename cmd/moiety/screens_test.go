package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/moiety-go/moiety/internal/api"
	"github.com/moiety-go/moiety/internal/numtest"
)

// TestScreensCompareAsTheProgram: what the workbench says of two runs is what the command
// says, value by value, masked in both, with a group renamed by hand.
func TestScreensCompareAsTheProgram(t *testing.T) {
	numtest.NotShort(t)
	dir := t.TempDir()
	head, rows := api.ExamplePatients(5, 400)
	var table bytes.Buffer
	if err := csv.NewWriter(&table).WriteAll(append([][]string{head}, rows...)); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "ward.csv"), table.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	var said []byte
	for _, args := range [][]string{
		{"fit", "ward.csv", "--label", "sex,age", "-k", "3", "-o", "three"},
		{"fit", "ward.csv", "--label", "sex,age", "-k", "4", "-o", "four"},
		{"edit", "three", "rename", "1", "Hearts"},
		{"compare", "three", "four", "--json"},
	} {
		c := child(t, args...)
		c.Dir = dir
		out, err := c.Output()
		if err != nil {
			t.Fatalf("%v: %v: %s", args, err, out)
		}
		said = out
	}
	store, err := api.NewFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	a := api.New(t.Context(), store, time.Now)
	defer a.Close(context.WithoutCancel(t.Context()))
	shown, err := a.Compare(t.Context(), api.CompareRequest{Run: "three", With: "four"})
	if err != nil {
		t.Fatal(err)
	}
	text, err := api.Marshal(shown)
	if err != nil {
		t.Fatal(err)
	}
	var screen, program map[string]any
	if err := json.Unmarshal(text, &screen); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(said, &program); err != nil {
		t.Fatalf("%v: %.200s", err, said)
	}
	if len(program) < 8 {
		t.Errorf("only %d fields", len(program))
	}
	for field, want := range program {
		if field != "format" && !reflect.DeepEqual(screen[field], want) { // the format is the file's
			t.Errorf("%s is %v on the screen, and %v of the program", field, screen[field], want)
		}
	}
}

// TestTiersFindTheSameGroups: the example patients have the same groups, with numbers to
// 1e-4, whichever instructions of the processor are used. The page is held against
// the program in web TestPage.
func TestTiersFindTheSameGroups(t *testing.T) {
	numtest.NotShort(t)
	dir := t.TempDir()
	head, rows := api.ExamplePatients(1, numtest.Scale(200, 300, 6000))
	var table bytes.Buffer
	if err := csv.NewWriter(&table).WriteAll(append([][]string{head}, rows...)); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "ward.csv"), table.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	var first map[string]any
	tiers := []string{"plain", "best"}
	if numtest.Scale(0, 0, 1) == 1 {
		tiers = []string{"plain", "avx2", "avx512"} // one that this processor lacks is its best one
	}
	for _, tier := range tiers {
		for _, args := range [][]string{
			{"fit", "ward.csv", "--label", "sex,age", "-o", tier},
			{"export", tier, "--to", "json", "-o", tier + ".json"},
		} {
			c := child(t, args...)
			c.Dir = dir
			c.Env = append(c.Env, "MOIETY_TIER="+tier)
			if out, err := c.CombinedOutput(); err != nil {
				t.Fatalf("%v: %v: %s", args, err, out)
			}
		}
		text, err := os.ReadFile(filepath.Join(dir, tier+".json"))
		if err != nil {
			t.Fatal(err)
		}
		var report map[string]any
		if err := json.Unmarshal(text, &report); err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = report
			continue
		}
		n := 0
		for _, field := range []string{"groups", "leaves", "levels", "claim"} {
			n += nearly(t, tier+" "+field, report[field], first[field])
		}
		if n < 500 {
			t.Errorf("%s: only %d numbers were compared", tier, n)
		}
		t.Logf("%s: %d numbers are those of plain Go, to 1e-4", tier, n)
	}
}

// nearly compares two values of JSON, numbers to 1e-4, and counts the numbers.
func nearly(t *testing.T, where string, a, b any) int {
	t.Helper()
	x, isNumber := a.(float64)
	y, both := b.(float64)
	if isNumber && both {
		if numtest.Off(x, y, 1e-4*max(1, math.Abs(y))) {
			t.Errorf("%s: %v and %v", where, x, y)
		}
		return 1
	}
	n := 0
	switch x := a.(type) {
	case []any:
		y, _ := b.([]any)
		if len(x) != len(y) {
			t.Errorf("%s: %d and %d entries", where, len(x), len(y))
			return 0
		}
		for i := range x {
			n += nearly(t, where, x[i], y[i])
		}
	case map[string]any:
		y, _ := b.(map[string]any)
		for k, v := range x {
			n += nearly(t, where+"."+k, v, y[k])
		}
	default:
		if a != b {
			t.Errorf("%s: %v and %v", where, a, b)
		}
	}
	return n
}
