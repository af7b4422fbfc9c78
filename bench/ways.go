package main

import (
	"context"
	"fmt"
)

// course is one whole fit whose speed is looked at from several sides.
type course struct {
	name string
	job  Job
}

// courses draws the data of the fits that are compared with themselves, in one
// tier and another.
func (b *bench) courses() ([]course, error) {
	var out []course
	for _, s := range []struct{ n, k int }{{50000, 10}, {50000, 50}} {
		train, _, _ := corpus(s.n, s.k, true)
		dir, err := b.save(fmt.Sprintf("lda-%d-%d", s.n, s.k), packed(train))
		if err != nil {
			return nil, err
		}
		name := fmt.Sprintf("LDA, %d documents, %d topics, ", s.n, s.k)
		out = append(out,
			course{name + "moments only", Job{Method: "lda", Data: dir, Out: dir, K: s.k}},
			course{name + "refined", Job{Method: "lda", Data: dir, Out: dir, K: s.k, Refine: true}})
	}
	dir, _, err := b.hospital(500000)
	if err != nil {
		return nil, err
	}
	for _, p := range []course{
		{"flat, Bernoulli with EM", Job{Method: "patients", Refine: true}},
		{"one step of EM", Job{Method: "em"}},
		{"D-SIDIWO tree", Job{Method: "free tree"}},
		{"tree with EM", Job{Method: "tree"}},
	} {
		p.name = "500000 patients, " + p.name
		p.job.Data, p.job.Out, p.job.K = dir, dir, patientGroups
		out = append(out, p)
	}
	return out, nil
}

// runTiers compares plain Go and AVX2 with AVX-512, by CPU time.
func runTiers(ctx context.Context, b *bench) error {
	if !avx512() {
		fmt.Println("\ntiers: this machine has no AVX-512, nothing to compare")
		return nil
	}
	list, err := b.courses()
	if err != nil {
		return err
	}
	t := newTable("tiers of kernels", "× AVX-512")
	for _, c := range list {
		var best *Report
		for _, tier := range []string{"avx512", "avx2", "plain"} {
			c.job.Tier = tier
			r, err := b.own(ctx, c.job)
			r = r.each()
			if tier == "avx512" {
				best = r
				t.row(c.name+", avx512", r, err)
				continue
			}
			t.row(tier, r, err, ratio(r, best))
		}
	}
	return nil
}
