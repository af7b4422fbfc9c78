package explain_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/internal/agree"
	"github.com/moiety-go/moiety/internal/explain"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"
)

func side(t *testing.T, name string, o *fit.Outcome, d *dataset.Dataset, s report.Settings) explain.Side {
	t.Helper()
	return explain.Side{Name: name, Outcome: o, Data: d, Report: explained(t, o, d, s)}
}

func compare(t *testing.T, a, b explain.Side, s report.CompareSettings) *report.Comparison {
	t.Helper()
	c, err := explain.Compare(t.Context(), a, b, s)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// labelled is a side whose records lie in known groups. Features do not matter:
// a record has the first one if its id has an even length, and all have the
// second.
func labelled(t *testing.T, k int, ids []string, group []int32, s report.Settings) explain.Side {
	t.Helper()
	rows := sparse.Rows{Dim: 2, Ptr: []int{0}}
	for _, id := range ids {
		if len(id)%2 == 0 {
			rows.Index = append(rows.Index, 0)
		}
		rows.Index = append(rows.Index, 1)
		rows.Ptr = append(rows.Ptr, len(rows.Index))
	}
	d := &dataset.Dataset{Kind: record.Presence, Rows: rows, Vocab: vocab.Numbered(2), IDs: ids}
	weights := make([]float64, k)
	sure := make([]float32, len(group))
	for i, g := range group {
		weights[g] += 1 / float64(len(group))
		sure[i] = 1
	}
	o := &fit.Outcome{
		Model: &model.Model{Spec: model.Spec{Model: "bernoulli"}, Params: mixture.New(mat.NewDense(2, k, nil), weights), Vocab: d.Vocab},
		Group: group, Probability: sure,
	}
	return side(t, "run", o, d, s)
}

// TestCompareSelf: nothing changed between a run and itself.
func TestCompareSelf(t *testing.T) {
	d, c := hospital(t, 1, 800), corpus(1, 300)
	for name, x := range map[string]explain.Side{
		"flat":   side(t, "a", flat(t, d, 3, ""), d, report.Settings{}),
		"health": side(t, "a", flat(t, d, 4, ""), d, report.Settings{Health: true}),
		"tree":   side(t, "a", grown(t, d, fit.TreeShape{Leaves: 4}), d, report.Settings{Health: true}),
		"lda":    side(t, "a", flat(t, c, 3, "lda"), c, report.Settings{}),
	} {
		for level := range 3 {
			got := compare(t, x, x, report.CompareSettings{Level: level})
			if !got.Same || got.ARI.Or(0) != 1 || len(got.Warnings) > 0 || len(got.AloneA)+len(got.AloneB) > 0 {
				t.Errorf("%s: a run differs from itself: %+v", name, got)
			}
			if !strings.Contains(strings.Join(got.Summary, " "), "Nothing changed") {
				t.Errorf("%s: %q", name, got.Summary)
			}
			for _, p := range got.Pairs {
				if p.A.ID != p.B.ID || len(p.Features)+len(p.Out)+len(p.In) > 0 {
					t.Errorf("%s: changes in %s: %+v", name, p.A.ID, p)
				}
			}
		}
	}
}

// TestCompareCounts checks every number of a small case by hand: 100 records in
// A (60, 40), of which 10 are not in B; B has 20 others.
//
//	        B1  B2  only A
//	A1      45  10       5
//	A2       5  30       5
//	only B  20   0
func TestCompareCounts(t *testing.T) {
	var ids [2][]string
	var group [2][]int32
	add := func(n int, a, b int32) {
		for range n {
			id := fmt.Sprintf("r%d", len(ids[0])+len(ids[1]))
			for s, g := range [2]int32{a, b} {
				if g >= 0 {
					ids[s], group[s] = append(ids[s], id), append(group[s], g)
				}
			}
		}
	}
	add(45, 0, 0)
	add(10, 0, 1)
	add(5, 1, 0)
	add(30, 1, 1)
	add(5, 0, -1)
	add(5, 1, -1)
	add(20, -1, 0)
	named := report.Settings{Names: map[string]string{"1": "one", "2": "two"}}
	a, b := labelled(t, 2, ids[0], group[0], named), labelled(t, 2, ids[1], group[1], named)
	c := compare(t, a, b, report.CompareSettings{})
	if c.Matched != report.ByID || c.Shared != report.CountOf(90) || c.OnlyA != report.CountOf(10) || c.OnlyB != report.CountOf(20) {
		t.Errorf("records: %s %v %v %v", c.Matched, c.Shared, c.OnlyA, c.OnlyB)
	}
	var x, y []int
	for i, n := range []int{45, 10, 5, 30} {
		for range n {
			x, y = append(x, i/2), append(y, i%2)
		}
	}
	ari, _ := agree.ARI(x, y)
	nmi, _ := agree.NMI(x, y)
	if c.ARI.Or(0) != ari || c.NMI.Or(0) != nmi || c.Stayed.Or(0) != 75./90 {
		t.Errorf("agreement %v %v %v, want %v %v %v", c.ARI, c.NMI, c.Stayed, ari, nmi, 75./90)
	}
	p := c.Pairs[0]
	if p.Both != report.CountOf(45) || p.Overlap.Or(0) != 45./85 || p.Kept.Or(0) != 45./60 || p.Known.Or(0) != 45./70 {
		t.Errorf("first pair: %+v", p)
	}
	if len(p.Out) != 2 || p.Out[0].Group != "2" || p.Out[0].N != report.CountOf(10) || p.Out[1].Group != "" || p.Out[1].N != report.CountOf(5) {
		t.Errorf("moves out: %+v", p.Out)
	}
	if len(p.In) != 2 || p.In[0].Group != "" || p.In[0].N != report.CountOf(20) || p.In[1].N != report.CountOf(5) {
		t.Errorf("moves in: %+v", p.In)
	}
	want := `60 records in A (60 %), 70 in B (64 %). It kept 75 % of its records; 10 (17 %) moved to 2 "two"; ` +
		`5 (8.3 %) are not in B. New in it: 20 (29 %) were not in A; 5 (7.1 %) from 2 "two".`
	if p.Text != want {
		t.Errorf("got  %s\nwant %s", p.Text, want)
	}
	reversed(t, c, compare(t, b, a, report.CompareSettings{}))
}

// reversed checks that the comparison of b with a says the same as c.
func reversed(t *testing.T, c, r *report.Comparison) {
	t.Helper()
	if c.ARI.Masked() != r.ARI.Masked() || numtest.Off(c.ARI.Or(0), r.ARI.Or(0), 1e-12) || c.OnlyA != r.OnlyB || c.OnlyB != r.OnlyA || c.Same != r.Same {
		t.Errorf("reversed: %v %v %v %v, then %v %v %v %v", c.ARI, c.OnlyA, c.OnlyB, c.Same, r.ARI, r.OnlyA, r.OnlyB, r.Same)
	}
	for i := range c.Table {
		for j := range c.Table[i] {
			if c.Table[i][j] != r.Table[j][i] {
				t.Errorf("cell %d, %d: %v and reversed %v", i, j, c.Table[i][j], r.Table[j][i])
			}
		}
	}
}

// TestCompareMatching: how records are found in each other.
func TestCompareMatching(t *testing.T) {
	d, other := hospital(t, 1, 400), hospital(t, 2, 400)
	o := flat(t, d, 3, "")
	a := side(t, "a", o, d, report.Settings{})
	if c := compare(t, a, side(t, "b", flat(t, d, 4, ""), d, report.Settings{}), report.CompareSettings{}); c.Matched != report.ByPosition {
		t.Errorf("the same rows without ids: %s", c.Matched)
	}
	b := side(t, "b", flat(t, other, 3, ""), other, report.Settings{})
	c := compare(t, a, b, report.CompareSettings{})
	if c.Matched != report.ByFeatures || c.Table != nil || !c.ARI.Masked() || len(c.Pairs) != 3 {
		t.Fatalf("other rows of the same number: %s %v, %d pairs", c.Matched, c.ARI, len(c.Pairs))
	}
	for _, p := range c.Pairs { // both hospitals have the same three pictures
		first := func(name string) string { word, _, _ := strings.Cut(name, ","); return word }
		if first(p.A.Name) != first(p.B.Name) {
			t.Errorf("%q is paired with %q", p.A.Name, p.B.Name)
		}
	}
	named := func(d *dataset.Dataset, prefix string) *dataset.Dataset {
		x := *d
		x.IDs = nil
		for i := range d.Len() {
			x.IDs = append(x.IDs, fmt.Sprint(prefix, i+1))
		}
		return &x
	}
	c = compare(t, side(t, "a", o, named(d, "p"), report.Settings{}), side(t, "b", b.Outcome, named(other, "p"), report.Settings{}), report.CompareSettings{})
	if c.Matched != report.ByID || len(c.Warnings) != 1 || c.Warnings[0].Code != "same-ids-other-records" {
		t.Errorf("same ids, other records: %s %v", c.Matched, c.Warnings)
	}
	c = compare(t, side(t, "a", o, named(d, ""), report.Settings{}), side(t, "b", b.Outcome, named(other, ""), report.Settings{}), report.CompareSettings{})
	if c.Matched != report.ByFeatures {
		t.Errorf("numbers as ids, other records: %s", c.Matched)
	}
}

// TestCompareVocabularies: features that only one run has are named; two runs
// that share nothing are refused.
func TestCompareVocabularies(t *testing.T) {
	d := hospital(t, 1, 300)
	o := flat(t, d, 3, "")
	a := side(t, "a", o, d, report.Settings{})
	x := *d
	v := *d.Vocab
	v.Names = append([]string{"999"}, v.Names[1:]...)
	v.Titles = append([]string{"Other"}, v.Titles[1:]...)
	x.Vocab = &v
	c := compare(t, a, side(t, "b", o, &x, report.Settings{}), report.CompareSettings{})
	want := "13 diagnoses are in both, 1 only in A (Heart failure), 1 only in B (Other)."
	if c.Common.Both != 13 || c.Summary[1] != want {
		t.Errorf("got %+v, %q", c.Common, c.Summary[1])
	}
	words := corpus(1, 200)
	_, err := explain.Compare(t.Context(), a, side(t, "b", flat(t, words, 2, ""), words, report.Settings{}), report.CompareSettings{})
	if !errors.Is(err, fit.ErrTooLittle) || !strings.Contains(err.Error(), "neither records nor features") {
		t.Errorf("runs that share nothing: %v", err)
	}
	_, err = explain.Compare(t.Context(), a, side(t, "b", o, d, report.Settings{Health: true}), report.CompareSettings{})
	if err == nil || !strings.Contains(err.Error(), "same limit") {
		t.Errorf("two limits: %v", err)
	}
}

// TestCompareChanges: a feature that one group lost is reported, with its counts.
func TestCompareChanges(t *testing.T) {
	d := hospital(t, 1, 900)
	a := side(t, "a", flat(t, d, 3, ""), d, report.Settings{Counted: true})
	b := side(t, "b", flat(t, d, 2, ""), d, report.Settings{Counted: true})
	c := compare(t, a, b, report.CompareSettings{Top: 2})
	if len(c.Pairs) != 2 || len(c.AloneA) != 1 {
		t.Fatalf("%d pairs, %d alone", len(c.Pairs), len(c.AloneA))
	}
	found := false
	for _, p := range c.Pairs {
		if len(p.Features) > 2 {
			t.Errorf("%d features, asked for 2", len(p.Features))
		}
		for _, f := range p.Features {
			found = true
			for s, g := range []struct {
				side explain.Side
				ref  report.GroupRef
				x    report.ChangedNumber
			}{{a, p.A, f.A}, {b, p.B, f.B}} {
				group, _ := g.side.Report.Find(g.ref.ID)
				n, have := 0, 0
				for i := range d.Len() {
					if int(g.side.Outcome.Group[i]) == group.Number-1 {
						n++
						for h, name := range d.Vocab.Names {
							if name == f.Name && d.Rows.At(i, h) != 0 {
								have++
							}
						}
					}
				}
				low, high := explain.Wilson(float64(have), float64(n))
				if g.x.Count != report.CountOf(have) || numtest.Off(g.x.Share.Or(0), float64(have)/float64(n), 1e-12) ||
					numtest.Off(g.x.Low.Or(0), low, 1e-12) || numtest.Off(g.x.High.Or(0), high, 1e-12) {
					t.Errorf("side %d, %s: %+v, want %d of %d", s, f.Title, g.x, have, n)
				}
			}
		}
	}
	if !found {
		t.Error("two groups became one and no feature changed")
	}
}

// TestCompareJSON: the document can be read back.
func TestCompareJSON(t *testing.T) {
	d := hospital(t, 1, 300)
	c := compare(t, side(t, "a", flat(t, d, 3, ""), d, report.Settings{Health: true}), side(t, "b", flat(t, d, 4, ""), d, report.Settings{Health: true}), report.CompareSettings{})
	text, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	var again report.Comparison
	if err := json.Unmarshal(text, &again); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(*c, again) {
		t.Errorf("read back:\n%+v\nwant\n%+v", again, *c)
	}
}

// TestCompareRepeatedIDs: records that have the same id several times are paired
// in order, each once.
func TestCompareRepeatedIDs(t *testing.T) {
	ids := []string{"p", "p", "p", "q"}
	a := labelled(t, 2, ids, []int32{0, 1, 0, 1}, report.Settings{})
	b := labelled(t, 2, ids, []int32{0, 1, 0, 1}, report.Settings{})
	c := compare(t, a, b, report.CompareSettings{})
	if !c.Same || c.Shared != report.CountOf(4) {
		t.Errorf("the same records: same %v, %v shared", c.Same, c.Shared)
	}
	b = labelled(t, 2, ids[1:], []int32{0, 1, 1}, report.Settings{})
	c = compare(t, a, b, report.CompareSettings{})
	want := [][]report.Count{{report.CountOf(1), report.CountOf(0)}, {report.CountOf(0), report.CountOf(2)}}
	if c.Shared != report.CountOf(3) || !reflect.DeepEqual(c.Table, want) {
		t.Errorf("one p fewer: %v shared, %v", c.Shared, c.Table)
	}
}

// TestCompareJoins: what was joined and what was split is said, both ways.
func TestCompareJoins(t *testing.T) {
	d := hospital(t, 1, 1000)
	d.IDs = nil
	fine, coarse := grown(t, d, fit.TreeShape{Leaves: 3}), grown(t, d, fit.TreeShape{Leaves: 2})
	said := func(a, b *fit.Outcome) string {
		c := compare(t, side(t, "a", a, d, report.Settings{}), side(t, "b", b, d, report.Settings{}), report.CompareSettings{})
		return strings.Join(c.Summary, " ")
	}
	if got := said(fine, coarse); !strings.Contains(got, "joins 2 groups of A: ") || strings.Contains(got, "is split into") {
		t.Errorf("three groups to two: %s", got)
	}
	if got := said(coarse, fine); !strings.Contains(got, "is split into 2 groups of B: ") || strings.Contains(got, "joins") {
		t.Errorf("two groups to three: %s", got)
	}
}
