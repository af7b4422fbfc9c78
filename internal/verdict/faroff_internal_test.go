package verdict

import (
	"math"
	"slices"
	"testing"

	"github.com/moiety-go/moiety/internal/normals"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// cells are measurements of one population, about 12 in each of so many columns.
func cells(n, d int) normals.Table {
	r := stream.New(1, "test/cells")
	t := normals.Table{N: n, D: d, X: make([]float64, n*d)}
	for i := range t.X {
		t.X[i] = 12 + r.NormFloat64()
	}
	return t
}

// A point lost in one cell of a hundred makes no groups, and the columns are named.
func TestWrongCellsAreNoGroups(t *testing.T) {
	for _, d := range []int{4, 35} { // of 35 columns few records are without one
		table := cells(300, d)
		for at := 0; at < len(table.X); at += 41 {
			table.X[at] *= 10
		}
		v, err := Measured(t.Context(), pass.NewLocal(sparse.Rows{Dim: d, Dense: table.X}, 1), Settings{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		if v.Groups != 1 || v.Range[1] != 1 || len(v.Far.Features()) != d {
			t.Errorf("%d columns: %d groups, to %d; far off in %v", d, v.Groups, v.Range[1], v.Far.Features())
		}
	}
}

// A value is far off where its record is like others otherwise; a small group is seen in several
// columns, and a long tail has no gap.
func TestFarOff(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(i int, row []float64)
		want   []int
	}{
		{"nothing", func(int, []float64) {}, nil},
		{"a code", func(i int, row []float64) {
			if i%60 == 0 {
				row[1] = 999
			}
		}, []int{1}},
		{"a small group", func(i int, row []float64) {
			if i%40 == 0 {
				row[0], row[2] = row[0]+30, row[2]+2
			}
		}, nil},
		{"a tenth", func(i int, row []float64) {
			if i%10 == 0 {
				row[0] *= 10
			}
		}, nil},
		{"a long tail", func(_ int, row []float64) { row[3] = math.Exp(row[3] - 12) }, nil},
	} {
		table := cells(600, 4)
		for i := range table.N {
			c.change(i, table.Row(i))
		}
		if got := (*strand)(nil).reachesOf(table, realColumns(4)).Features(); !slices.Equal(got, c.want) {
			t.Errorf("%s: far off in %v, want %v", c.name, got, c.want)
		}
	}
}
