package stream

import (
	"math"
	"testing"

	"github.com/moiety-go/moiety/internal/numtest"
)

// The numbers of a (seed, name) pair are part of the file formats: if this test
// fails, saved models and summaries can no longer be reproduced.
func TestGolden(t *testing.T) {
	for _, c := range []struct {
		seed uint64
		name string
		want [3]uint64
	}{
		{0, "", [3]uint64{0x774eeec809f0eb48, 0x5ceecb0d09df55e0, 0xd95c4267b1fafdb}},
		{1, "sketch", [3]uint64{0xee8f98256ca969e5, 0x5984db5b0233012, 0x3dedb964bff42fab}},
		{1, "em", [3]uint64{0x3e35ef7939f3ecae, 0xffc5ce96323e82b0, 0x352187a070532507}},
		{20170612, "sketch", [3]uint64{0xa9967b17cd38cb3, 0xdab282561327f5d4, 0xe6a0dfc5b20ae10c}},
		{18446744073709551615, "π", [3]uint64{0x7fa9b372cd336f82, 0xa727fcc4e987556b, 0xd1f8c4a050d4fd8}},
	} {
		r := New(c.seed, c.name)
		for i, want := range c.want {
			if got := r.Uint64(); got != want {
				t.Errorf("New(%d, %q), number %d: %#x, want %#x", c.seed, c.name, i, got, want)
			}
		}
	}
}

func TestGoldenNormals(t *testing.T) {
	got := make([]float64, 3)
	Normals(New(1, "sketch"), got)
	want := []float64{0x1.fa827ef0164ccp-01, -0x1.ba71a72d33ddbp-01, -0x1.0d52cbc2397bep+00}
	for i := range want {
		if math.Float64bits(got[i]) != math.Float64bits(want[i]) {
			t.Errorf("normal %d: %x, want %x", i, got[i], want[i])
		}
	}
}

// A stream depends on its name and seed only, and names do not run together.
func TestIndependent(t *testing.T) {
	first := make(map[uint64]string)
	for seed := range uint64(50) {
		for _, name := range []string{"", "a", "b", "ab", "sketch", "sketch 2"} {
			v := New(seed, name).Uint64()
			if other, ok := first[v]; ok {
				t.Fatalf("streams %q and %q of seed %d start alike", name, other, seed)
			}
			first[v] = name
		}
	}
}

// Moments of 100,000 normals: standard errors 0.003, 0.0045, 0.008 and 0.03.
func TestNormalsMoments(t *testing.T) {
	v := make([]float64, 100_000)
	Normals(New(7, "moments"), v)
	var m [4]float64
	for _, x := range v {
		p := 1.0
		for i := range m {
			p *= x
			m[i] += p / float64(len(v))
		}
	}
	const errors = 5 // standard errors: one in a million
	for i, c := range []struct{ want, se float64 }{{0, 0.0032}, {1, 0.0045}, {0, 0.0123}, {3, 0.031}} {
		if numtest.Off(m[i], c.want, errors*c.se) {
			t.Errorf("moment %d is %v, want %v", i+1, m[i], c.want)
		}
	}
}
