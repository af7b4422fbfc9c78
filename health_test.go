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

// TestHierarchy: the tree and the verdict of a fit that was left to itself; a number that was
// asked for has neither.
func TestHierarchy(t *testing.T) {
	ctx := context.Background()
	names, rows := diagnoses()
	fitted := func(o moiety.Options) *moiety.Result {
		found, err := moiety.Fit(ctx, moiety.Rows(names, sparse.FromDense(rows, len(names), true)), o)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { found.Close() })
		return found
	}
	free := fitted(moiety.Options{})
	nodes, err := free.Tree(ctx)
	if err != nil {
		t.Fatal(err)
	}
	v := free.Verdict()
	if v == nil || v.Groups < 2 || v.Range[0] > v.Groups || v.Range[1] < v.Groups || v.Reason == "" {
		t.Fatalf("the verdict is %+v", v)
	}
	if len(nodes) != 2*v.Groups-1 || nodes[0].Parent != "" || len(nodes[0].Children) != 2 {
		t.Errorf("%d nodes for %d groups; the first is %+v", len(nodes), v.Groups, nodes[0])
	}
	flat := fitted(moiety.Options{Groups: 2})
	if nodes, err := flat.Tree(ctx); nodes != nil || err != nil {
		t.Errorf("a flat fit has %d nodes, %v", len(nodes), err)
	}
	if v := flat.Verdict(); v != nil {
		t.Errorf("the verdict on a number that was asked for is %+v", v)
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
