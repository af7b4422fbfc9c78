package explain

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/inference"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/warn"
)

const (
	// mostWork bounds records times squared parameters, for a second or two of
	// one core; beyond it parameters are taken one by one.
	mostWork = 4e9
	// mostPairs is the number of pairs listed.
	mostPairs = 20
)

// infer works out how far the parameters of latent classes can be trusted. It
// leaves out reports that are to be shared, trees, models of another kind,
// groups changed by hand, and fits to other records than these.
func (b *builder) infer(ctx context.Context, r dataset.Data) error {
	if r == nil || b.d.records == 0 || b.o.Tree != nil || b.r.Ring == report.Shared || b.s.Counted || b.o.Model.Provenance.Records != b.d.records {
		return nil
	}
	f, err := b.o.Model.Family()
	if err != nil {
		return err
	}
	if family.QuestionsOf(f, b.params.Dim()) == nil {
		return nil
	}
	if b.brief() {
		b.own, err = inference.Values(f, b.params, b.d.records)
		b.ask(f)
		return err
	}
	run := r.Runner(b.s.Workers)
	fit, err := inference.Classified(ctx, f, b.params, run)
	if err != nil {
		return err
	}
	e, together, err := b.estimates(ctx, f, run, fit.Parameters)
	if err != nil {
		return err
	}
	pairs, err := inference.Residuals(ctx, f, b.params, run)
	if err != nil {
		return err
	}
	b.own = e
	b.ask(f)
	out := b.criteria(fit)
	out.Together, out.Singular = together, e.Singular
	for j, x := range e.Shares {
		out.Shares = append(out.Shares, estimateOf(x, b.open.sizeOpen(b.h.leaf[j])))
	}
	b.classification(out, fit)
	b.pairs(out, pairs)
	b.r.Inference = out
	return nil
}

// fewEntries is the number of records times features up to which a brief report
// is a whole one.
const fewEntries = 1e6

// brief reports that further passes over the records are left out.
func (b *builder) brief() bool {
	return b.s.Brief && float64(b.d.records)*float64(b.params.Dim()) > fewEntries
}

// ask keeps the questions, and that of every feature.
func (b *builder) ask(f family.Family) {
	b.asks = family.QuestionsOf(f, b.params.Dim())
	for i, q := range b.asks {
		for range q.To - q.From {
			b.askedBy = append(b.askedBy, i)
		}
	}
}

// estimates takes the parameters together where that can be done in time.
func (b *builder) estimates(ctx context.Context, f family.Family, run pass.Runner, parameters int) (e *inference.Estimates, together bool, err error) {
	if float64(run.Len())*float64(parameters)*float64(parameters) <= mostWork {
		e, err = inference.Parameters(ctx, f, b.params, run, b.o.Model.Provenance.Seed)
		if !errors.Is(err, inference.ErrMany) {
			return e, true, err
		}
	}
	e, err = inference.Alone(ctx, f, b.params, run)
	return e, false, err
}

func (b *builder) criteria(fit *inference.Fit) *report.Inference {
	out := &report.Inference{Parameters: fit.Parameters}
	if !b.open.sizeOpen(0) {
		return out
	}
	for _, x := range []struct {
		to *report.Number
		v  float64
	}{
		{&out.LogLikelihood, fit.LogLikelihood},
		{&out.AIC, fit.AIC},
		{&out.BIC, fit.BIC},
		{&out.AdjustedBIC, fit.AdjustedBIC},
		{&out.CAIC, fit.CAIC},
		{&out.ICL, fit.ICL},
		{&out.EntropyR2, fit.EntropyR2},
	} {
		*x.to = report.NumberOf(x.v)
	}
	return out
}

// estimateOf returns an estimate that may be read, or an empty one.
func estimateOf(e inference.Estimate, open bool) report.Estimate {
	if !open {
		return report.Estimate{}
	}
	return report.Estimate{
		Value: report.NumberOf(e.Value), SE: report.NumberOf(e.SE), Outer: report.NumberOf(e.Outer), Resampled: report.NumberOf(e.Resampled), Low: report.NumberOf(e.Low), High: report.NumberOf(e.High), Edge: e.Edge,
	}
}

// classification fills in the table of likeliest groups; rows of groups whose
// size is withheld are empty.
func (b *builder) classification(out *report.Inference, fit *inference.Fit) {
	for j, node := range b.h.leaf {
		row, n := make([]report.Number, len(b.h.leaf)), report.Count{}
		if b.open.sizeOpen(node) {
			n = report.CountOf(b.c.n[node])
			for o := range row {
				if b.open.sizeOpen(b.h.leaf[o]) {
					row[o] = report.NumberOf(fit.Posterior[j][o])
				}
			}
		}
		out.Modal, out.Posterior = append(out.Modal, n), append(out.Posterior, row)
	}
}

// asked fills in the questions once it is known which features may be named and
// which centers may be read.
func (b *builder) asked() {
	out := b.r.Inference
	if out == nil {
		return
	}
	for _, q := range b.asks {
		name, title := b.questionName(q)
		asked := report.Question{Name: name, Title: title}
		for h := q.From; h < q.To; h++ {
			if b.place[h] < 0 {
				continue
			}
			a := report.Answer{Index: b.place[h], Name: b.d.vocab.Names[h], Title: b.d.vocab.Title(h)}
			for j := range b.h.leaf {
				e, open := b.parameter(j, h)
				open = open && !b.r.Table.Centers[j][b.place[h]].Masked()
				a.Groups = append(a.Groups, estimateOf(e, open))
			}
			asked.Answers = append(asked.Answers, a)
		}
		if len(asked.Answers) > 0 {
			out.Questions = append(out.Questions, asked)
		}
	}
}

// column is the place of a feature among the estimates.
func (b *builder) column(question int, q family.Question, h int) int {
	if q.Presence {
		return b.own.First[question] + 1
	}
	return b.own.First[question] + h - q.From
}

// questionName returns the name of a question: of its column, or of its feature.
func (b *builder) questionName(q family.Question) (name, title string) {
	for _, c := range b.d.vocab.Columns {
		if c.From == q.From && c.To == q.To && !q.Presence {
			return c.Name, c.Name
		}
	}
	return b.d.vocab.Names[q.From], b.d.vocab.Title(q.From)
}

// questionSaid is what people call a question: a diagnosis by the words of a ward.
func (b *builder) questionSaid(q family.Question) string {
	name, title := b.questionName(q)
	if q.Presence && isSaid(b.d.vocab.System, name, title) {
		return sentence(b.called(q.From))
	}
	return title
}

// pairs lists the pairs whose questions may be named.
func (b *builder) pairs(out *report.Inference, list []inference.Pair) {
	named := func(q family.Question) bool {
		for h := q.From; h < q.To; h++ {
			if b.open.limit > 0 && !b.named(h) {
				return false
			}
		}
		return true
	}
	var most []inference.Pair // the largest residual first: a few of perhaps millions
	for _, p := range list {
		if math.IsNaN(p.Residual) || !named(b.asks[p.A]) || !named(b.asks[p.B]) {
			continue
		}
		out.Tested++
		if p.Dependent {
			out.Dependent++
		}
		at := len(most)
		for at > 0 && p.Residual > most[at-1].Residual {
			at--
		}
		if at < mostPairs {
			most = slices.Insert(most, at, p)
			most = most[:min(len(most), mostPairs)]
		}
	}
	for _, p := range most {
		x, y := b.asks[p.A], b.asks[p.B]
		out.Pairs = append(out.Pairs, report.Residual{
			A: b.questionSaid(x), B: b.questionSaid(y), X2: report.NumberOf(p.X2), DF: p.DF, Size: report.NumberOf(p.Residual), Dependent: p.Dependent,
		})
	}
}

// inferenceWarnings says what the numbers of latent classes cannot carry.
func (b *builder) inferenceWarnings() []warn.Warning {
	if b.r.Inference == nil || !b.r.Inference.Singular {
		return nil
	}
	return []warn.Warning{warn.New(warn.Caution, "no-standard-errors", "Ask for fewer groups, or take more records.",
		"The records do not identify all parameters of the model, so that there are no standard errors and no intervals: other models describe them equally well.")}
}

// parameter returns the estimate of a feature in a group proper, where there is
// one: not where it stands for fewer records than may be counted, or leaves out
// so few; there the share is counted, if it may be.
func (b *builder) parameter(j, f int) (inference.Estimate, bool) {
	if b.own == nil || j < 0 {
		return inference.Estimate{}, false
	}
	i := b.askedBy[f]
	e := b.own.Answers[j][b.column(i, b.asks[i], f)]
	n := b.expectedOf(j, b.h.leaf[j], f)
	return e, !b.small(e.Value*n) && !b.small((1-e.Value)*n)
}

// classes reports that shares are parameters of several latent classes: of one
// group they are what is counted.
func (b *builder) classes() bool { return b.own != nil && len(b.h.leaf) > 1 }
