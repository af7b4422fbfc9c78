package delimited

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/read/source"
)

// drawnTable is a kind of table and how one is drawn: a number for every cell, NaN where it
// is missing.
type drawnTable struct {
	name    string
	want    Shape
	columns int
	named   string // in front of the number of a column
	sizes   []int
	draw    func(r *rand.Rand, n, d int) [][]float64
}

// graded draws answers 0 to top of two kinds of people with thresholds on a latent trait, each
// item with a difficulty of its own.
func graded(top int, hard, gap, missing float64) func(*rand.Rand, int, int) [][]float64 {
	return func(r *rand.Rand, n, d int) [][]float64 {
		shift := make([]float64, d)
		for j := range shift {
			shift[j] = hard + .4*r.NormFloat64()
		}
		return table2(n, d, func(i, j int) float64 {
			if r.Float64() < missing {
				return math.NaN()
			}
			x := r.NormFloat64() - shift[j]
			if i%3 == 0 {
				x += gap
			}
			return min(max(math.Floor((x+2)*float64(top+1)/4), 0), float64(top))
		})
	}
}

func table2(n, d int, cell func(i, j int) float64) [][]float64 {
	out := make([][]float64, n)
	for i := range out {
		out[i] = make([]float64, d)
		for j := range out[i] {
			out[i][j] = cell(i, j)
		}
	}
	return out
}

// poisson draws one count.
func poisson(r *rand.Rand, mean float64) float64 {
	if mean > 50 {
		return math.Round(max(0, mean+math.Sqrt(mean)*r.NormFloat64()))
	}
	p, k := math.Exp(-mean), 0.0
	for u := r.Float64(); u > p; k++ {
		u -= p
		p *= mean / (k + 1)
		if p < 1e-300 {
			break
		}
	}
	return k
}

// gamma draws of a gamma distribution of mean 1 and the shape k, a sum of exponentials.
func gamma(r *rand.Rand, k int) float64 {
	sum := 0.0
	for range k {
		sum += r.ExpFloat64()
	}
	return sum / float64(k)
}

// counted draws counts with a mean a column between two bounds, on a scale of logarithms,
// and a size a row that scatters.
func countedTable(least, most float64, rows bool) func(*rand.Rand, int, int) [][]float64 {
	return func(r *rand.Rand, n, d int) [][]float64 {
		mean, size := make([]float64, d), make([]float64, n)
		for j := range mean {
			mean[j] = least * math.Pow(most/least, r.Float64())
		}
		for i := range size {
			size[i] = 1
			if rows {
				size[i] = gamma(r, 2)
			}
		}
		return table2(n, d, func(i, j int) float64 { return poisson(r, mean[j]*size[i]) })
	}
}

// sparseTable draws counts that scatter in every cell, most of them 0, as species, words
// and genes do.
func sparseTable(most float64, absent float64) func(*rand.Rand, int, int) [][]float64 {
	return func(r *rand.Rand, n, d int) [][]float64 {
		mean := make([]float64, d)
		for j := range mean {
			mean[j] = most * math.Pow(float64(j+1), -1.1)
		}
		return table2(n, d, func(i, j int) float64 {
			if r.Float64() < absent {
				return 0
			}
			return poisson(r, mean[j]*r.ExpFloat64()*2)
		})
	}
}

func copies(r *rand.Rand, n, d int) [][]float64 {
	share := make([]float64, 2*d)
	for j := range share {
		share[j] = .1 + .8*r.Float64()
	}
	return table2(n, d, func(i, j int) float64 {
		x, p := 0.0, share[2*j+i%2]
		for range 2 {
			if r.Float64() < p {
				x++
			}
		}
		return x
	})
}

func pixels(top int) func(*rand.Rand, int, int) [][]float64 {
	return func(r *rand.Rand, n, d int) [][]float64 {
		return table2(n, d, func(i, j int) float64 {
			x := float64(top) * (.5 + .6*math.Sin(float64(j)/3+float64(i%4)) + .25*r.NormFloat64())
			return min(max(math.Round(x), 0), float64(top))
		})
	}
}

func drawnTables() []drawnTable {
	people := []int{60, 200, 2000}
	return []drawnTable{
		{"9 items 0 to 3", Categorical, 9, "phq", people, graded(3, 0, 1.5, 0)},
		{"9 items 0 to 3, 2 % missing", Categorical, 9, "q", people, graded(3, .3, 1.5, .02)},
		{"9 items 0 to 3, few complain", Categorical, 9, "phq", people, graded(3, 1, 1.5, 0)},
		{"7 items 0 to 3, few complain", Categorical, 7, "gad", people, graded(3, .8, 1.2, 0)},
		{"14 items 0 to 3", Categorical, 14, "item", people, graded(3, .3, 1, 0)},
		{"21 items 0 to 3, 8 % missing", Categorical, 21, "bdi", people, graded(3, .7, 1.3, .08)},
		{"12 items 0 to 3", Categorical, 12, "ghq", people, graded(3, 0, 1, 0)},
		{"8 items 0 to 4", Categorical, 8, "isi", people, graded(4, 0, 1.5, 0)},
		{"8 items 0 to 4, 10 % missing", Categorical, 8, "v", people, graded(4, .3, 1.5, .1)},
		{"25 items 0 to 2", Categorical, 25, "sdq", people, graded(2, .3, 1, 0)},
		{"10 items 0 to 5", Categorical, 10, "a", people, graded(5, 0, 1.5, .01)},
		{"10 items 0 to 6", Categorical, 10, "a", people, graded(6, 0, 1.5, 0)},
		{"8 items 0 to 10", Categorical, 8, "pain", people, graded(10, 0, 2, 0)},
		{"7 items 0 to 10, 3 % missing", Categorical, 7, "bpi", people, graded(10, .3, 1.5, .03)},
		{"10 items 1 to 5", Categorical, 10, "q", people, plus(1, graded(4, 0, 1, 0))},
		{"10 items 1 to 7, 3 % missing", Categorical, 10, "q", people, plus(1, graded(6, 0, 1, .03))},
		{"3 items 0 to 4", Categorical, 3, "q", []int{200, 500, 2000}, graded(4, 0, 1.5, 0)},
		{"7 items 0 to 3 and 7 items 0 to 4", Categorical, 14, "q", people, beside(7, graded(3, 0, 1, 0), graded(4, 0, 1, 0))},
		{"9 items 0 to 3 and 4 items 0 to 10", Categorical, 13, "q", []int{200, 500, 2000}, beside(9, graded(3, 0, 1, 0), graded(10, 0, 1, 0))},
		{"12 yes or no", Binary, 12, "q", people, graded(1, 0, 1, 0)},
		{"5 small counts", Counts, 5, "visits", people, countedTable(.3, 3, false)},
		{"5 counts of one mean", Counts, 5, "n", people, countedTable(.8, .8001, false)},
		{"8 small counts, people differ", Counts, 8, "n", people, countedTable(.3, 3, true)},
		{"12 smaller counts", Counts, 12, "n", people, countedTable(.2, 1, false)},
		{"12 smaller counts, people differ", Counts, 12, "n", people, countedTable(.2, 1, true)},
		{"40 counts of one mean", Counts, 40, "n", people, countedTable(.5, .5001, false)},
		{"60 species, sparse", Counts, 60, "otu", people, sparseTable(200, .5)},
		{"300 rare species", Counts, 300, "otu", people, sparseTable(20, .7)},
		{"200 words", Counts, 200, "word", people, sparseTable(8, .1)},
		{"40 words of short texts", Counts, 40, "word", people, sparseTable(2, .2)},
		{"300 genes, many zeros", Counts, 300, "gene", people, countedTable(.02, 10, true)},
		{"100 rare genes", Counts, 100, "gene", people, countedTable(.05, .5, true)},
		{"60 loci, 0 to 2 copies", Genotypes, 60, "rs10", people, copies},
		{"64 pixels 0 to 16", Counts, 64, "pixel", people, pixels(16)},
		{"16 pixels 0 to 100", Real, 16, "v", people, pixels(100)},
	}
}

func plus(x float64, draw func(*rand.Rand, int, int) [][]float64) func(*rand.Rand, int, int) [][]float64 {
	return func(r *rand.Rand, n, d int) [][]float64 {
		t := draw(r, n, d)
		for _, row := range t {
			for j := range row {
				row[j] += x
			}
		}
		return t
	}
}

// beside sets two tables side by side, the first of so many columns.
func beside(first int, a, b func(*rand.Rand, int, int) [][]float64) func(*rand.Rand, int, int) [][]float64 {
	return func(r *rand.Rand, n, d int) [][]float64 {
		left, right := a(r, n, first), b(r, n, d-first)
		for i := range left {
			left[i] = append(left[i], right[i]...)
		}
		return left
	}
}

// written writes a table as a file.
func written(x drawnTable, cells [][]float64) []byte {
	var b bytes.Buffer
	for j := range x.columns {
		fmt.Fprintf(&b, "%s%s%d", strings.Repeat(",", min(j, 1)), x.named, j+1)
	}
	b.WriteByte('\n')
	for _, row := range cells {
		for j, v := range row {
			if j > 0 {
				b.WriteByte(',')
			}
			if !math.IsNaN(v) {
				fmt.Fprint(&b, v)
			}
		}
		b.WriteByte('\n')
	}
	return b.Bytes()
}

// Tables whose columns hold whole numbers are read as what they are by what the columns
// hold: a questionnaire from 0 as answers, whatever its size, and counts of words, genes and
// species as counts, however small.
func TestAnswersOrCounts(t *testing.T) {
	const seeds = 1
	for _, x := range drawnTables() {
		read := map[Shape]int{}
		wrong := ""
		for _, n := range x.sizes {
			for seed := range uint64(seeds) {
				r := rand.New(rand.NewPCG(seed, uint64(n)))
				in := source.Bytes("t.csv", written(x, x.draw(r, n, x.columns)))
				p, err := Survey(context.Background(), in, Options{})
				if err != nil {
					t.Fatal(err)
				}
				shape, _ := p.Classify(Options{})
				read[shape]++
				if shape != x.want && !(x.want == Real && shape == Counts) {
					wrong += fmt.Sprintf(" %d/%d", n, seed)
				}
			}
		}
		t.Logf("%-40s %v", x.name, read)
		if wrong != "" {
			t.Errorf("%s are read as %v, want %s; wrong at%s", x.name, read, x.want, wrong)
		}
	}
}
