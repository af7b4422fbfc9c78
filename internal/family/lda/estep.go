package lda

import (
	"math"

	"github.com/moiety-go/moiety/internal/kernel"
	"github.com/moiety-go/moiety/internal/pages"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
)

// Places in the state of the E-step: the bound, the documents, then
// Σ_i E log θ_ij (k), then Σ_i x_ih φ_ihj / μ_hj times the largest of μ_h (d×k).
const (
	atBound = iota
	atN
	stateHeads
)

// stepTol ends the rounds of a document in an E-step, as roundTol does
// elsewhere, and a topic whose share is below stepSleep, or below half of an even
// share, drops out of it: sums over documents need less. L1 of the topics after
// refinement with 1e-3 and 5e-3, with these, and with 2e-3 and 2e-2: .0519, .0518
// and .0534 (10,000 documents, 10 topics), .0576, .0568 and .0563 (50,000 and 50);
// perplexity 291.7, 291.7 and 291.7, 316.2, 316.3 and 317.2; of 2,000 news stories,
// 20 topics, 1236, 1235 with the first two.
const (
	stepTol   = 2e-3
	stepSleep = 1e-2
)

// EStep returns the sum of the expected statistics of the variational
// posteriors: one Dirichlet(γ_i) a document, found from the same start with
// every call. Cost: non-zeros × k × rounds.
//
// To begin with the shares of the E-step before would take a third of the
// rounds, but documents then stay where the first topics put them: L1 of the
// topics after five steps .0539 instead of .0525 (10,000 documents, 10 topics).
//
// Where it need not be exact, words of topics are summed up in single precision,
// block by block.
func (f *Family) EStep(p mixture.Params, exact bool) (pass.Sum, error) {
	if err := f.Check(p); err != nil {
		return nil, err
	}
	e, err := newEngine(p, f.spaces, f.crew)
	if err != nil {
		return nil, err
	}
	e.tol, e.asleep = stepTol, math.Min(stepSleep, 0.5/float64(e.k))
	return eStep{e, !exact}, nil
}

type eStep struct {
	e     *engine
	quick bool
}

func (s eStep) Len() int { return stateHeads + s.e.k + s.e.d*s.e.k }

// Add implements pass.Sum.
func (s eStep) Add(state []float64, b pass.Block) error {
	e := s.e
	elog, counts := state[stateHeads:][:e.k], state[stateHeads+e.k:]
	add := func(doc *document) { doc.spread(counts, e.k) }
	var sums *blockSums
	if s.quick {
		sums = e.newSums()
		add = sums.add
	}
	n, psi := float64(b.Rows.N()), 0.0 // Σ ψ(Σγ)
	err := e.each(b, false, e.measure, func(_ int, doc *document) {
		if doc.total == 0 {
			psi += e.psi0
			return
		}
		state[atBound] += doc.bound
		for i, j := range doc.live {
			elog[j] += doc.psi[i] - e.psi[j]
		}
		psi += doc.psi[len(doc.live)]
		add(doc)
	})
	if err != nil {
		return err
	}
	if s.quick {
		sums.give(counts, e.k)
		e.sums.Put(sums)
	}
	state[atN] += n
	for j, v := range e.psi {
		elog[j] += n*v - psi
	}
	return nil
}

// measure finds the bound of log p(words) at φ of the last round and γ of its
// end, ψ(γ) of the live topics, and ψ(Σγ) behind them. With γ = α + Σxφ and φ = β e/p
// the bound is
//
//	log Γ(α0)/Γ(Σγ) + Σ_j log Γ(γ_j)/Γ(α_j) + Σ_w x_w log p_w − Σ_j (γ_j − α_j) log e_j,
//
// where topics that are not live drop out.
func (e *engine) measure(_ int, doc *document) {
	if doc.total == 0 {
		return
	}
	m, n := doc.last, len(doc.live)
	clear(doc.shares)
	for i, j := range doc.live {
		share := doc.share(i)
		doc.args[i], doc.shares[i] = e.alpha[j]+share, float32(share)
	}
	doc.args[n] = e.alpha0 + doc.total
	args := doc.args[:up(n+1, kernel.GammaLanes)]
	for i := n + 1; i < len(args); i++ {
		args[i] = 1
	}
	kernel.Gammas(doc.lg, doc.psi, args)
	doc.bound = e.logs0 - doc.lg[n] + doc.scale + kernel.MixLogs(m.X, m.P[:m.N]) - kernel.MixLogs(doc.shares, m.E[:up(n, kernel.MixLanes)])
	for i, j := range doc.live {
		doc.bound += doc.lg[i] - e.logs[j]
	}
}

// spread adds the document's shares to counts (d×k): row h gains f_w·e for each
// word w = h.
func (doc *document) spread(counts []float64, k int) {
	clear(doc.et)
	for i, j := range doc.live {
		doc.et[j] = float64(doc.last.E[i])
	}
	kernel.Scatter(counts, []int{0, doc.n}, doc.words.Index()[:doc.n], doc.last.F[:doc.n], doc.et, k)
}

// blockSums does the same for all documents of a block in single precision.
type blockSums struct {
	counts []float32 // (d+1)×len(e): the last for what fills up documents
	e      []float32 // k, rounded up: e of a document in all topics
}

// newSums returns sums of zero.
func (e *engine) newSums() *blockSums {
	wide := up(e.k, kernel.MixLanes)
	if s, ok := e.sums.Get().(*blockSums); ok && len(s.e) == wide && len(s.counts) == (e.d+1)*wide {
		return s
	}
	s := &blockSums{counts: kernel.MixBuffer((e.d + 1) * wide), e: kernel.MixBuffer(wide)}
	pages.Touch(s.counts)
	return s
}

func (s *blockSums) add(doc *document) {
	clear(s.e)
	for i, j := range doc.live {
		s.e[j] = doc.last.E[i]
	}
	kernel.MixSpread(s.counts, &doc.words, doc.n, doc.last.F, s.e)
}

// give adds the sums to counts (d×k) and sets them to zero.
func (s *blockSums) give(counts []float64, k int) {
	wide := len(s.e)
	for h := range len(counts) / k {
		kernel.Widen(counts[h*k:][:k], s.counts[h*wide:][:k])
	}
}
