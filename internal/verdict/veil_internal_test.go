package verdict

import (
	"testing"

	"github.com/moiety-go/moiety/internal/normals"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/stream"
)

// sides of three groups, three deviations apart, in five columns; a cube where it is flat.
func threeApart(seed uint64, n int, flat bool) normals.Table {
	r := stream.New(seed, "test/veil")
	center := [3][2]float64{{0, 0}, {3, 0}, {3.6, 2.94}}
	t := normals.Table{N: n, D: 5, X: make([]float64, n*5)}
	for i := range n {
		c := center[r.IntN(3)]
		for h := range 5 {
			switch {
			case flat:
				t.X[i*5+h] = r.Float64()
			case h < 2:
				t.X[i*5+h] = c[h] + r.NormFloat64()
			default:
				t.X[i*5+h] = r.NormFloat64()
			}
		}
	}
	return t
}

// Where neighbouring clouds have a shallow valley between them, on their own records, nobody is
// sure that they are one group, and as many can be defended as such valleys part; a cube, which several clouds describe as well, stays sure.
func TestShallowValleysLeaveADoubt(t *testing.T) {
	judge := func(table normals.Table) *Verdict {
		record := make([]int, table.N)
		for i := range record {
			record[i] = i
		}
		m, err := varied(table, record, 1)
		if err != nil {
			t.Fatal(err)
		}
		v, err := m.verdict(t.Context(), Settings{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	for _, seed := range []uint64{2, 9}[:numtest.Scale(1, 2, 2)] {
		if v := judge(threeApart(seed, 900, false)); v.Sure || !v.doubted(Overlap) || v.Range[1] != 3 {
			t.Errorf("three groups: %+v", v)
		}
	}
	for seed := range uint64(numtest.Scale(1, 2, 2)) {
		if v := judge(threeApart(seed, 900, true)); v.Groups != 1 || !v.Sure || v.Components == 1 || v.Range != [2]int{1, 1} {
			t.Errorf("a cube: %+v", v)
		}
	}
}
