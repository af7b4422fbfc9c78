package explain_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/explain"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/report"
)

// crossing is a random pair of labelings with everything known: x counts
// records by group, strangers in the last row and column.
type crossing struct {
	a, b   explain.Side
	x      [][]int
	ka, kb int
}

func randomCrossing(t *testing.T, r *rand.Rand) crossing {
	return randomCrossingOf(t, r, report.Settings{Health: true})
}

func randomCrossingOf(t *testing.T, r *rand.Rand, s report.Settings) crossing {
	ka, kb := 1+r.IntN(4), 1+r.IntN(4)
	sizes := []int{0, 0, 0, 1, 2, 5, 10, 11, 12, 30, 60}
	var x [][]int
	for i := range ka + 1 {
		x = append(x, make([]int, kb+1))
		for j := range kb + 1 {
			stranger := i == ka || j == kb
			if i == ka && j == kb || stranger && r.IntN(3) > 0 {
				continue
			}
			x[i][j] = sizes[r.IntN(len(sizes))]
			if i == j && !stranger && r.IntN(3) > 0 {
				x[i][j] = 40 + r.IntN(80)
			}
		}
	}
	if a, b := sides(x); min(a, b) < report.DefaultMinCell { // nothing is told of so few
		x[0][0] += report.DefaultMinCell
	}
	return crossedOf(t, x, s)
}

// sides returns the numbers of records of both sides of a table, whose last row and column
// are records of one side alone.
func sides(x [][]int) (a, b int) {
	for i := range x {
		for j, n := range x[i] {
			if i < len(x)-1 {
				a += n
			}
			if j < len(x[i])-1 {
				b += n
			}
		}
	}
	return a, b
}

// crossed makes two sides of a table.
func crossed(t *testing.T, x [][]int) crossing {
	return crossedOf(t, x, report.Settings{Health: true})
}

func crossedOf(t *testing.T, x [][]int, s report.Settings) crossing {
	c := crossing{x: x, ka: len(x) - 1, kb: len(x[0]) - 1}
	var ids [2][]string
	var group [2][]int32
	n := 0
	for i := range x {
		for j := range x[i] {
			for range x[i][j] {
				id := fmt.Sprint("r", n)
				n++
				if i < c.ka {
					ids[0], group[0] = append(ids[0], id), append(group[0], int32(i))
				}
				if j < c.kb {
					ids[1], group[1] = append(ids[1], id), append(group[1], int32(j))
				}
			}
		}
	}
	c.a, c.b = labelled(t, c.ka, ids[0], group[0], s), labelled(t, c.kb, ids[1], group[1], s)
	return c
}

// TestCompareMask: from everything that a comparison and both reports tell, no
// number of 1 to limit-1 records can be worked out: neither a cell nor a sum of
// cells of one row or column.
func TestCompareMask(t *testing.T) {
	rounds := 2000
	if testing.Short() {
		rounds = 120
	}
	r := stream.New(1, "test/compare-mask")
	shown, kept := 0, 0
	for range rounds {
		c := randomCrossing(t, r)
		got := compare(t, c.a, c.b, report.CompareSettings{})
		reversed(t, got, compare(t, c.b, c.a, report.CompareSettings{}))
		if got.Matched != report.ByID {
			continue
		}
		known := attack(c, got)
		for i := range c.ka + 1 {
			for j := range c.kb + 1 {
				kept++
				if known.can(func(p, q int) bool { return p == i && q == j }) {
					shown++
				}
			}
		}
		c.safe(t, got, known)
	}
	if shown*10 < kept {
		t.Errorf("only %d of %d cells are told: masking hides too much to be tested", shown, kept)
	}
}

// safe checks that nothing small is known.
func (c crossing) safe(t *testing.T, got *report.Comparison, known *attacker) {
	t.Helper()
	for _, set := range c.subsets() {
		sum := 0
		for i := range c.x {
			for j := range c.x[i] {
				if set(i, j) {
					sum += c.x[i][j]
				}
			}
		}
		if sum > 0 && sum < limit && known.can(set) {
			t.Fatalf("%d records can be worked out of %v\n%+v", sum, c.x, got.Table)
		}
	}
	noSmallNumber(t, got)
}

// TestCompareMaskCorners: cases that chance seldom makes.
func TestCompareMaskCorners(t *testing.T) {
	for name, x := range map[string][][]int{
		// The second group of B is the small part that it shares with the first
		// of A, and strangers; both numbers of strangers may be reported.
		"apart":       {{0, 5, 61}, {50, 0, 0}, {0, 20, 0}},
		"few shared":  {{5, 30}, {40, 0}},
		"one more":    {{100, 0, 1}, {0, 80, 0}, {0, 0, 0}},
		"one other":   {{100, 0, 1}, {0, 80, 0}, {1, 0, 0}},
		"both groups": {{49, 2, 1, 12}, {0, 11, 0, 0}},
	} {
		t.Run(name, func(t *testing.T) {
			c := crossed(t, x)
			got := compare(t, c.a, c.b, report.CompareSettings{})
			c.safe(t, got, attack(c, got))
			reversed(t, got, compare(t, c.b, c.a, report.CompareSettings{}))
		})
	}
}

// subsets are all sets of cells of one row or of one column.
func (c crossing) subsets() []func(i, j int) bool {
	var out []func(i, j int) bool
	for i := range c.ka + 1 {
		for bits := 1; bits < 1<<(c.kb+1); bits++ {
			out = append(out, func(p, q int) bool { return p == i && bits>>q&1 == 1 })
		}
	}
	for j := range c.kb + 1 {
		for bits := 1; bits < 1<<(c.ka+1); bits++ {
			out = append(out, func(p, q int) bool { return q == j && bits>>p&1 == 1 })
		}
	}
	return out
}

// attacker holds the space of the sums of cells that are known.
type attacker struct {
	ka, kb int
	basis  [][]float64 // orthonormal
}

// attack gathers what is reported: cells, sizes of groups, strangers, totals.
func attack(c crossing, got *report.Comparison) *attacker {
	k := &attacker{ka: c.ka, kb: c.kb}
	k.learn(func(i, j int) bool { return i == c.ka && j == c.kb })
	for i := range got.Table {
		for j := range got.Table[i] {
			if !got.Table[i][j].Masked() {
				k.learn(func(p, q int) bool { return p == i && q == j })
			}
		}
	}
	for i, g := range got.A.Groups {
		if !g.N.Masked() {
			k.learn(func(p, q int) bool { return p == i })
		}
	}
	for j, g := range got.B.Groups {
		if !g.N.Masked() {
			k.learn(func(p, q int) bool { return q == j })
		}
	}
	if !got.A.Records.Masked() {
		k.learn(func(p, q int) bool { return p < c.ka })
	}
	if !got.B.Records.Masked() {
		k.learn(func(p, q int) bool { return q < c.kb })
	}
	if !got.OnlyA.Masked() {
		k.learn(func(p, q int) bool { return q == c.kb })
	}
	if !got.OnlyB.Masked() {
		k.learn(func(p, q int) bool { return p == c.ka })
	}
	if !got.Shared.Masked() {
		k.learn(func(p, q int) bool { return p < c.ka && q < c.kb })
	}
	k.flows(c, got)
	return k
}

// flows learns the moves that the pairs tell.
func (k *attacker) flows(c crossing, got *report.Comparison) {
	place := func(list []report.GroupRef, id string) int {
		for i, g := range list {
			if g.ID == id {
				return i
			}
		}
		return len(list)
	}
	row := func(i int, list []report.Flow) {
		for _, f := range list {
			j := place(got.B.Groups, f.Group)
			k.learn(func(p, q int) bool { return p == i && q == j })
		}
	}
	col := func(j int, list []report.Flow) {
		for _, f := range list {
			i := place(got.A.Groups, f.Group)
			k.learn(func(p, q int) bool { return p == i && q == j })
		}
	}
	for _, p := range got.Pairs {
		row(place(got.A.Groups, p.A.ID), p.Out)
		col(place(got.B.Groups, p.B.ID), p.In)
	}
	for _, x := range got.AloneA {
		row(place(got.A.Groups, x.Group.ID), x.Flows)
	}
	for _, x := range got.AloneB {
		col(place(got.B.Groups, x.Group.ID), x.Flows)
	}
}

// dust is the length below which what is left of a vector is rounding: vectors
// have at most 25 entries of 0 and 1.
const dust = 1e-9

func (k *attacker) rest(set func(i, j int) bool) []float64 {
	v := make([]float64, (k.ka+1)*(k.kb+1))
	for i := range k.ka + 1 {
		for j := range k.kb + 1 {
			if set(i, j) {
				v[i*(k.kb+1)+j] = 1
			}
		}
	}
	x := mat.NewVecDense(len(v), v)
	for range 2 { // twice is enough
		for _, b := range k.basis {
			y := mat.NewVecDense(len(b), b)
			x.AddScaledVec(x, -mat.Dot(x, y), y)
		}
	}
	return v
}

func (k *attacker) learn(set func(i, j int) bool) {
	v := k.rest(set)
	if n := mat.Norm(mat.NewVecDense(len(v), v), 2); n > dust {
		for i := range v {
			v[i] /= n
		}
		k.basis = append(k.basis, v)
	}
}

func (k *attacker) can(set func(i, j int) bool) bool {
	v := k.rest(set)
	return mat.Norm(mat.NewVecDense(len(v), v), 2) <= dust
}

// noSmallNumber looks at every count of the document, and that an agreement is
// rounded where cells are masked.
func noSmallNumber(t *testing.T, c *report.Comparison) {
	t.Helper()
	text, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	var doc any
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	masked := false
	for _, row := range c.Table {
		for _, n := range row {
			masked = masked || n.Masked()
		}
	}
	if masked && (!c.NMI.Masked() || !c.ARI.Masked() && numtest.Off(math.Remainder(c.ARI.Or(0), c.Within.Or(1)), 0, 1e-9) || !c.Stayed.Masked() && c.Stayed.Or(0) != 1 && someHidden(c)) {
		t.Errorf("the agreement tells masked cells: ARI %v within %v, NMI %v, stayed %v", c.ARI, c.Within, c.NMI, c.Stayed)
	}
	var walk func(path string, v any)
	walk = func(path string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for key, x := range v {
				walk(key, x)
			}
		case []any:
			for _, x := range v {
				walk(path, x)
			}
		case float64:
			switch path {
			case "n", "table", "shared", "count", "records", "only_a", "only_b":
				if v > 0 && v < limit {
					t.Errorf("%s is %v", path, v)
				}
			}
		}
	}
	walk("", doc)
	for _, p := range c.Pairs {
		if n, ok := p.Both.Value(); ok && n > 0 && n < limit {
			t.Errorf("%d records in both groups of a pair", n)
		}
	}
}

// someHidden reports whether a cell of a pair is masked.
func someHidden(c *report.Comparison) bool {
	for _, p := range c.Pairs {
		if p.Both.Masked() {
			return true
		}
	}
	return false
}
