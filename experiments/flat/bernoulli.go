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
	n, k, d int

	plain, ours, asvtd, asvtdEM, truth, random, pca lab.Series // ARI
	oursErr, asvtdErr                               lab.Series // relative error of the centers
	oursTime, asvtdTime, randomTime, pcaTime        lab.Series // CPU seconds

	others, othersTime []lab.Series // of the baselines
}

// reference ARI of ASVTD+EM and of PCA + k-means: runs of reference code on other
// draws, d = 99. The papers print no figures, only curves.
var bernoulliReference = map[[2]int][2]float64{
	{100, 12}: {.359, .454}, {300, 12}: {.600, .622}, {1000, 12}: {.846, .709}, {10000, 12}: {.900, .711},
	{10000, 2}: {.995, .894}, {10000, 4}: {.992, .914}, {10000, 8}: {.920, .741},
	{10000, 16}: {.877, .653}, {10000, 24}: {.811, .590}, {10000, 33}: {.698, .438},
}

// bernoulliSeeds are as many for the baselines as for ours.
const bernoulliSeeds = 10

// BernoulliRecords is the first panel of [T] Fig. 4.1: d=99, k=12, more and more
// records.
func BernoulliRecords(ctx context.Context, w io.Writer, _ bool) error {
	return bernoulliTables(ctx, w, "Bernoulli mixture, d=99 k=12, records ([T] Fig. 4.1, left)", [][3]int{{100, 12, 99}, {300, 12, 99}, {1000, 12, 99}, {10000, 12, 99}})
}

// BernoulliGroups is the second panel: n=10000, d=99, more and more groups.
func BernoulliGroups(ctx context.Context, w io.Writer, _ bool) error {
	return bernoulliTables(ctx, w, "Bernoulli mixture, n=10000 d=99, groups ([T] Fig. 4.1, middle)", [][3]int{{10000, 2, 99}, {10000, 4, 99}, {10000, 8, 99}, {10000, 12, 99}, {10000, 16, 99}})
}

// BernoulliMany is the end of the second panel, where it costs most.
func BernoulliMany(ctx context.Context, w io.Writer, _ bool) error {
	return bernoulliTables(ctx, w, "Bernoulli mixture, n=10000 d=99, many groups ([T] Fig. 4.1, middle)", [][3]int{{10000, 24, 99}, {10000, 33, 99}})
}

// BernoulliFeatures is the third panel: n=10000, k=4, more and more features.
func BernoulliFeatures(ctx context.Context, w io.Writer, _ bool) error {
	return bernoulliTables(ctx, w, "Bernoulli mixture, n=10000 k=4, features ([T] Fig. 4.1, right)", [][3]int{{10000, 4, 12}, {10000, 4, 24}, {10000, 4, 48}, {10000, 4, 99}})
}

// bernoulliTables is a panel of [T] Fig. 4.1 with all its baselines, and the times of
// Fig. 4.2.
func bernoulliTables(ctx context.Context, w io.Writer, title string, settings [][3]int) error {
	heading(w, "%s: ARI", title)
	t := lab.NewTable("n", "k", "d", "default", "default + EM", "EM from the truth", "ASVTD", "ASVTD + EM (papers' stop)", "EM, 10 random starts", "PCA + k-means", "reference code: ASVTD+EM / PCA")
	more := lab.NewTable(append([]string{"n", "k", "d"}, baselineNames()...)...)
	cost := lab.NewTable("n", "k", "d", "centers: default + EM", "centers: ASVTD + EM")
	var rows []*bernoulliRow
	for _, s := range settings {
		r := &bernoulliRow{n: s[0], k: s[1], d: s[2], others: make([]lab.Series, len(baselines())), othersTime: make([]lab.Series, len(baselines()))}
		for _, seed := range lab.Seeds(ctx, 3000, bernoulliSeeds) {
			if err := r.measure(ctx, seed); err != nil {
				return fmt.Errorf("n=%d k=%d d=%d seed %d: %w", r.n, r.k, r.d, seed, err)
			}
		}
		rows = append(rows, r)
		reference := "–"
		if p, ok := bernoulliReference[[2]int{r.n, r.k}]; ok && r.d == 99 {
			reference = fmt.Sprintf("%.3f / %.3f", p[0], p[1])
		}
		t.Add(r.n, r.k, r.d, r.plain, r.ours, r.truth, r.asvtd, r.asvtdEM, r.random, r.pca, reference)
		line := []any{r.n, r.k, r.d}
		for _, o := range r.others {
			line = append(line, o)
		}
		more.Add(line...)
		cost.Add(r.n, r.k, r.d, r.oursErr, r.asvtdErr)
	}
	t.Write(w)
	fmt.Fprintf(w, "The other baselines of the figure:\n\n")
	more.Write(w)
	fmt.Fprintf(w, "Relative error of the centers:\n\n")
	cost.Write(w)
	heading(w, "%s: CPU seconds, mean over the panel ([T] Fig. 4.2)", title)
	times(rows).Write(w)
	for _, r := range rows {
		r.verdicts(w)
	}
	fmt.Fprintln(w)
	return nil
}

// times is [T] Fig. 4.2b: seconds of each method, averaged over the settings.
func times(rows []*bernoulliRow) *lab.Table {
	t := lab.NewTable("method", "CPU seconds", "printed in [T] Fig. 4.2")
	add := func(name, printed string, of func(*bernoulliRow) lab.Series) {
		var all lab.Series
		for _, r := range rows {
			all = append(all, of(r)...)
		}
		t.Add(name, all, printed)
	}
	add("default + EM", "–", func(r *bernoulliRow) lab.Series { return r.oursTime })
	add("ASVTD + EM", "1.3", func(r *bernoulliRow) lab.Series { return r.asvtdTime })
	add("EM, 10 random starts", "–", func(r *bernoulliRow) lab.Series { return r.randomTime })
	add("PCA + k-means", "0.38", func(r *bernoulliRow) lab.Series { return r.pcaTime })
	for i, b := range baselines() {
		add(b.name, b.printed, func(r *bernoulliRow) lab.Series { return r.othersTime[i] })
	}
	return t
}

// papersStop is the stop rule of the papers: EM ends when the weights move by
// less than 0.01 in all.
const papersStop = 0.01

func (r *bernoulliRow) measure(ctx context.Context, seed uint64) error {
	set := synth.ExponentialBernoulli(seed, r.n, r.d, r.k, synth.UniformWeights)
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
	if err := r.measureRandom(ctx, f, set, seed, randomStarts); err != nil {
		return err
	}
	if err := r.measureBaselines(ctx, set, seed); err != nil {
		return err
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

// randomStarts is the number of starts of the best of them.
const randomStarts = 10

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
	at := fmt.Sprintf("n=%d k=%d d=%d", r.n, r.k, r.d)
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
