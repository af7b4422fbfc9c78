package private

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/agree"
	"github.com/moiety-go/moiety/internal/assign"
	"github.com/moiety-go/moiety/internal/family/bernoulli"
	"github.com/moiety-go/moiety/internal/synth"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// TestRho: by hand. ε = ρ + 2√(ρ ln 1/δ), and the ε = 1 of the plan is .0175.
func TestRho(t *testing.T) {
	for _, e := range []float64{.5, 1, 3, 5} {
		rho := Rho(e, 1e-6)
		if got := rho + 2*math.Sqrt(rho*math.Log(1e6)); math.Abs(got-e) > 1e-12 {
			t.Errorf("ρ of ε = %v gives %v back", e, got)
		}
	}
	if got := Rho(1, 1e-6); math.Abs(got-.0175) > 1e-4 {
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
		for name, s := range map[string]pass.Sum{"n": records{}, "codes": singles{d}, "pairs": doubles{d}, "core": cores{basis, k, coreNorm}, "step": expected{step}} {
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

// TestCore: the products of different codes, by three loops.
func TestCore(t *testing.T) {
	const k = 2
	basis := []float64{1, 2, -1, .5, .3, 1, 2, -2}
	s := cores{basis, k, 1e9}
	state := make([]float64, s.Len())
	if err := s.Add(state, pass.Block{Rows: sparse.Rows{Dim: 4, Ptr: []int{0, 4}, Index: []uint32{0, 1, 2, 3}}}); err != nil {
		t.Fatal(err)
	}
	at := 0
	for a := range k {
		for b := a; b < k; b++ {
			for c := b; c < k; c++ {
				want := 0.0
				for h := range 4 {
					for m := range 4 {
						for j := range 4 {
							if h != m && m != j && h != j {
								want += basis[h*k+a] * basis[m*k+b] * basis[j*k+c]
							}
						}
					}
				}
				if math.Abs(state[at]-want) > 1e-9 {
					t.Errorf("entry %d%d%d: %v, want %v", a, b, c, state[at], want)
				}
				at++
			}
		}
	}
}

// TestBounded: no record has more codes than may count, those of before, and the
// same in every pass.
func TestBounded(t *testing.T) {
	set := synth.Patients(2, 3000, 60, 3, 12)
	seen := func() (list []uint32) {
		_, err := bounded(pass.NewLocal(set.Rows, 1), 10, 5).Own(t.Context(), func(b pass.Block) error {
			for i := range b.N() {
				index, _ := b.Rows.Row(i)
				whole, _ := set.Rows.Row(b.First + i)
				if len(index) != min(10, len(whole)) {
					t.Fatalf("record %d has %d of %d codes", b.First+i, len(index), len(whole))
				}
				list = append(list, index...)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	a, b := seen(), seen()
	for i := range a {
		if a[i] != b[i] {
			t.Fatal("another pass has other codes")
		}
	}
}

// TestBudget: a sum is paid once, what goes beyond the budget is refused, and what
// is released has the noise that was paid for, on a grid.
func TestBudget(t *testing.T) {
	set := synth.Patients(2, 1000, 60, 3, 6)
	l := newLedger(pass.NewLocal(set.Rows, 1), Rho(1, 1e-6), 1, rand.New(rand.NewPCG(3, 4)))
	one, err := l.release(t.Context(), "pairs", doubles{60}, 7, .6)
	if err != nil {
		t.Fatal(err)
	}
	two, err := l.release(t.Context(), "pairs", doubles{60}, 7, .6)
	if err != nil || &one[0] != &two[0] || math.Abs(l.Spent()-.6) > 1e-12 {
		t.Errorf("%v spent after the same sum twice, %v", l.Spent(), err)
	}
	if _, err := l.release(t.Context(), "again", doubles{60}, 7, .5); err == nil || !strings.Contains(err.Error(), "spent") {
		t.Errorf("beyond the budget: %v", err)
	}
	exact, err := pass.RunOne(t.Context(), pass.NewLocal(set.Rows, 1), doubles{60})
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
	if got := math.Sqrt(square / float64(len(one))); math.Abs(got/sigma-1) > .06 || math.Abs(sigma-7/math.Sqrt(2*.6*Rho(1, 1e-6))) > 1e-9 {
		t.Errorf("noise of %v, want %v", got, sigma)
	}
}

func ari(t testing.TB, p mixture.Params, set synth.Set) float64 {
	t.Helper()
	a, err := assign.All(context.Background(), bernoulli.New(bernoulli.Options{}), p, pass.NewLocal(set.Rows, 0), set.Rows.N())
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
	if got, best := ari(t, r.Params, set), ari(t, set.Truth, set); got < best-.02 || math.Abs(r.Spent-1) > 1e-9 {
		t.Errorf("ARI %.3f, by the truth %.3f; %v of the budget", got, best, r.Spent)
	}
	if math.Abs(r.Records-100000) > 500 {
		t.Errorf("%v records", r.Records)
	}
	few := synth.Patients(1, 1000, 100, 5, 8)
	if _, err := Fit(t.Context(), bernoulli.New(bernoulli.Options{}), pass.NewLocal(few.Rows, 0), Settings{Groups: 5, Epsilon: 1, Seed: 1}); !errors.Is(err, ErrNoise) {
		t.Errorf("a thousand people: %v", err)
	}
}
