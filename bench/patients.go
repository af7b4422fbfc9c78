package main

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/family/bernoulli"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/refine"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/internal/synth"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/vocab"
)

// Shape of the patients: codes, groups, codes a patient.
const (
	patientCodes  = 696
	patientGroups = 16
	codesEach     = 10
)

// hospital draws patients and saves them.
func (b *bench) hospital(n int) (string, quality, error) {
	set := synth.Patients(1, n, patientCodes, patientGroups, codesEach)
	dir, err := b.save(fmt.Sprintf("patients-%d", n), set.Rows)
	return dir, quality{truth: set.Truth.Centers, labels: set.Labels}, err
}

// ari returns only the ARI of what lies in the folder.
func (q quality) ari(ctx context.Context, dir string) string { return q.of(ctx, dir)[2] }

func runPatients(ctx context.Context, b *bench) error {
	for _, n := range []int{50000, 500000} {
		dir, q, err := b.hospital(n)
		if err != nil {
			return err
		}
		t := newTable(fmt.Sprintf("%d patients, %d codes, %d groups, flat", n, patientCodes, patientGroups), "ARI", "× moiety")
		own, err := b.own(ctx, Job{Method: "patients", Data: dir, Out: dir, K: patientGroups, Refine: true})
		t.row("moiety, Bernoulli with EM", own, err, q.ari(ctx, dir))
		if b.peers == nil {
			continue
		}
		for _, name := range []string{"sklearn KMeans", "sklearn SVD and KMeans"} {
			r, err := b.other(ctx, "patients.py", Job{Method: name, Data: dir, Out: dir, K: patientGroups})
			t.row(name, r, err, q.ari(ctx, dir), ratio(r, own))
		}
	}
	return nil
}

func runTree(ctx context.Context, b *bench) error {
	for _, n := range []int{50000, 500000} {
		dir, q, err := b.hospital(n)
		if err != nil {
			return err
		}
		t := newTable(fmt.Sprintf("%d patients, %d codes, tree of %d leaves", n, patientCodes, patientGroups), "ARI", "× free tree", "× tree with EM")
		free, err := b.own(ctx, Job{Method: "free tree", Data: dir, Out: dir, K: patientGroups})
		t.row("moiety, D-SIDIWO (--model none --refine none --stability off)", free, err, q.ari(ctx, dir))
		full, err := b.own(ctx, Job{Method: "tree", Data: dir, Out: dir, K: patientGroups, Refine: true})
		t.row("moiety, tree with EM by splitting records (stability off)", full, err, q.ari(ctx, dir))
		steady, err := b.own(ctx, Job{Method: "steady tree", Data: dir, Out: dir, K: patientGroups, Refine: true})
		t.row("moiety, the same with the stability of every split", steady, err, q.ari(ctx, dir))
		if b.peers != nil {
			r, err := b.other(ctx, "patients.py", Job{Method: "sklearn BisectingKMeans", Data: dir, Out: dir, K: patientGroups})
			t.row("sklearn BisectingKMeans", r, err, q.ari(ctx, dir), ratio(r, free), ratio(r, full))
		}
	}
	return nil
}

// jobTree grows a tree and leaves the place of every record.
func jobTree(ctx context.Context, j Job) (*Report, error) {
	rows, err := load(j.Data)
	if err != nil {
		return nil, err
	}
	data := fit.Training{Run: pass.NewLocal(rows, j.Workers), Vocab: vocab.Numbered(rows.Dim), Kind: record.Presence}
	s := fit.Settings{Tree: fit.TreeShape{Leaves: j.K, Stability: "off"}, Spec: model.Spec{Model: "bernoulli"}, Workers: j.Workers}
	switch j.Method {
	case "free tree":
		s.Tree.Free, s.Refine = true, fit.None
	case "tree":
		s.Tree.Splitter = "skew"
	case "steady tree":
		s.Tree.Splitter, s.Tree.Stability = "skew", ""
	}
	c := newClock()
	out, err := fit.Tree(ctx, data, s)
	if err != nil {
		return nil, err
	}
	cost := c.cost()
	return &Report{Cost: cost}, writeArray(j.Out+"/labels", out.Group)
}

// steps of EM that are timed.
const timedSteps = 5

func runEM(ctx context.Context, b *bench) error {
	const n = 500000
	dir, _, err := b.hospital(n)
	if err != nil {
		return err
	}
	t := newTable(fmt.Sprintf("one step of EM, %d patients, %d codes, %d groups", n, patientCodes, patientGroups), "× moiety")
	own, err := b.own(ctx, Job{Method: "em", Data: dir, Out: dir, K: patientGroups})
	t.row("moiety", own.each(), err)
	if b.peers != nil {
		r, err := b.other(ctx, "em.py", Job{Method: "numpy EM", Data: dir, Out: dir, K: patientGroups})
		t.row("numpy and scipy", r.each(), err, ratio(r.each(), own.each()))
	}
	return nil
}

// each returns the cost of one of the repeats in a report.
func (r *Report) each() *Report {
	if r == nil || r.Work == 0 {
		return r
	}
	one := *r
	one.CPU, one.Wall = r.CPU/r.Work, r.Wall/r.Work
	return &one
}

// jobEM times steps of EM from a start that has some way to go.
func jobEM(ctx context.Context, j Job) (*Report, error) {
	rows, err := load(j.Data)
	if err != nil {
		return nil, err
	}
	r := stream.New(1, "bench/em")
	centers, weights := mat.NewDense(rows.Dim, j.K, nil), make([]float64, j.K)
	for i := range centers.RawMatrix().Data {
		centers.RawMatrix().Data[i] = 0.005 + 0.02*r.Float64()
	}
	for i := range weights {
		weights[i] = 1 / float64(j.K)
	}
	c := newClock()
	_, err = refine.Steps(ctx, bernoulli.New(bernoulli.Options{}), pass.NewLocal(rows, j.Workers), mixture.New(centers, weights), timedSteps, refine.Options{})
	if err != nil {
		return nil, err
	}
	return &Report{Cost: c.cost(), Work: timedSteps + 1}, nil // one pass more to see where it ended
}
