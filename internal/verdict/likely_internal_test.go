package verdict

import (
	"context"
	"reflect"
	"slices"
	"testing"

	"github.com/moiety-go/moiety/internal/stream"
)

// What is begun for the best groups without a continuum has the bits of what is made when it is
// asked for, and counts for these groups with the same fits alone.
func TestLikely(t *testing.T) {
	r, rows := stream.New(5, "test"), make([][]uint32, 1200)
	for i := range rows {
		for h := range 16 { // four groups with four features each
			if chance := map[bool]float64{true: .8, false: .1}[h/4 == i%4]; r.Float64() < chance {
				rows[i] = append(rows[i], uint32(h))
			}
		}
	}
	d := coded(rows, 16, nil, nil)
	beat := &pulse{ctx: context.Background()}
	j := d.newJudge(2, d.divide(1, 8), 1, 8, nil)
	j.listen(beat)
	if err := j.climb(t.Context(), candidate{}, 5, 2); err != nil {
		t.Fatal(err)
	}
	j.descend()
	claim, _ := j.best(isFlat)
	if j.foresee(); j.likely.of(j, claim) == nil {
		t.Fatalf("nothing was begun for %d groups", claim.groups)
	}
	l := j.likely
	beat.aside.Wait()
	var starts []*model
	for i, f := range j.folds {
		m := f.path.at(claim)
		starts = append(starts, m.copied())
		if want := f.bordersBy(m.copied(), 1); !reflect.DeepEqual(want, l.borders[i]) {
			t.Errorf("fold %d: other borders", i)
		}
	}
	if want := j.settle(starts).fit; !slices.Equal(want.b, l.all.fit.b) || want.loglik != l.all.fit.loglik {
		t.Error("another fit to all records")
	}
	if j.likely.of(j, claim.less(1)) != nil {
		t.Error("counts for other groups")
	}
	j.folds[1].path.put(claim, j.folds[1].path.at(claim).twin())
	if j.likely.of(j, claim) != nil {
		t.Error("counts for other fits")
	}
}
