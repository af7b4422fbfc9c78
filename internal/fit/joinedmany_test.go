package fit_test

import (
	"testing"

	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/synth"
)

// TestJoinedMany is the battery of joined runs at a size at which fits begin on some
// of the records: they must be the same ones at every site.
func TestJoinedMany(t *testing.T) {
	n := numtest.Scale(0, 0, 200000)
	if n == 0 {
		t.Skip("200,000 records at ten sites are for the long form (MOIETY_LONG=1)")
	}
	all := journeys()
	for name, set := range map[string]synth.Set{
		"bernoulli": synth.Patients(5, n, 60, joinedGroups, 8), "poisson": synth.PoissonMixture(5, n, 40, joinedGroups, 60),
	} {
		t.Run(name, func(t *testing.T) {
			j := all[name]
			j.rows, j.s.Double = set.Rows.Pick(byGroup(set.Labels)), true
			j.check(t, 1e-9, 1e-6)
		})
	}
}
