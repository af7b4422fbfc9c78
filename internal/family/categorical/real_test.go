package categorical_test

import (
	"context"
	"encoding/csv"
	"os"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/decompose"
	"github.com/moiety-go/moiety/family/familytest"
	"github.com/moiety-go/moiety/internal/agree"
	"github.com/moiety-go/moiety/internal/assign"
	"github.com/moiety-go/moiety/internal/family/categorical"
	"github.com/moiety-go/moiety/internal/refine"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// table reads a CSV file.
func table(t *testing.T, path string) [][]string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	records, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return records
}

// encode makes one-hot rows of the answers, "?" being none, and numbers the
// labels.
func encode(t *testing.T, answers [][]string, labels []string) (categorical.Family, sparse.Rows, []int) {
	t.Helper()
	questions := len(answers[0])
	places := make([]map[string]int, questions)
	var blocks [][2]int
	d := 0
	for q := range questions {
		places[q] = map[string]int{}
		for _, row := range answers {
			if _, seen := places[q][row[q]]; !seen && row[q] != "?" {
				places[q][row[q]] = d + len(places[q])
			}
		}
		blocks = append(blocks, [2]int{d, d + len(places[q])})
		d += len(places[q])
	}
	f, err := categorical.New(categorical.Options{Blocks: blocks})
	if err != nil {
		t.Fatal(err)
	}
	build := sparse.NewBuilder(d, true)
	for _, row := range answers {
		var index []uint32
		for q, v := range row {
			if h, ok := places[q][v]; ok {
				index = append(index, uint32(h))
			}
		}
		if err := build.Add(index, nil); err != nil {
			t.Fatal(err)
		}
	}
	numbers, out := map[string]int{}, make([]int, len(labels))
	for i, l := range labels {
		if _, ok := numbers[l]; !ok {
			numbers[l] = len(numbers)
		}
		out[i] = numbers[l]
	}
	return f, build.Rows(), out
}

// fit goes from rows to the best of the refined answers.
func fit(t *testing.T, f categorical.Family, run *pass.Local, k int) *refine.Result {
	t.Helper()
	ctx := context.Background()
	src, err := f.Source(ctx, run, k)
	if err != nil {
		t.Fatal(err)
	}
	r, err := decompose.Auto(ctx, src, k, decompose.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var best *refine.Result
	for _, raw := range append([]mixture.Params{r.Params}, r.Alternatives...) {
		p, _, err := f.Normalise(ctx, src, raw)
		if err != nil {
			t.Fatal(err)
		}
		e, err := refine.EM(ctx, f, run, p, refine.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if best == nil || e.Objective() > best.Objective() {
			best = e
		}
	}
	return best
}

func ari(t *testing.T, f categorical.Family, run *pass.Local, p mixture.Params, labels []int) float64 {
	t.Helper()
	a, err := assign.All(context.Background(), f, p, run)
	if err != nil {
		t.Fatal(err)
	}
	v, err := agree.ARI(a.Labels(), labels)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestHouseVotes: two groups of the 435 members of 1984, by 16 votes of which
// 392 are missing, against their party. The objective must be no lower than
// what EM reaches from the parties themselves.
func TestHouseVotes(t *testing.T) {
	records := table(t, familytest.Data(t, "house-votes-84", "house-votes-84.data"))
	var answers [][]string
	var party []string
	for _, r := range records {
		for i := range r {
			r[i] = strings.TrimSpace(r[i])
		}
		party, answers = append(party, r[0]), append(answers, r[1:])
	}
	f, rows, labels := encode(t, answers, party)
	if rows.N() != 435 || rows.NNZ() != 435*16-392 {
		t.Fatalf("%d records with %d answers", rows.N(), rows.NNZ())
	}
	run := pass.NewLocal(rows, 0)
	best := fit(t, f, run, 2)
	from, err := refine.EM(context.Background(), f, run, shares(rows, labels, 2), refine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	got := ari(t, f, run, best.Params, labels)
	t.Logf("ARI %.3f, objective %.2f, from the parties %.2f", got, best.Objective(), from.Objective())
	if best.Objective() < from.Objective()-.1 { // EM stops at a relative gain of 1e-6
		t.Errorf("objective %v, from the parties %v", best.Objective(), from.Objective())
	}
	if got < .5 { // measured .544
		t.Errorf("ARI with the party is %.3f", got)
	}
}

// shares returns the model of the labelled groups, with one record of the
// whole added to each.
func shares(rows sparse.Rows, labels []int, k int) mixture.Params {
	d := rows.Dim
	sum, weights := mat.NewDense(d, k, nil), make([]float64, k)
	for i, l := range labels {
		weights[l] += 1 / float64(len(labels))
		index, _ := rows.Row(i)
		for _, h := range index {
			sum.Set(int(h), l, sum.At(int(h), l)+1)
		}
	}
	for h := 0; h < d; h += 2 { // questions of two answers
		for j := range k {
			yes, no := sum.At(h, j)+.5, sum.At(h+1, j)+.5
			sum.Set(h, j, yes/(yes+no))
			sum.Set(h+1, j, no/(yes+no))
		}
	}
	return mixture.New(sum, weights)
}

// TestZoo: five groups of 101 animals by 16 properties against their seven
// types.
func TestZoo(t *testing.T) {
	records := table(t, familytest.Data(t, "classics", "zoo.csv"))[1:]
	var answers [][]string
	var types []string
	for _, r := range records {
		answers, types = append(answers, r[1:17]), append(types, r[17])
	}
	f, rows, labels := encode(t, answers, types)
	run := pass.NewLocal(rows, 0)
	got := ari(t, f, run, fit(t, f, run, 5).Params, labels)
	t.Logf("ARI %.3f", got)
	if got < .8 { // measured .871
		t.Errorf("ARI with the types is %.3f", got)
	}
}
