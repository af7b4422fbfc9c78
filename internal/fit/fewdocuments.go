package fit

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/refine"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/vocab"
)

// Moments of few documents are a poor start for topics that mix, and the few steps that
// are worth their time on many documents end far from where they lead. Few documents take
// no time: steps go on to the end, from the moments and from documents of one topic each,
// and the likelier topics are kept. ARI of the main topics with the truth, as before and so
// (500 documents of 100 words, 8 topics, α0 = 1, seeds 301 and 302): .515 and .695, .554 and .666.
const (
	fewDocuments = 1000    // steps of more than these are as before,
	fewWords     = 1 << 16 // and of more different words, summed over the documents: long ones take time
	endSteps     = 60
	endTol       = 1e-5
)

// mixesFew reports that these are few documents which mix topics, and that nobody asked
// for a way to find them.
func (s Settings) mixesFew(ctx context.Context, fam family.Family, run pass.Runner) (bool, error) {
	info := fam.Info()
	if !info.Soft || !info.EM.Costly || s.method() != "auto" || s.Refine == None ||
		run.Len() <= 0 || run.Len() >= fewDocuments || run.Can().Release != nil {
		return false, nil
	}
	words, err := pass.RunOne(ctx, run, entries{})
	return err == nil && words[0] < fewWords, err
}

// entries counts what rows store.
type entries struct{}

func (entries) Len() int { return 1 }

func (entries) Add(state []float64, b pass.Block) error {
	state[0] += float64(b.Rows.NNZ())
	return nil
}

// toTheEnd goes on from a first refinement, and from documents of one topic each.
func (s Settings) toTheEnd(ctx context.Context, fam family.Family, run pass.Runner, from *refine.Result) (*refine.Result, error) {
	best, err := refine.More(ctx, fam, run, from, s.untilEnd())
	if err != nil {
		return nil, err
	}
	other, err := s.fromUndivided(ctx, fam, run)
	if err != nil { // documents that moments of one topic each do not tell apart
		return best, serious(err)
	}
	if other.Objective() > best.Objective() {
		best = other
	}
	return best, nil
}

func (s Settings) untilEnd() refine.Options {
	return refine.Options{Pseudo: float64(s.Prior), Iterations: endSteps, Tol: endTol}
}

// fromUndivided finds topics from documents of one each alone: mostly the likelier ones, and
// so those that the verdict compares, which fits many numbers of them to many parts.
func (s Settings) fromUndivided(ctx context.Context, fam family.Family, run pass.Runner) (*refine.Result, error) {
	p, err := s.undivided(ctx, fam, run)
	if err != nil {
		return nil, err
	}
	return refine.EM(ctx, fam, run, p, s.untilEnd())
}

// undivided returns the topics of documents that have one each, as a start for mixed ones.
func (s Settings) undivided(ctx context.Context, fam family.Family, run pass.Runner) (mixture.Params, error) {
	s.Spec.Model = s.Spec.Splits()
	hard, err := s.Spec.Family(vocab.Numbered(run.Dim()))
	if err != nil {
		return mixture.Params{}, err
	}
	st, err := search(ctx, hard, run, s)
	if err != nil {
		return mixture.Params{}, err
	}
	done, err := refined(ctx, hard, run, st, s)
	if err != nil {
		return mixture.Params{}, err
	}
	return s.concentrated(fam, mixture.New(done.Params.Centers, done.Params.Weights)), nil
}

// concentrated lets documents mix groups by the sizes of these.
func (s Settings) concentrated(fam family.Family, p mixture.Params) mixture.Params {
	total := s.Spec.Alpha0
	if total == 0 {
		total = 1
	}
	alpha := mat.NewDense(p.K(), 1, nil)
	for j, w := range p.Weights {
		alpha.Set(j, 0, total*max(w, leastShare))
	}
	return p.With(fam.Info().In(family.Concentration), alpha)
}

// leastShare keeps the Dirichlet parameter of a tiny group above zero.
const leastShare = 1e-3
