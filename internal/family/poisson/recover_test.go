package poisson_test

import (
	"testing"

	"github.com/moiety-go/moiety/family/familytest"
	"github.com/moiety-go/moiety/internal/family/poisson"
)

func TestRecover(t *testing.T) {
	familytest.Recover(t, poisson.New(), familytest.Case{Params: params()}, familytest.Auto)
}
