package main

import (
	"context"
	"fmt"
	"os"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/synth"
	"github.com/moiety-go/moiety/vocab"
)

// PubMed's size: documents, words, topics. Documents hold about 58 different
// words each.
const (
	manyDocuments = 8200000
	manyWords     = 141000
	manyTopics    = 50
)

func runScale(ctx context.Context, b *bench) error {
	sizes := []int{1000000, 10000000}
	if b.large {
		sizes = append(sizes, 100000000)
	}
	t := newTable(fmt.Sprintf("patients, %d codes, %d groups, from a data set file", patientCodes, patientGroups))
	for _, n := range sizes {
		path := b.path(fmt.Sprintf("patients-%d.moiety", n))
		set := synth.Patients(1, n, patientCodes, patientGroups, codesEach)
		if err := keep(path, set.Rows, record.Presence); err != nil {
			return err
		}
		set = synth.Set{}
		for _, j := range []Job{
			{Method: "scale tree", Data: path, K: patientGroups},
			{Method: "scale flat", Data: path, K: patientGroups, Refine: true},
		} {
			r, err := b.own(ctx, j)
			t.row(fmt.Sprintf("%s, %d million patients", map[string]string{"scale tree": "tree with EM, in memory", "scale flat": "flat with EM, streamed"}[j.Method], n/1000000), r, err)
		}
		os.Remove(path)
	}
	if !b.large {
		return nil
	}
	path := b.path("pubmed.moiety")
	set := synth.Corpus(1, manyDocuments, manyWords, manyTopics, true)
	if err := keep(path, set.Rows, record.Counts); err != nil {
		return err
	}
	r, err := b.own(ctx, Job{Method: "scale flat", Data: path, K: manyTopics})
	t.row("LDA, 50 topics, 8.2 million documents, streamed", r, err)
	return nil
}

// keep writes rows as a data set file.
func keep(path string, rows sparse.Rows, kind record.Kind) error {
	return dataset.Write(path, &dataset.Dataset{Kind: kind, Rows: rows, Vocab: vocab.Numbered(rows.Dim)})
}
