// Package normals fits mixtures of normal clouds to small dense tables: four
// shapes of covariance, normal tails or those of a t distribution, by EM from
// given memberships (Fraley and Raftery 2002; McLachlan and Peel 1998 for t).
//
// It takes at most a few thousand rows in memory, already on comparable scales,
// and gives mixtures with their likelihoods. It knows numbers alone: not where
// the rows come from, nor what is made of the clouds.
package normals

import (
	"math"

	"github.com/moiety-go/moiety/internal/kernel"
)

// Table is a dense table, row by row.
type Table struct {
	N, D int
	X    []float64
	// Total makes numbers that were added up over the rows their sums over the rows of
	// all places; nil where all rows are here.
	Total func(lists ...[]float64)

	kept *forms // what EM makes of the rows; nil: anew for every fit
}

// total adds up over all places.
func (t Table) total(lists ...[]float64) {
	if t.Total != nil {
		t.Total(lists...)
	}
}

// Row returns row i.
func (t Table) Row(i int) []float64 { return t.X[i*t.D:][:t.D] }

// Rows returns the table of the named rows.
func (t Table) Rows(list []int) Table {
	out := Table{N: len(list), D: t.D, X: make([]float64, 0, len(list)*t.D), Total: t.Total}
	for _, i := range list {
		out.X = append(out.X, t.Row(i)...)
	}
	return out
}

// Shape says what the covariances of the clouds have in common.
type Shape int

// Shapes, the plainest first.
const (
	Common   Shape = iota // one diagonal covariance for all
	Diagonal              // a diagonal covariance each
	Tied                  // one full covariance for all
	Own                   // a full covariance each
)

// String returns the shape as users name it.
func (s Shape) String() string {
	return [...]string{"common", "diagonal", "tied", "full"}[s]
}

// Mixture is a mixture of clouds. It is immutable once fitted.
type Mixture struct {
	K, D   int
	Shape  Shape
	Nu     float64 // degrees of freedom of the tails; 0 means normal
	Weight []float64
	Mean   []float64 // K×D
	// LogLik is the log-likelihood of the rows of the fit.
	LogLik float64

	spread []float64 // covariances: D, K×D, D×D or K×D×D by shape
	factor []float64 // inverse Cholesky factors, or inverse deviations, in the same order; factors packed by rows
	logDet []float64 // K: log determinants of the Cholesky factors
	center []float64 // Tied: K×D, means in the coordinates of the factor
}

// Width is the spread of cloud k: the geometric mean of its deviations along its axes.
func (m *Mixture) Width(k int) float64 { return math.Exp(m.logDet[k] / float64(m.D)) }

// Covariance returns the covariance of cloud k, D×D row by row.
func (m *Mixture) Covariance(k int) []float64 {
	d := m.D
	switch m.Shape {
	case Tied:
		return m.spread
	case Own:
		return m.spread[k*d*d:][:d*d]
	}
	out := make([]float64, d*d)
	for h, v := range m.Variances(k) {
		out[h*d+h] = v
	}
	return out
}

// Variances returns the variances of cloud k, without its covariances: of thousands
// of columns these are more than the rows.
func (m *Mixture) Variances(k int) []float64 {
	d := m.D
	switch m.Shape {
	case Common:
		return m.spread
	case Diagonal:
		return m.spread[k*d:][:d]
	}
	cov, out := m.Covariance(k), make([]float64, d)
	for h := range out {
		out[h] = cov[h*d+h]
	}
	return out
}

// Parameters counts the free parameters.
func (m *Mixture) Parameters() int {
	n := m.K - 1 + m.K*m.D + Spreads(m.K, m.D, m.Shape)
	if m.Nu > 0 {
		n++
	}
	return n
}

// BIC is minus twice the log-likelihood plus log n for every parameter.
func (m *Mixture) BIC(n int) float64 {
	return float64(m.Parameters())*math.Log(float64(n)) - 2*m.LogLik
}

// panelRows are the rows whose exponentials and logarithms are taken together.
const panelRows = 128

// Scores sets out (n×K) to log(weight·density) of every row and cloud, by what is
// there of a row.
func (m *Mixture) Scores(t Table, out []float64) {
	s := m.scorer()
	for from := 0; from < t.N; from += panelRows {
		n := min(panelRows, t.N-from)
		s.panel(t, from, n, out[from*m.K:])
	}
	for i := range t.N {
		if x := t.Row(i); Blank(x) {
			m.marginal(out[i*m.K:][:m.K], x)
		}
	}
}

// Posterior turns scores (n×K) into the shares of the clouds, and returns the
// sum of the log densities.
func Posterior(scores []float64, k int) (sum float64) {
	for len(scores) > 0 {
		n := min(panelRows*k, len(scores))
		sum += softmax(scores[:n], k)
		scores = scores[n:]
	}
	return sum
}

// softmax is Posterior of at most panelRows rows.
func softmax(z []float64, k int) (sum float64) {
	const (
		nowhere = -40     // below which a share is nothing beside the largest
		nobody  = 4.3e-18 // a little more than exp(nowhere)
	)
	for from := 0; from < len(z); from += k {
		row := z[from : from+k]
		top := row[0]
		for _, v := range row[1:] {
			top = max(top, v)
		}
		for i, v := range row {
			row[i] = max(v-top, nowhere)
		}
		sum += top
	}
	kernel.Exps(z)
	var total [panelRows]float64
	for from := 0; from < len(z); from += k {
		row, all := z[from:from+k], 0.0
		for i, v := range row {
			if v < nobody {
				v, row[i] = 0, 0
			}
			all += v
		}
		for i := range row {
			row[i] /= all
		}
		total[from/k] = all
	}
	kernel.Logs(total[:len(z)/k])
	for _, v := range total[:len(z)/k] {
		sum += v
	}
	return sum
}

// scorer computes densities of rows under a mixture.
type scorer struct {
	*Mixture
	bias []float64 // K
	dist []float64 // panelRows×K: squared Mahalanobis distances of the last panel
	y    []float64 // D
}

func (m *Mixture) scorer() *scorer {
	return &scorer{Mixture: m, bias: m.biases(), dist: make([]float64, panelRows*m.K), y: make([]float64, m.D)}
}

// biases are the logarithms of weight·density at the means.
func (m *Mixture) biases() []float64 {
	out, base := make([]float64, m.K), m.logScale(float64(m.D))
	for k := range out {
		out[k] = base - m.logDet[k] + math.Log(m.Weight[k])
	}
	return out
}

// logScale is the log density of a standard cloud of so many columns at its mean.
func (m *Mixture) logScale(d float64) float64 {
	if m.Nu == 0 {
		return -d / 2 * math.Log(2*math.Pi)
	}
	a, _ := math.Lgamma((m.Nu + d) / 2)
	b, _ := math.Lgamma(m.Nu / 2)
	return a - b - d/2*math.Log(m.Nu*math.Pi)
}

// panel sets z to log(weight·density) of some rows, n×K, and the distances they have.
func (s *scorer) panel(t Table, from, n int, z []float64) {
	z = z[:n*s.K]
	for i := range n {
		s.distances(s.dist[i*s.K:][:s.K], t.Row(from+i))
	}
	power := .5
	copy(z, s.dist)
	if s.Nu > 0 {
		power = (s.Nu + float64(s.D)) / 2
		for i, q := range z {
			z[i] = min(1+q/s.Nu, math.MaxFloat64)
		}
		kernel.Logs(z)
	}
	for ; len(z) > 0; z = z[s.K:] {
		for k, b := range s.bias {
			z[k] = b - power*z[k]
		}
	}
}

// distances sets the squared distances of a row from all clouds.
func (s *scorer) distances(dist, x []float64) {
	d := s.D
	if s.Shape == Tied {
		lower(s.y, s.factor, x)
		for k := range dist {
			dist[k] = squared(s.y, s.center[k*d:][:d])
		}
		return
	}
	for k := range dist {
		mean, q := s.Mean[k*d:][:d], 0.0
		if s.Shape == Own {
			q = quadratic(s.factor[k*d*(d+1)/2:], x, mean)
		} else {
			inverse := s.factor[:d]
			if s.Shape == Diagonal {
				inverse = s.factor[k*d:][:d]
			}
			for h, v := range x {
				v = (v - mean[h]) * inverse[h]
				q += v * v
			}
		}
		dist[k] = q
	}
}

func squared(a, b []float64) (sum float64) {
	for i, v := range a {
		v -= b[i]
		sum += v * v
	}
	return sum
}

// lower sets y to the product of a packed lower triangle and x.
func lower(y, packed, x []float64) {
	at := 0
	for i := range y {
		sum := 0.0
		for j, v := range packed[at : at+i+1] {
			sum += v * x[j]
		}
		y[i] = sum
		at += i + 1
	}
}

// quadratic returns |L(x−m)|² for a packed lower triangle L.
func quadratic(packed, x, m []float64) (sum float64) {
	at := 0
	for i := range x {
		y := 0.0
		for j, v := range packed[at : at+i+1] {
			y += v * (x[j] - m[j])
		}
		sum += y * y
		at += i + 1
	}
	return sum
}
