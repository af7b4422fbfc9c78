package oracle

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/bank/law"
)

// twoGroups draws records of two groups, a cell by a function of the group.
func twoGroups(n, columns int, cell func(r *rand.Rand, group, column int) string) law.Data {
	r := rand.New(rand.NewPCG(3, 4))
	d := law.Data{Group: make([]int, n), Table: make([][]string, n)}
	for j := range columns {
		d.Columns = append(d.Columns, fmt.Sprint("x", j))
	}
	for i := range n {
		d.Group[i] = r.IntN(2)
		for j := range columns {
			d.Table[i] = append(d.Table[i], cell(r, d.Group[i], j))
		}
	}
	return d
}

// TestReach sees that each classifier finds the groups that it is made for, and that
// none finds any where there is nothing to find.
func TestReach(t *testing.T) {
	apart := twoGroups(200, 4, func(r *rand.Rand, g, _ int) string { return fmt.Sprintf("%.2f", r.NormFloat64()+4*float64(g)) })
	labels := twoGroups(200, 10, func(r *rand.Rand, g, j int) string {
		if r.Float64() < 0.85 {
			return []string{"yes", "no"}[(g+j)%2]
		}
		return []string{"yes", "no", "", "maybe"}[r.IntN(4)]
	})
	wide := twoGroups(400, 12, func(r *rand.Rand, g, _ int) string { return fmt.Sprintf("%.2f", r.NormFloat64()*float64(1+3*g)) })
	nothing := twoGroups(400, 5, func(r *rand.Rand, _, _ int) string { return fmt.Sprint(r.IntN(5)) })
	for _, c := range []struct {
		name, classifier string
		data             law.Data
		low, high        float64
	}{
		{"means apart", "linear, values", apart, 0.95, 1},
		{"means apart", "neighbours", apart, 0.95, 1},
		{"means apart", "forest", apart, 0.95, 1},
		{"labels", "naive Bayes", labels, 0.95, 1},
		{"labels", "linear, shrunk, values", labels, 0.9, 1},
		{"one wider than the other", "quadratic, values", wide, 0.95, 1},
		{"one wider than the other", "quadratic, ranks", wide, 0.9, 1},
		{"nothing", "naive Bayes", nothing, -0.03, 0.03},
		{"nothing", "quadratic, values", nothing, -0.03, 0.03},
		{"nothing", "forest", nothing, -0.03, 0.03},
		{"nothing", "neighbours", nothing, -0.03, 0.03},
		{"nothing", "word frequencies", nothing, -0.03, 0.03},
	} {
		got, ok := Reach(c.data)[c.classifier]
		if !ok || got < c.low || got > c.high {
			t.Errorf("%s, %s: %.3f", c.name, c.classifier, got)
		}
	}
}

func TestReachWords(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	d := law.Data{Texts: make([]string, 200), Group: make([]int, 200)}
	for i := range d.Texts {
		d.Group[i] = r.IntN(3)
		for range 30 {
			d.Texts[i] += fmt.Sprintf(" word%d", r.IntN(40)+20*d.Group[i])
		}
	}
	for _, name := range []string{"word frequencies", "naive Bayes", "linear, values"} {
		if got := Reach(d)[name]; got < 0.9 {
			t.Errorf("%s: %.3f", name, got)
		}
	}
}

// TestReachSteps sees that a chain tells states by what comes before and after.
func TestReachSteps(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	numbers, symbols := law.Data{}, law.Data{}
	for range 60 {
		state, shown, seen := 0, []string{}, []string{}
		for range 40 {
			if r.Float64() < 0.05 {
				state = 1 - state
			}
			numbers.Group = append(numbers.Group, state)
			shown = append(shown, fmt.Sprintf("%.2f", r.NormFloat64()+2*float64(state)))
			seen = append(seen, []string{"a", "b", "c"}[(state+r.IntN(2))%3])
		}
		numbers.Steps, symbols.Steps = append(numbers.Steps, shown), append(symbols.Steps, seen)
	}
	symbols.Group = numbers.Group
	if got := Reach(numbers)["chain of numbers"]; got < 0.8 {
		t.Errorf("numbers: %.3f", got)
	}
	if got := Reach(symbols)["chain of levels"]; got < 0.6 {
		t.Errorf("symbols: %.3f", got)
	}
}

func TestFactorAndSolve(t *testing.T) {
	s := [][]float64{{4, 0, 0}, {2, 5, 0}, {-1, 1, 3}}
	x := solve(factor(s), []float64{3, 8, 7})
	full := [][]float64{{4, 2, -1}, {2, 5, 1}, {-1, 1, 3}}
	for j, row := range full {
		if got := dot(row, x); !(math.Abs(got-[]float64{3, 8, 7}[j]) <= 1e-12) {
			t.Errorf("row %d: %v", j, got)
		}
	}
}

func TestTable(t *testing.T) {
	best := Best(map[uint64]map[string]float64{1: {"a": 0.9, "b": 1}, 2: {"a": 0.8, "b": 0.5}})
	table := Table{{"hand", "law, one", 300}: best, {"hand", "law, one", 50}: {ARI: 0.5}}
	var file bytes.Buffer
	if err := table.Write(&file); err != nil {
		t.Fatal(err)
	}
	want := "hand,law,n,ari,classifier,seeds\nhand,\"law, one\",50,0.500,,\nhand,\"law, one\",300,0.850,a,1:0.900 2:0.800\n"
	if file.String() != want {
		t.Errorf("wrote %s", file.String())
	}
	read, err := Read(&file)
	if err != nil {
		t.Fatal(err)
	}
	c := Case{"hand", "law, one", 300}
	if !reflect.DeepEqual(read[c].Seeds, map[uint64]float64{1: 0.9, 2: 0.8}) {
		t.Errorf("read %v", read[c])
	}
	for seed, want := range map[uint64]float64{2: 0.8, 3: 0.85} {
		if got, ok := read.Of(c, seed); !ok || !(math.Abs(got-want) <= 1e-12) {
			t.Errorf("seed %d: %v", seed, got)
		}
	}
	if _, ok := read.Of(Case{"hand", "other", 300}, 1); ok {
		t.Error("a law that nobody tried has an oracle")
	}
	if _, err := Read(strings.NewReader("hand,law,n,ari,classifier,seeds\na,b,x,0,c,\n")); err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("error %v", err)
	}
}
