package lca_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/family/categorical"
	"github.com/moiety-go/moiety/internal/lca"
	"github.com/moiety-go/moiety/internal/lca/lcatest"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/refine"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

var ctx = context.Background()

func gather(t *testing.T, rows sparse.Rows, q []family.Question) *lca.Table {
	t.Helper()
	table, err := lca.Gather(ctx, pass.NewLocal(rows, 2), q, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// TestEveryReferenceCell: the best likelihood that two other programs reach with
// fifty starts, and a third with up to two thousand, is reached in every cell
// without being given the number of starts.
func TestEveryReferenceCell(t *testing.T) {
	const short = 0.01 // nats
	figures := lcatest.Reference(t)
	sets := lcatest.Sets[:numtest.Scale(5, len(lcatest.Sets), len(lcatest.Sets))]
	cells := 0
	for _, name := range sets {
		set := lcatest.Load(t, name, false)
		table := gather(t, set.Rows, set.Questions)
		for k := 1; k <= 5; k++ {
			want, ok := lcatest.Best(figures, name, k)
			if !ok {
				continue
			}
			cells++
			for seed := range uint64(numtest.Scale(1, 1, 5)) {
				found, err := table.Search(ctx, k, lca.Options{Seed: seed + 1})
				if err != nil {
					t.Fatal(err)
				}
				if numtest.Off(found.LogLikelihood, want, short) || found.Reached < 1 || found.Reached > found.Starts {
					t.Errorf("%s, %d classes, seed %d: %.4f, want %.4f; %d of %d starts", name, k, seed+1, found.LogLikelihood, want, found.Reached, found.Starts)
				}
			}
		}
	}
	if cells < 15 {
		t.Errorf("only %d cells were compared", cells)
	}
}

// TestSameOnAnyCores: the answer has the same bits on one core and on eight.
func TestSameOnAnyCores(t *testing.T) {
	table := drawn(t, 400)
	one, err := table.Search(ctx, 3, lca.Options{Seed: 3, Workers: 1})
	eight, err2 := table.Search(ctx, 3, lca.Options{Seed: 3, Workers: 8})
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	numtest.SameBits(t, "probabilities", one.P, eight.P)
	if one.LogLikelihood != eight.LogLikelihood || one.Starts != eight.Starts || one.Reached != eight.Reached {
		t.Errorf("%v and %v", one.LogLikelihood, eight.LogLikelihood)
	}
}

// truth are two classes that answer three questions of 2, 3 and 2 answers, the
// last a presence.
func truth() (mixture.Params, []family.Question) {
	p := mixture.New(mat.NewDense(6, 2, []float64{
		.9, .2,
		.1, .8,
		.7, .1,
		.2, .3,
		.1, .6,
		.15, .75,
	}), []float64{.6, .4})
	return p, []family.Question{{From: 0, To: 2}, {From: 2, To: 5}, {From: 5, To: 6, Presence: true}}
}

// drawn returns n records of truth, of which every seventh lacks an answer.
func drawn(t *testing.T, n int) *lca.Table {
	t.Helper()
	p, q := truth()
	b := sparse.NewBuilder(6, true)
	for i := range n {
		var err error
		switch i % 7 {
		case 0:
			err = b.Add([]uint32{0, 5}, nil)
		default:
			err = b.Add([]uint32{0, 2}, nil)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	shape := gather(t, b.Rows(), q)
	return shape.Draw(shape.Model(p), stream.New(5, "test"))
}

// TestTwin: the likelihood is that of a sum over classes by hand, and a climb
// ends where the family's own EM ends.
func TestTwin(t *testing.T) {
	p, q := truth()
	rows := []([]uint32){{0, 2, 5}, {1, 4}, {0}, {1, 3, 5}}
	b := sparse.NewBuilder(6, true)
	for _, r := range rows {
		if err := b.Add(r, nil); err != nil {
			t.Fatal(err)
		}
	}
	table := gather(t, b.Rows(), q)
	// By hand: answers of the first two questions, and the presence or not.
	want := math.Log(.6*.9*.7*.15+.4*.2*.1*.75) + math.Log(.6*.1*.1*.85+.4*.8*.6*.25) +
		math.Log(.6*.9*.85+.4*.2*.25) + math.Log(.6*.1*.2*.15+.4*.8*.3*.75)
	if got := table.LogLikelihood(table.Model(p)); numtest.Off(got, want, 1e-13) {
		t.Errorf("log-likelihood %v, want %v", got, want)
	}
}

func TestClimbEndsAtTheMaximum(t *testing.T) {
	set := lcatest.Load(t, "gss82", false)
	table := gather(t, set.Rows, set.Questions)
	f, err := categorical.New(categorical.Options{Blocks: set.Blocks()})
	if err != nil {
		t.Fatal(err)
	}
	found, err := table.Search(ctx, 3, lca.Options{Starts: 40})
	if err != nil {
		t.Fatal(err)
	}
	if found.Starts != 40 {
		t.Errorf("%d starts, want 40", found.Starts)
	}
	p := table.Params(found.Model, mixture.Params{})
	r, err := refine.Steps(ctx, f, pass.NewLocal(set.Rows, 2), p, 50, refine.Options{Pseudo: -1, Exact: true})
	if err != nil {
		t.Fatal(err)
	}
	if gain := r.LogLikelihood - r.Trace[0]; gain > 1e-9 || numtest.Off(r.Trace[0], found.LogLikelihood, 1e-8) {
		t.Errorf("50 steps of the family's EM gain %v from %v (%v here)", gain, r.Trace[0], found.LogLikelihood)
	}
}

// TestDrawKeepsBlanks: records drawn lack the answers that those of the table
// lack, and the shares of answers are the model's.
func TestDrawKeepsBlanks(t *testing.T) {
	table := drawn(t, 70000)
	if table.Records() != 70000 {
		t.Fatalf("%d records", table.Records())
	}
	found, err := table.Search(ctx, 2, lca.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, _ := truth()
	centers, weights := numtest.Matched(table.Params(found.Model, mixture.Params{}), p)
	if centers > .03 || weights > .03 {
		t.Errorf("centers differ by %v, weights by %v", centers, weights)
	}
}

func TestRefusals(t *testing.T) {
	p, q := truth()
	rows := sparse.FromDense([][]float64{{1, 0, 0, 0, 1, 2}}, 6, false)
	if _, err := lca.Gather(ctx, pass.NewLocal(rows, 1), q, 10); err == nil {
		t.Error("a 2 was taken for an answer")
	}
	if _, err := lca.Gather(ctx, pass.NewLocal(rows, 1), q[:2], 10); err == nil {
		t.Error("fewer questions than features were accepted")
	}
	many := sparse.FromDense([][]float64{{1, 0, 0, 0, 1, 1}, {0, 1, 0, 0, 1, 1}}, 6, true)
	if _, err := lca.Gather(ctx, pass.NewLocal(many, 1), q, 1); err != lca.ErrMany {
		t.Errorf("two different records, one allowed: %v", err)
	}
	table := gather(t, many, q)
	if _, err := table.Search(ctx, 0, lca.Options{}); err == nil {
		t.Error("no classes were accepted")
	}
	stopped, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := table.Search(stopped, 2, lca.Options{Given: []lca.Model{table.Model(p)}}); err == nil {
		t.Error("a search went on after it was cancelled")
	}
	start := table.Model(p)
	if m, _ := table.EM(stopped, start, 0, 1<<40); !slices.Equal(m.P, start.P) {
		t.Error("a climb went on after it was cancelled")
	}
}
