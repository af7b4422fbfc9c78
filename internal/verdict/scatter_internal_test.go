package verdict

import "testing"

// A thin cloud around two groups is no bridge; one of the shape of all others is the tail of a
// group, and is one.
func TestOnlyWiderCloudsAreScatter(t *testing.T) {
	p := &pieces{k: 3, dims: 2, weight: []float64{.5, .45, .05}, width: []float64{1, 1, 3}}
	split := [2][]int{{0, 2}, {1}}
	if !p.scatter(2, split) || p.scatter(0, split) {
		t.Error("a wide, thin cloud is scatter, and a group is none")
	}
	p.width[2] = 1
	if p.scatter(2, split) {
		t.Error("a cloud as wide as the others is no scatter")
	}
}
