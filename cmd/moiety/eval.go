package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/assign"
	"github.com/moiety-go/moiety/internal/evaluate"
	"github.com/moiety-go/moiety/internal/explain"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/run"
	"github.com/moiety-go/moiety/internal/suggest"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/sparse"
)

// evaluating are the flags of eval.
type evaluating struct {
	reading     reading
	pred, truth string
	outcome     string
	repeats     int
	machine     machine
	seed        uint64
	topicsFile  string
	blrt        int
	threeStep   string
}

func (a *app) evalCommand() *cobra.Command {
	e := &evaluating{}
	c := &cobra.Command{
		Use:   "eval RUN [DATA...] | --pred P.csv --truth T.csv",
		Short: "Say how good groups are: coherence, likelihood, stability, prediction, agreement",
		Long: `Measures the groups of a run on data, which are read as those of the run were;
without data on the records of the run itself. With --pred and --truth compares
two files of labels (id,group or id,label). With --topics judges the topics that
another tool made, on the records of the run.`,
		RunE: func(c *cobra.Command, args []string) error {
			if e.pred != "" || e.truth != "" {
				if e.pred == "" || e.truth == "" || len(args) > 0 {
					return misuse("--pred and --truth go together, without a run: eval --pred P.csv --truth T.csv")
				}
				return a.agreement(e.pred, e.truth)
			}
			if len(args) == 0 {
				return misuse("name a run, or two files of labels with --pred and --truth")
			}
			if e.repeats < 0 {
				return misuse("--repeats %d: write a number of fits, or 0 for none", e.repeats)
			}
			if e.blrt < 0 {
				return misuse("--blrt %d: write how many sets to draw, 200 or more for a paper", e.blrt)
			}
			if err := e.machine.begin(a); err != nil {
				return err
			}
			if e.topicsFile != "" {
				return a.foreignTopics(c.Context(), e, args[0], args[1:])
			}
			return a.eval(c.Context(), e, args[0], args[1:])
		},
	}
	f := c.Flags()
	f.StringVar(&e.pred, "pred", "", "CSV of found groups: id,group")
	f.StringVar(&e.truth, "truth", "", "CSV of true groups: id,label")
	f.StringVar(&e.topicsFile, "topics", "", "topics of another tool to judge: JSON lists of words, or a topic a line")
	f.StringVar(&e.outcome, "outcome", "", "side column with a yes-or-no outcome to foretell from the groups")
	f.IntVar(&e.blrt, "blrt", 0, "latent classes: test for one group more, on that many drawn sets (200 or more for a paper)")
	f.StringVar(&e.threeStep, "three-step", "", "latent classes: side columns by group, corrected for records put into the wrong one")
	f.IntVar(&e.repeats, "repeats", 0, "fit that many pairs of samples anew to measure stability")
	f.Uint64Var(&e.seed, "seed", 1, "of samples and folds")
	e.reading.add(c)
	e.machine.add(c)
	return c
}

// agreement compares two files of labels.
func (a *app) agreement(pred, truth string) error {
	p, err := readLabels(pred)
	if err != nil {
		return err
	}
	t, err := readLabels(truth)
	if err != nil {
		return err
	}
	g, err := evaluate.Join(p, t)
	if err != nil {
		return err
	}
	if a.json {
		return a.document("agreement", struct {
			N         int     `json:"n" gate:"of labels that were given"`
			ARI       float64 `json:"ari" gate:"of labels that were given"`
			NMI       float64 `json:"nmi" gate:"of labels that were given"`
			OnlyPred  int     `json:"only_pred" gate:"of labels that were given"`
			OnlyTruth int     `json:"only_truth" gate:"of labels that were given"`
			Groups    int     `json:"groups" gate:"of labels that were given"`
			Labels    int     `json:"labels" gate:"of labels that were given"`
		}{g.N, g.ARI, g.NMI, g.OnlyA, g.OnlyB, g.GroupsA, g.GroupsB})
	}
	a.print("%s in both files, %s against %s.\n", count(g.N, "record", "records"), count(g.GroupsA, "group", "groups"), count(g.GroupsB, "label", "labels"))
	a.print("Agreement: %s (adjusted Rand index %.3f, normalised mutual information %.3f).\n", inWords(g.ARI), g.ARI, g.NMI)
	if g.OnlyA+g.OnlyB > 0 {
		a.print("Left out: %d only in %s, %d only in %s.\n", g.OnlyA, pred, g.OnlyB, truth)
	}
	return nil
}

func readLabels(path string) (map[string]string, error) {
	f, err := openText(path, -1)
	if err != nil {
		return nil, ofData(err)
	}
	defer f.Close()
	labels, err := evaluate.ReadLabels(f)
	if err != nil {
		return nil, ofData(fmt.Errorf("%s: %w", path, &record.ParseError{File: path, Msg: err.Error()}))
	}
	return labels, nil
}

// inWords names an adjusted Rand index.
func inWords(ari float64) string {
	switch {
	case ari >= 0.9:
		return "nearly the same"
	case ari >= 0.65:
		return "good"
	case ari >= 0.4:
		return "moderate"
	case ari >= 0.1:
		return "weak"
	}
	return "no more than chance"
}

// measures is what eval finds; what does not apply is left out. Of people's health
// no small count is in it.
type measures struct {
	gate          explain.Gate
	Run           string               `json:"run"`
	Ring          report.Ring          `json:"ring,omitempty"`
	Records       report.Count         `json:"records"`
	Groups        []string             `json:"groups"` // their ids
	LogLikelihood float64              `json:"log_likelihood" gate:"a sum over all records"`
	PerRecord     float64              `json:"log_likelihood_per_record" gate:"a mean over all records"`
	Bound         bool                 `json:"bound"`                          // log_likelihood is a lower bound of it (LDA)
	Prior         *float64             `json:"prior,omitempty" gate:"setting"` // of the fit, in records; 0 is maximum likelihood
	Parameters    int                  `json:"parameters" gate:"of the model"`
	BIC           float64              `json:"bic" gate:"a sum over all records"`
	AIC           float64              `json:"aic" gate:"a sum over all records"`
	Classes       *classMeasures       `json:"classes,omitempty"`
	ThreeStep     []report.Distal      `json:"three_step,omitempty"`
	Sureness      float64              `json:"mean_probability" gate:"a mean over all records"`
	Coherence     *evaluate.Coherence  `json:"coherence,omitempty" gate:"from counts that may be told"`
	Topics        []evaluate.Coherence `json:"topics,omitempty" gate:"from counts that may be told"`
	Diversity     *float64             `json:"diversity,omitempty" gate:"features"`
	Exclusivity   []float64            `json:"exclusivity,omitempty" gate:"features"`
	Perplexity    *perplexity          `json:"perplexity,omitempty"`
	Stability     *evaluate.Steadiness `json:"stability,omitempty" gate:"means over samples"`
	Prediction    *prediction          `json:"prediction,omitempty"`
}

// perplexity is evaluate.Perplexity behind the gate.
type perplexity struct {
	Perplexity    float64 `gate:"a mean over all words"`
	LogLikelihood float64 `gate:"a sum over all words"`
	Tokens        report.Count
	Documents     report.Count
	Skipped       report.Count
}

// prediction is evaluate.Prediction behind the gate: where few had the outcome, or
// few had not, the share predicted without groups tells how many.
type prediction struct {
	Accuracy   report.Number
	AccuracySD report.Number
	AUC        report.Number
	Baseline   report.Number
	Records    report.Count
	Folds      int `gate:"setting"`
}

// eval measures a run on its own records or on new ones.
func (a *app) eval(ctx context.Context, e *evaluating, path string, args []string) error {
	r, err := a.openRun(path)
	if err != nil {
		return err
	}
	ctx = a.listening(ctx)
	data, forget, err := e.data(ctx, r, args)
	if err != nil {
		return err
	}
	defer forget()
	gate := explain.NewGate(r.Manifest.Health, r.Manifest.MinCell, false, data.Len())
	m := &measures{gate: gate, Run: path, Ring: gate.Ring, Records: gate.Size(data.Len())}
	for j := range r.Outcome.K() {
		m.Groups = append(m.Groups, r.GroupID(j))
	}
	for _, step := range []func(context.Context, *run.Run, *dataset.File, *measures) error{e.likelihood, e.classes, e.threeSteps, e.topics, e.stability, e.predict} {
		if err := step(ctx, r, data, m); err != nil {
			return err
		}
	}
	if a.json {
		return a.document("eval", m)
	}
	a.printMeasures(m)
	return nil
}

// data returns the run's own records, or new ones encoded in the same way; they
// stay on disk.
func (e *evaluating) data(ctx context.Context, r *run.Run, args []string) (f *dataset.File, forget func() error, err error) {
	if len(args) == 0 {
		if f, err = r.Rows(); err != nil {
			return nil, nil, err
		}
		return f, f.Close, nil
	}
	o := e.reading.over(r.Manifest.Settings.Read.Options())
	o.Workers, o.MaxMemory = e.machine.workers, e.machine.share()
	d, err := r.Apply(ctx, args, o, &record.Problems{Strict: o.Strict})
	if err != nil {
		return nil, nil, ofData(err)
	}
	return d.File, d.Close, nil
}

// likelihood measures the model on the records.
func (e *evaluating) likelihood(ctx context.Context, r *run.Run, d *dataset.File, m *measures) error {
	f, err := r.Outcome.Model.Family()
	if err != nil {
		return err
	}
	p := r.Outcome.Model.Params
	if err := f.Check(p); err != nil {
		return fmt.Errorf("the run has no model to judge (%w): fit one without --model none", err)
	}
	info, err := evaluate.Likelihood(ctx, f, p, d.Runner(e.machine.workers))
	if err != nil {
		return err
	}
	m.LogLikelihood, m.PerRecord, m.Parameters = info.LogLikelihood, info.PerRecord, info.Parameters
	m.BIC, m.AIC = info.BIC, info.AIC
	m.Bound, m.Prior = f.Info().Soft, r.Outcome.Model.Provenance.Prior
	all, err := assign.All(ctx, f, p, d.Runner(e.machine.workers))
	if err != nil {
		return err
	}
	for _, v := range all.Probability {
		m.Sureness += float64(v) / float64(len(all.Probability))
	}
	return nil
}

// topics measures words and codes; measurements have none.
func (e *evaluating) topics(ctx context.Context, r *run.Run, d *dataset.File, m *measures) error {
	if d.Kind != record.Presence && d.Kind != record.Counts || d.Sequences {
		return nil
	}
	centers := r.Outcome.Model.Params.Centers
	lists := evaluate.TopWords(centers, evaluate.TopicWords)
	var err error
	if m.Topics, err = evaluate.TopicCoherence(ctx, d.Runner(e.machine.workers), lists, m.gate.Limit); err != nil {
		return err
	}
	mean, diversity := evaluate.MeanCoherence(m.Topics), evaluate.Diversity(lists)
	m.Coherence, m.Diversity = &mean, &diversity
	m.Exclusivity = evaluate.Exclusivity(centers, evaluate.TopicWords)
	f, err := r.Outcome.Model.Family()
	if err != nil || !f.Info().Is(family.WordShare) {
		return err
	}
	o := evaluate.CompletionOptions{Seed: e.seed}
	if !f.Info().Soft {
		o.OneTopic, o.Prior = true, r.Outcome.Model.Params.Weights
	}
	p, err := evaluate.Completion(ctx, d.Runner(e.machine.workers), centers, o)
	if errors.Is(err, evaluate.ErrShort) { // all else is measured all the same
		return nil
	}
	if err == nil {
		m.Perplexity = &perplexity{p.Perplexity, p.LogLikelihood, m.gate.Count(p.Tokens), m.gate.Count(p.Documents), m.gate.Count(p.Skipped)}
	}
	return err
}

// stability fits samples anew and compares their groups.
func (e *evaluating) stability(ctx context.Context, r *run.Run, d *dataset.File, m *measures) error {
	if e.repeats == 0 {
		return nil
	}
	if d.Sequences {
		return misuse("--repeats: sequences pass through states and have no one group to compare: leave it out")
	}
	s, err := r.FitSettings()
	if err != nil {
		return err
	}
	s.Workers = e.machine.workers
	some, err := e.inMemory(ctx, d)
	if err != nil {
		return err
	}
	m.Stability, err = evaluate.Stability(ctx, some.N(), evaluate.StabilityOptions{Runs: e.repeats, Seed: e.seed},
		func(ctx context.Context, rows []int) ([]int, error) { return refit(ctx, d, some.Pick(rows), s) })
	return err
}

// inMemory returns the rows, or as many of them, spread evenly, as may be held
// several times over.
func (e *evaluating) inMemory(ctx context.Context, d *dataset.File) (sparse.Rows, error) {
	const copies = 4 // two samples, what is fitted to them, and the rows themselves
	n := d.Len()
	if limit := e.machine.limit; limit > 0 {
		n = int(min(int64(n), max(1, int64(n)*(limit/copies)/max(d.Size(), 1))))
	}
	some := newSpread(d.Len(), n)
	err := d.Each(ctx, func(_ int, part *dataset.Dataset) error {
		some.add(part.Rows)
		return nil
	})
	return some.rows(), err
}

// refit fits some of the records with the settings of the run.
func refit(ctx context.Context, d *dataset.File, part sparse.Rows, s fit.Settings) ([]int, error) {
	data := fit.Training{Run: pass.NewLocal(part, s.Workers), Vocab: d.Vocab, Kind: d.Kind}
	journey := fit.Tree
	if s.K > 0 {
		journey = fit.Flat
	}
	out, err := journey(ctx, data, s)
	if err != nil {
		return nil, err
	}
	labels := make([]int, len(out.Group))
	for i, g := range out.Group {
		labels[i] = int(g)
	}
	return labels, nil
}

// predict foretells an outcome from the groups.
func (e *evaluating) predict(ctx context.Context, r *run.Run, d *dataset.File, m *measures) error {
	if e.outcome == "" {
		return nil
	}
	if !slices.Contains(d.Side, e.outcome) {
		if len(d.Side) == 0 {
			return misuse("--outcome %s: the run has no columns beside its features, and a feature foretells itself; fit again with --label %s", e.outcome, e.outcome)
		}
		return misuse("--outcome %s: there is no such side column%s; there are %s", e.outcome, suggest.Hint(e.outcome, d.Side), strings.Join(d.Side, ", "))
	}
	if d.Sequences {
		return misuse("--outcome: sequences pass through states and have no one group: leave it out")
	}
	yes, known, err := outcomes(ctx, d, e.outcome)
	if err != nil {
		return err
	}
	f, err := r.Outcome.Model.Family()
	if err != nil {
		return err
	}
	all, err := assign.All(ctx, f, r.Outcome.Model.Params, d.Runner(e.machine.workers))
	if err != nil {
		return err
	}
	var labels []int
	for _, i := range known {
		labels = append(labels, int(all.Group[i]))
	}
	p, err := evaluate.PredictFromGroups(ctx, labels, yes, evaluate.PredictOptions{Seed: e.seed})
	if err != nil {
		return err
	}
	m.Prediction = released(p, m.gate, yes, d.Len())
	return nil
}

// released lets a prediction pass the gate.
func released(p *evaluate.Prediction, g explain.Gate, yes []bool, records int) *prediction {
	n := 0
	for _, y := range yes {
		if y {
			n++
		}
	}
	out := &prediction{Folds: p.Folds}
	for _, c := range g.Parts([]int{n, len(yes) - n, records - len(yes)}) {
		if c.Masked() {
			return out
		}
	}
	out.Accuracy, out.AccuracySD = report.NumberOf(p.Accuracy), report.NumberOf(p.AccuracySD)
	out.AUC, out.Baseline = report.NumberOf(p.AUC), report.NumberOf(p.Baseline)
	out.Records = g.Count(p.Records)
	return out
}

// outcomes reads a side column of two values; records without one are left out.
func outcomes(ctx context.Context, d *dataset.File, name string) (yes []bool, known []int32, err error) {
	var values []string
	var which []uint8 // of the known records
	err = d.Each(ctx, func(first int, part *dataset.Dataset) error {
		side, _ := part.SideColumn(name)
		for i, v := range side.Values {
			if v == "" {
				continue
			}
			at := slices.Index(values, v)
			if at < 0 {
				at, values = len(values), append(values, strings.Clone(v))
			}
			if at > 1 {
				return misuse("--outcome %s: it has more than two values (%s, …); want yes or no", name, strings.Join(values[:2], ", "))
			}
			which, known = append(which, uint8(at)), append(known, int32(first+i))
		}
		return nil
	})
	if err != nil || len(values) == 0 {
		return nil, nil, err
	}
	yes = make([]bool, len(which))
	for i, v := range which {
		yes[i] = values[v] == slices.Max(values)
	}
	return yes, known, nil
}

// priorInWords names the prior under which a likelihood was reached.
func priorInWords(records *float64) string {
	switch {
	case records == nil:
		return ""
	case *records == 0:
		return " (maximum likelihood, no prior)"
	case *records == 1:
		return " (fitted with a prior of 1 record; --prior 0 is maximum likelihood)"
	}
	return fmt.Sprintf(" (fitted with a prior of %g records)", *records)
}

// printMeasures tells the measures in words.
func (a *app) printMeasures(m *measures) {
	a.print("%s, %s.\n", counted(m.Records, "record", "records"), count(len(m.Groups), "group", "groups"))
	a.print("How sure: %.1f %% on average.\n", 100*m.Sureness)
	what := "Log-likelihood"
	if m.Bound {
		what = "Lower bound of the log-likelihood"
	}
	a.print("%s%s: %.4f, %.4g a record; %s; BIC %.2f, AIC %.2f (lower is better).\n",
		what, priorInWords(m.Prior), m.LogLikelihood, m.PerRecord, count(m.Parameters, "parameter", "parameters"), m.BIC, m.AIC)
	a.printClasses(m.Classes)
	a.printThreeSteps(m.ThreeStep)
	if m.Coherence != nil {
		a.print("Coherence of the %d leading features, counted by whole records: NPMI %.3f, C_v %.3f, UMass %.4g. Diversity %.2f.\n",
			evaluate.TopicWords, m.Coherence.NPMI, m.Coherence.CV, m.Coherence.UMass, *m.Diversity)
		for j, t := range m.Topics {
			a.print("  group %s: NPMI %.3f, exclusivity %.2f\n", m.Groups[j], t.NPMI, m.Exclusivity[j])
		}
	}
	if m.Perplexity != nil {
		a.print("Perplexity of the unseen half of every text: %.4g (%s).\n", m.Perplexity.Perplexity, counted(m.Perplexity.Tokens, "word", "words"))
	}
	if m.Stability != nil {
		a.print("How repeatable: %s, %.2f ± %.2f (adjusted Rand index of %d pairs of samples).\n", inWords(m.Stability.Mean), m.Stability.Mean, m.Stability.SD, len(m.Stability.ARI))
	}
	switch p := m.Prediction; {
	case p == nil:
	case p.Accuracy.Masked():
		a.print("Foretelling the outcome from the group: withheld, because too few records have it, or have it not.\n")
	default:
		a.print("Foretelling the outcome from the group: %.1f %% right (± %.1f), %.1f %% without groups; AUC %.3f.\n",
			100*p.Accuracy.Or(0), 100*p.AccuracySD.Or(0), 100*p.Baseline.Or(0), p.AUC.Or(0))
	}
	if words := m.gate.Words(); words != "" {
		a.print("\n%s\n", wrap(words, 100, ""))
	}
}
