package table

import (
	"bytes"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/bank/law"
	"github.com/moiety-go/moiety/bank/oracle"
	"github.com/moiety-go/moiety/bank/result"
	"github.com/moiety-go/moiety/bank/split"
)

// answer is a claim of a number of groups with the index of its members.
func answer(groups int, sure bool, ari float64) result.Answer {
	return result.Answer{Groups: groups, Low: groups, High: groups, Sure: sure, ARI: &ari, CPU: 1}
}

// some is one draw of each sort.
func some() []result.Draw {
	told := answer(0, false, 0.9)
	return []result.Draw{
		{Hand: "h", Law: "whole", Kind: law.Texts, Part: split.Choose, N: 300, Seed: 1, Groups: 1, Alone: result.Answer{Groups: 1, Low: 1, High: 1, Sure: true, CPU: 2}},
		{Hand: "h", Law: "cut", Kind: law.Texts, Part: split.Judge, N: 300, Seed: 1, Groups: 1, Alone: result.Answer{Groups: 2, Low: 2, High: 3, Sure: true, CPU: 3}},
		{Hand: "h", Law: "clear", Kind: law.Counts, Part: split.Choose, N: 300, Seed: 1, Groups: 3, Alone: answer(3, true, 0.94), Told: &told},
		{Hand: "h", Law: "clear", Kind: law.Counts, Part: split.Choose, N: 300, Seed: 2, Groups: 3, Alone: answer(3, true, 0.8), Told: &told},
		{Hand: "h", Law: "hard", Kind: law.Counts, Part: split.Choose, N: 300, Seed: 1, Groups: 2, Alone: answer(1, false, 0), Told: &told},
		{Hand: "h", Law: "untried | new", Kind: law.Counts, Part: split.Choose, N: 300, Seed: 1, Groups: 2, Alone: result.Answer{Exit: 4, Error: "too little"}, Told: &told},
	}
}

// tried are the oracles of these draws.
func tried() oracle.Table {
	return oracle.Table{
		{Hand: "h", Law: "clear", N: 300}: {ARI: 0.93, Seeds: map[uint64]float64{1: 0.96, 2: 0.9}},
		{Hand: "h", Law: "hard", N: 300}:  {ARI: 0.6},
	}
}

func TestJudge(t *testing.T) {
	draws := judge(some(), tried())
	for _, c := range []struct {
		name string
		rule func(judged) bool
		want string // a letter a draw
	}{
		{"single", judged.single, "yynnnn"},
		{"clear", judged.clear, "nnyynn"},
		{"hard", judged.hard, "nnnnyn"},
		{"untried", judged.untried, "nnnnny"},
		{"right", judged.right, "ynyynn"},
		{"sure and wrong", judged.sureWrong, "nynynn"},
		{"sure and wrong by members", judged.sureByMembers, "nnnynn"},
	} {
		got := ""
		for _, d := range draws {
			got += map[bool]string{true: "y", false: "n"}[c.rule(d)]
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// TestVisibleStates sees that no hidden state is claimed where states are symbols.
func TestVisibleStates(t *testing.T) {
	for groups, want := range map[int]bool{1: true, 2: false} {
		d := judged{Draw: result.Draw{Groups: groups, Alone: result.Answer{Groups: 4, Visible: true}}}
		if d.right() != want {
			t.Errorf("of %d groups four visible ones are right: %t", groups, d.right())
		}
	}
}

func TestWrite(t *testing.T) {
	var out bytes.Buffer
	Write(&out, some(), tried())
	for _, want := range []string{
		"| part | draws | one population, whole | clear, 300 | hard, 300 | no classifier | told | sure | sure and wrong | CPU | failed |\n",
		"| choose | 5 | 1/1 | 2/2, .87 of .93 | 0/1, .00 of .60 | 0/1, .00 | .90 of .82 | 3/5 | 1, 33 % (6.1 % to 79 %), 1 by members | 1.00, 2.0, 2.0 | 1 |\n",
		"| all | 6 | 1/2 |",
		"| h: cut | texts | judge | 300 | 1 | 1 | 2 (2 to 3) |  |  |\n",
		"| h: clear | counts | choose | 300 | 2 | 3 | 3 | .80 | .90 |\n",
		"| h: untried \\| new | 300 | 1 | alone | 4 | too little |\n",
		"| h: cut | texts | judge | 1 | 0/1 | 2! |  |  | 1.00 |\n",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("there is no %q in\n%s", want, out.String())
		}
	}
}

func TestCompare(t *testing.T) {
	before, after := some(), some()[1:]
	better := 0.99
	after[0].Alone.Groups, after[0].Alone.Sure = 1, false // the second draw is whole now
	after[3].Alone.ARI = &better
	var out bytes.Buffer
	Compare(&out, before, after, tried())
	for _, want := range []string{
		"5 draws in both; 1 only before, 0 only after.\n",
		"| number right | 5 | 2 | 3 | 1 | 0 |\n",
		"| sure | 5 | 3 | 2 | 0 | 1 |\n",
		"| sure and wrong | 5 | 2 | 1 | 0 | 1 |\n",
		"| index, hard groups | 1 | 0.000 | 0.990 |  |\n",
		"| CPU seconds, left alone | 5 | 1.200 | 1.200 | +0.000 ± 0.000 |\n",
		"| h: cut | texts | 1 | 2! | 1 |  |  |\n",
		"| h: hard | counts | 2 | 1 | 1 | .00 | .99 |\n",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("there is no %q in\n%s", want, out.String())
		}
	}
	if strings.Contains(out.String(), "h: clear |") {
		t.Error("a law that did not change is listed")
	}
}

func TestQuantile(t *testing.T) {
	x := []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
	for p, want := range map[float64]float64{0: 1, 0.5: 5, 0.95: 10, 0.9: 9, 1: 10} {
		if got := quantile(x, p); got != want {
			t.Errorf("quantile %v: %v, want %v", p, got, want)
		}
	}
}
