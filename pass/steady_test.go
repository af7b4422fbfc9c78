package pass_test

import (
	"math"
	"slices"
	"testing"

	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// crowd returns n records of d presences, many of them equal: record i has each
// feature with a chance that falls with its number.
func crowd(n, d int) sparse.Rows {
	r := stream.New(5, "test/steady")
	rows := sparse.Rows{Dim: d, Ptr: []int{0}}
	for range n {
		for f := range d {
			if r.IntN(2+f) == 0 {
				rows.Index = append(rows.Index, uint32(f))
			}
		}
		rows.Ptr = append(rows.Ptr, len(rows.Index))
	}
	return rows
}

// without returns the rows but one.
func without(rows sparse.Rows, out int) sparse.Rows {
	list := make([]int, 0, rows.N())
	for i := range rows.N() {
		if i != out {
			list = append(list, i)
		}
	}
	return rows.Pick(list)
}

// content is what a record holds.
func content(rows sparse.Rows, i int) string {
	index, _ := rows.Row(i)
	return string(asRunes(index))
}

func asRunes(list []uint32) []rune {
	out := make([]rune, len(list))
	for i, x := range list {
		out[i] = rune(x)
	}
	return out
}

func drawnContents(t *testing.T, rows sparse.Rows, k, workers int) []string {
	t.Helper()
	list, err := pass.Steady(t.Context(), pass.NewLocal(rows, workers), k)
	if err != nil {
		t.Fatal(err)
	}
	out := make([]string, len(list))
	for i, x := range list {
		out[i] = content(rows, x)
	}
	return out
}

// A draw names k different records, and one record less changes it about as often
// as that record is drawn: in k of n cases.
func TestSteady(t *testing.T) {
	const k = 100
	n, tries := 5_000, 400
	if testing.Short() {
		n, tries = 2_000, 160
	}
	rows := crowd(n, 14)
	list, err := pass.Steady(t.Context(), pass.NewLocal(rows, 2), k)
	if err != nil {
		t.Fatal(err)
	}
	if once := slices.Compact(slices.Sorted(slices.Values(list))); len(once) != k || once[0] < 0 || once[k-1] >= n {
		t.Fatalf("%d different records of %d", len(once), k)
	}
	all := drawnContents(t, rows, k, 2)
	r := stream.New(6, "test/steady")
	changed := 0
	for range tries {
		if !slices.Equal(all, drawnContents(t, without(rows, r.IntN(n)), k, 2)) {
			changed++
		}
	}
	// tries·k/n = 8 are expected, and a few more where buckets are mixed.
	t.Logf("%d of %d draws changed", changed, tries)
	if changed > 24 || changed == 0 {
		t.Errorf("%d of %d draws changed by one record", changed, tries)
	}
}

// Every record is as likely as any other: contents are drawn as often as they
// occur.
func TestSteadyIsFair(t *testing.T) {
	const n, k = 40_000, 4_000
	rows := crowd(n, 7)
	all, some := map[string]float64{}, map[string]float64{}
	for i := range n {
		all[content(rows, i)]++
	}
	for _, c := range drawnContents(t, rows, k, 2) {
		some[c]++
	}
	chi, df := 0.0, -1.0
	for c, m := range all {
		if want := m * k / n; want >= 5 {
			chi += (some[c] - want) * (some[c] - want) / (want * (1 - float64(k)/n))
			df++
		}
	}
	// Chi-square has mean df and variance 2·df.
	if z := (chi - df) / math.Sqrt(2*df); numtest.Off(z, 0, 4) {
		t.Errorf("contents are drawn unevenly: chi-square %.1f at %v degrees of freedom", chi, df)
	}
}

// The draw is the same for any number of workers and kind of rows, and all
// records where they are few.
func TestSteadyForms(t *testing.T) {
	rows := crowd(9_000, 8)
	want := drawnContents(t, rows, 500, 1)
	for _, workers := range []int{2, 8} {
		if !slices.Equal(want, drawnContents(t, rows, 500, workers)) {
			t.Errorf("%d workers draw others", workers)
		}
	}
	if list, err := pass.Steady(t.Context(), pass.NewLocal(rows, 1), 9_000); err != nil || len(list) != 9_000 || list[17] != 17 {
		t.Errorf("of all records %d are drawn (%v)", len(list), err)
	}
	dense := sparse.Rows{Dim: 1, Dense: make([]float64, 1000)}
	for i := range dense.Dense {
		dense.Dense[i] = math.Sqrt(float64(i))
	}
	steps := []int{0}
	for i := range 500 {
		steps = append(steps, 2*i+2)
	}
	for name, r := range map[string]pass.Runner{"values": pass.NewLocal(dense, 2), "sequences": pass.NewSequences(dense, steps, 2)} {
		list, err := pass.Steady(t.Context(), r, 50)
		if once := slices.Compact(slices.Sorted(slices.Values(list))); err != nil || len(once) != 50 {
			t.Errorf("%s: %d different records (%v)", name, len(once), err)
		}
	}
}

// elsewhere has more records than are here.
type elsewhere struct{ pass.Runner }

func (e elsewhere) Len() int { return 2 * e.Runner.Len() }

// A steady draw of a part would not be one of all.
func TestSteadyOfAPart(t *testing.T) {
	run := pass.NewLocal(crowd(100, 4), 1)
	for _, k := range []int{10, 100, 1000} {
		if list, err := pass.Steady(t.Context(), elsewhere{run}, k); err == nil {
			t.Errorf("%d of a part are drawn as if it were all: %v", k, list)
		}
		if list, err := pass.Steady(t.Context(), run, k); err != nil || len(list) != min(k, 100) {
			t.Errorf("%d of all: %v (%v)", k, list, err)
		}
	}
}
