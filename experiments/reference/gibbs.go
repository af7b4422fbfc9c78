package reference

import (
	"context"
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/progress"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/sparse"
)

// GibbsOptions steers GibbsLDA. Zero values mean the defaults.
type GibbsOptions struct {
	Seed   uint64
	Alpha  float64 // prior of each topic in a document; 0 means 0.1
	Eta    float64 // prior of each word in a topic; 0 means 0.01
	Sweeps int     // passes over all tokens; 0 means 2000
	// Samples is the number of states, five sweeps apart, whose estimates are
	// averaged at the end; 0 means 1, the last state alone.
	Samples int
}

// sampleEvery is the number of sweeps between averaged states.
const sampleEvery = 5

func (o GibbsOptions) filled() (GibbsOptions, error) {
	if !(o.Alpha >= 0) || !(o.Eta >= 0) || o.Sweeps < 0 || o.Samples < 0 {
		return o, fmt.Errorf("reference: Gibbs sampling with alpha %v, eta %v, %d sweeps, %d samples: want numbers of 0 or more", o.Alpha, o.Eta, o.Sweeps, o.Samples)
	}
	if o.Alpha == 0 {
		o.Alpha = 0.1
	}
	if o.Eta == 0 {
		o.Eta = 0.01
	}
	if o.Sweeps == 0 {
		o.Sweeps = 2000
	}
	if o.Samples == 0 {
		o.Samples = 1
	}
	return o, nil
}

// GibbsResult holds the estimates of GibbsLDA.
type GibbsResult struct {
	Topics *mat.Dense // d×k: column j is the distribution of words in topic j
	Theta  *mat.Dense // n×k: row i is the mixture of topics in document i
	Labels []int      // the largest topic of each document
}

// GibbsLDA learns latent Dirichlet allocation by collapsed Gibbs sampling
// (Griffiths and Steyvers 2004). Token t of the corpus starts in topic t mod k.
// A sweep costs tokens × k.
func GibbsLDA(ctx context.Context, rows sparse.Rows, k int, o GibbsOptions) (*GibbsResult, error) {
	o, err := o.filled()
	if err != nil {
		return nil, err
	}
	if k < 1 || rows.N() == 0 {
		return nil, fmt.Errorf("reference: %d topics of %d documents; want at least 1 of each", k, rows.N())
	}
	g, err := newGibbs(rows, k, o)
	if err != nil {
		return nil, err
	}
	r := &GibbsResult{Topics: mat.NewDense(rows.Dim, k, nil), Theta: mat.NewDense(rows.N(), k, nil), Labels: make([]int, rows.N())}
	random := stream.New(o.Seed, "reference/gibbs")
	for s := range o.Sweeps {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		g.sweep(random)
		if left := o.Sweeps - 1 - s; left%sampleEvery == 0 && left/sampleEvery < o.Samples {
			g.add(r)
		}
		progress.Report(ctx, progress.Event{Step: "sampling", Done: int64(s + 1), Total: int64(o.Sweeps), Unit: "sweeps"})
	}
	r.finish()
	return r, nil
}

// gibbs is the state of the sampler.
type gibbs struct {
	k          int
	alpha, eta float64
	doc, word  []int32 // of every token, documents in order
	topic      []int32
	inDoc      []float64 // n×k tokens of the document in the topic
	inTopic    []float64 // d×k tokens of the word in the topic
	size       []float64 // k tokens in the topic
	words      int
	cumulative []float64
}

func newGibbs(rows sparse.Rows, k int, o GibbsOptions) (*gibbs, error) {
	g := &gibbs{
		k: k, alpha: o.Alpha, eta: o.Eta, words: rows.Dim,
		inDoc: make([]float64, rows.N()*k), inTopic: make([]float64, rows.Dim*k),
		size: make([]float64, k), cumulative: make([]float64, k),
	}
	for i := range rows.N() {
		err := counts(rows, i, func(h, c int) {
			for range c {
				z := int32(len(g.topic) % k)
				g.doc, g.word, g.topic = append(g.doc, int32(i)), append(g.word, int32(h)), append(g.topic, z)
				g.inDoc[i*k+int(z)]++
				g.inTopic[h*k+int(z)]++
				g.size[z]++
			}
		})
		if err != nil {
			return nil, err
		}
	}
	return g, nil
}

// counts hands the words of document i with their counts to f.
func counts(rows sparse.Rows, i int, f func(h, count int)) error {
	one := func(h int, v float64) error {
		c := int(v)
		if float64(c) != v || c < 0 {
			return fmt.Errorf("reference: document %d counts word %d %v times; give whole numbers", i+1, h+1, v)
		}
		f(h, c)
		return nil
	}
	if rows.IsDense() {
		for h, v := range rows.DenseRow(i) {
			if err := one(h, v); err != nil {
				return err
			}
		}
		return nil
	}
	index, value := rows.Row(i)
	for e, h := range index {
		v := float32(1)
		if value != nil {
			v = value[e]
		}
		if err := one(int(h), float64(v)); err != nil {
			return err
		}
	}
	return nil
}

// sweep draws a new topic for every token given all others:
// p(z=j) ∝ (n_dj + α)(n_wj + η)/(n_j + d·η).
func (g *gibbs) sweep(r *rand.Rand) {
	k, all := g.k, g.eta*float64(g.words)
	for t, z := range g.topic {
		doc := g.inDoc[int(g.doc[t])*k:][:k]
		word := g.inTopic[int(g.word[t])*k:][:k]
		doc[z]--
		word[z]--
		g.size[z]--
		sum := 0.0
		for j := range doc {
			sum += (doc[j] + g.alpha) * (word[j] + g.eta) / (g.size[j] + all)
			g.cumulative[j] = sum
		}
		u, j := r.Float64()*sum, 0
		for j < k-1 && g.cumulative[j] <= u {
			j++
		}
		doc[j]++
		word[j]++
		g.size[j]++
		g.topic[t] = int32(j)
	}
}

// add adds the estimates of this state to r.
func (g *gibbs) add(r *GibbsResult) {
	all := g.eta * float64(g.words)
	for h := range g.words {
		row := r.Topics.RawRowView(h)
		for j := range row {
			row[j] += (g.inTopic[h*g.k+j] + g.eta) / (g.size[j] + all)
		}
	}
	for i := range r.Labels {
		row, doc := r.Theta.RawRowView(i), g.inDoc[i*g.k:][:g.k]
		total := g.alpha * float64(g.k)
		for _, c := range doc {
			total += c
		}
		for j := range row {
			row[j] += (doc[j] + g.alpha) / total
		}
	}
}

// finish turns sums of estimates into distributions.
func (r *GibbsResult) finish() {
	d, k := r.Topics.Dims()
	sums := make([]float64, k)
	for h := range d {
		for j, v := range r.Topics.RawRowView(h) {
			sums[j] += v
		}
	}
	for h := range d {
		row := r.Topics.RawRowView(h)
		for j := range row {
			row[j] /= sums[j]
		}
	}
	for i := range r.Labels {
		row, sum := r.Theta.RawRowView(i), 0.0
		for j, v := range row {
			sum += v
			if v > row[r.Labels[i]] {
				r.Labels[i] = j
			}
		}
		for j := range row {
			row[j] /= sum
		}
	}
}
