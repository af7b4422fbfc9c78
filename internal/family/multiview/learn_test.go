package multiview

import (
	"context"
	"testing"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/family/familytest"
	"github.com/moiety-go/moiety/internal/agree"
	"github.com/moiety-go/moiety/internal/family/bernoulli"
	"github.com/moiety-go/moiety/internal/family/categorical"
	"github.com/moiety-go/moiety/internal/family/gaussian"
	"github.com/moiety-go/moiety/internal/family/hmm"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
)

// Errors of all views fall like 1/√n, with records that lack views among them.
func TestRate(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	const rate = 2.5 // of 4 expected from 16 times the records
	const seeds = 3
	for _, missing := range []bool{false, true} {
		f, p := three(t, 3)
		var first []float64
		for _, n := range []int{4000, 16000, 64000} {
			mean := make([]float64, 3)
			for seed := range uint64(seeds) {
				draw, err := f.Sample(p, stream.New(seed, "rate"), n, family.Shape{})
				if err != nil {
					t.Fatal(err)
				}
				if missing {
					draw.Rows = holes(f, draw)
				}
				for i, e := range relative(t, f, familytest.Learn(t, f, draw.Runner(0), 3, 0), p) {
					mean[i] += e / seeds
				}
			}
			t.Logf("missing %v, n=%d: relative errors %.4f", missing, n, mean)
			if first == nil {
				first = mean
			}
			for i, e := range mean {
				if n == 64000 && e > first[i]/rate {
					t.Errorf("n=%d: view %d off by %.4f after %.4f at 4000", n, i+1, e, first[i])
				}
			}
		}
	}
}

// Two views: the larger is split for the moments.
func TestTwoViews(t *testing.T) {
	f, err := New(Options{Views: []View{
		{Name: "codes", From: 0, To: 12, Family: bernoulli.New(bernoulli.Options{})},
		{Name: "labs", From: 12, To: 17, Family: gaussian.New(gaussian.Options{})},
	}})
	if err != nil {
		t.Fatal(err)
	}
	p := joined(t, f, 3)
	draw, err := f.Sample(p, stream.New(1, "two"), 8000, family.Shape{})
	if err != nil {
		t.Fatal(err)
	}
	start := relative(t, f, familytest.Learn(t, f, draw.Runner(0), 3, 0), p)
	after := relative(t, f, familytest.Learn(t, f, draw.Runner(0), 3, 10), p)
	t.Logf("two views, n=8000: relative errors %.3f, after 10 steps of EM %.3f", start, after)
	if start[0] > 0.15 || start[1] > 0.02 || after[0] > 0.04 || after[1] > 0.002 {
		t.Errorf("relative errors %.3f, after EM %.3f", start, after)
	}
}

// A family that settles from its own moments only learns from the partition.
func TestPartition(t *testing.T) {
	answers, err := categorical.New(categorical.Options{Blocks: [][2]int{{0, 4}, {4, 8}}})
	if err != nil {
		t.Fatal(err)
	}
	f, err := New(Options{Views: []View{
		{Name: "codes", From: 0, To: 12, Family: bernoulli.New(bernoulli.Options{})},
		{Name: "labs", From: 12, To: 17, Family: gaussian.New(gaussian.Options{})},
		{Name: "answers", From: 17, To: 25, Family: answers},
	}})
	if err != nil {
		t.Fatal(err)
	}
	p := joined(t, f, 3)
	for j := range 3 { // probabilities of each question add up to 1
		for _, from := range []int{17, 21} {
			sum := 0.0
			for h := from; h < from+4; h++ {
				sum += p.Centers.At(h, j)
			}
			for h := from; h < from+4; h++ {
				p.Centers.Set(h, j, p.Centers.At(h, j)/sum)
			}
		}
	}
	draw, err := f.Sample(p, stream.New(2, "partition"), 6000, family.Shape{})
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := f.views[2].Family.(grouped); !ok {
		t.Skip("the categorical family does not learn from partitions")
	}
	after := relative(t, f, familytest.Learn(t, f, draw.Runner(0), 3, 10), p)
	t.Logf("with a categorical view, n=6000: relative errors after 10 steps of EM %.3f", after)
	if after[0] > 0.1 || after[1] > 0.01 || after[2] > 0.1 {
		t.Errorf("relative errors %.3f", after)
	}
}

// Views that tell different stories of some records are found out.
func TestAgreement(t *testing.T) {
	f, p := three(t, 3)
	draw, err := f.Sample(p, stream.New(3, "agreement"), 5000, family.Shape{})
	if err != nil {
		t.Fatal(err)
	}
	// Ten records get the measurements of a record of another group.
	swapped := map[int]bool{}
	for i := 0; len(swapped) < 10; i++ {
		if a, b := 100+i, 3000+i; draw.Labels[a] != draw.Labels[b] {
			copy(draw.Rows.DenseRow(a)[8:14], draw.Rows.DenseRow(b)[8:14])
			swapped[a] = true
		}
	}
	rep, err := f.Agreement(context.Background(), draw.Runner(0), p)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range rep.Views {
		t.Logf("%s: %d records, ARI %.3f, overlap %.3f, by group %.3f", v.Name, v.Records, v.ARI, v.Overlap, v.Components)
		if v.Records != 5000 || v.ARI < 0.3 || v.Overlap < 0.7 {
			t.Errorf("view %s: %+v", v.Name, v)
		}
	}
	if len(rep.Records) != mostRecords {
		t.Fatalf("%d records named", len(rep.Records))
	}
	found := 0
	for i, d := range rep.Records {
		if swapped[d.Record] {
			found++
		}
		if i > 0 && d.Overlap < rep.Records[i-1].Overlap {
			t.Error("the worst record does not come first")
		}
	}
	if found < 5 {
		t.Errorf("%d of 10 swapped records among the %d that disagree most", found, mostRecords)
	}
	joint := make([]int, 5000)
	post := make([]float64, 5000*3)
	if err := f.Posterior(p, pass.Block{Rows: draw.Rows}, post); err != nil {
		t.Fatal(err)
	}
	for i := range joint {
		joint[i] = largest(post[i*3:][:3])
	}
	if ari, _ := agree.ARI(joint, draw.Labels); ari < 0.95 {
		t.Errorf("all views together find the groups with ARI %.3f", ari)
	}
	one := draw
	one.Rows = holes(f, draw)
	rep, err = f.Agreement(context.Background(), one.Runner(0), p)
	if err != nil || rep.Views[0].Records >= 5000 {
		t.Errorf("%v; missing views are counted: %+v", err, rep.Views[0])
	}
}

func TestNew(t *testing.T) {
	g := gaussian.New(gaussian.Options{})
	for name, views := range map[string][]View{
		"one view":      {{From: 0, To: 3, Family: g}},
		"a gap":         {{From: 0, To: 3, Family: g}, {From: 4, To: 6, Family: g}},
		"empty":         {{From: 0, To: 3, Family: g}, {From: 3, To: 3, Family: g}},
		"no family":     {{From: 0, To: 3, Family: g}, {From: 3, To: 4}},
		"a chain":       {{From: 0, To: 3, Family: g}, {From: 3, To: 5, Family: hmm.New(hmm.Options{})}},
		"too small":     {{From: 0, To: 1, Family: g}, {From: 1, To: 2, Family: g}},
		"four of views": {{From: 0, To: 1, Family: g}, {From: 1, To: 2, Family: g}, {From: 2, To: 3, Family: g}, {From: 3, To: 4, Family: g}},
	} {
		if _, err := New(Options{Views: views}); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
	f, p := three(t, 2)
	if q, err := f.Of(p, 1); err != nil || q.Dim() != 6 || q.Extra[gaussian.VarianceOf] == nil {
		t.Errorf("parameters of view 2: %v, %v", q, err)
	}
	if _, err := f.Of(p, 3); err == nil {
		t.Error("view 4 of three is accepted")
	}
	if _, err := f.Join(p.Weights, []mixture.Params{p}); err == nil {
		t.Error("parameters of one view for three are accepted")
	}
}
