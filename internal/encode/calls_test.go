package encode

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/record"
)

// genotypes has so many records of 0, 1 or 2 copies at every locus, some of them not known.
func genotypes(n, loci int, missing float64) *fake {
	r := rand.New(rand.NewPCG(8, 1))
	f := &fake{schema: record.Schema{Format: "genotypes", Kind: record.Counts, Dict: record.NewDict()}}
	for h := range loci {
		f.schema.Dict.Add(fmt.Sprintf("rs%d", h))
	}
	for lo := 0; lo < n; lo += 100 {
		b := &record.Batch{Ptr: []int{0}}
		for range min(100, n-lo) {
			for h := range loci {
				x := float64(r.IntN(3))
				if r.Float64() < missing {
					x = math.NaN()
				}
				if x != 0 {
					b.Feature, b.Value = append(b.Feature, uint32(h)), append(b.Value, x)
				}
			}
			b.Ptr = append(b.Ptr, len(b.Feature))
		}
		f.batches = append(f.batches, b)
	}
	return f
}

// Genotypes with missing calls are genotypes: counts without a blank, the same in memory and on
// disk and when they are read again to be placed, and the mean of a locus stays.
func TestMissingCalls(t *testing.T) {
	const n, loci = pass.BlockRecords + 400, 8
	src := func() *fake { return genotypes(n, loci, .1) }
	r := encode(t, src(), Settings{})
	d := held(r)
	if d.Kind != record.Counts || r.Summary.Plan.Calls == nil {
		t.Fatalf("kind %v, calls %v", d.Kind, r.Summary.Plan.Calls)
	}
	sums := make([]float64, loci)
	for i := range d.Len() {
		d.Rows.Each(i, func(h int, x float64) {
			if x != 1 && x != 2 {
				t.Fatalf("record %d has %v copies", i+1, x)
			}
			sums[h] += x
		})
	}
	for h, sum := range sums {
		if want := r.Summary.Plan.Calls.Mean[h]; numtest.Off(sum/n, want, 4/math.Sqrt(10*n)) { // a tenth is filled in, by at most .5 from the mean
			t.Errorf("locus %d has %.3f copies, want %.3f", h, sum/n, want)
		}
	}
	disk := encode(t, src(), Settings{TempDir: t.TempDir(), MaxMemory: 1})
	if disk.Set.Size() == 0 || disk.Fingerprint() != r.Fingerprint() {
		t.Error("disk and memory differ")
	}
	if known := encode(t, genotypes(n, loci, 0), Settings{}); known.Summary.Plan.Calls != nil {
		t.Error("calls are filled in where none is missing")
	}
	few := encode(t, genotypes(300, loci, .1), Settings{})
	got, _ := applied(t, genotypes(300, loci, .1), few)
	want := *held(few)
	for i := range want.Len() {
		want.IDs = append(want.IDs, fmt.Sprint(i+1))
	}
	if got.Fingerprint() != want.Fingerprint() {
		t.Error("records that are read again have other calls")
	}
}
