package explain

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/moiety-go/moiety/report"
)

// TestFirsts compares the first features of long lists, with many equals, to those of lists
// that are sorted whole.
func TestFirsts(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 25))
	for _, n := range []int{0, 1, 3, 70, 94, 95, 5000} {
		for _, most := range []int{1, 15, 400} {
			all := make([]ranked, n)
			for i := range all {
				all[i].index, all[i].share = i, float64(r.IntN(n/2+1))
			}
			want := make([]*ranked, 0, n)
			for i := range all {
				if all[i].share > 0 {
					want = append(want, &all[i])
				}
			}
			falling(want, func(f *ranked) float64 { return f.share })
			want = want[:min(len(want), most)]
			b := &builder{s: report.Settings{Top: most}}
			if got := b.firsts(all, func(f *ranked) (float64, bool) { return f.share, f.share > 0 }); !slices.Equal(got, want) {
				t.Errorf("the first %d of %d features are others than when all are sorted", most, n)
			}
		}
	}
}
