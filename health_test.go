package moiety_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/moiety-go/moiety"
	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"
)

// diagnoses are codes of patients in two groups, the second of only seven people.
func diagnoses() (names []string, rows [][]float64) {
	names = []string{"250", "401", "428", "486", "584", "599"}
	for i := range 207 {
		row := make([]float64, len(names))
		for h := range row {
			if (h < 3) == (i < 200) && (i*7+h*5)%6 != 0 {
				row[h] = 1
			}
		}
		rows = append(rows, row)
	}
	return names, rows
}

// TestHealth: codes of diseases are known for what they are through every door,
// and a group of seven people is not counted in a report.
func TestHealth(t *testing.T) {
	ctx := context.Background()
	names, rows := diagnoses()
	var cells [][]string
	for i, row := range rows {
		for h, v := range row {
			if v == 1 {
				cells = append(cells, []string{fmt.Sprint("p", i), names[h]})
			}
		}
	}
	set := &dataset.Dataset{
		Kind: record.Presence, Rows: sparse.FromDense(rows, len(names), true),
		Vocab: &vocab.Vocab{Names: names, System: "icd9"},
	}
	for door, src := range map[string]moiety.Source{
		"table": moiety.Table([]string{"patient", "icd9_code"}, cells), "data set": moiety.Dataset(set),
		"rows, said to be": moiety.Rows(names, set.Rows),
	} {
		t.Run(door, func(t *testing.T) {
			found, err := moiety.Fit(ctx, src, moiety.Options{Groups: 2, Health: door == "rows, said to be"})
			if err != nil {
				t.Fatal(err)
			}
			defer found.Close()
			rep, err := found.Report(ctx, report.Settings{})
			if err != nil {
				t.Fatal(err)
			}
			if rep.Limit != report.DefaultMinCell {
				t.Errorf("the limit on small cells is %d", rep.Limit)
			}
			groups, err := found.Groups(ctx)
			if err != nil {
				t.Fatal(err)
			}
			for _, g := range groups {
				if n, shown := g.N.Value(); shown && n < report.DefaultMinCell {
					t.Errorf("group %s is told to have %d people", g.ID, n)
				}
			}
		})
	}
}

// TestTogether: one result serves many at once.
func TestTogether(t *testing.T) {
	ctx := context.Background()
	names, rows := diagnoses()
	src := moiety.Rows(names, sparse.FromDense(rows, len(names), true))
	found, err := moiety.Fit(ctx, src, moiety.Options{Groups: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer found.Close()
	var wait sync.WaitGroup
	got := make([]string, 8)
	for i := range got {
		wait.Add(1)
		go func() {
			defer wait.Done()
			a, err := found.Assign(ctx, src)
			if err != nil {
				t.Error(err)
				return
			}
			r, err := found.Report(ctx, report.Settings{})
			if err != nil {
				t.Error(err)
				return
			}
			got[i] = fmt.Sprint(a.Group, a.Shares, r.Summary)
		}()
	}
	wait.Wait()
	for _, g := range got {
		if g != got[0] {
			t.Error("two answers to one question")
		}
	}
}
