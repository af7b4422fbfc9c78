package inference

import (
	"context"
	"fmt"
	"math"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/evaluate"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
)

// Fit tells how well classes describe records and tell them apart.
type Fit struct {
	Records       int
	LogLikelihood float64
	Parameters    int
	// The lower the better; n is the number of records, P that of parameters.
	AIC         float64 // −2·L + 2·P
	BIC         float64 // −2·L + P·log n
	AdjustedBIC float64 // −2·L + P·log((n+2)/24)
	CAIC        float64 // −2·L + P·(log n + 1)
	ICL         float64 // BIC + 2·Entropy
	// Entropy is Σ −r·log r over records and classes, EntropyR2 one less its
	// share of the most there could be: 1 where every record is sure.
	Entropy   float64
	EntropyR2 float64
	// Modal is the number of records whose likeliest class is each, and
	// Posterior[c][o] the mean probability of class o among those of class c:
	// the classification table, whose diagonal is the average posterior.
	Modal     []int
	Posterior [][]float64
}

// Classified measures a model in one pass. It holds for every family whose
// records have a class.
func Classified(ctx context.Context, f family.Family, p mixture.Params, run pass.Runner) (*Fit, error) {
	n, k := run.Len(), p.K()
	if n == 0 {
		return nil, fmt.Errorf("inference: no records")
	}
	state, err := pass.RunOne(ctx, run, classified{f, p})
	if err != nil {
		return nil, err
	}
	info := evaluate.NewInformation(state[0], f.FreeParameters(p), n)
	out := &Fit{
		Records: n, LogLikelihood: state[0], Parameters: info.Parameters, AIC: info.AIC, BIC: info.BIC,
		AdjustedBIC: -2*state[0] + float64(info.Parameters)*math.Log((float64(n)+2)/24),
		CAIC:        info.BIC + float64(info.Parameters),
		Entropy:     state[1], ICL: info.BIC + 2*state[1], EntropyR2: 1,
	}
	if k > 1 {
		out.EntropyR2 = 1 - state[1]/(float64(n)*math.Log(float64(k)))
	}
	for c := range k {
		count, row := state[2+c], make([]float64, k)
		for o := range row {
			row[o] = state[2+k+c*k+o] / count
			if count == 0 {
				row[o] = math.NaN()
			}
		}
		out.Modal, out.Posterior = append(out.Modal, int(count+.5)), append(out.Posterior, row)
	}
	return out, nil
}

// classified is the Sum: log-likelihood, entropy, k counts of likeliest classes,
// k×k posteriors by likeliest class.
type classified struct {
	f family.Family
	p mixture.Params
}

func (s classified) Len() int { k := s.p.K(); return 2 + k + k*k }

func (s classified) Add(state []float64, b pass.Block) error {
	k := s.p.K()
	post, logp := make([]float64, b.Rows.N()*k), make([]float64, b.N())
	if err := s.f.Posterior(s.p, b, post); err != nil {
		return err
	}
	if err := s.f.LogDensity(s.p, b, logp); err != nil {
		return err
	}
	for _, v := range logp {
		state[0] += v
	}
	for i := range b.Rows.N() {
		r, best := post[i*k:][:k], 0
		for c, v := range r {
			if v > 0 {
				state[1] -= v * math.Log(v)
			}
			if v > r[best] {
				best = c
			}
		}
		state[2+best]++
		for c, v := range r {
			state[2+k+best*k+c] += v
		}
	}
	return nil
}
