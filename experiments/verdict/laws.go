package verdict

import (
	"math"
	"math/rand/v2"

	"github.com/moiety-go/moiety/experiments/lab"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"
)

// Law is a way to draw records whose number of groups is known. Parameters are
// drawn afresh for every seed.
type Law struct {
	Name   string
	Groups int
	// Hard says that the groups overlap so much, or are so small, that the
	// number is not promised.
	Hard bool
	draw func(r *rand.Rand, n int) Draw
	Kind string // of records, where they are neither presences nor answers
	// Mixed says that every record mixes the groups: topics of documents.
	Mixed bool

	walk *Walk // of sequences, beside other laws
}

// Draw is a number of records.
type Draw struct {
	X       [][]int8 // answers from 0; -1: not answered
	Labels  []int
	Answers int // of every question; 2 means presences

	// Records of other kinds.
	Rows    *sparse.Rows
	Kind    record.Kind
	System  string // of the vocabulary
	Columns []vocab.Column
}

// Draw draws n records.
func (l Law) Draw(seed uint64, n int) Draw {
	d := l.draw(stream.New(seed, "experiments/verdict/"+l.Name), n)
	if d.Labels == nil {
		d.Labels = make([]int, n)
	}
	if d.Answers == 0 {
		d.Answers = 2
	}
	return d
}

// Data returns the records as fits take them, and the questions of answers.
func (d Draw) Data() (fit.Training, [][2]int) {
	if d.Rows != nil {
		data := lab.Generated(*d.Rows, d.Kind)
		data.Vocab.System, data.Vocab.Columns = d.System, d.Columns
		return data, nil
	}
	width := len(d.X[0])
	if d.Answers == 2 {
		b := sparse.NewBuilder(width, true)
		for _, x := range d.X {
			var row []uint32
			for j, v := range x {
				if v == 1 {
					row = append(row, uint32(j))
				}
			}
			_ = b.Add(row, nil)
		}
		return lab.Generated(b.Rows(), record.Presence), nil
	}
	b := sparse.NewBuilder(width*d.Answers, true)
	for _, x := range d.X {
		var row []uint32
		for j, v := range x {
			if v >= 0 {
				row = append(row, uint32(j*d.Answers+int(v)))
			}
		}
		_ = b.Add(row, nil)
	}
	data := lab.Generated(b.Rows(), record.Categorical)
	var questions [][2]int
	for j := range width {
		from, to := j*d.Answers, (j+1)*d.Answers
		questions = append(questions, [2]int{from, to})
		data.Vocab.Columns = append(data.Vocab.Columns, vocab.Column{Kind: vocab.Categorical, From: from, To: to})
	}
	return data, questions
}

func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

func logit(p float64) float64 { return math.Log(p / (1 - p)) }

// presences draws n records of d features with the given probabilities.
func presences(r *rand.Rand, n, d int, p func(i, j int) float64) Draw {
	out := Draw{X: make([][]int8, n)}
	for i := range out.X {
		out.X[i] = make([]int8, d)
		for j := range d {
			if r.Float64() < p(i, j) {
				out.X[i][j] = 1
			}
		}
	}
	return out
}

func uniform(r *rand.Rand, lo, hi float64, n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = lo + (hi-lo)*r.Float64()
	}
	return out
}

func normal(r *rand.Rand, mean, sd float64, n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = mean + sd*r.NormFloat64()
	}
	return out
}

// noise draws from the logistic law.
func noise(r *rand.Rand) float64 {
	u := r.Float64()
	return math.Log(u / (1 - u))
}

// gamma draws from the gamma law (Marsaglia and Tsang 2000; below 1 by a power).
func gamma(r *rand.Rand, a float64) float64 {
	if a < 1 {
		return gamma(r, a+1) * math.Pow(r.Float64(), 1/a)
	}
	d := a - 1.0/3
	for {
		x := r.NormFloat64()
		v := 1 + x/math.Sqrt(9*d)
		if v <= 0 {
			continue
		}
		v = v * v * v
		if math.Log(1-r.Float64()) < x*x/2+d-d*v+d*math.Log(v) {
			return d * v
		}
	}
}

func dirichlet(r *rand.Rand, a float64, n int) []float64 {
	out := make([]float64, n)
	sum := 0.0
	for i := range out {
		out[i] = gamma(r, a)
		sum += out[i]
	}
	for i := range out {
		out[i] /= sum
	}
	return out
}

// pick draws a number with the given probabilities.
func pick(r *rand.Rand, p []float64) int {
	u := r.Float64()
	for i, v := range p {
		if u -= v; u < 0 {
			return i
		}
	}
	return len(p) - 1
}

// zipf returns frequencies ∝ rank^−s that sum to total, none above .8.
func zipf(d int, s, total float64) []float64 {
	out := make([]float64, d)
	sum := 0.0
	for j := range out {
		out[j] = math.Pow(float64(j+1), -s)
		sum += out[j]
	}
	for j := range out {
		out[j] = min(out[j]*total/sum, .8)
	}
	return out
}

// likert cuts a latent number into five ordered answers.
func likert(z float64) int8 {
	a := int8(0)
	for _, c := range []float64{-2, -.7, .7, 2} {
		if z > c {
			a++
		}
	}
	return a
}

// answers draws n records of d ordered answers with latent means.
func answers(r *rand.Rand, n, d int, mean func(i, j int) float64) Draw {
	out := Draw{X: make([][]int8, n), Answers: 5}
	for i := range out.X {
		out.X[i] = make([]int8, d)
		for j := range d {
			out.X[i][j] = likert(mean(i, j) + noise(r))
		}
	}
	return out
}
