package fit

import (
	"testing"

	"github.com/moiety-go/moiety/internal/family/bernoulli"
	"github.com/moiety-go/moiety/internal/synth"
	"github.com/moiety-go/moiety/pass"
)

// A setting lets a small file go the way of a large one: its start is found on some of
// the records.
func TestSooner(t *testing.T) {
	fam, s := bernoulli.New(bernoulli.Options{}), Settings{K: 3}
	rows := synth.Patients(3, 12500, 20, 3, 5).Rows
	for by, want := range map[int]int{0: 0, 32: 12500 / (12500 / 2048)} {
		s.Sooner = by
		some, err := subsample(t.Context(), fam, s.way(pass.NewLocal(rows, 1)), s)
		if err != nil {
			t.Fatal(err)
		}
		got := 0
		if some != nil {
			got = some.Len()
		}
		if got < want || got > want+1 {
			t.Errorf("sooner by %d: a start on %d records, want %d", by, got, want)
		}
	}
}
