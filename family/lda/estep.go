package lda

import (
	"math"

	"github.com/moiety-go/moiety/internal/kernel"
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
// elsewhere, and stepSleep is the share below which a topic drops out of it:
// sums over documents need less. 50,000 documents, 50 topics: L1 of the topics
// after refinement .0577 with 1e-3 and roundSleep, .0576 with these, .0587 with
// 3e-3; in two thirds of the operations.
const (
	stepTol   = 1e-3
	stepSleep = 5e-3
)

// EStep returns the sum of the expected statistics of the variational
// posteriors: one Dirichlet(γ_i) a document, found from the same start with
// every call. Cost: non-zeros × k × rounds.
//
// To begin with the shares of the E-step before would take a third of the
// rounds, but documents then stay where the first topics put them: L1 of the
// topics after five steps .0539 instead of .0525 (10,000 documents, 10 topics).
func (f *Family) EStep(p mixture.Params) (pass.Sum, error) {
	if err := f.Check(p); err != nil {
		return nil, err
	}
	e, err := newEngine(p)
	if err != nil {
		return nil, err
	}
	e.tol, e.asleep = stepTol, stepSleep
	return eStep{e}, nil
}

type eStep struct{ e *engine }

func (s eStep) Len() int { return stateHeads + s.e.k + s.e.d*s.e.k }

// Add implements pass.Sum.
func (s eStep) Add(state []float64, b pass.Block) error {
	e := s.e
	elog, counts := state[stateHeads:][:e.k], state[stateHeads+e.k:]
	out := newSpread(counts, e.k)
	n, psi := float64(b.Rows.N()), 0.0 // Σ ψ(Σγ)
	err := e.each(b, false, func(_ int, doc *document) {
		lg, p := logGammaPsi(e.alpha0 + doc.total)
		psi += p
		if doc.total > 0 {
			state[atBound] += e.stepBound(doc, elog) - lg
			out.add(doc)
		}
	})
	out.flush()
	state[atN] += n
	for j, v := range e.psi {
		elog[j] += n*v - psi
	}
	return err
}

// stepBound returns the bound of log p(words) at φ of the last round and γ of
// its end, but for −log Γ(Σγ), and adds ψ(γ) − ψ(α) to elog. With γ = α + Σxφ
// and φ = β e/p the bound is
//
//	log Γ(α0)/Γ(Σγ) + Σ_j log Γ(γ_j)/Γ(α_j) + Σ_w x_w log p_w − Σ_j (γ_j − α_j) log e_j,
//
// where topics that are not live drop out.
func (e *engine) stepBound(doc *document, elog []float64) float64 {
	m := doc.last
	b := e.logs0 + doc.scale + m.Logs()
	for i, j := range doc.live {
		share := doc.share(i)
		lg, psi := logGammaPsi(e.alpha[j] + share)
		b += lg - e.logs[j] - share*math.Log(float64(m.E[i]))
		elog[j] += psi - e.psi[j]
	}
	return b
}

// spread adds the shares of documents to the counts: row h gains f_w·e for each
// word w = h, documents with many topics in batches.
type spread struct {
	counts []float64 // d×k
	k      int
	ptr    []int
	index  []uint32
	f      []float32
	e      []float64 // documents×k
}

// batch is the number of documents in a call.
const batch = 64

func newSpread(counts []float64, k int) *spread {
	return &spread{counts: counts, k: k, ptr: append(make([]int, 0, batch+1), 0), e: make([]float64, batch*k)}
}

func (s *spread) add(doc *document) {
	if fewer*len(doc.live) < s.k {
		s.few(doc)
		return
	}
	row := s.e[(len(s.ptr)-1)*s.k:][:s.k]
	clear(row)
	for i, j := range doc.live {
		row[j] = float64(doc.last.E[i])
	}
	s.index, s.f = append(s.index, doc.index[:doc.n]...), append(s.f, doc.last.F[:doc.n]...)
	if s.ptr = append(s.ptr, len(s.index)); len(s.ptr) > batch {
		s.flush()
	}
}

// fewer is how many times faster a number is added among whole rows than alone.
const fewer = 4

// few adds a document of few topics, four at a time.
func (s *spread) few(doc *document) {
	var e [4]float64
	for at := 0; at < len(doc.live); at += 4 {
		some := doc.live[at:min(at+4, len(doc.live))]
		for i := range some {
			e[i] = float64(doc.last.E[at+i])
		}
		kernel.MixSpread(s.counts, s.k, doc.index[:doc.n], doc.last.F, some, e[:])
	}
}

func (s *spread) flush() {
	kernel.Scatter(s.counts, s.ptr, s.index, s.f, s.e, s.k)
	s.ptr, s.index, s.f = s.ptr[:1], s.index[:0], s.f[:0]
}
