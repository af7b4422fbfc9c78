package flat

import (
	"context"
	"fmt"
	"io"

	"github.com/moiety-go/moiety/decompose"
	"github.com/moiety-go/moiety/experiments/lab"
	"github.com/moiety-go/moiety/experiments/reference"
	"github.com/moiety-go/moiety/internal/family/bernoulli"
	"github.com/moiety-go/moiety/internal/refine"
	"github.com/moiety-go/moiety/internal/synth"
	"github.com/moiety-go/moiety/pass"
)

// bernoulliRow is one setting of [T] Fig. 4.1 over ten seeds.
type bernoulliRow struct {
	n, k int

	plain, ours, asvtd, asvtdEM, truth, random, pca lab.Series // ARI
	oursErr, asvtdErr                               lab.Series // relative error of the centers
	oursTime, asvtdTime, randomTime, pcaTime        lab.Series // CPU seconds
}

// published ARI of ASVTD+EM and of PCA + k-means (reference code, other draws).
var bernoulliPublished = map[[2]int][2]float64{
	{100, 12}: {.359, .454}, {300, 12}: {.600, .622}, {1000, 12}: {.846, .709}, {10000, 12}: {.900, .711},
	{10000, 2}: {.995, .894}, {10000, 4}: {.992, .914}, {10000, 8}: {.920, .741},
	{10000, 16}: {.877, .653}, {10000, 24}: {.811, .590}, {10000, 33}: {.698, .438},
}

// bernoulliTables is [T] Fig. 4.1: d=99, the sweep over n and over k.
func bernoulliTables(ctx context.Context, w io.Writer, full bool) error {
	heading(w, "Bernoulli mixture, d=99 ([T] Fig. 4.1): ARI")
	settings := [][2]int{{100, 12}, {300, 12}, {1000, 12}, {10000, 2}, {10000, 4}, {10000, 8}, {10000, 12}, {10000, 16}, {10000, 24}, {10000, 33}}
	t := lab.NewTable("n", "k", "default", "default + EM", "EM from the truth", "ASVTD", "ASVTD + EM (papers' stop)", "EM, 10 random starts", "PCA + k-means", "published ASVTD+EM / PCA")
	cost := lab.NewTable("n", "k", "default + EM", "ASVTD + EM", "10 random starts", "PCA + k-means", "centers: default + EM", "centers: ASVTD + EM")
	var rows []*bernoulliRow
	for _, s := range settings {
		r := &bernoulliRow{n: s[0], k: s[1]}
		for i, seed := range seeds(3000, 10) {
			starts := 10
			if !full && i >= quickRandom {
				starts = 0 // ten random starts of EM cost more than all else together
			}
			if err := r.measure(ctx, seed, starts); err != nil {
				return fmt.Errorf("n=%d k=%d seed %d: %w", r.n, r.k, seed, err)
			}
		}
		rows = append(rows, r)
		p := bernoulliPublished[s]
		t.Add(r.n, r.k, r.plain, r.ours, r.truth, r.asvtd, r.asvtdEM, r.random, r.pca, fmt.Sprintf("%.3f / %.3f", p[0], p[1]))
		cost.Add(r.n, r.k, lab.Seconds(r.oursTime.Mean()), lab.Seconds(r.asvtdTime.Mean()), lab.Seconds(r.randomTime.Mean()), lab.Seconds(r.pcaTime.Mean()), r.oursErr, r.asvtdErr)
	}
	t.Write(w)
	fmt.Fprintf(w, "CPU, and the relative error of the centers:\n\n")
	cost.Write(w)
	for _, r := range rows {
		r.verdicts(w)
	}
	fmt.Fprintln(w)
	return nil
}

// quickRandom is the number of seeds on which random starts are tried in the
// quick run.
const quickRandom = 2

// papersStop is the stop rule of the papers: EM ends when the weights move by
// less than 0.01 in all.
const papersStop = 0.01

func (r *bernoulliRow) measure(ctx context.Context, seed uint64, starts int) error {
	set := synth.ExponentialBernoulli(seed, r.n, 99, r.k, synth.UniformWeights)
	f, raw := bernoulli.New(bernoulli.Options{}), bernoulli.New(bernoulli.Options{Raw: true})
	run := pass.NewLocal(set.Rows, 1)
	ari := func(s *lab.Series, v float64, err error) error { *s = append(*s, v); return err }

	j, err := travel(ctx, f, set.Rows, r.k, decompose.Auto, 0)
	if err != nil {
		return err
	}
	a, err := agreement(ctx, f, j.raw, set.Rows, set.Labels)
	if err := ari(&r.plain, a, err); err != nil {
		return err
	}
	a, err = agreement(ctx, f, j.refined, set.Rows, set.Labels)
	if err := ari(&r.ours, a, err); err != nil {
		return err
	}
	e, err := weightedError(j.refined.Centers, set.Truth)
	if err := ari(&r.oursErr, e, err); err != nil {
		return err
	}
	r.oursTime = append(r.oursTime, j.decomposed+j.polished)

	truth, err := refine.EM(ctx, f, run, set.Truth, refine.Options{})
	if err != nil {
		return err
	}
	a, err = agreement(ctx, f, truth.Params, set.Rows, set.Labels)
	if err := ari(&r.truth, a, err); err != nil {
		return err
	}
	if err := r.measureASVTD(ctx, raw, set); err != nil {
		return err
	}
	if starts > 0 {
		if err := r.measureRandom(ctx, f, set, seed, starts); err != nil {
			return err
		}
	}
	seconds, err := lab.Timed(func() error {
		res, err := reference.PCAKMeans(ctx, set.Rows, r.k, r.k, reference.Options{Seed: seed, Workers: 1})
		if err != nil {
			return err
		}
		a, err := labelAgreement(res.Labels, set.Labels)
		return ari(&r.pca, a, err)
	})
	r.pcaTime = append(r.pcaTime, seconds)
	return err
}

// measureRandom is EM from random starts, the best by likelihood kept.
func (r *bernoulliRow) measureRandom(ctx context.Context, f bernoulli.Family, set synth.Set, seed uint64, starts int) error {
	seconds, err := lab.Timed(func() error {
		o := reference.EMOptions{Options: reference.Options{Starts: starts, Seed: seed, Workers: 1}}
		res, err := reference.RandomEM(ctx, f, set.Rows, r.k, o)
		if err != nil {
			return err
		}
		a, err := agreement(ctx, f, res.Params, set.Rows, set.Labels)
		r.random = append(r.random, a)
		return err
	})
	r.randomTime = append(r.randomTime, seconds)
	return err
}

// measureASVTD is the papers' method: SVTD on raw moments, then plain EM until
// the weights move by less than 0.01.
func (r *bernoulliRow) measureASVTD(ctx context.Context, raw bernoulli.Family, set synth.Set) error {
	j, err := travel(ctx, raw, set.Rows, r.k, decompose.ASVTD, -1)
	if err != nil {
		return err
	}
	a, err := agreement(ctx, raw, j.raw, set.Rows, set.Labels)
	if err != nil {
		return err
	}
	r.asvtd = append(r.asvtd, a)
	p := j.raw
	seconds, err := lab.Timed(func() error {
		run := pass.NewLocal(set.Rows, 1)
		for range 1000 {
			next, err := refine.Steps(ctx, raw, run, p, 1, refine.Options{Pseudo: -1})
			if err != nil {
				return err
			}
			moved := 0.0
			for c, v := range next.Params.Weights {
				moved += max(v-p.Weights[c], p.Weights[c]-v)
			}
			if p = next.Params; moved <= papersStop {
				break
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	if a, err = agreement(ctx, raw, p, set.Rows, set.Labels); err != nil {
		return err
	}
	e, err := weightedError(p.Centers, set.Truth)
	r.asvtdEM, r.asvtdErr = append(r.asvtdEM, a), append(r.asvtdErr, e)
	r.asvtdTime = append(r.asvtdTime, j.decomposed+seconds)
	return err
}

// verdicts prints whether the goals of the setting are met, each within two
// standard errors of the paired difference.
func (r *bernoulliRow) verdicts(w io.Writer) {
	at := fmt.Sprintf("n=%d k=%d", r.n, r.k)
	notBehind := func(s, t lab.Series, by float64) bool {
		d := s.Less(t)
		return d.Mean()+2*d.Error() >= -by
	}
	if r.n == 10000 {
		by := 0.01
		if r.k >= 24 {
			by = 0.02
		}
		fmt.Fprintf(w, "- %s: within %.2f of EM from the truth (%.4f behind): %s\n", at, by, r.truth.Mean()-r.ours.Mean(), lab.Verdict(notBehind(r.ours, r.truth, by)))
		n := len(r.random)
		share := r.oursTime[:n].Mean() / r.randomTime.Mean()
		fmt.Fprintf(w, "- %s: not behind ten random starts (%+.3f, ahead on %d of %d seeds), in under a tenth of their time (%.3f): %s\n", at,
			r.ours[:n].Less(r.random).Mean(), r.ours[:n].Wins(r.random), n, share,
			lab.Verdict(notBehind(r.ours[:n], r.random, 0) && share < .1))
		fmt.Fprintf(w, "- %s: error of the centers at most .55 of ASVTD + EM: %.2f: %s\n", at, r.oursErr.Mean()/r.asvtdErr.Mean(), lab.Verdict(r.oursErr.Mean() <= .55*r.asvtdErr.Mean()))
	}
	if r.n <= 300 {
		fmt.Fprintf(w, "- %s: not behind PCA + k-means (%+.3f, ahead on %d of 10): %s\n", at, r.ours.Less(r.pca).Mean(), r.ours.Wins(r.pca), lab.Verdict(notBehind(r.ours, r.pca, 0)))
	}
}
