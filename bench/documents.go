package main

import (
	"context"
	"fmt"
	"math"
	"os"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/agree"
	"github.com/moiety-go/moiety/internal/evaluate"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"
)

// documents is one corpus and the methods that are tried on it.
type documents struct {
	n, k  int
	mixed bool
	peers []string
}

func runLDA(ctx context.Context, b *bench) error {
	sets := []documents{
		{10000, 10, true, []string{"tomotopy 30 sweeps", "tomotopy 50 sweeps", "tomotopy 100 sweeps", "sklearn NMF KL", "sklearn LDA batch", "sklearn LDA online"}},
		{50000, 10, true, []string{"tomotopy 30 sweeps", "tomotopy 50 sweeps", "tomotopy 100 sweeps", "sklearn LDA online 1 pass", "gensim 1 pass"}},
		{50000, 50, true, []string{"tomotopy 50 sweeps", "tomotopy 100 sweeps", "sklearn LDA online 1 pass", "gensim 1 pass"}},
	}
	if b.full {
		sets[0].peers = append(sets[0].peers, "gensim 10 passes")
		sets[1].peers = append(sets[1].peers, "sklearn NMF KL")
		sets[2].peers = append(sets[2].peers, "sklearn NMF KL")
		sets = append(sets, documents{10000, 50, true, []string{"sklearn LDA batch", "gensim 10 passes", "tomotopy 100 sweeps"}})
	}
	for _, s := range sets {
		if err := b.documents(ctx, s); err != nil {
			return err
		}
	}
	return nil
}

func runTopics(ctx context.Context, b *bench) error {
	return b.documents(ctx, documents{10000, 10, false, []string{"sklearn KMeans", "sklearn BisectingKMeans", "sklearn SVD and KMeans"}})
}

// documents fits one corpus with moiety and with the peers.
func (b *bench) documents(ctx context.Context, s documents) error {
	train, test, set := corpus(s.n, s.k, s.mixed)
	kind, method := "one topic each", "topics"
	if s.mixed {
		kind, method = "mixtures of topics", "lda"
	}
	dir, err := b.save(fmt.Sprintf("%s-%d-%d", method, s.n, s.k), packed(train))
	if err != nil {
		return err
	}
	q := quality{truth: set.Truth.Centers, test: packed(test), one: !s.mixed}
	if set.Labels != nil {
		q.labels = set.Labels[:s.n]
	}
	t := newTable(fmt.Sprintf("%d documents, 3000 words, %d topics, %s (%d entries; perplexity of the truth %s)",
		s.n, s.k, kind, train.Ptr[s.n]-train.Ptr[0], q.perplexity(ctx, q.truth)),
		"L1", "perplexity", "ARI", "× unrefined", "× refined")
	plain, err := b.own(ctx, Job{Method: method, Data: dir, Out: dir, K: s.k})
	t.row("moiety, moments only", plain, err, q.of(ctx, dir)...)
	refined, err := b.own(ctx, Job{Method: method, Data: dir, Out: dir, K: s.k, Refine: true})
	t.row("moiety, refined", refined, err, q.of(ctx, dir)...)
	if s.mixed {
		if err := b.fromFile(ctx, t, dir, train, s.k); err != nil {
			return err
		}
	}
	if b.peers == nil {
		return nil
	}
	for _, name := range s.peers {
		r, err := b.other(ctx, "documents.py", Job{Method: name, Data: dir, Out: dir, K: s.k})
		t.row(name, r, err, append(q.of(ctx, dir), ratio(r, plain), ratio(r, refined))...)
	}
	return nil
}

// fromFile goes the whole way from a text file to a run folder.
func (b *bench) fromFile(ctx context.Context, t *table, dir string, rows sparse.Rows, k int) error {
	path, err := writeDocword(dir, packed(rows))
	if err != nil {
		return err
	}
	r, err := b.own(ctx, Job{Method: "file", Data: path, Out: dir, K: k})
	t.row("moiety, moments only, from text file to topics", r, err)
	r, err = b.own(ctx, Job{Method: "folder", Data: path, Out: dir, K: k})
	t.row("the same to a run folder, every document placed", r, err)
	return nil
}

// quality measures topics and labels against the truth.
type quality struct {
	truth  *mat.Dense
	test   sparse.Rows
	labels []int
	one    bool
}

// of returns L1, perplexity and ARI of what a method left in its folder, and
// clears it away for the next.
func (q quality) of(ctx context.Context, dir string) []string {
	out := []string{"", "", ""}
	d, k := q.truth.Dims()
	if topics, err := loadTopics(dir, d); err == nil {
		if _, found := topics.Dims(); found == k {
			out[0] = fmt.Sprintf("%.4f", l1(q.truth, topics))
		}
		out[1] = q.perplexity(ctx, topics)
	}
	out[2] = q.agreement(dir)
	os.Remove(dir + "/topics")
	return out
}

// agreement returns the ARI of labels in a folder, and clears them away.
func (q quality) agreement(dir string) string {
	found, err := readArray[int32](dir + "/labels")
	defer os.Remove(dir + "/labels")
	if err != nil || len(found) != len(q.labels) {
		return ""
	}
	labels := make([]int, len(found))
	for i, l := range found {
		labels[i] = int(l)
	}
	ari, err := agree.ARI(labels, q.labels)
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%.4f", ari)
}

// perplexity is that of document completion on documents no method saw.
func (q quality) perplexity(ctx context.Context, topics *mat.Dense) string {
	p, err := evaluate.Completion(ctx, pass.NewLocal(q.test, 0), topics, evaluate.CompletionOptions{OneTopic: q.one})
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%.1f", p.Perplexity)
}

// l1 is the mean over topics of Σ|a − b| after the best matching: from 0 to 2.
func l1(a, b *mat.Dense) float64 {
	match, err := agree.Columns(a, b)
	if err != nil {
		return math.NaN()
	}
	d, k := a.Dims()
	sum := 0.0
	for j, m := range match {
		for h := range d {
			sum += math.Abs(a.At(h, j) - b.At(h, m))
		}
	}
	return sum / float64(k)
}

// models by the name of a job.
var models = map[string]string{"lda": "lda", "topics": "single-topic", "patients": "bernoulli", "flat": "bernoulli"}

// jobFlat fits a flat model. Documents that mix topics get no place of their
// own, as with the other tools; records of one group each do.
func jobFlat(ctx context.Context, j Job) (*Report, error) {
	rows, err := load(j.Data)
	if err != nil {
		return nil, err
	}
	data := fit.Training{Run: pass.NewLocal(rows, j.Workers), Vocab: vocab.Numbered(rows.Dim), Kind: record.Counts}
	s := fit.Settings{K: j.K, Spec: model.Spec{Model: models[j.Method]}, Refine: fit.None, Workers: j.Workers}
	if j.Refine {
		s.Refine = fit.EM
	}
	c := newClock()
	if j.Method == "lda" {
		return fitTopics(ctx, j, data, s, c)
	}
	return fitPlaced(ctx, j, data, s, c)
}

func fitTopics(ctx context.Context, j Job, data fit.Training, s fit.Settings, c clock) (*Report, error) {
	path, err := fit.NewPath(ctx, data, s, j.K)
	if err != nil {
		return nil, err
	}
	m, err := path.At(ctx, j.K)
	if err != nil {
		return nil, err
	}
	cost := c.cost()
	return &Report{Cost: cost}, saveTopics(j.Out, m.Params.Centers)
}

func fitPlaced(ctx context.Context, j Job, data fit.Training, s fit.Settings, c clock) (*Report, error) {
	out, err := fit.Flat(ctx, data, s)
	if err != nil {
		return nil, err
	}
	cost := c.cost()
	if err := saveTopics(j.Out, out.Model.Params.Centers); err != nil {
		return nil, err
	}
	return &Report{Cost: cost}, writeArray(j.Out+"/labels", out.Group)
}
