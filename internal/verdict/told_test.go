package verdict_test

import (
	"testing"

	"github.com/moiety-go/moiety/internal/agree"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/internal/verdict"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// toldARI is how well k clouds agree with labels.
func toldARI(t *testing.T, rows sparse.Rows, labels []int, k, workers int) (ari float64, group []int, form *verdict.Form) {
	t.Helper()
	run := pass.NewLocal(rows, workers)
	f, form, err := verdict.Clouds(t.Context(), run, k, verdict.Settings{Seed: 1, Workers: workers})
	if err != nil {
		t.Fatal(err)
	}
	placed := make([]int32, rows.N())
	if _, err := run.Own(t.Context(), func(b pass.Block) error {
		f.Place(b, placed[b.First:][:b.N()])
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	for _, g := range placed {
		group = append(group, int(g))
	}
	ari, err = agree.ARI(group, labels)
	if err != nil {
		t.Fatal(err)
	}
	return ari, group, form
}

// Long groups side by side are parted where their number is told, whatever the
// draw: starts from one reading alone end elsewhere in some.
func TestToldLongGroups(t *testing.T) {
	for seed := range uint64(12) {
		rows, labels := stretched(100+seed, 400, 3, 5)
		if ari, _, form := toldARI(t, rows, labels, 3, 2); ari < .9 {
			t.Errorf("seed %d: ARI %.2f, %s", seed, ari, form.Shape)
		}
	}
}

// Where the number is told, a record far out is no group of its own; and a table
// of few records for its columns is not parted along what correlations it seems to
// have.
func TestToldFewAndFarOut(t *testing.T) {
	r := stream.New(1, "test/told")
	rows, labels := sparse.Rows{Dim: 12}, []int{}
	for i := range 60 {
		labels = append(labels, i%2)
		for h := range 12 {
			x := r.NormFloat64() + 2.5*float64(labels[i])*float64(h%2)
			if i == 7 && h == 0 {
				x = 40
			}
			rows.Dense = append(rows.Dense, x)
		}
	}
	ari, one, form := toldARI(t, rows, labels, 2, 1)
	if ari < .9 || form.Shape == "tied" || form.Shape == "full" {
		t.Errorf("ARI %.2f, %s", ari, form.Shape)
	}
	if _, eight, _ := toldARI(t, rows, labels, 2, 8); !equal(one, eight) {
		t.Error("other groups with eight workers")
	}
}

func equal(a, b []int) bool {
	same, err := agree.ARI(a, b)
	return err == nil && same == 1
}
