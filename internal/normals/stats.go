package normals

import "slices"

// Stats are the sums over rows from which clouds are learned, in one list that
// adds up: the share of every cloud (K), the sums of its rows (K×D), and what
// the shape needs of their products.
type Stats struct {
	Shape  Shape
	K, D   int
	Size   []float64
	First  []float64
	Second []float64 // one or K, each D squares or a lower triangle packed by rows
}

// nothing is a share that is not worth adding.
const nothing = 1e-9

// StatsLen returns the length of the list.
func StatsLen(k, d int, shape Shape) int { return k + k*d + Spreads(k, d, shape) }

// Spreads returns how many numbers the covariances of k clouds in d columns are.
func Spreads(k, d int, shape Shape) int {
	full := d * (d + 1) / 2
	return [...]int{d, k * d, full, k * full}[shape]
}

// NewStats returns the list as statistics.
func NewStats(list []float64, k, d int, shape Shape) Stats {
	return Stats{shape, k, d, list[:k], list[k : k+k*d], list[k+k*d : StatsLen(k, d, shape)]}
}

// Add adds rows by their memberships (n×K).
func (s Stats) Add(t Table, member []float64) {
	for i := range t.N {
		s.add(t.Row(i), member[i*s.K:][:s.K])
	}
}

// Given adds a row that is all there to its cloud.
func (s Stats) Given(x []float64, k int) {
	s.Size[k]++
	s.moments(k, x, 1, s.D)
	s.common(x, 1)
}

// add adds a row by its memberships.
func (s Stats) add(x, member []float64) {
	all := 0.0
	for k, r := range member {
		if r >= nothing {
			s.Size[k] += r
			all += r
			s.moments(k, x, r, s.D)
		}
	}
	s.common(x, all)
}

// moments adds a row to one cloud.
func (s Stats) moments(k int, x []float64, w float64, d int) {
	first := s.First[k*d:][:d]
	for h, v := range x {
		first[h] += w * v
	}
	switch s.Shape {
	case Own:
		outer(s.Second[k*d*(d+1)/2:], x, w)
	case Diagonal:
		squares(s.Second[k*d:][:d], x, w)
	}
}

// common adds a row to what all clouds share.
func (s Stats) common(x []float64, w float64) {
	switch s.Shape {
	case Tied:
		outer(s.Second, x, w)
	case Common:
		squares(s.Second, x, w)
	}
}

// Centred returns the means and the sums of products around them.
func (s Stats) Centred() (mean, second []float64) {
	out := Stats{s.Shape, s.K, s.D, s.Size, s.First, append([]float64(nil), s.Second...)}
	mean = make([]float64, s.K*s.D)
	for i, v := range s.First {
		if n := s.Size[i/s.D]; n > 0 {
			mean[i] = v / n
		}
	}
	out.centre(mean, s.Size)
	return mean, out.Second
}

// centre subtracts what the means explain of the products.
func (s Stats) centre(mean, mass []float64) {
	d := s.D
	packed := s.Shape == Own || s.Shape == Tied
	for k := range s.K {
		sum, at := s.second(k), 0
		for i, v := range mean[k*d:][:d] {
			v *= mass[k]
			if !packed {
				sum[i] -= v * mean[k*d+i]
				continue
			}
			for j := range i + 1 {
				sum[at] -= v * mean[k*d+j]
				at++
			}
		}
	}
}

// second returns the products of a cloud, or those that all clouds share.
func (s Stats) second(k int) []float64 {
	if s.Shape.pooled() {
		return s.Second
	}
	each := len(s.Second) / s.K
	return s.Second[k*each:][:each]
}

// pooled adds up the products of all clouds.
func (s Stats) pooled() []float64 {
	out := slices.Clone(s.second(0))
	if !s.Shape.pooled() {
		for k := 1; k < s.K; k++ {
			for i, v := range s.second(k) {
				out[i] += v
			}
		}
	}
	return out
}

func squares(sum, x []float64, w float64) {
	for h, v := range x {
		sum[h] += w * v * v
	}
}

// outer adds w·x⊗x, packed by rows of the lower triangle.
func outer(sum, x []float64, w float64) {
	at := 0
	for i, v := range x {
		v *= w
		row := sum[at : at+i+1]
		for j := range row {
			row[j] += v * x[j]
		}
		at += i + 1
	}
}
