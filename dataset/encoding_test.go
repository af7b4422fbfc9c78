package dataset_test

import (
	"strings"
	"testing"

	"github.com/moiety-go/moiety/dataset"
)

// TestAmounts: what is written is read again, and what is no amount says what is.
func TestAmounts(t *testing.T) {
	for text, want := range map[string]dataset.Amount{
		"": {}, "5": {Count: 5}, "70%": {Share: 0.7}, "0.25": {Share: 0.25}, " 12.5 % ": {Share: 0.125},
	} {
		got, err := dataset.ParseAmount(text)
		if err != nil || got != want {
			t.Errorf("%q is %+v, %v", text, got, err)
		}
		if again, err := dataset.ParseAmount(got.String()); err != nil || again != got {
			t.Errorf("%+v is written %q and read as %+v", got, got.String(), again)
		}
	}
	for _, text := range []string{"-3", "many", "120%", "1.5", "NaN"} {
		if _, err := dataset.ParseAmount(text); err == nil || !strings.Contains(err.Error(), "write a whole number") {
			t.Errorf("%q: %v", text, err)
		}
	}
}
