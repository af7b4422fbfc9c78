package delimited

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/record"
)

// answered draws a table of named columns: row i of column j is what cell gives.
func answered(n int, names []string, row func(i int) []string) string {
	var b strings.Builder
	b.WriteString(strings.Join(names, ",") + "\n")
	for i := range n {
		b.WriteString(strings.Join(row(i), ",") + "\n")
	}
	return b.String()
}

func numberedNames(stem string, n int) (names []string) {
	for j := range n {
		names = append(names, fmt.Sprintf("%s%d", stem, j))
	}
	return names
}

// survey draws answers of two kinds of people, which say nothing of a course in time.
func surveyed(r *rand.Rand, kind, n int, words ...string) (row []string) {
	for j := range n {
		w := r.IntN(len(words))
		if r.Float64() < .6 {
			w = (kind + j) % len(words)
		}
		row = append(row, words[w])
	}
	return row
}

// A name such as t0 or wave0 leaves no other column out: columns are steps where nothing
// that may make groups is left, or where their values go on from one to the next.
func TestStepsByNameAlone(t *testing.T) {
	items := numberedNames("item", 10)
	walk := func(r *rand.Rand, n int) (row []string) {
		at := r.IntN(3)
		for range n {
			if r.IntN(5) == 0 {
				at = r.IntN(3)
			}
			row = append(row, []string{"work", "school", "home"}[at])
		}
		return row
	}
	for _, x := range []struct {
		name   string
		want   Shape
		beside string // columns left out by a guess
		names  []string
		row    func(r *rand.Rand, i int) []string
	}{
		{"items t0 to t9 beside items", Binary, "", append(items, numberedNames("t", 10)...), func(r *rand.Rand, i int) []string {
			return surveyed(r, i%2, 20, "yes", "no")
		}},
		{"items wave0 to wave9 beside items", Categorical, "", append(items, numberedNames("wave", 10)...), func(r *rand.Rand, i int) []string {
			return append(surveyed(r, i%2, 10, "yes", "no"), surveyed(r, i%2, 10, "low", "middle", "high")...)
		}},
		{"items t0 to t9 beside an age", Mixed, "", append([]string{"age"}, numberedNames("t", 10)...), func(r *rand.Rand, i int) []string {
			return append([]string{fmt.Sprint(20 + r.IntN(60))}, surveyed(r, i%2, 10, "low", "middle", "high")...)
		}},
		{"steps that go on, beside a sex", Sequences, "Column sex stays", append([]string{"sex"}, numberedNames("wave", 10)...), func(r *rand.Rand, i int) []string {
			return append([]string{[]string{"f", "m"}[r.IntN(2)]}, walk(r, 10)...)
		}},
		{"steps beside questions of the same answers", Categorical, "", append(numberedNames("now", 2), numberedNames("wave", 10)...), func(r *rand.Rand, i int) []string {
			return walk(r, 12)
		}},
		{"steps alone", Sequences, "", numberedNames("wave", 10), func(r *rand.Rand, i int) []string { return walk(r, 10) }},
		{"steps and an id", Sequences, "", append([]string{"id"}, numberedNames("wave", 10)...), func(r *rand.Rand, i int) []string {
			return append([]string{fmt.Sprintf("p%03d", i)}, walk(r, 10)...)
		}},
	} {
		for _, n := range []int{60, 600} {
			r := rand.New(rand.NewPCG(7, uint64(n)))
			in := source.Bytes("t.csv", []byte(answered(n, x.names, func(i int) []string { return x.row(r, i) })))
			p, err := Survey(context.Background(), in, Options{})
			if err != nil {
				t.Fatal(err)
			}
			shape, reason := p.Classify(Options{})
			if shape != x.want {
				t.Errorf("%s, %d rows: %s, want %s: %s", x.name, n, shape, x.want, reason)
				continue
			}
			if x.want != Sequences && !strings.Contains(reason, "--format sequences") {
				t.Errorf("%s, %d rows: the other reading is not named: %s", x.name, n, reason)
			}
			if got := guessed(t, in, Options{Shape: shape, Guessed: true}); !strings.HasPrefix(got, x.beside) || x.beside == "" && got != "" {
				t.Errorf("%s, %d rows: left out by a guess: %q, want %q", x.name, n, got, x.beside)
			}
		}
	}
}

// guessed returns what a reading leaves out by a guess.
func guessed(t *testing.T, in source.Input, o Options) (out string) {
	t.Helper()
	p := new(record.Problems)
	if _, err := New(context.Background(), []source.Input{in}, o, p); err != nil {
		t.Fatal(err)
	}
	for _, n := range p.Notes {
		if n.Of == record.Guess {
			out += n.Text
		}
	}
	return out
}

// A column that may make groups and stays out unasked is a guess; one that was named, or that
// makes none, is none.
func TestGuesses(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	names := append([]string{"id", "region", "born"}, numberedNames("q", 6)...)
	text := answered(120, names, func(i int) []string {
		return append([]string{fmt.Sprintf("p%d", i), []string{"north", "south"}[r.IntN(2)], fmt.Sprintf("19%d-03-%02d", 40+i%50, 1+i%28)}, surveyed(r, i%2, 6, "yes", "no")...)
	})
	for _, x := range []struct {
		o    Options
		want string
	}{
		{Options{Shape: Binary, Guessed: true}, "Column region stays"},
		{Options{Shape: Binary}, "Column region stays"},
		{Options{Shape: Binary, Guessed: true, Label: []string{"region"}}, ""},
		{Options{Shape: Binary, Guessed: true, Columns: []string{"q*"}}, ""},
	} {
		if got := guessed(t, source.Bytes("t.csv", []byte(text)), x.o); !strings.HasPrefix(got, x.want) || x.want == "" && got != "" {
			t.Errorf("%+v: %q, want %q", x.o, got, x.want)
		}
	}
}
