package explain_test

import (
	"testing"

	"github.com/moiety-go/moiety/internal/explain"
	"github.com/moiety-go/moiety/internal/verdict"
	"github.com/moiety-go/moiety/warn"
)

// A verdict and "groups in so few records are often chance" are not said together:
// the verdict has its own doubts. Without one the warning stays.
func TestSettled(t *testing.T) {
	list := []warn.Warning{{Code: "few-records"}, {Code: "short-records"}}
	for _, c := range []struct {
		v    *verdict.Verdict
		want int
	}{{nil, 2}, {&verdict.Verdict{Groups: 2}, 1}, {&verdict.Verdict{Groups: 2, Sure: true}, 1}} {
		if got := explain.WithoutFewRecords(list, c.v); len(got) != c.want || got[len(got)-1].Code != "short-records" {
			t.Errorf("%+v: %v", c.v, got)
		}
	}
	if list[0].Code != "few-records" {
		t.Error("the list of the caller was changed")
	}
}
