package binomial_test

import (
	"bufio"
	"compress/gzip"
	"context"
	"os"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/decompose"
	"github.com/moiety-go/moiety/family/familytest"
	"github.com/moiety-go/moiety/internal/agree"
	"github.com/moiety-go/moiety/internal/assign"
	"github.com/moiety-go/moiety/internal/refine"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// TestGenomes: seven groups of 159 people by 5000 allele counts against the
// region that they come from.
func TestGenomes(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: long: 159 records of 5000 allele counts")
	}
	rows := genotypes(t, familytest.Data(t, "hgdp", "genotypes.txt.gz"))
	text, err := os.ReadFile(familytest.Data(t, "hgdp", "labels.txt"))
	if err != nil {
		t.Fatal(err)
	}
	numbers := map[string]int{}
	var labels []int
	for _, l := range strings.Fields(string(text)) {
		if _, ok := numbers[l]; !ok {
			numbers[l] = len(numbers)
		}
		labels = append(labels, numbers[l])
	}
	ctx, f, run := context.Background(), newFamily(t, 0), pass.NewLocal(rows, 0)
	src, err := f.Source(ctx, run, 7)
	if err != nil {
		t.Fatal(err)
	}
	r, err := decompose.Auto(ctx, src, 7, decompose.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, _, err := f.Normalise(ctx, src, r.Params)
	if err != nil {
		t.Fatal(err)
	}
	e, err := refine.EM(ctx, f, run, p, refine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	a, err := assign.All(ctx, f, e.Params, run)
	if err != nil {
		t.Fatal(err)
	}
	got, err := agree.ARI(a.Labels(), labels)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("ARI %.3f", got)
	if got < .7 { // measured .848 for the best of the answers
		t.Errorf("ARI with the region is %.3f", got)
	}
}

// genotypes reads lines of digits 0, 1, 2.
func genotypes(t *testing.T, path string) sparse.Rows {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var build *sparse.Builder
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		line := lines.Text()
		if build == nil {
			build = sparse.NewBuilder(len(line), false)
		}
		var index []uint32
		var value []float32
		for h, c := range line {
			if c != '0' {
				index, value = append(index, uint32(h)), append(value, float32(c-'0'))
			}
		}
		if err := build.Add(index, value); err != nil {
			t.Fatal(err)
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return build.Rows()
}
