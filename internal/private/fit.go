package private

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/decompose"
	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/presence"
	"github.com/moiety-go/moiety/internal/spectral"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/pass"
)

// Settings say how private a fit is.
type Settings struct {
	Groups  int
	Epsilon float64
	Delta   float64 // 0 means a millionth
	Codes   int     // most codes of a person, those beyond are cut; 0 means 10
	Seed    uint64  // of the decomposition, which sees released numbers alone
	// Once has several places add one noise together, for totals that nobody sees the
	// parts of; else each adds noise of its own.
	Once bool
	// Trust takes groups whatever the noise; else they are refused where they
	// would be noise.
	Trust bool
	// Noise is where noise comes from where all records are here, for tests and
	// experiments alone; nil is the system's randomness, without which nothing is private.
	Noise rand.Source
}

// Defaults of Settings.
const (
	DefaultDelta = 1e-6
	DefaultCodes = 10
)

// Shares of the budget, norms and bounds: chosen by simulation (d=100, k=5, three
// populations, some 20 variants) before this was written.
const (
	shareRecords = .03
	shareSingles = .07
	shareDoubles = .25
	shareCore    = .10
	shareSteps   = .55
	steps        = 2  // of EM
	coreNorm     = 60 // of a person's share in the core; about 1 in 100 is cut
	leastSeen    = 4  // deviations of the noise that a code's count must be above

	leastSignal = 1.4 // see Result.Signal
	leastKept   = .8  // of the codes
)

// Result is what was learned.
type Result struct {
	Params  mixture.Params
	Records float64 // with noise
	Kept    int     // codes that are frequent enough for the noise
	// Signal is the smallest eigenvalue that tells groups apart over the largest
	// that is noise alone.
	Signal float64
	Spent  float64 // of the budget, of 1
}

// Clear reports that the groups of d codes are more than noise: the line below which
// a fit refuses.
func (r *Result) Clear(d int) bool {
	return r.Signal >= leastSignal && float64(r.Kept) >= leastKept*float64(d)
}

// ErrNoise says that groups would be noise.
var ErrNoise = errors.New("the noise that keeps people private is larger than what tells the groups apart")

func (s Settings) filled() (Settings, error) {
	if s.Delta == 0 {
		s.Delta = DefaultDelta
	}
	if s.Codes == 0 {
		s.Codes = DefaultCodes
	}
	switch {
	case !(s.Epsilon > 0) || math.IsInf(s.Epsilon, 0):
		return s, fmt.Errorf("private: ε is %v, want a number above 0, such as 1", s.Epsilon)
	case !(s.Delta > 0 && s.Delta < .1):
		return s, fmt.Errorf("private: δ is %v, want a small number above 0, such as 1e-6", s.Delta)
	case s.Codes < 3:
		return s, fmt.Errorf("private: %d codes a person, want 3 or more", s.Codes)
	case s.Groups < 2:
		return s, fmt.Errorf("private: %d groups, want 2 or more", s.Groups)
	}
	return s, nil
}

// Fit learns groups of presences under a family of such. Records must be of one
// person each.
func Fit(ctx context.Context, fam family.Family, run pass.Runner, s Settings) (*Result, error) {
	s, err := s.filled()
	if err != nil {
		return nil, err
	}
	l, err := NewLedger(run, Rho(s.Epsilon, s.Delta), s.Once)
	if err != nil {
		return nil, err
	}
	if s.Noise != nil {
		l.noise = rand.New(s.Noise)
	}
	l.cut = func(sum pass.Sum) pass.Sum { return bounded{sum, s.Codes, mixed(s.Seed)} }
	return l.fit(ctx, fam, s)
}

func (l *Ledger) fit(ctx context.Context, fam family.Family, s Settings) (*Result, error) {
	m, err := l.moments(ctx, s)
	if err != nil {
		return nil, err
	}
	out := &Result{Records: m.N, Kept: m.Kept}
	if m.Kept < s.Groups {
		return out, fmt.Errorf("private: %w: %d codes are frequent enough to be seen through it", ErrNoise, m.Kept)
	}
	src, err := m.Standard(ctx, s.Groups)
	if err != nil {
		return out, err
	}
	out.Signal = signal(m, src.Completed, s.Groups)
	if !s.Trust && !out.Clear(m.Dim()) {
		return out, fmt.Errorf("private: %w (signal %.2f, at least %.1f is needed; %d of %d codes are seen through it): take more records, fewer groups or codes, or a larger ε",
			ErrNoise, out.Signal, leastSignal, m.Kept, m.Dim())
	}
	raw, err := decompose.Auto(ctx, src, s.Groups, decompose.Options{Seed: s.Seed, SkipRows: true, BestOnly: true})
	if err != nil {
		return out, err
	}
	p, _, err := fam.Normalise(ctx, src, raw.Params)
	if err != nil {
		return out, err
	}
	for step := range steps {
		if p, err = l.step(ctx, fam, m, p, s, step); err != nil {
			return out, err
		}
	}
	out.Params, out.Spent = fam.Reorder(p, p.Order()), l.Spent()
	return out, nil
}

// step is a step of EM: expected sums with noise, and a prior of as many records as
// the noise is, at the overall frequencies.
func (l *Ledger) step(ctx context.Context, fam family.Family, m *presence.Source, p mixture.Params, s Settings, number int) (mixture.Params, error) {
	sum, err := fam.EStep(p, false)
	if err != nil {
		return p, err
	}
	delta, share := math.Sqrt(1+float64(s.Codes)), shareSteps/steps
	state, err := l.release(ctx, fmt.Sprintf("step %d of the refinement", number+1), expected{sum}, delta, share)
	if err != nil {
		return p, err
	}
	k, sigma := p.K(), l.sigma(delta, share)
	count, sums := state[2:2+k], state[2+k:]
	centers, weights := mat.NewDense(m.Dim(), k, nil), make([]float64, k)
	total := 0.0
	for j := range k {
		weights[j] = max(count[j], 1)
		total += weights[j]
	}
	for j := range k {
		for h := range m.Dim() {
			v := m.Mean[h]
			if !math.IsInf(m.Scale[h], 1) {
				v = (sums[h*k+j] + sigma*m.Mean[h]) / (weights[j] + sigma)
			}
			centers.Set(h, j, min(max(v, presence.LeastChance), 1-presence.LeastChance))
		}
	}
	for j := range weights {
		weights[j] /= total
	}
	return mixture.New(centers, weights), nil
}

// moments releases records, codes and pairs of codes. A code's deviation gets the
// noise of the pairs added: rare codes would blow it up otherwise, .022 of ARI lost
// instead of .166 (100,000 records at ten sites, ε = 1).
func (l *Ledger) moments(ctx context.Context, s Settings) (*presence.Source, error) {
	d, most := l.run.Dim(), float64(s.Codes)
	n, err := l.release(ctx, "the number of records", presence.Records{}, 1, shareRecords)
	if err != nil {
		return nil, err
	}
	single, err := l.release(ctx, "records of every code", presence.Singles{Dim: d}, math.Sqrt(most), shareSingles)
	if err != nil {
		return nil, err
	}
	delta := math.Sqrt(most * (most - 1) / 2)
	double, err := l.release(ctx, "records of every pair of codes", presence.Doubles{Dim: d}, delta, shareDoubles)
	if err != nil {
		return nil, err
	}
	records := max(math.Round(n[0]), 1)
	extra := 2 * l.sigma(delta, shareDoubles) * math.Sqrt(float64(d)) / records
	m := presence.NewSource(records, single, double, leastSeen*l.sigma(math.Sqrt(most), shareSingles), extra)
	m.Core = func(ctx context.Context, b *mat.Dense) ([]float64, error) { // released once
		_, k := b.Dims()
		return l.release(ctx, "the core of the third moment", presence.Cores{Basis: b.RawMatrix().Data, L: k, Norm: coreNorm}, coreNorm, shareCore)
	}
	return m, nil
}

// signal compares the eigenvalues of the completed second moment: the k-th, which
// tells groups apart, with the most negative one, which is noise.
func signal(m *presence.Source, c *moment.Completed, k int) float64 {
	_, e, _, _ := c.Whitening(context.Background(), k)
	m2, _ := m.Matrix(context.Background())
	full := mat.NewDense(m.Dim(), m.Dim(), nil)
	full.Copy(m2)
	for h := range m.Dim() {
		v := 0.0
		for _, x := range e.RawRowView(h) {
			v += x * x
		}
		full.Set(h, h, v)
	}
	values, _ := spectral.SymEig(full)
	if k > len(values) {
		return 0
	}
	return values[k-1] / math.Max(-values[len(values)-1], 1e-300)
}
