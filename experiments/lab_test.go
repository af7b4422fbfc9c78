package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/experiments/lab"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/sparse"
)

// rounding is what sums of a few numbers may differ by.
const rounding = 1e-12

func TestSeries(t *testing.T) {
	s := lab.Series{1, 2, 3, 6}
	for name, pair := range map[string][2]float64{
		"mean": {s.Mean(), 3}, "deviation": {s.SD(), math.Sqrt(14.0 / 3)},
		"error": {s.Error(), math.Sqrt(14.0/3) / 2}, "median": {s.Median(), 2.5},
		"odd median": {lab.Series{9, 1, 4}.Median(), 4}, "one": {lab.Series{7}.SD(), 0},
	} {
		if numtest.Off(pair[0], pair[1], rounding) {
			t.Errorf("%s: %v, want %v", name, pair[0], pair[1])
		}
	}
	if n := s.Wins(lab.Series{0, 2, 4, 5}); n != 2 {
		t.Errorf("wins %d, want 2", n)
	}
}

func TestNotBehind(t *testing.T) {
	if !lab.NotBehind(lab.Series{.5, .5, .5}, lab.Series{.5, .5, .5}, 0) {
		t.Error("equal series are not behind each other")
	}
	if lab.NotBehind(lab.Series{.5, .5, .5}, lab.Series{.6, .6, .6}, .05) {
		t.Error("a constant loss of 0.1 is behind by more than 0.05")
	}
	if !lab.NotBehind(lab.Series{.5, .7, .3}, lab.Series{.6, .6, .6}, 0) {
		t.Error("a loss inside two standard errors is no loss")
	}
}

// A method that finds too little scores 0; any other error ends the contest.
func TestMeet(t *testing.T) {
	draw := func(seed uint64) []int { return []int{int(seed)} }
	score := func(data, labels []int) (float64, error) { return float64(data[0] + labels[0]), nil }
	all := []lab.Contestant[[]int]{
		{Name: "a", Group: func(context.Context, []int) ([]int, error) { return []int{10}, nil }},
		{Name: "b", Group: func(context.Context, []int) ([]int, error) { return nil, fmt.Errorf("b: %w", fit.ErrTooLittle) }},
	}
	c, err := lab.Meet(t.Context(), lab.Seeds(t.Context(), 3, 2), draw, all, score)
	if err != nil {
		t.Fatal(err)
	}
	if got := c.Of("a"); got[0] != 13 || got[1] != 14 {
		t.Errorf("scores %v, want 13 and 14", got)
	}
	if got := c.Of("b"); got[0] != 0 || c.Refused[1] != 2 {
		t.Errorf("scores %v with %d refusals, want zeros and 2", got, c.Refused[1])
	}
	all[1].Group = func(context.Context, []int) ([]int, error) { return nil, errors.New("broken") }
	if _, err := lab.Meet(t.Context(), lab.Seeds(t.Context(), 3, 2), draw, all, score); err == nil {
		t.Error("a broken method must end the contest")
	}
}

// Relevance prefers a word that is rarer elsewhere over an equally frequent one.
func TestRelevant(t *testing.T) {
	rows := sparse.FromDense([][]float64{{4, 4, 0}, {4, 0, 4}}, 3, false)
	topics := mat.NewDense(3, 2, []float64{.5, .5, .5, 0, 0, .5})
	got := lab.Relevant(topics, rows, []string{"common", "left", "right"}, 2)
	if fmt.Sprint(got) != "[[left common] [right common]]" {
		t.Errorf("%v", got)
	}
}

func TestSkipped(t *testing.T) {
	t.Setenv("MOIETY_DATA", t.TempDir())
	_, err := lab.Path("nowhere", "file")
	var out bytes.Buffer
	if err := lab.Skipped(&out, err); err != nil {
		t.Fatal(err)
	}
	if got := strings.TrimSpace(out.String()); got != "skipped: data set nowhere not found" {
		t.Errorf("%q", got)
	}
	if other := errors.New("other"); lab.Skipped(&out, other) != other {
		t.Error("other errors must stay")
	}
}

func TestTableOfALab(t *testing.T) {
	table := lab.NewTable("a", "long head")
	table.Add("é", 0.5)
	var out bytes.Buffer
	table.Write(&out)
	want := "| a | long head |\n|---|-----------|\n| é | 0.500     |\n\n"
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
}
