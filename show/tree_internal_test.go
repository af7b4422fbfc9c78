package show

import (
	"strings"
	"testing"

	"github.com/moiety-go/moiety/report"
)

func TestBlocks(t *testing.T) {
	for _, c := range []struct {
		share float64
		want  string
	}{{0, ""}, {1e-9, "▏"}, {0.0125, "▏"}, {0.05, "▌"}, {0.5, "█████"}, {0.5125, "█████▏"}, {1, "██████████"}, {2, "██████████"}} {
		if got := blocks(c.share, 10); got != c.want {
			t.Errorf("%v is drawn %q, want %q", c.share, got, c.want)
		}
	}
}

// TestDoubtInTheTerminal: a doubtful split is marked where the group is.
func TestDoubtInTheTerminal(t *testing.T) {
	r := synthetic(3, 2)
	for i := range r.Groups {
		r.Groups[i].Sureness = report.Sure
	}
	var sure, doubtful strings.Builder
	if err := Tree(&sure, r, Options{}); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(sure.String(), "doubtful") {
		t.Errorf("doubt where there is none:\n%s", sure.String())
	}
	for i := range r.Groups[1:] {
		r.Groups[i+1].Sureness = report.Doubtful
	}
	if err := Tree(&doubtful, r, Options{}); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(doubtful.String(), "? "); n < len(r.Groups)-1 {
		t.Errorf("%d marks for %d groups:\n%s", n, len(r.Groups)-1, doubtful.String())
	}
}
