package flat

import (
	"context"
	"fmt"
	"io"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/decompose"
	"github.com/moiety-go/moiety/experiments/lab"
	"github.com/moiety-go/moiety/internal/agree"
	"github.com/moiety-go/moiety/internal/family/lda"
	"github.com/moiety-go/moiety/internal/family/singletopic"
	"github.com/moiety-go/moiety/internal/refine"
	"github.com/moiety-go/moiety/internal/synth"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/pass"
)

func labelAgreement(got, want []int) (float64, error) { return agree.ARI(got, want) }

// estimatorTable is [T] Fig. 3.1 and its variants: relative Frobenius errors
// of M2 and M3 for the ways to weigh documents.
func estimatorTable(ctx context.Context, w io.Writer, _ bool) error {
	heading(w, "Moment estimators, d=100 k=5 n=2000 ([T] Fig. 3.1 and variants): relative error of M2 / M3")
	rules := []moment.Weighting{moment.Length, moment.Equal, moment.Saturating}
	t := lab.NewTable("topics", "lengths", "length (papers)", "equal (Zou)", "saturating (default)", "reference code: length / Zou / saturating", "within 10 % of the better")
	reference := []string{".065/.112  .156/.989  .065/.117", ".148/.401  .157/1.061  .053/.095", ".057/.073  .049/.073  .043/.050", ".374/.780  .045/.070  .037/.044"}
	at := 0
	for _, topics := range []synth.EstimatorTopics{synth.FlatTopics, synth.PeakedTopics} {
		for _, heavy := range []bool{false, true} {
			var e2, e3 [3]lab.Series
			for _, seed := range lab.Seeds(ctx, 1000, 10) {
				set := synth.MomentDocuments(seed, 2000, topics, heavy)
				for i, rule := range rules {
					a, b, err := momentErrors(ctx, set, rule)
					if err != nil {
						return err
					}
					e2[i], e3[i] = append(e2[i], a), append(e3[i], b)
				}
			}
			ok := e2[2].Mean() <= 1.1*math.Min(e2[0].Mean(), e2[1].Mean()) && e3[2].Mean() <= 1.1*math.Min(e3[0].Mean(), e3[1].Mean())
			cell := func(i int) string { return fmt.Sprintf("%.3f / %.3f", e2[i].Mean(), e3[i].Mean()) }
			names := [2]string{"flat", "peaked"}
			lengths := "uniform 3..99"
			if heavy {
				lengths = "log-normal"
			}
			t.Add(names[topics], lengths, cell(0), cell(1), cell(2), reference[at], lab.Verdict(ok))
			at++
		}
	}
	t.Write(w)
	return nil
}

// momentErrors compares the sampled M2 and M3 with the exact ones; with the
// identity as basis the projections are the whole moments.
func momentErrors(ctx context.Context, set synth.Set, rule moment.Weighting) (e2, e3 float64, err error) {
	f, err := singletopic.New(singletopic.Options{Weights: rule})
	if err != nil {
		return 0, 0, err
	}
	src, err := f.Source(ctx, pass.NewLocal(set.Rows, 1), 5)
	if err != nil {
		return 0, 0, err
	}
	d := set.Rows.Dim
	one := mat.NewDense(d, d, nil)
	for h := range d {
		one.Set(h, h, 1)
	}
	got, err := src.Project(ctx, one, moment.Second|moment.Core)
	if err != nil {
		return 0, 0, err
	}
	want, err := moment.NewExact(set.Truth).Project(ctx, one, moment.Second|moment.Core)
	if err != nil {
		return 0, 0, err
	}
	return relative(got.Second.RawMatrix().Data, want.Second.RawMatrix().Data), relative(got.Core.Data, want.Core.Data), nil
}

func relative(got, want []float64) float64 {
	num, den := 0.0, 0.0
	for i, v := range want {
		num += (got[i] - v) * (got[i] - v)
		den += v * v
	}
	return math.Sqrt(num / den)
}

// ldaTable measures LDA with α0 estimated. The goals are those of the prototypes; with
// α0 = 10 that of tomotopy, told the true α (1000 sweeps).
func ldaTable(ctx context.Context, w io.Writer, full bool) error {
	heading(w, "LDA, topics Dir(.05), d=1000 k=10, 100 words a document, α0 estimated: mean topic L1")
	t := lab.NewTable("n", "true α0", "seeds", "moments", "refined", "α0 after it", "until it rests, true α", "goal", "CPU moments", "CPU steps", "verdict")
	settings := []struct {
		n           int
		a0          float64
		seeds       int
		raw, polish float64
	}{{2000, .1, 10, .084, .072}, {2000, 1, 10, .143, .086}, {2000, 5, 10, .277, .154}, {2000, 10, 10, 0, .179}, {10000, 1, 3, .065, .045}, {10000, 10, 3, 0, 0}}
	if full {
		settings[4].seeds, settings[5].seeds = 10, 10
	}
	for _, s := range settings {
		var raw, refined, alpha0, rest, tm, te lab.Series
		for _, seed := range lab.Seeds(ctx, 1000, s.seeds) {
			set := synth.LDADocuments(seed, s.n, 1000, 10, s.a0, .05, 100)
			m, err := ldaMeasured(ctx, set, s.a0)
			if err != nil {
				return err
			}
			raw, refined, alpha0, rest = append(raw, m.raw), append(refined, m.refined), append(alpha0, m.alpha0), append(rest, m.rest)
			tm, te = append(tm, m.decomposed), append(te, m.polished)
		}
		goal, verdict := "–", "–"
		if s.polish > 0 {
			ok := refined.Mean() <= s.polish+2*refined.Error()
			goal = fmt.Sprintf("– / %.3f", s.polish)
			if s.raw > 0 {
				goal = fmt.Sprintf("%.3f / %.3f", s.raw, s.polish)
				ok = ok && raw.Mean() <= s.raw+2*raw.Error()
			}
			verdict = lab.Verdict(ok)
		}
		t.Add(s.n, s.a0, s.seeds, raw, refined, alpha0, rest, goal, lab.Seconds(tm.Mean()), lab.Seconds(te.Mean()), verdict)
	}
	t.Write(w)
	fmt.Fprintln(w, "\"Until it rests, true α\" goes on from the answer, told the true α, for 100 steps: what more steps and a known α would give.")
	fmt.Fprintln(w)
	return nil
}

// ldaFit is one fit of topics, measured.
type ldaFit struct{ raw, refined, alpha0, rest, decomposed, polished float64 }

func ldaMeasured(ctx context.Context, set synth.Set, a0 float64) (m ldaFit, err error) {
	f, err := lda.New(lda.Options{})
	if err != nil {
		return m, err
	}
	j, err := travel(ctx, f, set.Rows, 10, decompose.Auto, 0)
	if err != nil {
		return m, err
	}
	m.decomposed, m.polished, m.alpha0 = j.decomposed, j.polished, mat.Sum(j.refined.Extra[lda.Alpha])
	known, err := lda.New(lda.Options{Alpha0: a0, Alpha: lda.UpdateNone})
	if err != nil {
		return m, err
	}
	alpha := mat.NewDense(10, 1, nil)
	for i := range 10 {
		alpha.Set(i, 0, a0/10)
	}
	rest, err := refine.EM(ctx, known, pass.NewLocal(set.Rows, 1), j.refined.With(lda.Alpha, alpha), refine.Options{Iterations: 100})
	if err != nil {
		return m, err
	}
	for _, c := range []struct {
		to  *float64
		got *mat.Dense
	}{{&m.raw, j.raw.Centers}, {&m.refined, j.refined.Centers}, {&m.rest, rest.Params.Centers}} {
		if *c.to, err = meanL1(c.got, set.Truth.Centers); err != nil {
			return m, err
		}
	}
	return m, nil
}
