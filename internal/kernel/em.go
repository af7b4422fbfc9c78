package kernel

import (
	"math"
	"slices"
	"unsafe"
)

// A step of EM over sparse rows in single precision, in the order of the work:
//
//	NewMixture   bias (k) and slope (d×k), double → Mixture: width and d×width, single, to base 2
//	Sums.Add     n rows → scores (width) → powers of 2 → shares, added to Sums (k and d×width):
//	             rows of one length side by side (emgroups.go, emlengths.go), a panel of rows
//	             at once (empanels.go), or row by row (addPlain, the definition)
//	Sums.Flush   Sums → count (k) and sum (d×k), double

// Mixture is the table of a step of EM over rows in single precision: scores
// bias_j + Σ_h x_h·slope_hj of k components, as logarithms to base 2.
//
// The rows of one call of Add are summed in the order of their lengths. So the last bits
// of a sum depend on which rows come in one call, which nowhere else in the product they
// do; where these rows lie in memory makes no difference.
//
// Single precision changes a score by about 1e-7 of its size, no more than a change of the
// parameters by 1e-7 would. Sums are flushed to double precision after every few thousand
// rows. Rows whose scores are too large for that are refused (mixtureReach).
type Mixture struct {
	d, k, width int
	bias, slope []float32 // width, d×width and spareRows more; lanes beyond k never win
	middle, top float64   // subtracted from every slope and from every bias, to base e
	best        int       // component of the largest bias
}

// Rows of the table behind those of the d features. Kernels take rows of equal length
// in whole groups; a group is padded with these, which add nothing to any sum.
const (
	nothing   = iota // an entry that pads a row: its slopes are 0
	nobody           // an entry that makes a padding row: one component is certain, its log-likelihood 0
	spareRows        // how many there are
)

const (
	// mixtureMost is the largest number of components.
	mixtureMost = 64
	// mixtureFeatures is the largest number of features: the bytes of a table are
	// counted in 32 bits.
	mixtureFeatures = 1 << 23
	// mixtureReach bounds the best score of a row, to base 2: its unit in the
	// last place is then 6e-5.
	mixtureReach = 1 << 10
	// MixtureRows is the number of rows that may be added before sums are
	// flushed: 12 bits of the 24 of a number are then left to each share.
	MixtureRows = 4096
)

// NewMixture returns the table for bias (k) and slope (d×k), logarithms to
// base e; nil where it does not suit single precision: more than 64 components,
// numbers that are not finite, or no component with a finite bias.
func NewMixture(d, k int, bias, slope []float64) *Mixture {
	return RenewMixture(nil, d, k, bias, slope)
}

// RenewMixture is NewMixture in the memory of a table that is no longer of use, where it
// has the same shape.
func RenewMixture(old *Mixture, d, k int, bias, slope []float64) *Mixture {
	if d < 1 || k < 1 || k > mixtureMost || d > mixtureFeatures || len(bias) != k || len(slope) != d*k || !suits(bias, slope) {
		return nil
	}
	m := old
	if m == nil || m.d != d || m.k != k {
		m = &Mixture{d: d, k: k, width: mixtureWidth(k)}
		m.bias, m.slope = aligned(m.width), aligned((d+spareRows)*m.width)
	}
	m.middle, m.top = middle(slope, k), slices.Max(bias)
	m.best = slices.Index(bias, m.top)
	none := m.slope[:(d+spareRows)*m.width][(d+nobody)*m.width:]
	for j := range m.bias {
		m.bias[j], none[j] = float32(math.Inf(-1)), float32(math.Inf(-1))
		if j < k {
			m.bias[j] = float32((bias[j] - m.top) * math.Log2E)
		}
	}
	none[m.best] = 0
	m.slope = m.slope[:d*m.width]
	for h := range d {
		row := m.slope[h*m.width:][:k]
		for j, v := range slope[h*k:][:k] {
			row[j] = float32((v - m.middle) * math.Log2E)
		}
	}
	return m
}

// steep bounds slopes, to base e: sums of some thousands of them stay within
// single precision.
const steep = 1e6

func suits(bias, slope []float64) bool {
	some := false
	for _, b := range bias {
		if math.IsNaN(b) || b > steep {
			return false
		}
		some = some || b > -steep
	}
	for _, s := range slope {
		if !(math.Abs(s) < steep) {
			return false
		}
	}
	return some
}

// middle returns the weighted mean of the features' largest slopes. The weight is the
// exponential of that slope: nearly the probability that a row has the feature. Subtracted
// from all slopes it keeps scores small; Add puts it back, once for every entry.
func middle(slope []float64, k int) float64 {
	top := make([]float64, 0, 2*len(slope)/k)
	for ; len(slope) >= k; slope = slope[k:] {
		most := slope[0]
		for _, v := range slope[1:k] {
			if v > most {
				most = v
			}
		}
		top = append(top, most)
	}
	weight := top[len(top) : 2*len(top)]
	for i, v := range top {
		weight[i] = min(v, 0)
	}
	Exps(weight)
	sum, n := 0.0, 0.0
	for i, w := range weight {
		sum += w * top[i]
		n += w
	}
	if !(n > 0) {
		return 0
	}
	return sum / n
}

// mixtureWidth is the room of a row of k numbers: whole vectors.
func mixtureWidth(k int) int {
	width := 4
	for width < k {
		width *= 2
	}
	return width
}

// aligned returns n zeros that begin where a cache line begins.
func aligned(n int) []float32 {
	buffer := make([]float32, n+16)
	off := 0
	for uintptr(unsafe.Pointer(&buffer[off]))%64 != 0 {
		off++
	}
	return buffer[off : off+n : off+n]
}

// Sums are shares of rows, summed up in single precision.
type Sums struct {
	m     *Mixture
	count []float64 // k
	sum   []float32 // d×width, and spareRows more
}

// NewSums returns sums of zero.
func (m *Mixture) NewSums() *Sums {
	sum := aligned((m.d + spareRows) * m.width)
	clear(sum) // fresh memory is written before it is added to: pages.Touch says why
	return &Sums{m: m, count: make([]float64, m.k), sum: sum[:m.d*m.width]}
}

// RenewSums returns sums of zero in the memory of others that are no longer of use.
func (m *Mixture) RenewSums(old *Sums) *Sums {
	if old == nil || old.m.d != m.d || old.m.k != m.k {
		return m.NewSums()
	}
	old.m = m
	old.Clear()
	return old
}

// QuickMixture reports that the processor has kernels for a step of EM.
func QuickMixture() bool { return active != plain && (hasDistribute() || hasScores()) }

// Add adds the shares of at most MixtureRows rows and returns the sum of their log
// densities, log Σ_j exp(score_j). It reports false where a score is out of reach; the
// sums are then to be cleared.
func (s *Sums) Add(ptr []int, index []uint32, value []float32) (float64, bool) {
	n := len(ptr) - 1
	if n < 1 {
		return 0, true
	}
	log2, ok, done := 0.0, false, false
	if active != plain {
		log2, ok, done = s.addFast(ptr, index, value)
	}
	if !done {
		log2, ok = s.addPlain(ptr, index, value)
	}
	return log2*math.Ln2 + s.m.middle*weightOf(ptr, value) + s.m.top*float64(n), ok
}

// weightOf returns the sum of all entries.
func weightOf(ptr []int, value []float32) float64 {
	lo, hi := ptr[0], ptr[len(ptr)-1]
	if value == nil {
		return float64(hi - lo)
	}
	sum := 0.0
	for _, v := range value[lo:hi] {
		sum += float64(v)
	}
	return sum
}

// Flush adds the sums of n rows to count (k) and sum (d×k) and clears them.
func (s *Sums) Flush(n int, count, sum []float64) {
	total := 0.0
	for _, c := range s.count {
		total += c
	}
	for j, c := range s.count {
		count[j] += c * float64(n) / total // the shares of a row add up to one
		s.count[j] = 0
	}
	s.flushFeatures(sum)
}

func (s *Sums) flushFeatures(sum []float64) {
	d, k, width := s.m.d, s.m.k, s.m.width
	sum = sum[:d*k]
	from := s.sum[:d*width]
	if active != plain && flushFast(sum, from, k, width) {
		return
	}
	for h := range d {
		row, dst := from[h*width:][:k], sum[h*k:][:k]
		for j, v := range row {
			dst[j] += float64(v)
			row[j] = 0
		}
	}
}

// Clear sets the sums to zero.
func (s *Sums) Clear() {
	clear(s.count)
	clear(s.sum)
}

// addPlain is the definition: row by row, in single precision.
func (s *Sums) addPlain(ptr []int, index []uint32, value []float32) (log2 float64, ok bool) {
	var buffer [mixtureMost]float32
	k := s.m.k
	row, product, reach := buffer[:(k+3)&^3], 1.0, float32(0)
	for i := range len(ptr) - 1 {
		entries, vals := index[ptr[i]:ptr[i+1]], value
		if value != nil {
			vals = value[ptr[i]:ptr[i+1]]
		}
		s.m.scores(row, entries, vals)
		whole, sum := powers(row[:k])
		reach = max(reach, whole, -whole)
		log2 += float64(whole)
		if product *= float64(sum); !(product < 1e200) {
			log2 += math.Log2(product)
			product = 1
		}
		over := 1 / sum
		for j := range row[:k] {
			row[j] *= over
			s.count[j] += float64(row[j])
		}
		clear(row[k:])
		s.spread(row, entries, vals)
	}
	return log2 + math.Log2(product), !(reach > mixtureReach)
}

// scores sets row to the scores of a row, eight or four of them at a time: what
// stays in registers.
func (m *Mixture) scores(row []float32, index []uint32, value []float32) {
	j := 0
	for ; value == nil && j+8 <= len(row); j += 8 {
		s, slope := *(*[8]float32)(m.bias[j:]), m.slope[j:]
		s0, s1, s2, s3, s4, s5, s6, s7 := s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7]
		for _, h := range index {
			v := (*[8]float32)(slope[int(h)*m.width:])
			s0, s1, s2, s3 = s0+v[0], s1+v[1], s2+v[2], s3+v[3]
			s4, s5, s6, s7 = s4+v[4], s5+v[5], s6+v[6], s7+v[7]
		}
		*(*[8]float32)(row[j:]) = [8]float32{s0, s1, s2, s3, s4, s5, s6, s7}
	}
	for ; j+4 <= len(row); j += 4 {
		s, slope := *(*[4]float32)(m.bias[j:]), m.slope[j:]
		s0, s1, s2, s3 := s[0], s[1], s[2], s[3]
		for e, h := range index {
			x := float32(1)
			if value != nil {
				x = value[e]
			}
			v := (*[4]float32)(slope[int(h)*m.width:])
			s0, s1, s2, s3 = s0+x*v[0], s1+x*v[1], s2+x*v[2], s3+x*v[3]
		}
		*(*[4]float32)(row[j:]) = [4]float32{s0, s1, s2, s3}
	}
}

// spread adds the shares of a row to the sums.
func (s *Sums) spread(row []float32, index []uint32, value []float32) {
	j := 0
	for ; value == nil && j+8 <= len(row); j += 8 {
		r, sum := *(*[8]float32)(row[j:]), s.sum[j:]
		r0, r1, r2, r3, r4, r5, r6, r7 := r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7]
		for _, h := range index {
			dst := (*[8]float32)(sum[int(h)*s.m.width:])
			dst[0] += r0
			dst[1] += r1
			dst[2] += r2
			dst[3] += r3
			dst[4] += r4
			dst[5] += r5
			dst[6] += r6
			dst[7] += r7
		}
	}
	for ; j+4 <= len(row); j += 4 {
		r, sum := *(*[4]float32)(row[j:]), s.sum[j:]
		for e, h := range index {
			x := float32(1)
			if value != nil {
				x = value[e]
			}
			dst := (*[4]float32)(sum[int(h)*s.m.width:])
			dst[0] += x * r[0]
			dst[1] += x * r[1]
			dst[2] += x * r[2]
			dst[3] += x * r[3]
		}
	}
}

// powers replaces every score s of a row by 2^(s − whole), where whole is the largest
// score rounded to a whole number, and returns whole and the sum of the powers.
func powers(row []float32) (whole, sum float32) {
	top := row[0]
	for _, v := range row {
		if v > top {
			top = v
		}
	}
	whole = float32(math.RoundToEven(float64(top)))
	for j, v := range row {
		v -= whole
		if !(v >= lowestPower) {
			row[j] = 0 * v // NaN stays
			if v < lowestPower {
				row[j] = 0
			}
			sum += row[j]
			continue
		}
		n := int32(v + 256) // 256 above the whole number below v
		r := v - float32(n-256)
		p := 1 + r*(0.6931513118392265+r*(0.24016444989797758+r*(0.055799913739682454+r*(0.009017029677090343+r*0.0018671303017135832))))
		row[j] = math.Float32frombits(uint32(int32(math.Float32bits(p)) + (n-256)<<23))
		sum += row[j]
	}
	return whole, sum
}

// lowestPower is the exponent below which a power counts as 0: products with it
// stay normal numbers, which are quick.
const lowestPower = -100
