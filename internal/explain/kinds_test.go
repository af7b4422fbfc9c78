package explain_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/internal/explain"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"
)

// mixedWorld holds records of two groups with columns of all kinds: age (real),
// visits (counts), smoker (presence, sometimes missing), sex (a question).
func mixedWorld(n int) (*fit.Outcome, *dataset.Dataset) {
	r := stream.New(1, "test/mixed")
	rows := sparse.Rows{Dim: 5}
	o := &fit.Outcome{}
	for i := range n {
		g := i % 3 / 2 // two thirds, one third
		age := 70 - 20*float64(g) + 5*r.NormFloat64()
		if r.IntN(4) == 0 {
			age = math.NaN()
		}
		smoker := 0.0
		switch {
		case r.IntN(5) == 0:
			smoker = math.NaN()
		case r.Float64() < .2+.6*float64(g):
			smoker = 1
		}
		sex := []float64{0, 0}
		if r.IntN(6) > 0 {
			sex[r.IntN(2)] = 1
		}
		rows.Dense = append(rows.Dense, age, float64(r.IntN(4)+3*g), smoker, sex[0], sex[1])
		o.Group, o.Probability = append(o.Group, int32(g)), append(o.Probability, .95)
	}
	v := vocab.New([]string{"age", "visits", "smoker", "sex=f", "sex=m"})
	v.Columns = []vocab.Column{
		{Name: "age", Kind: vocab.Real, From: 0, To: 1},
		{Name: "visits", Kind: vocab.Counts, From: 1, To: 2},
		{Name: "smoker", Kind: vocab.Presence, From: 2, To: 3},
		{Name: "sex", Kind: vocab.Categorical, From: 3, To: 5},
	}
	o.Model = &model.Model{Spec: model.Spec{Model: "mixed"}, Vocab: v, Params: mixture.New(mat.NewDense(5, 2, nil), []float64{2. / 3, 1. / 3})}
	return o, &dataset.Dataset{Kind: record.Mixed, Rows: rows, Vocab: v}
}

// TestMixedKinds compares every kind with a plain count.
func TestMixedKinds(t *testing.T) {
	o, d := mixedWorld(900)
	r := explained(t, o, d, report.Settings{})
	for j := range 2 {
		g := r.Leaf(j)
		var sum, square, seen, visits, smokers, answers, women, answered, n float64
		for i, group := range o.Group {
			if int(group) != j {
				continue
			}
			row := d.Rows.DenseRow(i)
			n++
			visits += row[1]
			women += row[3]
			answered += row[3] + row[4]
			if !math.IsNaN(row[0]) {
				sum += row[0]
				square += row[0] * row[0]
				seen++
			}
			if !math.IsNaN(row[2]) {
				smokers += row[2]
				answers++
			}
		}
		mean := sum / seen
		m := g.Measures[0]
		if len(g.Measures) != 1 || numtest.Off(m.Mean.Or(0), mean, 1e-9) || numtest.Off(m.SD.Or(0), math.Sqrt((square-seen*mean*mean)/(seen-1)), 1e-9) || m.Out != report.CountOf(int(seen)) {
			t.Errorf("group %d: age %+v, want mean %v of %v", j+1, m, mean, seen)
		}
		want := map[string]float64{"visits": visits / n, "smoker": smokers / answers, "sex=f": women / answered}
		for _, f := range g.Frequent {
			if v, ok := want[f.Name]; ok && numtest.Off(f.Share.Or(-1), v, exact) {
				t.Errorf("group %d: %s is %v, want %v", j+1, f.Name, f.Share, v)
			}
		}
	}
	if got := r.Leaf(1).Text; !strings.Contains(got, "Visits (") || !strings.Contains(got, "on average") || !strings.Contains(got, "age 4") {
		t.Errorf("the words are %q", got)
	}
	if got := r.Leaf(1).Name; !strings.Contains(got, "low age") || !strings.Contains(got, "Smoker") {
		t.Errorf("the name is %q", got)
	}
}

// TestMissingMasked: the number of missing values is a count of records too.
func TestMissingMasked(t *testing.T) {
	o, d := mixedWorld(60) // groups of 40 and 20: few missing values in each
	r := explained(t, o, d, report.Settings{Health: true})
	for _, g := range r.Groups {
		for _, m := range g.Measures {
			if !m.Out.Masked() {
				t.Errorf("group %s tells how many have an age: %v", g.ID, m.Out)
			}
		}
		for _, f := range g.Frequent {
			n, _ := g.N.Value()
			if out, ok := f.Out.Value(); ok && f.Of == report.OfRecords && out != n && n-out < limit {
				t.Errorf("group %s, %s: %d of %d have no value", g.ID, f.Name, n-out, n)
			}
		}
	}
}

// TestNobody: an empty group, a single record, all of them in one group.
func TestNobody(t *testing.T) {
	d := hospital(t, 1, 40)
	o := flat(t, d, 2, "")
	for i := range o.Group {
		o.Group[i] = 0
	}
	for _, s := range []report.Settings{{}, {Health: true}} {
		r := explained(t, o, d, s)
		if got, want := r.Leaf(1).Text, "No patient lies in this group."; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		if got, want := r.Leaf(0).Text, "All 40 patients: this group is the whole."; !strings.HasPrefix(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	o.Group[7] = 1
	if got, want := explained(t, o, d, report.Settings{Counted: true}).Leaf(1).Text, "1 patient (2.5 %)."; !strings.HasPrefix(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	r := explained(t, o, d, report.Settings{Health: true})
	if !r.Leaf(0).N.Masked() || !r.Leaf(1).N.Masked() {
		t.Errorf("39 of 40 tell the one")
	}
}

// TestOrderTellsNothing: groups are numbered by size, so a masked size must not
// lie between two that are nearly alike.
func TestOrderTellsNothing(t *testing.T) {
	d := hospital(t, 1, 165)
	group := make([]int32, 0, 165)
	for g, n := range []int{100, 21, 20, 19, 5} {
		for range n {
			group = append(group, int32(g))
		}
	}
	w := build(stream.New(1, "test/order"), d, group, 5, false)
	r := explained(t, w.o, d, report.Settings{Health: true})
	for j, masked := range []bool{false, true, true, true, true} {
		if r.Leaf(j).N.Masked() != masked {
			t.Errorf("group %d: masked is %v, want %v", j+1, !masked, masked)
		}
	}
}

// TestRecords: representative records are shown, but never of people unless
// asked for.
func TestRecords(t *testing.T) {
	d := hospital(t, 1, 200)
	o := flat(t, d, 2, "")
	if got := explained(t, o, d, report.Settings{}).Leaf(0).Records; len(got) != 5 {
		t.Errorf("%d records shown", len(got))
	}
	if got := explained(t, o, d, report.Settings{Health: true}).Leaf(0).Records; len(got) != 0 {
		t.Errorf("%d patients shown", len(got))
	}
	got := explained(t, o, d, report.Settings{Health: true, Records: true}).Leaf(0).Records
	if len(got) != 5 {
		t.Fatalf("%d patients shown though asked for", len(got))
	}
	for _, e := range got {
		if o.Group[e.Record] != 0 || e.ID != d.ID(e.Record) {
			t.Errorf("record %+v does not lie in the group", e)
		}
	}
}

// TestSameBytes: a report does not depend on the order of maps or on workers.
func TestSameBytes(t *testing.T) {
	d := hospital(t, 1, 300)
	o := grown(t, d, fit.TreeShape{Leaves: 4})
	a, b := explained(t, o, d, report.Settings{Health: true}), explained(t, o, d, report.Settings{Health: true})
	for i := range a.Groups {
		if a.Groups[i].Text != b.Groups[i].Text {
			t.Errorf("group %s differs", a.Groups[i].ID)
		}
	}
}

// TestGivenNames: people's names win, wherever the group is named.
func TestGivenNames(t *testing.T) {
	d := hospital(t, 1, 300)
	r := explained(t, flat(t, d, 3, ""), d, report.Settings{Names: map[string]string{"2": "Valve clinic"}, Unit: report.Unit{One: "stay", Many: "stays"}})
	if r.Leaf(1).Name != "Valve clinic" || !strings.Contains(r.Leaf(0).Text, " stays (") {
		t.Errorf("%q, %q", r.Leaf(1).Name, r.Leaf(0).Text)
	}
	found := false
	for _, n := range r.Leaf(0).Nearest {
		found = found || n.Name == "Valve clinic"
	}
	if !found {
		t.Errorf("the neighbours are %+v", r.Leaf(0).Nearest)
	}
}

// TestTopics: shares of words are probabilities in a topic (LDA), or words of
// its documents (one topic a document).
func TestTopics(t *testing.T) {
	for seed := range uint64(3) {
		d := corpus(seed, 300)
		o := flat(t, d, 3, "lda")
		r := explained(t, o, d, report.Settings{})
		total := 0.0
		overall := make([]float64, d.Rows.Dim)
		for i := range d.Rows.N() {
			index, value := d.Rows.Row(i)
			for e, f := range index {
				overall[f] += float64(value[e])
				total += float64(value[e])
			}
		}
		words, documents := thetaShares(t, o, d)
		for j := range 3 {
			g := r.Leaf(j)
			const settled = 1e-6 // one document ends a round earlier, 3e-5 off, where topics stand in another order
			if numtest.Off(g.Share.Or(0), words[j], settled) || numtest.Off(g.Document.Or(0), documents[j], settled) {
				t.Errorf("seed %d: topic %d has the shares %v and %v, want %v and %v", seed, j+1, g.Share, g.Document, words[j], documents[j])
			}
			if j > 0 && words[j] > words[j-1] {
				t.Errorf("seed %d: topic %d is larger than the one before", seed, j+1)
			}
			for _, f := range g.Typical {
				p, q := o.Model.Params.Centers.At(f.Index, j), overall[f.Index]/total
				if numtest.Off(f.Share.Or(0), p, exact) || numtest.Off(f.Relevance.Or(0), explain.Relevance(.6, p, q), 1e-9) || !f.Count.Masked() {
					t.Errorf("seed %d: topic %d, %s: %+v, want %v and %v", seed, j+1, f.Name, f, p, q)
				}
			}
		}
		o = grown(t, d, fit.TreeShape{Leaves: 3})
		r = explained(t, o, d, report.Settings{})
		for _, f := range r.Groups[0].Frequent {
			if n, _ := f.Count.Value(); float64(n) != overall[f.Index] || numtest.Off(f.Share.Or(0), overall[f.Index]/total, exact) {
				t.Errorf("seed %d: %s: %+v, want %v of %v", seed, f.Name, f, overall[f.Index], total)
			}
		}
	}
}

// thetaShares adds up the posteriors of the documents by hand.
func thetaShares(t *testing.T, o *fit.Outcome, d *dataset.Dataset) (words, documents []float64) {
	t.Helper()
	f, err := o.Model.Family()
	if err != nil {
		t.Fatal(err)
	}
	k := o.Model.Params.K()
	theta := make([]float64, d.Rows.N()*k)
	if err := f.Posterior(o.Model.Params, pass.Block{Rows: d.Rows}, theta); err != nil {
		t.Fatal(err)
	}
	words, documents = make([]float64, k), make([]float64, k)
	all := 0.0
	for i, n := range d.Rows.Totals() {
		all += n
		for j := range k {
			words[j] += n * theta[i*k+j]
			documents[j] += theta[i*k+j] / float64(d.Rows.N())
		}
	}
	for j := range words {
		words[j] /= all
	}
	return words, documents
}

// Counts of what is no text are of records, groups and features: nobody's cells are
// documents of one topic.
func TestCountsThatAreNoTexts(t *testing.T) {
	d := corpus(5, 300)
	d.Vocab = vocab.New(slices.Clone(d.Vocab.Names))
	r := explained(t, flat(t, d, 3, "single-topic"), d, report.Settings{})
	if r.Unit.One != "record" || r.Unit.Feature != "feature" || r.Fit.Noun != "group" {
		t.Errorf("%+v, %s", r.Unit, r.Fit.Noun)
	}
	all := strings.Join(r.Summary, " ") + r.Groups[len(r.Groups)-1].Text
	for _, word := range []string{"document", "topic", "words"} {
		if strings.Contains(all, word) {
			t.Errorf("%q is said of counts: %s", word, all)
		}
	}
	if !strings.Contains(all, "of its counts") {
		t.Error(all)
	}
}
