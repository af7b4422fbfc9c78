package verdict

import (
	"fmt"
	"math"

	"github.com/moiety-go/moiety/internal/normals"
	"github.com/moiety-go/moiety/internal/stream"
)

// Scatter: few records that lie widely around the others, such as mistakes of measuring.
const (
	scatterShare = .25 // of the records, at most
	scatterWide  = 1   // times as wide as the clouds inside, at least
	scatterThin  = .2  // of the density in the middle of these, at most
)

// scatter reports that a component of one side is that: it meets the clouds on both sides, is
// far thinner than they are, and fills no valley between them.
func (p *pieces) scatter(j int, split [2][]int) bool {
	if p.weight[j] > scatterShare {
		return false
	}
	for _, side := range split {
		main := -1
		for _, i := range side {
			if i != j && (main < 0 || p.weight[i] > p.weight[main]) {
				main = i
			}
		}
		if main < 0 || p.width[j] < scatterWide*p.width[main] ||
			p.weight[j] > scatterThin*p.weight[main]*math.Pow(p.width[j]/p.width[main], float64(p.dims)) {
			return false
		}
	}
	return true
}

// drawnIn are the rows of a view with those far out drawn in, and which these are.
type drawnIn struct {
	table   normals.Table
	far     []bool
	centers []float64 // over places: round starts of the last size
}

// starts are memberships of k round clouds found without what lies far out, and of one less
// with a cloud of what does; none where tails are not heavy.
func (d *drawnIn) starts(t *trail, k int, own *strand) [][]float64 {
	if d.table.D == 0 {
		return nil
	}
	var out [][]float64
	for _, size := range []int{k - 1, k} {
		if own != nil {
			d.centers = own.centers(d.table, d.centers[:min(len(d.centers), size*d.table.D)], size)
			out = append(out, normals.Around(d.table, d.centers))
		} else {
			out = append(out, normals.KMeans(d.table, size, t.starts, stream.New(t.seed, fmt.Sprintf("verdict/near%d", size))))
		}
	}
	if own.one(float64(count(d.far))) == 0 {
		return out[1:]
	}
	apart := make([]float64, 0, len(out[1]))
	for i, far := range d.far {
		row := out[0][i*(k-1):][:k-1]
		if far {
			row = make([]float64, k-1)
		}
		apart = append(append(apart, row...), boolean(far))
	}
	return [][]float64{out[1], apart}
}

// way is a start of EM and how it goes on.
type way struct {
	start   []float64
	options normals.Options
}

// strewn are the ways from starts that were found without what lies far out: clouds with heavy
// tails, and clouds of which one is that.
func (b begun) strewn(shapes []normals.Shape) []way {
	var out []way
	for i, start := range b.near {
		for _, s := range shapes {
			if i == 0 {
				out = append(out, way{start, normals.Options{Shape: s, Nu: heavyTails, Steps: cloudSteps}})
			} else if s == normals.Own || s == normals.Diagonal {
				out = append(out, way{start, normals.Options{Shape: s, Steps: cloudSteps}})
			}
		}
	}
	return out
}
