package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/synth"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/show"
	"github.com/moiety-go/moiety/vocab"
)

// PubMed's size: documents, words, topics, words a document, of which about 58
// are different.
const (
	manyDocuments = 8200000
	manyWords     = 141000
	manyTopics    = 50
	manyLength    = 75
)

// scaleMemory is the memory that fits of large files are given, as the command's
// --max-memory does.
const scaleMemory = 10 << 30

// scaleBudget is the memory for rows of a tree whose records stay on disk.
const scaleBudget = 256 << 20

// drawn is the number of records that are drawn and written at a time.
const drawn = 500000

func runScale(ctx context.Context, b *bench) error {
	sizes := []int{1000000, 10000000}
	if b.large {
		sizes = append(sizes, 100000000)
	}
	t := newTable(fmt.Sprintf("patients, %d codes, %d groups, from a data set file", patientCodes, patientGroups), "ARI")
	grown := show.Series{Name: "tree with EM, in memory"}
	part := show.Series{Name: "tree with EM, streamed"}
	flat := show.Series{Name: "flat with EM, streamed"}
	for _, n := range sizes {
		f, err := b.stored(fmt.Sprintf("patients-%d", n), n, record.Presence, synth.PatientStream(1, patientCodes, patientGroups, codesEach))
		if err != nil {
			return err
		}
		for _, m := range []struct {
			job  Job
			name string
			line *show.Series
		}{
			{Job{Method: "scale tree"}, "tree with EM, in memory", &grown},
			{Job{Method: "scale part"}, "tree with EM, streamed, grown on what fits into 256 MB", &part},
			{Job{Method: "scale flat", Refine: true}, "flat with EM, streamed", &flat},
		} {
			m.job.Data, m.job.Out, m.job.K = f.path, b.dir, patientGroups
			r, err := b.own(ctx, m.job)
			t.row(fmt.Sprintf("%s, %d million patients", m.name, n/1000000), r, err, f.ari(b.dir))
			if r != nil {
				m.line.X, m.line.Y = append(m.line.X, float64(n)), append(m.line.Y, r.CPU)
			}
		}
		f.remove()
	}
	if err := b.chart("scale", show.LineChart{
		Title: "Cost over the number of patients", XLabel: "patients", YLabel: "CPU seconds", LogX: true, LogY: true, Series: []show.Series{grown, part, flat},
	}); err != nil {
		return err
	}
	if !b.large {
		return nil
	}
	return b.pubmed(ctx)
}

// pubmed fits corpora of PubMed's size, streamed.
func (b *bench) pubmed(ctx context.Context) error {
	for _, mixed := range []bool{false, true} {
		name, method, what := "topics-large", "scale topics", "one topic each"
		if mixed {
			name, method, what = "lda-large", "scale lda", "mixtures of topics"
		}
		f, err := b.stored(name, manyDocuments, record.Counts, synth.CorpusStream(1, manyWords, manyTopics, manyLength, mixed))
		if err != nil {
			return err
		}
		t := newTable(fmt.Sprintf("%d documents, %d words, %d topics, %s (%d entries), streamed", manyDocuments, manyWords, manyTopics, what, f.entries), "L1", "ARI")
		r, err := b.ownOnce(ctx, Job{Method: method, Data: f.path, Out: b.dir, K: manyTopics})
		distance := ""
		if found, e := loadTopics(b.dir, manyWords); err == nil && e == nil {
			distance = fmt.Sprintf("%.4f", l1(f.truth, found))
		}
		t.row("moiety, moments only", r, err, distance, f.ari(b.dir))
		f.remove()
	}
	return nil
}

// stored is a data set file that was drawn piece by piece, and its truth.
type stored struct {
	path    string
	labels  []int // nil where records have no single group
	truth   *mat.Dense
	entries int
}

// stored draws n records into a data set file in bounded memory.
func (b *bench) stored(name string, n int, kind record.Kind, draw func(n int) synth.Set) (*stored, error) {
	f := &stored{path: b.path(name + ".moiety")}
	var w *dataset.Writer
	defer func() {
		if w != nil {
			w.Abort()
		}
	}()
	for at := 0; at < n; at += drawn {
		set := draw(min(drawn, n-at))
		d := &dataset.Dataset{Kind: kind, Rows: set.Rows, Vocab: vocab.Numbered(set.Rows.Dim)}
		if w == nil {
			var err error
			if w, err = dataset.NewWriter(f.path, d.Describe()); err != nil {
				return nil, err
			}
			f.truth = set.Truth.Centers
		}
		if err := w.Append(d); err != nil {
			return nil, err
		}
		f.labels = append(f.labels, set.Labels...)
		f.entries += set.Rows.NNZ()
	}
	return f, w.Close()
}

// remove makes room on the disk, which a large file takes much of.
func (f *stored) remove() { os.Remove(f.path) }

// ari compares the labels that a job left in the folder with the truth.
func (f *stored) ari(dir string) string {
	return quality{truth: f.truth, labels: f.labels}.agreement(dir)
}

// chart draws into the folder of charts, if one was asked for.
func (b *bench) chart(name string, c show.LineChart) error {
	if b.charts == "" {
		return nil
	}
	if err := os.MkdirAll(b.charts, 0o755); err != nil {
		return err
	}
	f, err := os.Create(filepath.Join(b.charts, name+".svg"))
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	return errors.Join(show.WriteSVG(w, c.Scene()), w.Flush(), f.Close())
}

// jobScale fits a data set file: a tree in memory or streamed, or a flat model
// streamed.
func jobScale(ctx context.Context, j Job) (*Report, error) {
	debug.SetMemoryLimit(scaleMemory)
	c := newClock()
	f, err := dataset.Open(j.Data)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	out, err := fitFile(ctx, f, j)
	if err != nil {
		return nil, err
	}
	cost := c.cost()
	if j.Method == "scale lda" {
		return &Report{Cost: cost}, saveTopics(j.Out, out.Model.Params.Centers)
	}
	if j.Method == "scale topics" {
		err = saveTopics(j.Out, out.Model.Params.Centers)
	}
	return &Report{Cost: cost}, errors.Join(err, writeArray(filepath.Join(j.Out, "labels"), out.Group))
}

func fitFile(ctx context.Context, f *dataset.File, j Job) (*fit.Outcome, error) {
	if j.Method == "scale tree" {
		d, err := f.Load(0)
		if err != nil {
			return nil, err
		}
		data := fit.Training{Run: d.Runner(0), Vocab: d.Vocab, Kind: d.Kind}
		return fit.Tree(ctx, data, fit.Settings{Tree: fit.TreeShape{Leaves: j.K}})
	}
	data := fit.Training{Run: f.Runner(0), Memory: scaleBudget, Vocab: f.Vocab, Kind: f.Kind}
	if j.Method == "scale part" {
		return fit.Tree(ctx, data, fit.Settings{Tree: fit.TreeShape{Leaves: j.K}})
	}
	s := fit.Settings{K: j.K, Spec: model.Spec{Model: models[strings.TrimPrefix(j.Method, "scale ")]}, Refine: fit.None}
	if j.Refine {
		s.Refine = fit.EM
	}
	return fit.Flat(ctx, data, s)
}
