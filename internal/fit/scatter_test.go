package fit

import (
	"path/filepath"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/agree"
	"github.com/moiety-go/moiety/internal/assign"
	"github.com/moiety-go/moiety/internal/family/singletopic"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/warn"
)

// drawnScattered are counts of three groups whose variance is m(1+.8m) for a mean of m:
// every fifth feature is frequent and alike in all groups, and some of the others are so
// many times as frequent in one.
func drawnScattered(t *testing.T, n int, times float64) (Training, []int) {
	t.Helper()
	const d, length, delta = 60, 800., .8
	r := stream.New(3, "test/scattered")
	centers, calm := mat.NewDense(d, 3, nil), mat.NewDense(d, 1, nil)
	for h := range d {
		for j := range 3 {
			v := .3 + r.Float64()
			switch {
			case h%5 == 0:
				v = 25
			case h%5 <= 3 && h/5%3 == j:
				v *= times
			}
			centers.Set(h, j, v)
		}
	}
	for j := range 3 {
		column := mat.Col(nil, j, centers)
		total := 0.0
		for _, v := range column {
			total += v
		}
		for h, v := range column {
			centers.Set(h, j, v/total)
			calm.Set(h, 0, 1/(1+delta*length*v/total))
		}
	}
	f, err := singletopic.New(singletopic.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p := mixture.New(centers, []float64{.4, .3, .3}).With(singletopic.Calm, calm)
	draw, err := f.Sample(p, r, n, family.Shape{Lengths: []int{500, 800, 1100}})
	if err != nil {
		t.Fatal(err)
	}
	data := documentsOf(draw.Rows)
	data.Vocab.System = ""
	return data, draw.Labels
}

func agreement(t *testing.T, group []int32, labels []int) float64 {
	t.Helper()
	got := make([]int, len(group))
	for i, g := range group {
		got[i] = int(g)
	}
	ari, err := agree.ARI(got, labels)
	if err != nil {
		t.Fatal(err)
	}
	return ari
}

// Counts that scatter more than chance are told apart by what they weigh, by the fit and
// by its file; a model that was named takes them as they are.
func TestScatteredCounts(t *testing.T) {
	data, labels := drawnScattered(t, 400, 3)
	out, err := Flat(t.Context(), data, Settings{K: 3, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	noted := func(m *model.Model) bool {
		return slices.ContainsFunc(m.Provenance.Warnings, func(w warn.Warning) bool { return w.Code == "scatter" })
	}
	if ari := agreement(t, out.Group, labels); ari < .85 || !noted(out.Model) {
		t.Errorf("ARI %.2f, said %v", ari, noted(out.Model))
	}
	for j := range 3 {
		if sum := mat.Sum(out.Model.Params.Centers.ColView(j)); sum < 1-1e-9 || sum > 1+1e-9 {
			t.Errorf("shares of group %d add up to %v", j+1, sum)
		}
	}
	path := filepath.Join(t.TempDir(), "model.moiety")
	if err := out.Model.Save(path); err != nil {
		t.Fatal(err)
	}
	read, err := model.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	fam, err := read.Family()
	if err != nil {
		t.Fatal(err)
	}
	placed, err := assign.All(t.Context(), fam, read.Params, data.Run)
	if err != nil || !slices.Equal(placed.Group, out.Group) {
		t.Errorf("the file places records differently (%v)", err)
	}
	plain, err := Flat(t.Context(), data, Settings{K: 3, Seed: 1, Spec: model.Spec{Model: "single-topic"}})
	if err != nil {
		t.Fatal(err)
	}
	if ari := agreement(t, plain.Group, labels); ari > .7 || noted(plain.Model) {
		t.Errorf("single-topic asked for: ARI %.2f, said %v", ari, noted(plain.Model))
	}
}

// The groups of the verdict keep the weights: EM over all records does not go back to the
// law that knows only chance.
func TestScatteredTree(t *testing.T) {
	data, labels := drawnScattered(t, 400, 4)
	out, err := Tree(t.Context(), data, Settings{Seed: 1, Tree: TreeShape{Stability: "off"}})
	if err != nil {
		t.Fatal(err)
	}
	if out.Verdict.Groups != 3 || out.Tree.Leaves == nil || out.Tree.Leaves.Extra[singletopic.Calm] == nil {
		t.Fatalf("%d groups (%v), want 3 with weights", out.Verdict.Groups, out.Verdict.Range)
	}
	if ari := agreement(t, out.Group, labels); ari < .85 {
		t.Errorf("ARI %.2f", ari)
	}
}
