package explain_test

import (
	"math"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/report"
)

// The wait from a state is reported with its interval and quartiles; under the limit
// where enough people have one from there, without the share of last steps; what is
// shared has none.
func TestWaitsBehindTheGate(t *testing.T) {
	for _, c := range []struct {
		name  string
		s     report.Settings
		known [2]bool
		last  bool
		words string
	}{
		{"open", report.Settings{}, [2]bool{true, true}, true, "half of the time between 7.41 and 13.5 days"},
		{"health", report.Settings{Health: true, MinCell: 11}, [2]bool{true, false}, false, "after 10.0 days (median; 95 %: 8.02 to 12.5)"},
		{"shared", report.Settings{Health: true, MinCell: 11, Share: true}, [2]bool{}, false, ""},
	} {
		o, d := chains(t, 100)
		o.Model.Provenance.Waits = &mixture.Waits{
			Days: true, Mean: []float64{math.Log(10), math.Log(30)}, SD: []float64{math.Log(13.5/10) / .6745, .5}, Error: []float64{.1, .1},
			Middle: []float64{.5, .8}, Last: []float64{.1, .2}, N: []int{50, 10},
		}
		r := explained(t, o, d, c.s)
		for j := range 2 {
			g := r.Leaf(j)
			if (g.Wait != nil) != c.known[j] {
				t.Errorf("%s: state %s has the wait %+v", c.name, g.ID, g.Wait)
			}
			if g.Wait != nil && g.Wait.Last.Masked() == c.last {
				t.Errorf("%s: state %s tells its last steps: %+v", c.name, g.ID, g.Wait)
			}
		}
		if c.words != "" && !strings.Contains(r.Leaf(0).Text, c.words) {
			t.Errorf("%s: %q does not say %q", c.name, r.Leaf(0).Text, c.words)
		}
	}
}
