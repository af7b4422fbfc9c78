package verdict

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/moiety-go/moiety/internal/normals"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"
)

// runsOf repeats values: value, number of times, value, ...
func runsOf(list ...any) []float64 {
	var out []float64
	for i := 0; i < len(list); i += 2 {
		for range list[i+1].(int) {
			out = append(out, list[i].(float64))
		}
	}
	return out
}

func TestValuesThatStandForSomethingElse(t *testing.T) {
	fine := make([]float64, 150)
	for i := range fine {
		fine[i] = 1 + float64(i)/7
	}
	for name, c := range map[string]struct{ values, want []float64 }{
		"none":                {fine, nil},
		"nothing was spent":   {append(runsOf(0.0, 40), fine...), []float64{0}},
		"below and above":     {append(runsOf(0.0, 40, 99.0, 30), fine...), []float64{0, 99}},
		"with blanks":         {append(runsOf(0.0, 40, math.NaN(), 9), fine...), []float64{0}},
		"too few":             {append(runsOf(0.0, 9), fine...), nil},
		"a scale of few":      {runsOf(1.0, 40, 2.0, 50, 3.0, 60), nil},
		"others nearly as of": {append(runsOf(0.0, 40, .5, 9), fine...), nil},
		"hardly a number":     {append(runsOf(0.0, 150), 1, 2, 3), nil},
	} {
		if got := atomsOf(c.values); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

func TestFlagBesideANumber(t *testing.T) {
	c := code{to: 1, kind: vocab.Real, atoms: []float64{0}, mean: 7, instead: 3}
	f := code{to: 1, kind: vocab.Presence, atoms: []float64{0}, flag: true}
	for _, w := range []struct{ x, number, place, flag float64 }{
		{0, math.NaN(), 3, 1}, {2, 2, 2, 0}, {math.NaN(), math.NaN(), 7, math.NaN()},
	} {
		for what, pair := range map[string][2]float64{
			"number": {c.raw([]float64{w.x}), w.number}, "place": {c.number([]float64{w.x}), w.place}, "flag": {f.raw([]float64{w.x}), w.flag},
		} {
			if pair[0] != pair[1] && (pair[0] == pair[0] || pair[1] == pair[1]) {
				t.Errorf("%v: %s %v, want %v", w.x, what, pair[0], pair[1])
			}
		}
	}
}

// lognormal are correlated columns of one population.
func lognormal(n, d int) sparse.Rows {
	r := stream.New(3, "test")
	rows := sparse.Rows{Dim: d, Dense: make([]float64, n*d)}
	for i := range n {
		common := r.NormFloat64()
		for h := range d {
			rows.Dense[i*d+h] = math.Exp(.6 * (common + r.NormFloat64()))
		}
	}
	return rows
}

func TestLimitOfDetectionIsNoGap(t *testing.T) {
	rows := lognormal(400, 5)
	for i, v := range rows.Dense {
		if v < .75 {
			rows.Dense[i] = .375
		}
	}
	v, err := Measured(context.Background(), pass.NewLocal(rows, 0), Settings{Seed: 1})
	if err != nil || v.Groups != 1 {
		t.Errorf("%+v %v", v, err)
	}
}

func TestCopiesAreCountedOnce(t *testing.T) {
	const d = 5
	rows := lognormal(400, d)
	r := stream.New(4, "test")
	for i := 1; i < rows.N(); i++ {
		if r.Float64() < .5 {
			copy(rows.DenseRow(i), rows.DenseRow(r.IntN(i)))
		}
	}
	v, err := Measured(context.Background(), pass.NewLocal(rows, 0), Settings{Seed: 1})
	if err != nil || v.Groups != 1 || !v.doubted(EqualOnes) || v.Records > 250 {
		t.Errorf("%+v %v", v, err)
	}
}

func TestEqualByChance(t *testing.T) {
	near(t, "pairs", chanceEqual([]float64{1, 1, 1, 2, 3}), .3, 1e-12)
	r := stream.New(1, "test")
	table := normals.Table{N: 500, D: 2, X: make([]float64, 1000)}
	for i := range table.X {
		table.X[i] = math.Round(8 * r.NormFloat64())
	}
	if got, _, equal := distinctRows(table, make([]int, 500), realColumns(2)); equal || got.N != 500 {
		t.Errorf("rounded numbers: %d are left", got.N)
	}
	flags := []vocab.Column{{Kind: vocab.Presence, To: 1}, {Kind: vocab.Presence, From: 1, To: 2}}
	if got, _, equal := distinctRows(table, make([]int, 500), flags); equal || got.N != 500 {
		t.Errorf("no numbers: %d are left", got.N)
	}
}

func TestNumbersAsAnswers(t *testing.T) {
	sorted := []float64{0, 0, 0, 0, 1, 2, 3, 4}
	for v, want := range map[float64]int{0: 1, 1: 2, 2: 2, 3: 3, 4: 3} {
		if got := quarterOf(sorted, v); got != want {
			t.Errorf("%v lies in quarter %d, want %d", v, got, want)
		}
	}
	all := normals.Table{N: 2, D: 4, X: []float64{1, 0, 1, 0, math.NaN(), 0, 0, 0}}
	columns := []vocab.Column{{Kind: vocab.Real, To: 1}, {Kind: vocab.Categorical, From: 1, To: 3}, {Kind: vocab.Presence, From: 3, To: 4}}
	rows, dim, questions := asAnswers(all, columns, nil)
	if dim != 10 || len(questions) != 3 || len(rows[0]) != 3 || len(rows[1]) != 1 || rows[0][1] != 5 {
		t.Errorf("%v, %d features, questions %v", rows, dim, questions)
	}
}

// Groups that flags alone tell apart are hidden where flags are spread over their unit:
// nobody is sure of one group then.
func TestSecondWitness(t *testing.T) {
	const n, reals, flags = 500, 3, 7
	r := stream.New(2, "test")
	rows := sparse.Rows{Dim: reals + flags, Dense: make([]float64, n*(reals+flags))}
	for i := range n {
		row := rows.DenseRow(i)
		for h := range row {
			row[h] = r.NormFloat64()
			if h >= reals {
				row[h] = 0
				if r.Float64() < .2+.6*float64((i+h)%2) {
					row[h] = 1
				}
			}
		}
	}
	columns := realColumns(reals)
	for h := reals; h < reals+flags; h++ {
		columns = append(columns, vocab.Column{Kind: vocab.Presence, From: h, To: h + 1})
	}
	v, err := Mixed(context.Background(), pass.NewLocal(rows, 0), columns, Settings{Seed: 1})
	if err != nil || v.Sure || v.Range[1] < 2 {
		t.Errorf("%+v %v", v, err)
	}
}
