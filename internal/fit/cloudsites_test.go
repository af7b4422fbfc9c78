package fit_test

import (
	"testing"

	"github.com/moiety-go/moiety/internal/agree"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"
)

// leaningTogether are three groups of measurements that vary together in the same way, in units
// of their own, the second half sorted by group.
func leaningTogether(n int) (journey, []int) {
	const d, k = 5, 3
	r := stream.New(14, "leaningTogether")
	rows, truth := sparse.Rows{Dim: d}, make([]int, n)
	for i := range n {
		z := r.IntN(k)
		if i >= n/2 {
			z = (i - n/2) * k / (n - n/2)
		}
		truth[i] = z
		common := 3 * r.NormFloat64()
		for h := range d {
			x := common + r.NormFloat64()
			if h == z {
				x += 6
			}
			rows.Dense = append(rows.Dense, 1000+x*float64(1+h*h*h))
		}
	}
	s := fit.Settings{K: k, Double: true}
	s.Spec.Model = "gaussian"
	return journey{rows: rows, vocab: vocab.Numbered(d), kind: record.Real, s: s}, truth
}

// Measurements at sites are fitted in every shape by sums: the parameters of one machine,
// the shape that the groups have, and the groups.
func TestJoinedShapes(t *testing.T) {
	numtest.NotShort(t)
	j, truth := leaningTogether(3000)
	for asked, want := range map[string]string{"": "tied", "full": "full"} {
		j.s.Spec.Covariance = asked
		j.check(t, 1e-9, 1e-6)
		out, err := fit.Flat(t.Context(), j.data(pass.NewLocal(j.rows, 2)), j.s)
		if err != nil {
			t.Fatal(err)
		}
		if got := out.Model.Spec.Covariance; got != want {
			t.Errorf("asked for %q: covariances are %s, want %s", asked, got, want)
		}
		found := make([]int, len(out.Group))
		for i, g := range out.Group {
			found[i] = int(g)
		}
		ari, err := agree.ARI(found, truth)
		if err != nil || ari < .95 {
			t.Errorf("asked for %q: agreement with the truth is %.2f (%v)", asked, ari, err)
		}
	}
}
