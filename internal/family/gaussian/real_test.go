package gaussian

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/family/familytest"
	"github.com/moiety-go/moiety/internal/agree"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// Errors of the centers fall like 1/√n, and variances of their own cost nothing.
func TestRate(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: long")
	}
	const rate = 1.5 // of 2 expected from 4 times the records
	for _, c := range []struct {
		own   bool
		o     Options
		steps int
	}{{false, Options{Variance: Shared}, 0}, {true, Options{}, 0}, {true, Options{}, 20}} {
		var last float64
		for _, n := range []int{4000, 16000, 64000} {
			const seeds = 3
			mean := 0.0
			for seed := range uint64(seeds) {
				p := truth(seed, 20, 5, 0.6, c.own)
				draw, err := Family{}.Sample(p, stream.New(seed, "rate"), n, family.Shape{})
				if err != nil {
					t.Fatal(err)
				}
				e, _ := relative(t, familytest.Learn(t, New(c.o), draw.Runner(0), 5, c.steps), p)
				mean += e / seeds
			}
			t.Logf("own variances %v, %d steps of EM, n=%d: relative error %.4f", c.own, c.steps, n, mean)
			if last > 0 && mean > last/rate {
				t.Errorf("n=%d: error %.4f after %.4f at a quarter of the records", n, mean, last)
			}
			last = mean
		}
	}
}

// classic reads a table of the shared data: the label column, and the columns
// from first on.
func classic(t *testing.T, name, label string, first, last int) (sparse.Rows, []int) {
	t.Helper()
	dir := os.Getenv("MOIETY_DATA")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "..", "shared", "data")
	}
	file, err := os.Open(filepath.Join(dir, "classics", name))
	if err != nil {
		t.Skipf("no classics/%s: set MOIETY_DATA", name)
	}
	defer file.Close()
	table, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	at, labels := 0, map[string]int{}
	for c, title := range table[0] {
		if title == label {
			at = c
		}
	}
	rows := sparse.Rows{Dim: last - first}
	var of []int
	for _, line := range table[1:] {
		if _, ok := labels[line[at]]; !ok {
			labels[line[at]] = len(labels)
		}
		of = append(of, labels[line[at]])
		for _, field := range line[first:last] {
			v, err := strconv.ParseFloat(field, 64)
			if err != nil {
				t.Fatal(err)
			}
			rows.Dense = append(rows.Dense, v)
		}
	}
	return rows, of
}

func TestClassics(t *testing.T) {
	for _, c := range []struct {
		name, label string
		first, last int
		k           int
		least       float64 // ARI: somewhat below what was measured
	}{
		{"iris.csv", "Species", 0, 4, 3, 0.55},
		{"wine27.csv", "Type", 1, 28, 3, 0.85},
		{"olive.csv", "Region", 2, 10, 3, 0.4},
		{"olive.csv", "Area", 2, 10, 8, 0.5},
	} {
		rows, truth := classic(t, c.name, c.label, c.first, c.last)
		for _, o := range []Options{{}, {Standardise: Always}, {Standardise: Never}} {
			f := New(o)
			p := familytest.Learn(t, f, pass.NewLocal(rows, 0), c.k, 100)
			out := make([]float64, rows.N()*c.k)
			if err := f.Posterior(p, pass.Block{Rows: rows}, out); err != nil {
				t.Fatal(err)
			}
			ari, err := agree.ARI(best(out, c.k), truth)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%s by %s, k=%d, scaling %d: ARI %.3f", c.name, c.label, c.k, o.Standardise, ari)
			if o.Standardise == Auto && ari < c.least {
				t.Errorf("%s by %s: ARI %.3f, want at least %.2f", c.name, c.label, ari, c.least)
			}
		}
	}
}

func best(posterior []float64, k int) []int {
	out := make([]int, len(posterior)/k)
	for i := range out {
		for j := range k {
			if posterior[i*k+j] > posterior[i*k+out[i]] {
				out[i] = j
			}
		}
	}
	return out
}
