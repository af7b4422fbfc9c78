package binomial_test

import (
	"fmt"
	"testing"

	"github.com/moiety-go/moiety/family/familytest"
)

func TestRecover(t *testing.T) {
	for _, m := range []float64{1, 2, 5} {
		t.Run(fmt.Sprintf("%v trials", m), func(t *testing.T) {
			familytest.Recover(t, newFamily(t, 0), familytest.Case{Params: params(m, 18)}, familytest.Auto)
		})
	}
}
