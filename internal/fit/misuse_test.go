package fit_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/decompose"
	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/assign"
	"github.com/moiety-go/moiety/internal/family/bernoulli"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/internal/refine"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/internal/tree"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"
)

// The library called wrongly: an error that names what is wrong, never a panic.
func TestMisuse(t *testing.T) {
	ctx := context.Background()
	rows, err := sparse.FromTable([][]float64{{1, 0, 1}, {0, 1, 1}, {1, 1, 0}, {0, 0, 1}}, 3, true)
	if err != nil {
		t.Fatal(err)
	}
	run, names := pass.NewLocal(rows, 1), vocab.Numbered(3)
	good := fit.Training{Run: run, Vocab: names, Kind: record.Presence}
	with := func(change func(*fit.Training)) fit.Training { d := good; change(&d); return d }
	flat := func(d fit.Training, s fit.Settings) error { _, err := fit.Flat(ctx, d, s); return err }
	fam := bernoulli.New(bernoulli.Options{})
	params := mixture.New(mat.NewDense(3, 2, []float64{.5, .2, .1, .9, .5, .5}), []float64{.5, .5})
	em := func(f family.Family, r pass.Runner, p mixture.Params) error {
		_, err := refine.EM(ctx, f, r, p, refine.Options{})
		return err
	}
	exact := moment.NewExact(params)
	broken := rows
	broken.Ptr = []int{0, 2, 1, 3, 9}
	foreign := sparse.Rows{Dim: 3, Ptr: []int{0, 1}, Index: []uint32{7}}
	path := filepath.Join(t.TempDir(), "file")

	calls := []struct {
		what, names string
		call        func() error
	}{
		{"no number of groups", "Settings.K", func() error { return flat(good, fit.Settings{}) }},
		{"a negative number of groups", "-1 groups", func() error { return flat(good, fit.Settings{K: -1}) }},
		{"no data", "Training.Run", func() error { return flat(fit.Training{}, fit.Settings{K: 2}) }},
		{"no runner", "Training.Run", func() error { return flat(with(func(d *fit.Training) { d.Run = nil }), fit.Settings{K: 2}) }},
		{"no names", "Training.Vocab", func() error { return flat(with(func(d *fit.Training) { d.Vocab = nil }), fit.Settings{K: 2}) }},
		{"other names", "Training.Vocab", func() error {
			return flat(with(func(d *fit.Training) { d.Vocab = vocab.Numbered(5) }), fit.Settings{K: 2})
		}},
		{"rows that name features beyond the last", "Training.Run", func() error {
			return flat(with(func(d *fit.Training) { d.Run = pass.NewLocal(foreign, 1) }), fit.Settings{K: 2})
		}},
		{"broken rows", "Ptr", func() error {
			return flat(with(func(d *fit.Training) { d.Run = pass.NewLocal(broken, 1) }), fit.Settings{K: 2})
		}},
		{"no records", "no record", func() error {
			none := sparse.Rows{Dim: 3, Ptr: []int{0}}
			return flat(fit.Training{Run: pass.NewLocal(none, 1), Vocab: names, Kind: record.Presence}, fit.Settings{K: 2})
		}},
		{"an unknown model", "model", func() error { return flat(good, fit.Settings{K: 2, Spec: model.Spec{Model: "lca"}}) }},
		{"an unknown method", "method", func() error { return flat(good, fit.Settings{K: 2, Method: "magic"}) }},
		{"an unknown refinement", "refinement", func() error { return flat(good, fit.Settings{K: 2, Refine: "yes"}) }},
		{"more groups than records", "5000", func() error { return flat(good, fit.Settings{K: 5000}) }},
		{"a tree without data", "Training.Run", func() error { _, err := fit.Tree(ctx, fit.Training{}, fit.Settings{}); return err }},
		{"a tree and a number", "tree", func() error { return flat(good, fit.Settings{K: 2, Tree: fit.TreeShape{Leaves: 3}}) }},
		{"a tree without a family", "Family", func() error { _, err := tree.Grow(ctx, pass.NewLocal(rows, 0), tree.Settings{}); return err }},
		{"a tree without records", "records", func() error {
			_, err := tree.Grow(ctx, pass.NewLocal(sparse.Rows{Dim: 3}, 0), tree.Settings{Family: fam, Vocab: names})
			return err
		}},
		{"a tree of broken rows", "Ptr", func() error {
			_, err := tree.Grow(ctx, pass.NewLocal(broken, 0), tree.Settings{Family: fam, Vocab: names})
			return err
		}},
		{"a tree with other names", "Vocab", func() error {
			_, err := tree.Grow(ctx, pass.NewLocal(rows, 0), tree.Settings{Family: fam, Vocab: vocab.Numbered(9)})
			return err
		}},
		{"a splitter that is none", "splitter", func() error {
			_, err := tree.Grow(ctx, pass.NewLocal(rows, 0), tree.Settings{Family: fam, Vocab: names, Splitter: "axe"})
			return err
		}},
		{"a row longer than the dimension", "dim", func() error { _, err := sparse.FromTable([][]float64{{1, 0, 1, 1}}, 3, true); return err }},
		{"a 2 among presences", "binary", func() error { _, err := sparse.FromTable([][]float64{{1, 0, 2}}, 3, true); return err }},
		{"a feature beyond the dimension", "feature", func() error { return sparse.NewBuilder(3, true).Add([]uint32{3}, nil) }},
		{"values that are too few", "value", func() error { return sparse.NewBuilder(3, false).Add([]uint32{0, 1}, []float32{1}) }},
		{"a data set without names", "Vocab", func() error { return (&dataset.Dataset{Rows: rows}).Check() }},
		{"an empty data set", "Vocab", func() error { return (&dataset.Dataset{}).Check() }},
		{"a data set of broken rows", "Ptr", func() error { return (&dataset.Dataset{Rows: broken, Vocab: names}).Check() }},
		{"too few ids", "ids", func() error { return (&dataset.Dataset{Rows: rows, Vocab: names, IDs: []string{"a"}}).Check() }},
		{"steps that fall", "Steps", func() error { return (&dataset.Dataset{Rows: rows, Vocab: names, Steps: []int{0, 3, 2}}).Check() }},
		{"an empty data set, written", "Vocab", func() error { return dataset.Write(path, &dataset.Dataset{}) }},
		{"a writer without names", "Vocab", func() error { _, err := dataset.NewWriter(path, dataset.Header{}); return err }},
		{"no parameters", "Centers", func() error { return mixture.Params{}.Check() }},
		{"no parameters of a family", "Centers", func() error { return fam.Check(mixture.Params{}) }},
		{"an empty model", "Vocab", func() error { return (&model.Model{}).Check() }},
		{"an empty model, saved", "Vocab", func() error { return (&model.Model{}).Save(path) }},
		{"a model without parameters", "Centers", func() error { return (&model.Model{Spec: model.Spec{Model: "bernoulli"}, Vocab: names}).Check() }},
		{"an unknown family", "model", func() error { _, err := (model.Spec{}).Family(names); return err }},
		{"a model that is no file", "no such file", func() error { _, err := model.Load(path + "missing"); return err }},
		{"EM without a family", "family", func() error { return em(nil, run, params) }},
		{"EM without records", "runner", func() error { return em(fam, nil, params) }},
		{"EM without a start", "Centers", func() error { return em(fam, run, mixture.Params{}) }},
		{"EM with a start of other features", "features", func() error {
			return em(fam, run, mixture.New(mat.NewDense(2, 2, []float64{.5, .5, .5, .5}), []float64{.5, .5}))
		}},
		{"no moments", "source", func() error { _, err := decompose.SVTD(ctx, nil, 2, decompose.Options{}); return err }},
		{"no components", "0", func() error { _, err := decompose.SVTD(ctx, exact, 0, decompose.Options{}); return err }},
		{"more components than features", "4", func() error { _, err := decompose.SVTD(ctx, exact, 4, decompose.Options{}); return err }},
		{"negative components", "-1", func() error { _, err := decompose.TPM(ctx, exact, -1, decompose.Options{}); return err }},
		{"a sample of no parameters", "Centers", func() error {
			_, err := fam.Sample(mixture.Params{}, stream.New(1, "misuse"), 3, family.Shape{})
			return err
		}},
		{"records placed without parameters", "Centers", func() error { _, err := assign.All(ctx, fam, mixture.Params{}, run); return err }},
		{"a share of a sample that is none", "step", func() error { _, err := pass.Sample(ctx, run, 0); return err }},
	}
	for _, c := range calls {
		var err error
		if caught := par.Catch(func() { err = c.call() }); caught != nil {
			t.Errorf("%s: %v\n%s", c.what, caught, caught.Stack)
			continue
		}
		if err == nil {
			t.Errorf("%s: no error", c.what)
		} else if !strings.Contains(err.Error(), c.names) {
			t.Errorf("%s: %q does not name %q", c.what, err, c.names)
		}
	}
	t.Logf("%d wrong calls", len(calls))
}
