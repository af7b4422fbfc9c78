package fit

import (
	"reflect"
	"slices"
	"testing"

	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/internal/synth"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/sparse"
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
	f, err = foresee(t.Context(), data, s)
	if err != nil || f.flat != nil {
		t.Errorf("levels were asked for, and no number of groups: %v, %v", f, err)
	}
	f.end()
}

// The groups that a verdict will probably claim are fitted and joined before it is there, with
// the bits that this has behind it, and count for no others.
func TestForeseenClaim(t *testing.T) {
	r, table := stream.New(5, "test"), make([][]float64, 26_000)
	for i := range table {
		table[i] = make([]float64, 16)
		for h := range table[i] { // four groups with four features each
			if chance := map[bool]float64{true: .8, false: .1}[h/4 == i%4]; r.Float64() < chance {
				table[i][h] = 1
			}
		}
	}
	rows := sparse.FromDense(table, 16, true)
	s := Settings{Seed: 1, Workers: spareCores, Sooner: 4}
	data := Training{Run: s.way(pass.NewLocal(rows, 2)), Vocab: vocab.Numbered(rows.Dim), Kind: record.Presence}
	f, err := foresee(t.Context(), data, s)
	if err != nil {
		t.Fatal(err)
	}
	defer f.end()
	v, err := judge(t.Context(), data, s, f.listener(data, s))
	if err != nil {
		t.Fatal(err)
	}
	f.hurried()
	if f.likely == nil || !f.likely.of.v.Found.Like(v.Found) {
		t.Fatalf("%d groups are claimed, and nothing was begun for them", v.Groups)
	}
	h, err := newHierarchy(t.Context(), data, s, v)
	if err != nil {
		t.Fatal(err)
	}
	later, err := h.begun(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	h.ahead = f
	before, err := h.begun(t.Context())
	if err != nil || before != f.likely.tree {
		t.Fatalf("what was begun is not taken (%v)", err)
	}
	if !reflect.DeepEqual(before, later) {
		t.Error("made before, it has other bits than made when asked for")
	}
	again, err := judge(t.Context(), data, s, nil)
	if err != nil {
		t.Fatal(err)
	}
	if f.likely.of.v.Found.Like(again.Found) {
		t.Error("counts for the groups of another verdict")
	}
}
