package verdict_test

import (
	"context"
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/agree"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/internal/verdict"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"
)

// stretched draws n records of k groups with correlations, apart deviations from
// each other along a direction that no column shows alone.
func stretched(seed uint64, n, k int, apart float64) (sparse.Rows, []int) {
	r := stream.New(seed, "test/measured")
	rows, labels := sparse.Rows{Dim: 4}, make([]int, n)
	for i := range n {
		labels[i] = r.IntN(k)
		a, b := r.NormFloat64(), r.NormFloat64()
		at := apart * float64(labels[i])
		rows.Dense = append(rows.Dense, 10*a+at, 10*a-at, b+at/2, 100*(r.NormFloat64()+.5*b))
	}
	return rows, labels
}

// strew moves every so manieth record somewhere else, far around the others.
func strew(rows sparse.Rows, every int) {
	r := stream.New(3, "test/strewn")
	for i := 0; i < rows.N(); i += every {
		for h, wide := range []float64{60, 60, 12, 600} {
			rows.Dense[i*rows.Dim+h] += wide * r.NormFloat64()
		}
	}
}

// misplaced makes every so manieth value a hundred deviations of its column too much.
func misplaced(rows sparse.Rows, every int) {
	for at := 0; at < len(rows.Dense); at += every {
		rows.Dense[at] += []float64{1000, 1000, 200, 10000}[at%rows.Dim]
	}
}

func measured(t *testing.T, run pass.Runner, workers int) *verdict.Verdict {
	t.Helper()
	v, err := verdict.Measured(context.Background(), run, verdict.Settings{Seed: 1, Workers: workers})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// Groups that are long and lie side by side are found, and records placed.
func TestStretchedGroups(t *testing.T) {
	rows, labels := stretched(1, 600, 3, 4)
	run := pass.NewLocal(rows, 0)
	v := measured(t, run, 0)
	if v.Groups != 3 || len(v.Splits) < 2 || v.Evidence.Nats < 3 || v.Form == nil || v.Form.Shape == "diagonal" {
		t.Fatalf("three long groups: %+v", v)
	}
	group := make([]int32, rows.N())
	if _, err := run.Own(t.Context(), func(b pass.Block) error {
		v.Found.Place(b, group[b.First:][:b.N()])
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	got := make([]int, len(group))
	for i, g := range group {
		got[i] = int(g)
	}
	if ari, err := agree.ARI(got, labels); err != nil || ari < .9 {
		t.Errorf("ARI %v (%v)", ari, err)
	}
}

// Few records that lie widely around the others fill no gap between groups, and are no start
// of one; nor do they make groups of a population that is bent.
func TestScatterAroundGroups(t *testing.T) {
	for _, c := range []struct{ n, k, every int }{{250, 2, 20}, {800, 3, 12}, {800, 2, 8}, {600, 1, 25}} {
		if testing.Short() && c.n > 250 {
			continue
		}
		r, rows := stream.New(6, "test/groups"), sparse.Rows{Dim: 4}
		for i := range c.n {
			wide := 1.
			if i%c.every == 0 {
				wide = 12
			}
			for h := range rows.Dim {
				rows.Dense = append(rows.Dense, map[bool]float64{true: 5}[i%c.k == h]+wide*r.NormFloat64())
			}
		}
		if v := measured(t, pass.NewLocal(rows, 0), 0); v.Groups != c.k {
			t.Errorf("%d records in %d groups, one in %d scattered: %s", c.n, c.k, c.every, words(v))
		}
	}
	bent := sparse.Rows{Dim: 3}
	r := stream.New(2, "test/bent")
	for i := range 400 {
		at, wide := 4*r.Float64(), .4
		if i%25 == 0 {
			wide = 8
		}
		bent.Dense = append(bent.Dense, 4*math.Cos(at)+wide*r.NormFloat64(), 4*math.Sin(at)+wide*r.NormFloat64(), wide*r.NormFloat64())
	}
	if v := measured(t, pass.NewLocal(bent, 0), 0); v.Groups != 1 {
		t.Errorf("a crescent: %s", words(v))
	}
}

// One population stays whole, whatever its shape, and logarithms are taken where
// they help.
func TestOnePopulationOfMeasurements(t *testing.T) {
	var r *rand.Rand
	for name, one := range map[string]func() [3]float64{
		"correlated": func() [3]float64 { a := r.NormFloat64(); return [3]float64{a, a + .3*r.NormFloat64(), r.NormFloat64()} },
		"logs": func() [3]float64 {
			a := r.NormFloat64()
			return [3]float64{math.Exp(a), math.Exp(a + .5*r.NormFloat64()), math.Exp(r.NormFloat64())}
		},
		"half circle": func() [3]float64 {
			a := math.Pi * r.Float64()
			return [3]float64{3*math.Cos(a) + .3*r.NormFloat64(), 3*math.Sin(a) + .3*r.NormFloat64(), .3 * r.NormFloat64()}
		},
		"scores from 1 to 5": func() [3]float64 {
			a := r.NormFloat64()
			return [3]float64{min(max(math.Round(3+a), 1), 5), min(max(math.Round(3+a+r.NormFloat64()), 1), 5), math.Round(2 * r.Float64())}
		},
	} {
		r = stream.New(2, "test/measured/"+name) // maps have no order
		rows := sparse.Rows{Dim: 3}
		for range 500 {
			x := one()
			rows.Dense = append(rows.Dense, x[:]...)
		}
		v := measured(t, pass.NewLocal(rows, 0), 0)
		if v.Groups != 1 || v.Found != nil || !strings.HasPrefix(v.Reason, "No groups") {
			t.Errorf("%s: %+v", name, v)
		}
		if name == "logs" && len(v.Form.Logs) != 3 {
			t.Errorf("logarithms of %v", v.Form.Logs)
		}
	}
}

// Workers and the place of the records change nothing.
func TestMeasuredIsTheSameEverywhere(t *testing.T) {
	rows, _ := stretched(3, numtest.Scale(4500, 6000, 6000), 2, 4)
	first := measured(t, pass.NewLocal(rows, 1), 1)
	for _, w := range numtest.Workers()[1:] {
		if v := measured(t, pass.NewLocal(rows, w), w); !reflect.DeepEqual(v, first) {
			t.Errorf("%d workers: %+v, want %+v", w, v, first)
		}
	}
	again := pass.Map(pass.NewLocal(rows, 2), func(b pass.Block) pass.Block { return b }) // blocks made anew in every pass
	if v := measured(t, again, 2); !reflect.DeepEqual(v, first) {
		t.Errorf("blocks made anew: %+v, want %+v", v, first)
	}
}

// From two records on there is an answer, and never an empty group.
func TestFewMeasurements(t *testing.T) {
	for n := 2; n <= 40; n += 2 {
		for k := 1; k <= 2; k++ {
			rows, _ := stretched(uint64(n), n, k, 4)
			v := measured(t, pass.NewLocal(rows, 0), 0)
			if v.Groups < 1 || v.Groups > 1+n/5 || v.Sure || v.Range[0] != v.Groups || v.Range[1] < v.Range[0] {
				t.Errorf("%d records of %d groups: %+v", n, k, v)
			}
		}
	}
	same := sparse.Rows{Dim: 2, Dense: make([]float64, 60)}
	if v := measured(t, pass.NewLocal(same, 0), 0); v.Groups != 1 || !strings.Contains(v.Reason, "no two") {
		t.Errorf("equal records: %+v", v)
	}
}

// Up to a tenth of incomplete records are left out; beyond, a value that is no
// number is an error that names it, and so is an infinite one.
func TestMeasuredMissing(t *testing.T) {
	rows, _ := stretched(4, 50, 1, 0)
	for i := range 5 {
		rows.Dense[4*(7+i)+2] = math.NaN()
	}
	if v := measured(t, pass.NewLocal(rows, 0), 0); v.Records != 45 {
		t.Errorf("%d records judged, want the 45 complete ones", v.Records)
	}
	for _, x := range []float64{math.NaN(), math.Inf(1)} {
		rows.Dense[4*6+1] = x
		_, err := verdict.Measured(t.Context(), pass.NewLocal(rows, 0), verdict.Settings{})
		if err == nil || !strings.Contains(err.Error(), "record 7") || !strings.Contains(err.Error(), "feature 2") {
			t.Errorf("%v: %v", x, err)
		}
	}
}

// Where halves of a wide table are too small to show the groups again they are not
// said to differ, and the claim is not sure; with more records they are compared.
func TestHalvesTooSmall(t *testing.T) {
	numtest.NotShort(t)
	wide := func(seed uint64, n int) *verdict.Verdict {
		r := stream.New(seed, "test/wide")
		rows := sparse.Rows{Dim: 24}
		for i := range n {
			for h := range rows.Dim {
				x := r.NormFloat64()
				if h%3 == i%3 {
					x += 1.6
				}
				rows.Dense = append(rows.Dense, x)
			}
		}
		return measured(t, pass.NewLocal(rows, 0), 0)
	}
	silent := 0
	for seed := range uint64(6) {
		v := wide(seed, 120)
		if v.Groups == 1 {
			continue
		}
		said := ""
		for _, d := range v.Against {
			said += d.Text + " "
		}
		t.Logf("seed %d: %d groups, agreement %.2f: %s", seed, v.Groups, v.Repeat, said)
		if v.Sure {
			t.Errorf("seed %d: sure of %d groups", seed, v.Groups)
		}
		if v.Repeat == 0 {
			silent++
		}
		if small := strings.Contains(said, "too few"); small != (v.Repeat == 0) || small && (strings.Contains(said, "agreement") || strings.Contains(said, "by themselves")) {
			t.Errorf("seed %d: %s", seed, said)
		}
	}
	if silent == 0 {
		t.Error("no half was too small: the law is too easy for this test")
	}
	if v := wide(1, 1500); v.Groups != 3 || v.Repeat < .9 {
		t.Errorf("1500 records: %+v", v)
	}
}

// More clouds than columns are described when they are asked for.
func TestCloudsBeyondColumns(t *testing.T) {
	rows, _ := stretched(5, 300, 2, 4)
	f, form, err := verdict.Clouds(t.Context(), pass.NewLocal(rows, 0), 9, verdict.Settings{Seed: 1, Shape: "tied"})
	if err != nil || f.K() != 9 || form.Shape != "tied" {
		t.Errorf("nine clouds in four columns: %v %+v", err, form)
	}
}

// mixedRows draws records with two measurements and flags, in k groups; degree
// moves all of them.
func mixedRows(n, k int, degree float64) (sparse.Rows, []vocab.Column) {
	const flags = 8
	r := stream.New(uint64(k), "test/mixed")
	rows := sparse.Rows{Dim: 2 + flags}
	for range n {
		g, ill := r.IntN(k), degree*r.NormFloat64()
		rows.Dense = append(rows.Dense, r.NormFloat64()+4*float64(g)+ill, 100*(r.NormFloat64()+ill))
		for f := range flags {
			p := logistic(-.5 + ill)
			if k > 1 {
				p = .08
				if f%k == g {
					p = .92
				}
			}
			x := 0.0
			if r.Float64() < p {
				x = 1
			}
			if f == 7 && r.Float64() < .1 {
				x = math.NaN()
			}
			rows.Dense = append(rows.Dense, x)
		}
	}
	columns := []vocab.Column{{Kind: vocab.Real, From: 0, To: 1}, {Kind: vocab.Real, From: 1, To: 2}, {Kind: vocab.Presence, From: 2, To: 2 + flags}}
	return rows, columns
}

// pollRows are ages beside the answers to questions of five levels: of groups that
// choose the lower or the upper ones, or of one that chooses any. The last two questions
// are the first one again.
func pollRows(n, groups int) (sparse.Rows, []vocab.Column) {
	const questions, levels = 12, 5
	r := rand.New(rand.NewPCG(9, uint64(groups)))
	rows := sparse.Rows{Dim: 1 + levels*questions}
	for range n {
		x := make([]float64, rows.Dim)
		x[0] = 20 + 60*r.Float64()
		g, first := r.IntN(groups), 0
		for q := range questions {
			l := r.IntN(levels)
			if groups > 1 {
				l = r.IntN(3) + 2*((g+q)%2)
			}
			switch {
			case q == 0:
				first = l
			case q >= questions-2:
				l = first
			}
			x[1+levels*q+l] = 1
		}
		rows.Dense = append(rows.Dense, x...)
	}
	columns := []vocab.Column{{Kind: vocab.Real, From: 0, To: 1}}
	for at := 1; at < rows.Dim; at += levels {
		columns = append(columns, vocab.Column{Kind: vocab.Categorical, From: at, To: at + levels})
	}
	return rows, columns
}

// Groups that differ in their answers are found beside numbers that say nothing, every
// record is placed, and a question asked three times is no group.
func TestAnswersBesideNumbers(t *testing.T) {
	for _, groups := range []int{2, 1}[:numtest.Scale(1, 2, 2)] {
		rows, columns := pollRows(400, groups)
		v, err := verdict.Mixed(t.Context(), pass.NewLocal(rows, 0), columns, verdict.Settings{Seed: 1})
		if err != nil || v.Groups != groups {
			t.Fatalf("%d groups: %+v, %v", groups, v, err)
		}
		if groups == 1 {
			continue
		}
		placed, size := make([]int32, rows.N()), [2]int{}
		v.Found.Place(pass.Block{Rows: rows}, placed)
		for i, g := range placed {
			truth := 0 // the group whose level of the second question is upper
			for l := range 5 {
				if rows.DenseRow(i)[6+l] > 0 && l > 2 {
					truth = 1
				}
			}
			if truth == 1 {
				size[g]++
			}
		}
		if min(size[0], size[1]) > 5 {
			t.Errorf("records that chose upper levels are in both groups: %v", size)
		}
	}
}

// Columns of several kinds: groups are found, a degree is none, and two flags
// that say the same are none either.
func TestMixedColumns(t *testing.T) {
	judge := func(rows sparse.Rows, columns []vocab.Column) *verdict.Verdict {
		v, err := verdict.Mixed(t.Context(), pass.NewLocal(rows, 0), columns, verdict.Settings{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	if v := judge(mixedRows(numtest.Scale(300, 400, 400), 3, 0)); v.Groups != 3 || v.Found == nil || v.Form != nil {
		t.Errorf("three groups: %+v", v)
	}
	if v := judge(mixedRows(400, 1, 1)); v.Groups != 1 {
		t.Errorf("one degree: %+v", v)
	}
	rows, columns := mixedRows(400, 1, 0)
	for i := range rows.N() {
		x := rows.DenseRow(i)
		x[3] = x[2]
	}
	if v := judge(rows, columns); v.Groups != 1 {
		t.Errorf("a flag twice: %+v", v)
	}
	few, columns := mixedRows(3, 1, 0)
	if v := judge(few, columns); v.Groups != 1 || v.Sure {
		t.Errorf("three records: %+v", v)
	}
}

// The same where a column has spikes and records have copies.
func TestSpikesAndCopiesAreTheSameEverywhere(t *testing.T) {
	rows, _ := stretched(5, 500, 2, 6)
	d := rows.Dim
	for i := range rows.N() {
		if row := rows.Dense[i*d:][:d]; i%3 == 0 {
			row[0] = 0 // nothing was seen
		} else if i%7 == 0 {
			copy(row, rows.Dense[:d])
		}
	}
	var first string
	disk := pass.NewStream(pass.ShapeOf(rows), func() (pass.Blocks, error) { return &blocks{rows: rows}, nil }, 2)
	for w, run := range map[int]pass.Runner{1: pass.NewLocal(rows, 1), 2: disk, 8: pass.NewLocal(rows, 8)} {
		if testing.Short() && w > 1 {
			continue // TestMeasuredIsTheSameEverywhere has them
		}
		text, err := json.Marshal(measured(t, run, w))
		if err != nil {
			t.Fatal(err)
		}
		if first == "" {
			first = string(text)
		}
		if string(text) != first {
			t.Errorf("%d workers, %T: %s, want %s", w, run, text, first)
		}
	}
	if !strings.Contains(first, verdict.EqualOnes) {
		t.Errorf("copies were not seen: %s", first)
	}
}
