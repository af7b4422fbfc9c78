package lda

import (
	"context"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"strconv"

	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
)

// Method names a way to infer the topic mixture of a document.
type Method int

// Methods.
const (
	Variational Method = iota // deterministic: the mean of the variational posterior
	Gibbs                     // sampling of the words' topics, [T] Remark 3.3.2
)

// Inference says how topic mixtures are inferred. The zero value is the
// deterministic way.
type Inference struct {
	Method Method
	Seed   uint64 // of Gibbs; each document has its own stream, by its words
	Burn   int    // sweeps of Gibbs that are left out; 0 means 50
	Sweeps int    // sweeps that are averaged; 0 means 100
}

const (
	defaultBurn   = 50
	defaultSweeps = 100
)

// Check reports the first setting that makes no sense.
func (o Inference) Check() error {
	if o.Method != Variational && o.Method != Gibbs {
		return fmt.Errorf("lda: unknown method %d of inference", o.Method)
	}
	if o.Burn < 0 || o.Sweeps < 0 {
		return fmt.Errorf("lda: %d sweeps after %d left out: want numbers >= 0", o.Sweeps, o.Burn)
	}
	return nil
}

// Mixture returns the topic mixtures of the own documents (n×k, row by row). They
// depend neither on the number of workers nor on where the others are.
func (f *Family) Mixture(ctx context.Context, run pass.Runner, p mixture.Params, how Inference) ([]float64, error) {
	k := p.K()
	out := make([]float64, run.Can().Own*k)
	_, err := run.Own(ctx, func(b pass.Block) error {
		return f.MixtureBlock(p, b, how, out[b.First*k:][:b.N()*k])
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// MixtureBlock sets out (rows×k) to the topic mixtures of the block.
func (f *Family) MixtureBlock(p mixture.Params, b pass.Block, how Inference, out []float64) error {
	if err := how.Check(); err != nil {
		return err
	}
	g := *f
	g.o.Inference = how
	return g.Posterior(p, b, out)
}

// sampled sets out to the topic mixtures of the block by Gibbs sampling. Chance
// goes by the words of a document: the same document has the same mixture,
// wherever it stands.
func (e *engine) sampled(b pass.Block, how Inference, out []float64) error {
	if err := e.fits(b); err != nil {
		return err
	}
	doc, g := e.newDocument(), gibbs{e: e}
	for i := range b.Rows.N() {
		if err := b.Err(); err != nil {
			return err
		}
		if err := e.load(doc, b.Rows, i); err != nil {
			return fmt.Errorf("lda: record %d: %w", b.First+i+1, err)
		}
		g.run(stream.New(how.Seed, doc.stream()), doc, how, out[i*e.k:][:e.k])
	}
	return nil
}

// stream names the document's stream of chance: its words and their counts.
func (doc *document) stream() string {
	h := fnv.New64a()
	for w, x := range doc.words.Index()[:doc.n] {
		fmt.Fprintf(h, "%d:%g ", x, doc.x[w])
	}
	return "lda gibbs " + strconv.FormatUint(h.Sum64(), 16)
}

// gibbs samples the topics of the words of one document after another.
type gibbs struct {
	e     *engine
	word  []int     // place in the document's list of words, one a token
	topic []int     // one a token
	count []float64 // k: tokens of each topic
	p     []float64 // k: running sums of chances
}

// run sets out to the mean over sweeps of (n_j + α_j)/(t + α0), each token's
// topic being drawn with chances μ_wj (n_j + α_j), [T] (3.7), n without it.
func (g *gibbs) run(r *rand.Rand, doc *document, how Inference, out []float64) {
	e := g.e
	g.start(r, doc)
	words := doc.words.Index()
	burn, sweeps := orDefault(how.Burn, defaultBurn), orDefault(how.Sweeps, defaultSweeps)
	clear(out)
	for sweep := range burn + sweeps {
		for token, w := range g.word {
			g.count[g.topic[token]]--
			g.topic[token] = g.draw(r, e.row(int(words[w])))
			g.count[g.topic[token]]++
		}
		if sweep < burn {
			continue
		}
		for j, n := range g.count {
			out[j] += (n + e.alpha[j]) / (float64(len(g.word)) + e.alpha0) / float64(sweeps)
		}
	}
}

// mostTokens is the number of words of a document that are sampled: a longer one is
// sampled as if it had about so many, in the same proportions. Chance moves a share by
// .005 at most then, and its mean over sweeps by less.
const mostTokens = 10_000

// start lays out the tokens and draws a first topic for each, given those
// before it.
func (g *gibbs) start(r *rand.Rand, doc *document) {
	g.word, g.topic = g.word[:0], g.topic[:0]
	g.count, g.p = make([]float64, g.e.k), make([]float64, g.e.k)
	all := 0.0
	for _, x := range doc.x {
		all += float64(x)
	}
	scale := min(1, mostTokens/all)
	for w, h := range doc.words.Index()[:doc.n] {
		n := math.Floor(float64(doc.x[w]))
		if scale < 1 {
			n = math.Floor(n*scale + r.Float64()) // rare words are left out as often as others are cut
		}
		for range int(n) {
			j := g.draw(r, g.e.row(int(h)))
			g.word, g.topic = append(g.word, w), append(g.topic, j)
			g.count[j]++
		}
	}
}

// draw returns a topic with chances proportional to row_j·(n_j + α_j).
func (g *gibbs) draw(r *rand.Rand, row []float64) int {
	sum := 0.0
	for j, v := range row {
		sum += v * (g.count[j] + g.e.alpha[j])
		g.p[j] = sum
	}
	x := r.Float64() * sum
	for j, s := range g.p {
		if x < s {
			return j
		}
	}
	return len(row) - 1
}

func orDefault(v, def int) int {
	if v == 0 {
		return def
	}
	return v
}
