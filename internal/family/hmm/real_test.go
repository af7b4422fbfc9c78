package hmm

import (
	"compress/gzip"
	"encoding/csv"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/family/familytest"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// Errors of emissions and transitions fall like 1/√n.
func TestRate(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: long")
	}
	const rate = 1.5 // of 2 expected from 4 times the steps
	for _, f := range []Family{New(Options{}), New(Options{Emission: Gaussian})} {
		d := 10
		if f.o.Emission == Gaussian {
			d = 3
		}
		var last float64
		for _, n := range []int{10000, 40000, 160000} {
			const seeds = 4
			em, tr := 0.0, 0.0
			for seed := range uint64(seeds) {
				p := truth(seed, d, 3, f.o.Emission == Gaussian)
				draw, err := f.Sample(p, stream.New(seed, "rate"), n/100, family.Shape{Lengths: []int{100}})
				if err != nil {
					t.Fatal(err)
				}
				e, x := emissionError(t, familytest.Learn(t, f, draw.Runner(0), 3, 0), p)
				em, tr = em+e/seeds, tr+x/seeds
			}
			t.Logf("emission %d, %d steps: emissions off by %.4f, transitions by %.4f", f.o.Emission, n, em, tr)
			if last > 0 && em > last/rate {
				t.Errorf("%d steps: error %.4f after %.4f at a quarter of them", n, em, last)
			}
			last = em
		}
	}
}

// Many symbols: the basis of what rows have in common is found by scans.
func TestManySymbols(t *testing.T) {
	f, p := New(Options{}), truth(3, 60, 3, false)
	draw, err := f.Sample(p, stream.New(3, "many"), 400, family.Shape{Lengths: []int{100}})
	if err != nil {
		t.Fatal(err)
	}
	start, _ := emissionError(t, familytest.Learn(t, f, draw.Runner(0), 3, 0), p)
	after, tr := emissionError(t, familytest.Learn(t, f, draw.Runner(0), 3, 10), p)
	t.Logf("60 symbols, 40,000 steps: emissions off by %.3f, after 10 steps of EM %.3f, transitions %.3f", start, after, tr)
	if start > 0.4 || after > 0.15 || tr > 0.15 {
		t.Errorf("emissions off by %.3f, after EM by %.3f, transitions by %.3f", start, after, tr)
	}
}

func TestMvad(t *testing.T) {
	rows, steps, names := mvad(t)
	f, run := New(Options{}), pass.NewSequences(rows, steps, 0)
	const k = 4
	p := familytest.Learn(t, f, run, k, 30)
	logp := make([]float64, len(steps)-1)
	if err := f.LogDensity(p, pass.Block{Rows: rows, Steps: steps}, logp); err != nil {
		t.Fatal(err)
	}
	total := 0.0
	for _, v := range logp {
		total += v
	}
	for j := range k {
		var b strings.Builder
		for h, name := range names {
			if p.Centers.At(h, j) > 0.1 {
				b.WriteString(" " + name)
			}
		}
		t.Logf("state %d, share %.2f, stays %.3f:%s", j+1, p.Weights[j], p.Extra[TransitionOf].At(j, j), b.String())
	}
	path, _, err := f.Viterbi(p, pass.Block{Rows: rows, Steps: steps})
	if err != nil || len(path) != rows.N() {
		t.Fatalf("path of %d steps, %v", len(path), err)
	}
	// Months hang together: a chain must explain far more than shares of states.
	t.Logf("log-likelihood a month %.3f", total/float64(rows.N()))
	if total/float64(rows.N()) < -0.6 {
		t.Errorf("log-likelihood a month %.3f", total/float64(rows.N()))
	}
}

func mvad(t *testing.T) (sparse.Rows, []int, []string) {
	t.Helper()
	dir := os.Getenv("MOIETY_DATA")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "..", "shared", "data")
	}
	file, err := os.Open(filepath.Join(dir, "mvad", "mvad.csv.gz"))
	if err != nil {
		t.Skip("no mvad/mvad.csv.gz: set MOIETY_DATA")
	}
	defer file.Close()
	z, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	table, err := csv.NewReader(z).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	from := 0
	for table[0][from] != "Jul.93" {
		from++
	}
	index, names := map[string]uint32{}, []string(nil)
	steps, build := []int{0}, sparse.NewBuilder(6, true)
	for _, line := range table[1:] {
		for _, state := range line[from : from+72] {
			if _, ok := index[state]; !ok {
				index[state] = uint32(len(names))
				names = append(names, state)
			}
			if err := build.Add([]uint32{index[state]}, nil); err != nil {
				t.Fatal(err)
			}
		}
		steps = append(steps, build.N())
	}
	return build.Rows(), steps, names
}
