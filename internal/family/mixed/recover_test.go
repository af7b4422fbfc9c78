package mixed_test

import (
	"testing"

	"github.com/moiety-go/moiety/family/familytest"
)

func TestRecover(t *testing.T) {
	f, p := patients(t)
	familytest.Recover(t, f, familytest.Case{Params: p}, familytest.Auto)
}
