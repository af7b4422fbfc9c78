package trial

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/moiety-go/moiety/bank/hands"
	"github.com/moiety-go/moiety/bank/law"
	"github.com/moiety-go/moiety/bank/program"
)

// stand writes a script that stands for the program: it claims two groups, and places
// every record by its first cell.
func stand(t *testing.T) program.Program {
	t.Helper()
	path := filepath.Join(t.TempDir(), "program")
	script := `#!/bin/sh
if [ $1 = fit ]; then
	cp "$2" "$4"
	echo '{"verdict": {"groups": 2, "range": [2, 2], "sure": true}}'
else
	mkdir -p "$6"
	awk -F, 'BEGIN { print "id,group,probability" } NR > 1 { print NR-1 "," $1 ",1" }' "$2" > "$6/assignments.csv"
fi
`
	if err := os.WriteFile(path, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return program.Program{Path: path, CPU: 10 * time.Second}
}

// letters draws one of some letters a record, which is its group.
func letters(groups int) hands.Law {
	return hands.Law{Hand: "test", Law: law.Law{Name: "letters", Kind: law.Answers, Groups: groups, Draw: func(r *rand.Rand, n int) law.Data {
		d := law.Data{Columns: []string{"letter", "other"}}
		for range n {
			g := r.IntN(max(2, groups))
			d.Table = append(d.Table, []string{string(rune('a' + g)), "x"})
			d.Group = append(d.Group, g)
		}
		if groups == 1 {
			d.Group = nil
		}
		return d
	}}}
}

func TestRun(t *testing.T) {
	d, err := Run(t.Context(), stand(t), letters(3), 40, 1)
	if err != nil {
		t.Fatal(err)
	}
	if d.Groups != 3 || d.Records != 40 || d.Alone.Error != "" || d.Told == nil {
		t.Fatalf("%+v", d)
	}
	if d.Alone.Groups != 2 || !d.Alone.Sure || d.Alone.Shown != 3 || *d.Alone.ARI != 1 {
		t.Errorf("alone: %+v", d.Alone)
	}
}

func TestRunOfOnePopulation(t *testing.T) {
	d, err := Run(t.Context(), stand(t), letters(1), 40, 1)
	if err != nil {
		t.Fatal(err)
	}
	if d.Groups != 1 || d.Told != nil || d.Alone.ARI != nil || d.Alone.Shown != 2 {
		t.Errorf("%+v", d)
	}
}

func TestRunBrokenOff(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := Run(ctx, stand(t), letters(2), 40, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestVisible(t *testing.T) {
	steps := [][]string{{"a", "b", ""}, {"a"}}
	for _, c := range []struct {
		steps  [][]string
		states []string
		want   bool
	}{
		{steps, []string{"2", "1", "1", "2"}, true},
		{steps, []string{"2", "1", "1", "1"}, false},
		{steps, []string{"1", "1", "1", "1"}, false},
		{nil, []string{"1", "2"}, false},
	} {
		if got := visible(c.steps, c.states); got != c.want {
			t.Errorf("%q in states %q: %t", c.steps, c.states, got)
		}
	}
}
