package enough

import (
	"context"
	"math"

	"github.com/moiety-go/moiety/pass"
)

// shape holds sums over the records that no model is needed for.
type shape struct {
	rows          int
	n             float64   // rows, as a number
	counts        bool      // all values are whole and not negative
	total         float64   // of all values
	two, two2     float64   // Σ w and Σ w² of the weights in M2
	three, three2 float64   // the same of the weights in M3
	above         float64   // values outside 0 to 1
	sum           []float64 // of each feature
	square, cube  []float64
}

func (s *shape) meanTotal() float64 { return s.total / math.Max(s.n, 1) }

// unit reports that all values lie between 0 and 1.
func (s *shape) unit() bool { return s.above == 0 && s.n > 0 }

func measureShape(ctx context.Context, run pass.Runner) (*shape, error) {
	state, err := pass.RunOne(ctx, run, shapeSum{run.Dim()})
	if err != nil {
		return nil, err
	}
	d := run.Dim()
	f := state[shapeHeads:]
	return &shape{
		rows: int(state[0]), n: state[0], counts: state[1] == 0, above: state[2], total: state[3],
		two: state[4], two2: state[5], three: state[6], three2: state[7],
		sum: f[:d], square: f[d : 2*d], cube: f[2*d:],
	}, nil
}

// shapeHeads is the number of sums before those by feature.
const shapeHeads = 8

type shapeSum struct{ d int }

// Len implements pass.Sum.
func (s shapeSum) Len() int { return shapeHeads + 3*s.d }

// Add implements pass.Sum. Missing values do not count.
func (s shapeSum) Add(state []float64, b pass.Block) error {
	head, f := state[:shapeHeads], state[shapeHeads:]
	see := func(h int, v float64) float64 {
		if math.IsNaN(v) {
			return 0
		}
		if v < 0 || v != math.Trunc(v) {
			head[1]++
		}
		if v < 0 || v > 1 {
			head[2]++
		}
		f[h] += v
		f[s.d+h] += v * v
		f[2*s.d+h] += v * v * v
		return v
	}
	for i := range b.Rows.N() {
		t := 0.0
		if b.Rows.IsDense() {
			for h, v := range b.Rows.DenseRow(i) {
				t += see(h, v)
			}
		} else {
			index, value := b.Rows.Row(i)
			for e, h := range index {
				v := 1.0
				if value != nil {
					v = float64(value[e])
				}
				t += see(int(h), v)
			}
		}
		addLength(head, t)
	}
	return nil
}

// saturation is the number of words beyond which documents weigh alike
// (moment.Saturating).
const saturation = 30

func addLength(head []float64, t float64) {
	l2 := math.Max(t*(t-1), 0)
	l3 := math.Max(l2*(t-2), 0)
	l2 /= 1 + l2/(saturation*saturation)
	l3 /= 1 + l3/(saturation*saturation*saturation)
	head[0]++
	head[3] += t
	head[4] += l2
	head[5] += l2 * l2
	head[6] += l3
	head[7] += l3 * l3
}
