package fit

import (
	"slices"
	"testing"

	"github.com/moiety-go/moiety/internal/synth"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/vocab"
)

// Where cores are idle, the flat fit of as many groups as were asked for is made beside the
// verdict, with the bits that it has behind it.
func TestForeseen(t *testing.T) {
	rows := synth.Patients(3, 4000, 20, 3, 5).Rows
	s := Settings{Seed: 1, Sooner: 64, Tree: TreeShape{Leaves: 3}}
	data := Training{Run: s.way(pass.NewLocal(rows, 2)), Vocab: vocab.Numbered(rows.Dim), Kind: record.Presence}
	for workers, want := range map[int]bool{1: false, 2: false, spareCores: true} {
		s.Workers = workers
		f, err := foresee(t.Context(), data, s)
		if err != nil || (f != nil) != want {
			t.Fatalf("%d workers: begun before the verdict: %v, %v", workers, f != nil, err)
		}
		f.end() // what nobody asks for is no error
	}
	s.Workers = spareCores
	f, err := foresee(t.Context(), data, s)
	if err != nil {
		t.Fatal(err)
	}
	defer f.end()
	s, err = s.resolved(t.Context(), data, true)
	if err != nil {
		t.Fatal(err)
	}
	fam, err := s.Spec.Family(data.Vocab)
	if err != nil {
		t.Fatal(err)
	}
	got, _, err := f.fit(t.Context(), fam, data, s)
	if err != nil {
		t.Fatal(err)
	}
	later, _, err := (*foreseen)(nil).fit(t.Context(), fam, data, s)
	if err != nil || !slices.Equal(got.Centers.RawMatrix().Data, later.Centers.RawMatrix().Data) {
		t.Errorf("made before, it has other bits than made when asked for (%v)", err)
	}
	s.Tree.Levels = 2
	if f, err := foresee(t.Context(), data, s); f != nil || err != nil {
		t.Errorf("levels were asked for, and no number of groups: %v, %v", f, err)
	}
}
