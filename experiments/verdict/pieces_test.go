package verdict

import (
	"path/filepath"
	"testing"
)

// A table that is made in pieces: nothing is judged where the time is over, and nothing
// twice.
func TestTablesInPieces(t *testing.T) {
	t.Setenv(seedName, "301")
	t.Setenv(seedsName, "2")
	t.Setenv(keptName, filepath.Join(t.TempDir(), "draws"))
	t.Setenv(pairsName, filepath.Join(t.TempDir(), "pairs"))
	const n = 60
	laws := Singles()[:1]
	seeds := seedsFrom(t.Context(), From, 20)
	if len(seeds) != 2 || seeds[1] != 302 {
		t.Fatalf("seeds %v, want 301 and 302", seeds)
	}
	t.Setenv(sizesName, "150,20000")
	if p := parts()[0]; p.sizes[0] != 150 || p.sizes[1] != 20000 {
		t.Errorf("sizes %v, want 150 and 20,000", p.sizes)
	}
	for i, want := range []int{0, 2, 2} {
		t.Setenv(limitName, [...]string{"0s", "", "1h"}[i])
		if i == 2 { // known draws are not drawn again
			laws[0].draw = nil
		}
		draws := part{laws: laws}.draws(seeds, n)
		if err := judgeAll(t.Context(), draws); err != nil {
			t.Fatal(err)
		}
		if got := done(draws); len(got) != want {
			t.Errorf("pass %d: %d draws were judged, want %d", i, len(got), want)
		}
		pairs, err := Pairs(t.Context(), laws, seeds, []int{n})
		if err != nil {
			t.Fatal(err)
		}
		if len(pairs) != want {
			t.Errorf("pass %d: %d pairs were judged, want %d", i, len(pairs), want)
		}
		for _, p := range pairs {
			if p.K != [2]int{1, 1} || p.Alike != 1 {
				t.Errorf("pass %d: a single population is %v groups, alike %v", i, p.K, p.Alike)
			}
		}
	}
}
