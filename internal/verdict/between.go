package verdict

import (
	"context"
	"math"

	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

const (
	// betweenRecords are looked at, of many one of every so many.
	betweenRecords = 300
	// shareSteps halve the interval of a share: to 1/128, below what any record tells.
	shareSteps = 7
)

// Between asks whether records lie between the groups of a model of copies: each feature of a
// record is there in a number of trials with the chance of its group. Half of the features
// say which two groups a record is likeliest of and how much of the second it has; the gain is how
// much better that share predicts the other half than the first group alone. Records of one
// group each gain nothing. Halves are runs of features, for neighbours on a chromosome are
// inherited together.
func Between(ctx context.Context, run pass.Runner, p mixture.Params, trials float64) (gain Evidence, between bool, err error) {
	some, err := pass.Sample(ctx, run, max(1, run.Len()/betweenRecords))
	if err != nil || p.K() < 2 {
		return gain, false, err
	}
	b, sum, squares := newBetween(p, trials), 0.0, 0.0
	rows := *some.Can().Rows
	for i := range rows.N() {
		v := b.gain(rows, i)
		sum += v
		squares += v * v
	}
	n := float64(max(rows.N(), 1))
	gain = Evidence{Nats: sum, Error: math.Sqrt(max(squares-sum*sum/n, 0))}
	return gain, gain.Nats >= mixErrors*gain.Error && gain.Nats >= clearNats, nil
}

// betweenJudge holds the chances of the features in every group, and a record.
type betweenJudge struct {
	trials  float64     // of a feature that is not missing
	chance  [][]float64 // of every group
	yes, no [][]float64 // their logarithms, and those of the opposite
	x, of   []float64   // of the record at hand: every count, and its trials; 0 of 0 where it is missing
	halves  [2][2]int
	loglik  []float64 // of the record in every group
}

func newBetween(p mixture.Params, trials float64) *betweenJudge {
	d, k := p.Centers.Dims()
	b := &betweenJudge{trials: trials, x: make([]float64, d), of: make([]float64, d), halves: [2][2]int{{0, d / 2}, {d / 2, d}}, loglik: make([]float64, k)}
	for j := range k {
		c, yes, no := make([]float64, d), make([]float64, d), make([]float64, d)
		for h := range d {
			c[h] = min(max(p.Centers.At(h, j)/trials, leastChance), 1-leastChance)
			yes[h], no[h] = math.Log(c[h]), math.Log1p(-c[h])
		}
		b.chance, b.yes, b.no = append(b.chance, c), append(b.yes, yes), append(b.no, no)
	}
	return b
}

// leastChance keeps logarithms finite.
const leastChance = 1e-9

// gain is that of one record, over both halves.
func (b *betweenJudge) gain(rows sparse.Rows, i int) (gain float64) {
	for h := range b.x {
		b.x[h], b.of[h] = 0, b.trials
	}
	_ = eachEntry(rows.Slice(i, i+1), func(h int, v float64) { // the family has seen that they are counts
		if b.x[h] = v; v != v {
			b.x[h], b.of[h] = 0, 0
		}
	})
	for side, half := range b.halves {
		first, second := b.likeliest(half)
		if share := b.share(half, first, second); share > 0 {
			gain += b.better(b.halves[1-side], first, second, share)
		}
	}
	return gain
}

// likeliest returns the two groups of which the half of the record is likeliest.
func (b *betweenJudge) likeliest(half [2]int) (first, second int) {
	for j := range b.loglik {
		b.loglik[j] = 0
		for h := half[0]; h < half[1]; h++ {
			b.loglik[j] += b.x[h]*b.yes[j][h] + (b.of[h]-b.x[h])*b.no[j][h]
		}
	}
	first, second = 0, 1
	if b.loglik[1] > b.loglik[0] {
		first, second = 1, 0
	}
	for j := 2; j < len(b.loglik); j++ {
		switch {
		case b.loglik[j] > b.loglik[first]:
			first, second = j, first
		case b.loglik[j] > b.loglik[second]:
			second = j
		}
	}
	return first, second
}

// share returns the likeliest share of the second group in the half of the record. The
// likelihood is concave in it, so that its slope tells the side.
func (b *betweenJudge) share(half [2]int, first, second int) float64 {
	one, two := b.chance[first], b.chance[second]
	slope := func(s float64) (sum float64) {
		for h := half[0]; h < half[1]; h++ {
			c := one[h] + s*(two[h]-one[h])
			sum += (b.x[h] - b.of[h]*c) / (c * (1 - c)) * (two[h] - one[h])
		}
		return sum
	}
	if slope(0) <= 0 {
		return 0
	}
	low, high := 0.0, 1.0
	for range shareSteps {
		if middle := (low + high) / 2; slope(middle) > 0 {
			low = middle
		} else {
			high = middle
		}
	}
	return (low + high) / 2
}

// better is by how much a share describes the half of the record better than the first group.
func (b *betweenJudge) better(half [2]int, first, second int, share float64) (nats float64) {
	for h := half[0]; h < half[1]; h++ {
		c := b.chance[first][h] + share*(b.chance[second][h]-b.chance[first][h])
		nats += b.x[h]*(math.Log(c)-b.yes[first][h]) + (b.of[h]-b.x[h])*(math.Log1p(-c)-b.no[first][h])
	}
	return nats
}
