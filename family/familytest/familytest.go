// Package familytest is the battery that every probability model goes through
// (house rule: a family that is not through it does not appear in --help).
//
// It takes a family and a case with known parameters and checks, with twins
// that are slow and obvious, what family.Family promises: sampling follows the
// centers, posteriors obey Bayes' rule, EM never falls, sums merge, bits do not
// depend on workers, records at three places give what they give at one, moments
// and recovery approach the truth at the rate 1/√n,
// hostile records give an error or a warning but never NaN or a panic.
//
// Recover, the one check that needs a decomposition, takes it as a function,
// so the battery knows no algorithm.
package familytest

import (
	"maps"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// Case is what the battery needs to know of a family beyond its interface.
type Case struct {
	Params mixture.Params // known parameters, k >= 2, all weights positive
	Shape  family.Shape   // lengths of documents or sequences, where they matter
	N      int            // records of the small checks; 0 means 2000
	Seed   uint64

	// Proportions says that a record's values are to be divided by their total
	// before they are compared with the centers (bags of words).
	Proportions bool
	// NoLabels says that a record has no single component (LDA), or that its
	// rows are not independent (HMM): sampling is compared with the overall mean
	// only, and Bayes' rule is not checked.
	NoLabels bool
	// NoMean switches off the comparison of samples with centers, for families
	// whose centers are no means of rows.
	NoMean bool
	// Bound says that the E-step's first number is a bound, so that it is not
	// compared with LogDensity.
	Bound bool
	// Coordinates returns the parameters in the coordinates of src, with which
	// its moments are compared; nil means that they are the records' own. A
	// family whose Source is not of that kind sets NoMoments.
	Coordinates func(src moment.Source, p mixture.Params) mixture.Params
	NoMoments   bool
	// Illegal are parameters that Check must refuse.
	Illegal []mixture.Params
	// Free is the number of free parameters of Params; 0 means not checked.
	Free int
	// Hostile are further records that must give no NaN and no panic.
	Hostile map[string]family.Draw
}

func (c Case) n() int {
	if c.N > 0 {
		return c.N
	}
	return 2000
}

// Run puts the family through the battery.
func Run(t *testing.T, f family.Family, c Case) {
	t.Helper()
	if c.Params.K() < 2 {
		t.Fatal("familytest: the case needs at least two components")
	}
	for _, check := range []struct {
		name string
		run  func(*testing.T, family.Family, Case)
	}{
		{"Name", checkName},
		{"Check", checkLegal},
		{"Sample", checkSample},
		{"Posterior", checkPosterior},
		{"Likelihood", checkLikelihood},
		{"Reorder", checkReorder},
		{"Merge", checkMerge},
		{"Workers", checkWorkers},
		{"EM", checkEM},
		{"Emptied", checkEmptied},
		{"Partition", checkPartition},
		{"Moments", checkMoments},
		{"Places", checkPlaces},
		{"Hostile", checkHostile},
	} {
		t.Run(check.name, func(t *testing.T) { check.run(t, f, c) })
	}
}

// draw samples n records from the case's parameters.
func draw(t *testing.T, f family.Family, c Case, n int) family.Draw {
	t.Helper()
	d, err := f.Sample(c.Params, stream.New(c.Seed, "familytest"), n, c.Shape)
	if err != nil {
		t.Fatalf("Sample: %v", err)
	}
	return d
}

// whole returns the draw as one block.
func whole(d family.Draw) pass.Block { return pass.Block{Rows: d.Rows, Steps: d.Steps} }

// records returns the records of the given numbers.
func records(d family.Draw, numbers []int) family.Draw {
	if d.Steps == nil {
		out := family.Draw{Rows: d.Rows.Pick(numbers)}
		if d.Labels != nil {
			for _, i := range numbers {
				out.Labels = append(out.Labels, d.Labels[i])
			}
		}
		return out
	}
	out := family.Draw{Steps: []int{0}}
	var rows []int
	for _, i := range numbers {
		for s := d.Steps[i]; s < d.Steps[i+1]; s++ {
			rows = append(rows, s)
		}
		out.Steps = append(out.Steps, len(rows))
	}
	out.Rows = d.Rows.Pick(rows)
	return out
}

// count returns the number of records.
func count(d family.Draw) int { return whole(d).N() }

func sequence(lo, hi int) []int {
	out := make([]int, 0, hi-lo)
	for i := lo; i < hi; i++ {
		out = append(out, i)
	}
	return out
}

// clone returns a deep copy, to tell whether a call changed its input.
func clone(p mixture.Params) mixture.Params {
	out := mixture.New(mat.DenseCopyOf(p.Centers), append([]float64(nil), p.Weights...))
	if p.Extra != nil {
		out.Extra = map[string]*mat.Dense{}
		for name, m := range p.Extra {
			out.Extra[name] = mat.DenseCopyOf(m)
		}
	}
	return out
}

// same reports whether two Params hold the same numbers.
func same(a, b mixture.Params) bool {
	for j, w := range a.Weights {
		if w != b.Weights[j] {
			return false
		}
	}
	return mat.Equal(a.Centers, b.Centers) &&
		maps.EqualFunc(a.Extra, b.Extra, func(x, y *mat.Dense) bool { return mat.Equal(x, y) })
}

// blurred returns parameters between those of the case and their mean: legal
// wherever the legal range is convex, and a start from which EM has to work.
func blurred(p mixture.Params) mixture.Params {
	const share = 0.3
	out := clone(p)
	d, k := p.Centers.Dims()
	for h := range d {
		mean := 0.0
		for j, w := range p.Weights {
			mean += w * p.Centers.At(h, j)
		}
		for j := range k {
			out.Centers.Set(h, j, (1-share)*p.Centers.At(h, j)+share*mean)
		}
	}
	for j, w := range p.Weights {
		out.Weights[j] = (1-share)*w + share/float64(k)
	}
	return out
}

// finite fails the test at the first number that is NaN or infinite.
func finite(t *testing.T, what string, x []float64) {
	t.Helper()
	for i, v := range x {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			t.Fatalf("%s: number %d is %v", what, i, v)
		}
	}
}

// finiteParams fails the test at the first number that is NaN or infinite.
func finiteParams(t *testing.T, what string, p mixture.Params) {
	t.Helper()
	finite(t, what+": centers", p.Centers.RawMatrix().Data)
	finite(t, what+": weights", p.Weights)
	for name, m := range p.Extra {
		finite(t, what+": "+name, m.RawMatrix().Data)
	}
}

// mean returns the mean of the given rows, divided by their totals first where
// the case says so, and how many rows that were.
func mean(c Case, rows sparse.Rows, use func(i int) bool) ([]float64, float64) {
	out, n := make([]float64, rows.Dim), 0.0
	totals := rows.Totals()
	for i := range rows.N() {
		if !use(i) || (c.Proportions && totals[i] == 0) {
			continue
		}
		f := 1.0
		if c.Proportions {
			f = 1 / totals[i]
		}
		for h := range out {
			out[h] += f * rows.At(i, h)
		}
		n++
	}
	for h := range out {
		out[h] /= max(n, 1)
	}
	return out, n
}
