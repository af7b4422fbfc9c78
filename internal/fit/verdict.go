package fit

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/refine"
	"github.com/moiety-go/moiety/internal/verdict"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/vocab"
	"github.com/moiety-go/moiety/warn"
)

// Judge says how many groups the records show and whether they are real. It is
// nil for kinds of records that have no verdict of their own yet, and for models that
// are not the one of their kind.
func Judge(ctx context.Context, data Training, s Settings) (*verdict.Verdict, error) {
	v, _, err := skipping(ctx, data, s, judge)
	return v, err
}

// judge is Judge of records as they are.
func judge(ctx context.Context, data Training, s Settings) (*verdict.Verdict, error) {
	return recalled(ctx, data, s, func() (*verdict.Verdict, error) {
		v, err := judgeAnew(ctx, data, s)
		if v != nil && data.Guessed && data.Run.Can().Places <= 1 { // sites need not guess alike, and claim alike
			v.SetAside()
		}
		return v, err
	})
}

func judgeAnew(ctx context.Context, data Training, s Settings) (*verdict.Verdict, error) {
	can := data.Run.Can()
	if data.Run.Len() == 0 || can.Own < data.Run.Len() && can.Places <= 1 || can.Release != nil {
		return nil, nil
	}
	if data.Sequences {
		return judgeSequences(ctx, data, s)
	}
	free := s.free()
	s, err := s.resolved(ctx, data, true)
	if err != nil {
		return nil, err
	}
	if s, err = s.counted(ctx, data); err != nil {
		return nil, err
	}
	o := verdict.Settings{Seed: s.Seed, Workers: s.Workers, Words: wordsOf(data), Shape: s.Spec.Covariance}
	if s.wantsShape(data) {
		return verdict.Measured(ctx, data.Run, o)
	}
	if free && data.documents() {
		return verdict.Documents(ctx, data.Run, s.mixed(data), o)
	}
	if data.Kind == record.Mixed && s.Spec.Model == Auto(data, true).Model {
		return verdict.Mixed(ctx, data.Run, data.Vocab.Columns, o)
	}
	if trials, ok := s.counts(data); ok {
		return verdict.Counts(ctx, data.Run, trials, o)
	}
	questions, ok := s.discrete(data)
	if !ok {
		return nil, nil
	}
	return verdict.Discrete(ctx, data.Run, questions, o)
}

// discrete reports that the records are presences or answers under the model of
// their kind where nothing is missing, and returns the questions of answers. The
// model is chosen.
func (s Settings) discrete(data Training) (questions [][2]int, ok bool) {
	if s.Spec.Model != Auto(data, true).Model {
		return nil, false
	}
	switch data.Kind {
	case record.Presence:
		return nil, true
	case record.Categorical:
		return model.Questions(data.Vocab), true
	}
	return nil, false
}

// Judged returns records and settings as the verdict judged them, where no model was
// asked for: of counts, the model in which a record is of one group unless it was found
// to mix several; measurements of which some are missing as measurements, in the shape
// and scales of the verdict.
func Judged(ctx context.Context, data Training, s Settings, v *verdict.Verdict) (Training, Settings) {
	if v == nil || data.Sequences {
		return data, s
	}
	if v.Form != nil {
		if real, ok := s.measured(data); ok {
			data = real
		}
	}
	if s.Spec.IsAuto() {
		s.Spec = s.Spec.For(data.records(), !v.Mixed)
	}
	if v.Form != nil && s.wantsShape(data) {
		s.form, s.Spec = v.Form, formed(s.Spec, v.Form)
	}
	return data, s
}

// wordsOf names the records and features of a code system.
func wordsOf(data Training) verdict.Words {
	switch data.Vocab.System {
	case "icd9", "icd10":
		return verdict.Words{Features: "diagnoses"}
	case vocab.Genotypes:
		return verdict.Words{Records: "individuals", Features: "alleles"}
	case vocab.Text:
		return verdict.Words{Records: "documents", Features: "words"}
	}
	return verdict.Words{}
}

// decides reports that the verdict makes the tree: of the size that it claims, or
// of the size that was asked for. A way to split records that was asked for makes
// its own.
func (s Settings) decides() bool {
	return s.K == 0 && s.Tree.Splitter == "" && !s.Tree.Free && s.Spec.Moments == ""
}

// judged makes the tree of the groups that the verdict claims: the mixture of
// these groups, and the hierarchy over them from below, cut or extended to the
// size that was asked for.
func judged(ctx context.Context, data Training, s Settings, v *verdict.Verdict) (*Outcome, error) {
	if v.Mixed {
		return mixing(ctx, data, s, v)
	}
	h, err := newHierarchy(ctx, data, s, v)
	if err != nil {
		return nil, err
	}
	data, s = h.data, h.s
	g, err := h.make(ctx)
	if err != nil {
		return nil, tooLittle(err)
	}
	words := append(formWords(v.Form, v.Groups, data.Vocab), farWords(v.Far, data.Vocab)...)
	if v.Groups > 1 {
		words = append(words, scatterWords(s.Spec)...)
	}
	if v.Form != nil && data.Kind == record.Real {
		words = append(words, blankWords(data)...)
	}
	g.Tree.Provenance = model.Provenance{
		Program: Program(), Settings: s.canonical(), Seed: s.Seed,
		Data: data.Fingerprint, Records: data.Run.Len(), Warnings: slices.Concat(verdictWarnings(v), overSites(data), words, h.warnings(g.Tree)),
	}
	out, err := treeOutcome(ctx, g, data, s)
	if err != nil {
		return nil, err
	}
	out.Verdict = v
	return out, nil
}

// claimed returns the mixture of the claimed groups. Where nothing but the
// groups tells records apart EM refines it on all records; where they also
// differ by degree EM would turn the groups into degrees, and the frequencies
// are those of the records that the verdict places.
func (h *hierarchy) claimed(ctx context.Context) (mixture.Params, error) {
	fam, data, s, v := h.fam, h.data, h.s, h.v
	k, many := v.Groups, refine.Options{Pseudo: float64(s.Prior)}
	from := data
	if h.restsOnFew() {
		some, _, err := h.seen(ctx)
		if err != nil {
			return mixture.Params{}, err
		}
		from, many.Extrapolate = data.of(some), true
	}
	labels, err := placedIn(ctx, from, v.Found)
	if err != nil {
		return mixture.Params{}, err
	}
	if v.Form != nil {
		return cloudsOf(ctx, fam, data, s, labels, k, v.Form, k > 1 && v.Found.Plain)
	}
	p, err := partitioned(ctx, fam, from, s, nil, k, labels)
	if err != nil || k == 1 || !v.Found.Plain || s.Refine == None {
		return p, err
	}
	r, err := refine.EM(ctx, fam, data.Run, p, many)
	if err != nil {
		return p, err
	}
	return r.Params, nil
}

// restsOnFew reports that the claim has seen few of the records and that EM goes on from its
// groups: those that it has seen are then enough to begin with, and the first step over all
// places the others.
func (h *hierarchy) restsOnFew() bool {
	v := h.v
	return v.Groups > 1 && v.Found.Plain && v.Form == nil && h.s.Refine != None &&
		len(v.Seen) > 0 && h.data.Run.Can().Places == 1 && h.data.Run.Len() >= manyMore*len(v.Seen)
}

// placedIn returns the group of every record; nil are records of one group.
func placedIn(ctx context.Context, data Training, f *verdict.Found) ([]int32, error) {
	labels := make([]int32, data.Run.Can().Own)
	if f == nil {
		return labels, nil
	}
	_, err := data.Run.Own(ctx, func(b pass.Block) error {
		f.Place(b, labels[b.First:][:b.N()])
		return nil
	})
	return labels, err
}

// even are k equal groups in which every answer is as likely as any other, and
// every word.
func (s Settings) even(data Training, k int, words bool) mixture.Params {
	centers, weights := mat.NewDense(data.Run.Dim(), k, nil), make([]float64, k)
	chance := make([]float64, data.Run.Dim())
	for h := range chance {
		chance[h] = .5
		if words {
			chance[h] = 1 / float64(len(chance))
		}
	}
	if questions, _ := s.discrete(data); questions != nil {
		for _, q := range questions {
			for h := q[0]; h < q[1]; h++ {
				chance[h] = 1 / float64(q[1]-q[0])
			}
		}
	}
	for j := range k {
		weights[j] = 1 / float64(k)
		centers.SetCol(j, chance)
	}
	return mixture.New(centers, weights)
}

// overSites says what a verdict over several places did not look at.
func overSites(data Training) []warn.Warning {
	if data.Run.Can().Places <= 1 {
		return nil
	}
	const records = "records" // which a report calls by their own word
	return []warn.Warning{warn.New(warn.Note, "verdict-over-sites", "",
		"The number of groups was judged by sums of all sites, and no site saw %s of another: "+
			"equal %s at two sites were not looked for, and groups were not looked into for the next split.", records, records)}
}

// verdictWarnings are the doubts of a verdict but the first, which stands in the
// first lines of every report.
func verdictWarnings(v *verdict.Verdict) []warn.Warning {
	var out []warn.Warning
	for i, d := range v.Against {
		if i > 0 || v.Sure {
			out = append(out, warn.New(warn.Note, "verdict-"+d.Code, "", "%s", d.Text))
		}
	}
	return out
}
