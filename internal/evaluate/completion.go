package evaluate

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/simplex"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// CompletionOptions steers Completion. Zero values mean the defaults.
type CompletionOptions struct {
	Seed uint64
	// Prior holds k pseudo-counts of the topics in a document (α of LDA), or
	// with OneTopic the weights of the topics; nil means 0.1 each.
	Prior []float64
	// OneTopic says that a document has one topic (mixture of multinomials)
	// instead of a mixture of topics.
	OneTopic bool
	// Smooth is the share of the uniform distribution that is mixed into every
	// topic, so that a word unknown to all topics does not make a document
	// impossible; 0 means 0.001. All models of a comparison need the same.
	Smooth float64
}

const (
	defaultPrior  = 0.1
	defaultSmooth = 0.001
)

// Perplexity tells how well topics predict unseen words.
type Perplexity struct {
	Perplexity    float64 // exp(−LogLikelihood/Tokens): the lower the better; d for uniform topics
	LogLikelihood float64 // of the scored tokens
	Tokens        int     // scored
	Documents     int     // scored
	Skipped       int     // documents of fewer than two tokens
}

// ErrShort says that no document has the two words that completion needs.
var ErrShort = errors.New("evaluate: words are predicted in documents of two words or more")

// Completion measures topics (d×k, any tool's) by document completion (Wallach
// et al. 2009): half of the tokens of every document, drawn at random by seed
// and number of the document, tell its mixture; the other half is scored.
func Completion(ctx context.Context, run pass.Runner, topics mat.Matrix, o CompletionOptions) (*Perplexity, error) {
	c, err := newCompletion(run.Dim(), topics, o)
	if err != nil {
		return nil, err
	}
	state, err := pass.RunOne(ctx, run, c)
	if err != nil {
		return nil, err
	}
	p := &Perplexity{LogLikelihood: state[0], Tokens: int(min(state[1], math.MaxInt64>>1)), Documents: int(state[2]), Skipped: int(state[3])}
	if p.Tokens == 0 {
		return nil, fmt.Errorf("%w: none of %d has", ErrShort, p.Skipped)
	}
	p.Perplexity = math.Exp(-p.LogLikelihood / float64(p.Tokens))
	return p, nil
}

// completion is the Sum: log-likelihood, tokens, documents, skipped.
type completion struct {
	k      int
	topics []float64 // d×k, smoothed
	prior  []float64
	seed   uint64
	one    bool
}

func newCompletion(dim int, topics mat.Matrix, o CompletionOptions) (*completion, error) {
	d, k := topics.Dims()
	if d != dim {
		return nil, fmt.Errorf("evaluate: topics over %d words for records of %d features", d, dim)
	}
	if !(o.Smooth >= 0) || o.Smooth > 1 {
		return nil, fmt.Errorf("evaluate: smoothing %v, want a share from 0 to 1", o.Smooth)
	}
	if o.Smooth == 0 {
		o.Smooth = defaultSmooth
	}
	c := &completion{k: k, topics: make([]float64, d*k), prior: o.Prior, seed: o.Seed, one: o.OneTopic}
	if c.prior == nil {
		c.prior = make([]float64, k)
		for j := range c.prior {
			c.prior[j] = defaultPrior
		}
	}
	if len(c.prior) != k {
		return nil, fmt.Errorf("evaluate: %d prior counts for %d topics", len(c.prior), k)
	}
	for j, a := range c.prior {
		if !(a >= 0) || math.IsInf(a, 0) {
			return nil, fmt.Errorf("evaluate: prior of topic %d is %v, want a number of 0 or more", j+1, a)
		}
	}
	column := make([]float64, d)
	for j := range k {
		mat.Col(column, j, topics)
		simplex.Clip(column, column)
		for h, v := range column {
			c.topics[h*k+j] = (1-o.Smooth)*v + o.Smooth/float64(d)
		}
	}
	return c, nil
}

// Len implements pass.Sum.
func (c *completion) Len() int { return 4 }

// Add implements pass.Sum.
func (c *completion) Add(state []float64, b pass.Block) error {
	var doc halves
	theta, next := make([]float64, c.k), make([]float64, c.k)
	for i := range b.Rows.N() {
		if err := doc.split(b.Rows, i, c.random(b.First+i)); err != nil {
			return err
		}
		if doc.scored == 0 {
			state[3]++
			continue
		}
		if c.one {
			state[0] += c.scoreOne(&doc, theta)
		} else {
			c.foldIn(&doc, theta, next)
			state[0] += c.score(&doc, theta)
		}
		state[1] += doc.scored
		state[2]++
	}
	return nil
}

func (c *completion) random(record int) *rand.Rand {
	return stream.New(c.seed, "evaluate/completion/"+strconv.Itoa(record))
}

// halves holds a document cut in two.
type halves struct {
	word   []int
	seen   []float64 // tokens that tell the mixture
	hidden []float64 // tokens to be predicted
	scored float64
	tokens []int32 // scratch: the place in word of every token
}

// mostShuffled is the number of tokens of a document up to which they are laid out one by
// one, so that exactly half of them are scored. Of a longer one each is tossed for.
const mostShuffled = 100_000

// split divides the tokens of row i; of an odd number the mixture gets one more.
// A document of fewer than two tokens has nothing to score.
func (s *halves) split(rows sparse.Rows, i int, r *rand.Rand) error {
	s.word, s.seen, s.hidden, s.scored = s.word[:0], s.seen[:0], s.hidden[:0], 0
	all := 0.0
	err := eachCount(rows, i, func(h int, n float64) {
		s.word, s.seen, s.hidden = append(s.word, h), append(s.seen, n), append(s.hidden, 0)
		all += n
	})
	if err != nil {
		return err
	}
	if all <= mostShuffled {
		s.shuffle(r)
	} else {
		for e, n := range s.seen {
			s.hidden[e] = stream.Binomial(r, n, .5)
		}
	}
	for e, n := range s.hidden {
		s.seen[e] -= n
		s.scored += n
	}
	return nil
}

// shuffle hides exactly half of the tokens.
func (s *halves) shuffle(r *rand.Rand) {
	s.tokens = s.tokens[:0]
	for e, n := range s.seen {
		for range int(n) {
			s.tokens = append(s.tokens, int32(e))
		}
	}
	r.Shuffle(len(s.tokens), func(a, b int) { s.tokens[a], s.tokens[b] = s.tokens[b], s.tokens[a] })
	for _, e := range s.tokens[:len(s.tokens)/2] {
		s.hidden[e]++
	}
}

// eachCount hands the words of row i and their whole counts to f.
func eachCount(rows sparse.Rows, i int, f func(h int, n float64)) error {
	one := func(h int, v float64) error {
		if v != math.Floor(v) || v < 0 || v > math.MaxFloat32 {
			return fmt.Errorf("evaluate: record %d counts word %d %v times; give whole numbers", i+1, h+1, v)
		}
		if v > 0 {
			f(h, v)
		}
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
		v := 1.0
		if value != nil {
			v = float64(value[e])
		}
		if err := one(int(h), v); err != nil {
			return err
		}
	}
	return nil
}

// The mixture counts as found when no share moves by more, or after so many
// steps.
const (
	foldInTol   = 1e-6
	foldInSteps = 200
)

// foldIn sets theta to the mixture of the seen tokens: the fixed point of
// θ_j ∝ α_j + Σ_w n_w·θ_jφ_wj/Σ_i θ_iφ_wi.
func (c *completion) foldIn(s *halves, theta, next []float64) {
	for j := range theta {
		theta[j] = 1 / float64(c.k)
	}
	for range foldInSteps {
		copy(next, c.prior)
		for e, h := range s.word {
			if s.seen[e] == 0 {
				continue
			}
			row, sum := c.topics[h*c.k:][:c.k], 0.0
			for j, v := range row {
				sum += theta[j] * v
			}
			for j, v := range row {
				next[j] += s.seen[e] * theta[j] * v / sum
			}
		}
		simplex.Clip(next, next)
		moved := 0.0
		for j, v := range next {
			moved = math.Max(moved, math.Abs(v-theta[j]))
		}
		copy(theta, next)
		if moved <= foldInTol {
			return
		}
	}
}

// score returns the log-likelihood of the hidden tokens under the mixture.
func (c *completion) score(s *halves, theta []float64) float64 {
	total := 0.0
	for e, h := range s.word {
		if s.hidden[e] == 0 {
			continue
		}
		p := 0.0
		for j, v := range c.topics[h*c.k:][:c.k] {
			p += theta[j] * v
		}
		total += s.hidden[e] * math.Log(p)
	}
	return total
}

// scoreOne returns log p(hidden | seen) of a document of one topic.
func (c *completion) scoreOne(s *halves, seen []float64) float64 {
	all := make([]float64, c.k)
	for j, a := range c.prior {
		seen[j] = math.Log(a)
		all[j] = seen[j]
	}
	for e, h := range s.word {
		for j, v := range c.topics[h*c.k:][:c.k] {
			l := math.Log(v)
			seen[j] += s.seen[e] * l
			all[j] += (s.seen[e] + s.hidden[e]) * l
		}
	}
	return simplex.LogSumExp(all) - simplex.LogSumExp(seen)
}
