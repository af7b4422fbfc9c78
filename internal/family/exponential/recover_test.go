package exponential_test

import (
	"testing"

	"github.com/moiety-go/moiety/family/familytest"
	"github.com/moiety-go/moiety/internal/family/exponential"
)

func TestRecover(t *testing.T) {
	familytest.Recover(t, exponential.New(), familytest.Case{Params: params(), N: 4000}, familytest.Auto)
}
