package exponential_test

import (
	"testing"

	"github.com/moiety-go/moiety/family/exponential"
	"github.com/moiety-go/moiety/family/familytest"
)

func TestRecover(t *testing.T) {
	familytest.Recover(t, exponential.New(), familytest.Case{Params: params(), N: 4000}, familytest.Auto)
}
