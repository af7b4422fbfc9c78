package categorical_test

import (
	"testing"

	"github.com/moiety-go/moiety/family/familytest"
)

func TestRecover(t *testing.T) {
	f, p := questions(t, []int{2, 3, 4, 2, 3, 2, 5, 3, 2, 4, 3, 2, 2, 3}, []float64{.5, .3, .2})
	familytest.Recover(t, f, familytest.Case{Params: p}, familytest.Auto)
}
