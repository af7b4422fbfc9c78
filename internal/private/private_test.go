package private

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/moiety-go/moiety/internal/agree"
	"github.com/moiety-go/moiety/internal/assign"
	"github.com/moiety-go/moiety/internal/exchange"
	"github.com/moiety-go/moiety/internal/family/bernoulli"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/presence"
	"github.com/moiety-go/moiety/internal/synth"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// TestRho: by hand. ε = ρ + 2√(ρ ln 1/δ), and the ε = 1 of the plan is .0175.
func TestRho(t *testing.T) {
	for _, e := range []float64{.5, 1, 3, 5} {
		rho := Rho(e, 1e-6)
		if got := rho + 2*math.Sqrt(rho*math.Log(1e6)); numtest.Off(got, e, 1e-12) {
			t.Errorf("ρ of ε = %v gives %v back", e, got)
		}
	}
	if got := Rho(1, 1e-6); numtest.Off(got, .0175, 1e-4) {
		t.Errorf("ρ = %v", got)
	}
}

// flat is the share of a sum in one record, as far as it goes.
func flat(t *testing.T, s pass.Sum, rows sparse.Rows) float64 {
	t.Helper()
	state := make([]float64, s.Len())
	if err := s.Add(state, pass.Block{Rows: rows}); err != nil {
		t.Fatal(err)
	}
	norm := 0.0
	for _, v := range state {
		norm += v * v
	}
	return math.Sqrt(norm)
}

// TestSensitivity: no record of at most L codes changes a sum by more than is said,
// and the bound is reached where it can be.
func TestSensitivity(t *testing.T) {
	const d, l, k = 40, 10, 3
	r := rand.New(rand.NewPCG(1, 2))
	fam := bernoulli.New(bernoulli.Options{})
	p := synth.Patients(3, 100, d, k, 8).Truth
	step, err := fam.EStep(p, false)
	if err != nil {
		t.Fatal(err)
	}
	basis := make([]float64, d*k)
	for i := range basis {
		basis[i] = 3 * r.NormFloat64()
	}
	most := map[string]float64{}
	for range 2000 {
		n := r.IntN(l + 1)
		var index []uint32
		for _, h := range r.Perm(d)[:n] {
			index = append(index, uint32(h))
		}
		sortCodes(index)
		rows := sparse.Rows{Dim: d, Ptr: []int{0, n}, Index: index}
		for name, s := range map[string]pass.Sum{"n": presence.Records{}, "codes": presence.Singles{Dim: d}, "pairs": presence.Doubles{Dim: d}, "core": presence.Cores{Basis: basis, L: k, Norm: coreNorm}, "step": expected{step}} {
			most[name] = max(most[name], flat(t, s, rows))
		}
	}
	for name, bound := range map[string]float64{
		"n": 1, "codes": math.Sqrt(l), "pairs": math.Sqrt(l * (l - 1) / 2), "core": coreNorm, "step": math.Sqrt(1 + l),
	} {
		if most[name] > bound*(1+1e-12) || most[name] < bound*.5 {
			t.Errorf("%s: a record changes the sum by up to %v, said is %v", name, most[name], bound)
		}
	}
}

func sortCodes(list []uint32) {
	for i := range list {
		for j := i; j > 0 && list[j] < list[j-1]; j-- {
			list[j], list[j-1] = list[j-1], list[j]
		}
	}
}

// TestBounded: no record has more codes than may count, those of before, and the
// same ones whoever else is there: taking a person away changes nobody else's.
func TestBounded(t *testing.T) {
	set := synth.Patients(2, 3000, 60, 3, 12)
	s := bounded{presence.Records{}, 10, 5}
	seen := func(rows sparse.Rows) sparse.Rows { return s.block(pass.Block{Rows: rows}).Rows }
	all, less := seen(set.Rows), seen(set.Rows.Slice(1, 3000))
	cut := 0
	for i := range 3000 {
		index, _ := all.Row(i)
		whole, _ := set.Rows.Row(i)
		if len(index) != min(10, len(whole)) {
			t.Fatalf("record %d has %d of %d codes", i, len(index), len(whole))
		}
		if len(whole) > 10 {
			cut++
		}
		if i > 0 {
			if other, _ := less.Row(i - 1); !slices.Equal(other, index) {
				t.Fatalf("record %d has other codes without the first one", i)
			}
		}
	}
	if cut < 300 {
		t.Errorf("%d records were cut", cut)
	}
}

// TestBudget: a sum is paid once, what goes beyond the budget is refused, and what
// is released has the noise that was paid for, on a grid.
func TestBudget(t *testing.T) {
	set := synth.Patients(2, 1000, 60, 3, 6)
	l, err := NewLedger(pass.NewLocal(set.Rows, 1), Rho(1, 1e-6), false)
	if err != nil {
		t.Fatal(err)
	}
	l.noise = rand.New(rand.NewPCG(3, 4))
	one, err := l.release(t.Context(), "pairs", presence.Doubles{Dim: 60}, 7, .6)
	if err != nil {
		t.Fatal(err)
	}
	two, err := l.release(t.Context(), "pairs", presence.Doubles{Dim: 60}, 7, .6)
	if err != nil || &one[0] != &two[0] || numtest.Off(l.Spent(), .6, 1e-12) {
		t.Errorf("%v spent after the same sum twice, %v", l.Spent(), err)
	}
	if _, err := l.release(t.Context(), "again", presence.Doubles{Dim: 60}, 7, .5); err == nil || !strings.Contains(err.Error(), "spent") {
		t.Errorf("beyond the budget: %v", err)
	}
	exact, err := pass.RunOne(t.Context(), pass.NewLocal(set.Rows, 1), presence.Doubles{Dim: 60})
	if err != nil {
		t.Fatal(err)
	}
	sigma, square := l.sigma(7, .6), 0.0
	grid := math.Ldexp(1, int(math.Floor(math.Log2(sigma)))-gridBits)
	for i, v := range one {
		if v/grid != math.Round(v/grid) {
			t.Fatalf("%v is not on the grid of %v", v, grid)
		}
		square += (v - exact[i]) * (v - exact[i])
	}
	if got := math.Sqrt(square / float64(len(one))); numtest.Off(got/sigma, 1, .06) || numtest.Off(sigma, 7/math.Sqrt(2*.6*Rho(1, 1e-6)), 1e-9) {
		t.Errorf("noise of %v, want %v", got, sigma)
	}
}

func ari(t testing.TB, p mixture.Params, set synth.Set) float64 {
	t.Helper()
	a, err := assign.All(context.Background(), bernoulli.New(bernoulli.Options{}), p, pass.NewLocal(set.Rows, 0))
	if err != nil {
		t.Fatal(err)
	}
	v, err := agree.ARI(a.Labels(), set.Labels)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestFit: 100,000 people at ε = 1 lose next to nothing, a thousand are refused.
func TestFit(t *testing.T) {
	set := synth.Patients(1, 100000, 100, 5, 8)
	r, err := Fit(t.Context(), bernoulli.New(bernoulli.Options{}), pass.NewLocal(set.Rows, 0), Settings{Groups: 5, Epsilon: 1, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	if got, best := ari(t, r.Params, set), ari(t, set.Truth, set); got < best-.02 || numtest.Off(r.Spent, 1, 1e-9) {
		t.Errorf("ARI %.3f, by the truth %.3f; %v of the budget", got, best, r.Spent)
	}
	if numtest.Off(r.Records, 100000, 500) {
		t.Errorf("%v records", r.Records)
	}
	few := synth.Patients(1, 1000, 100, 5, 8)
	if _, err := Fit(t.Context(), bernoulli.New(bernoulli.Options{}), pass.NewLocal(few.Rows, 0), Settings{Groups: 5, Epsilon: 1, Seed: 1}); !errors.Is(err, ErrNoise) {
		t.Errorf("a thousand people: %v", err)
	}
}

// TestSites: of several places each adds noise of its own, or its part of one noise,
// and what any of them sees has at least the noise that was paid for after its own
// is taken away; nothing else leaves a place that joins privately.
func TestSites(t *testing.T) {
	set := synth.Patients(2, 900, 60, 3, 6)
	exact, err := pass.RunOne(t.Context(), pass.NewLocal(set.Rows, 1), presence.Doubles{Dim: 60})
	if err != nil {
		t.Fatal(err)
	}
	const places, delta, share = 5, 7, .6
	paid := delta / math.Sqrt(2*share*Rho(1, 1e-6))
	for once, want := range map[bool]float64{false: math.Sqrt(places), true: math.Sqrt(places / (places - 1.))} {
		var total []float64
		hub := exchange.NewHub("a", "b", "c", "d", "e")
		hub.Seed = []byte("noise")
		var group errgroup
		for i := range places {
			group.do(func() error {
				j, err := pass.JoinPrivately(pass.NewLocal(set.Rows.Slice(900*i/places, 900*(i+1)/places), 1), hub.Site(i), "test")
				if err != nil {
					return err
				}
				if _, err := pass.RunOne(t.Context(), j, presence.Records{}); err == nil || !strings.Contains(err.Error(), "without noise") {
					t.Errorf("a bare sum: %v", err)
				}
				if _, err := j.Total(t.Context(), []float64{1}); err == nil || j.Len() != pass.Unknown {
					t.Errorf("a bare total: %v; %d records", err, j.Len())
				}
				l, err := NewLedger(j, Rho(1, 1e-6), once)
				if err != nil {
					return err
				}
				if got := l.sigma(delta, share); numtest.Off(got, want*paid, 1e-9) {
					t.Errorf("noise of %v is told, want %v", got, want*paid)
				}
				x, err := l.release(t.Context(), "pairs", presence.Doubles{Dim: 60}, delta, share)
				if i == 0 {
					total = x
				}
				return err
			})
		}
		if err := group.wait(); err != nil {
			t.Fatal(err)
		}
		square := 0.0
		for i, v := range total {
			square += (v - exact[i]) * (v - exact[i])
		}
		if got := math.Sqrt(square / float64(len(total))); numtest.Off(got/(want*paid), 1, .06) {
			t.Errorf("once %v: noise of %v in the total, want %v", once, got, want*paid)
		}
	}
	bare, err := pass.JoinPrivately(pass.NewLocal(set.Rows, 1), exchange.NewHub("a", "b").Site(0), "test")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := NewLedger(pass.Map(bare, func(b pass.Block) pass.Block { return b }), 1, true); err == nil {
		t.Error("records that others see otherwise were taken")
	}
}

// errgroup runs functions side by side and keeps the first error.
type errgroup struct {
	sync.WaitGroup
	mu  sync.Mutex
	err error
}

func (g *errgroup) do(f func() error) {
	g.Go(func() {
		if err := f(); err != nil {
			g.mu.Lock()
			g.err = errors.Join(g.err, err)
			g.mu.Unlock()
		}
	})
}

func (g *errgroup) wait() error {
	g.Wait()
	return g.err
}
