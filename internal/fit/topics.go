package fit

import (
	"context"
	"slices"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/refine"
	"github.com/moiety-go/moiety/internal/verdict"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/vocab"
)

// documents reports that the records are documents, which may mix topics.
func (d Training) documents() bool {
	return d.Kind == record.Counts && d.Vocab.System == vocab.Text
}

// free reports that neither a model nor a size was asked for: then documents may
// be found to mix topics.
func (s Settings) free() bool {
	t := s.Tree
	t.Stability = ""
	return s.Spec.IsAuto() && t == TreeShape{}
}

// mixed returns the fit of topics that documents mix, as a flat fit finds them.
func (s Settings) mixed(data Training) verdict.TopicFit {
	s.Spec = Auto(data, false)
	s.Spec.Seed = s.Seed
	return func(ctx context.Context, run pass.Runner, k int) (verdict.Topics, error) {
		s := s
		s.K = k
		fam, err := s.Spec.Family(vocab.Numbered(run.Dim()))
		if err != nil {
			return verdict.Topics{}, err
		}
		done, err := s.topics(ctx, fam, run)
		if err != nil {
			return verdict.Topics{}, serious(err)
		}
		p := done.Params
		out := verdict.Topics{Words: make([]float64, 0, p.Dim()*p.K()), Alpha: make([]float64, p.K())}
		for h := range p.Dim() {
			out.Words = append(out.Words, p.Centers.RawRowView(h)...)
		}
		alpha := p.Extra[fam.Info().In(family.Concentration)]
		for j := range out.Alpha {
			out.Alpha[j] = alpha.At(j, 0)
		}
		return out, nil
	}
}

// topics finds the topics that the verdict compares.
func (s Settings) topics(ctx context.Context, fam family.Family, run pass.Runner) (*refine.Result, error) {
	few, err := s.mixesFew(ctx, fam, run)
	if err != nil {
		return nil, err
	}
	if few {
		return s.fromUndivided(ctx, fam, run)
	}
	start, err := search(ctx, fam, run, s)
	if err != nil {
		return nil, err
	}
	return refined(ctx, fam, run, start, s)
}

// mixing fits the topics that documents mix, as many as the verdict claims.
func mixing(ctx context.Context, data Training, s Settings, v *verdict.Verdict) (*Outcome, error) {
	s.K, s.Tree, s.Spec = v.Groups, TreeShape{}, Auto(data, false)
	out, err := Flat(ctx, data, s)
	if err != nil {
		return nil, err
	}
	out.Model.Provenance.Warnings = slices.Concat(verdictWarnings(v), overSites(data), out.Model.Provenance.Warnings)
	out.Verdict = v
	return out, nil
}
