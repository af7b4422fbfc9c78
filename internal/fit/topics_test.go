package fit

import (
	"strings"
	"testing"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/family/lda"
	"github.com/moiety-go/moiety/internal/family/singletopic"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"

	"gonum.org/v1/gonum/mat"
)

// topics draws k topics over d words, each with words of its own.
func topics(d, k int) mixture.Params {
	r := stream.New(3, "test/topics")
	centers, weights := mat.NewDense(d, k, nil), make([]float64, k)
	for j := range k {
		total := 0.0
		for h := range d {
			v := r.ExpFloat64()
			if h%k == j {
				v *= 6
			}
			centers.Set(h, j, v)
			total += v
		}
		for h := range d {
			centers.Set(h, j, centers.At(h, j)/total)
		}
		weights[j] = 1 / float64(k)
	}
	return mixture.New(centers, weights)
}

func documentsOf(rows sparse.Rows) Training {
	v := vocab.Numbered(rows.Dim)
	v.System = vocab.Text
	return Training{Run: pass.NewLocal(rows, 0), Vocab: v, Kind: record.Counts}
}

// Documents of one topic each form groups; those that mix topics are reported as such
// and fitted so; documents of one topic in all are one group.
func TestDocumentsAreJudged(t *testing.T) {
	shape := family.Shape{Lengths: []int{60, 80, 100, 120}}
	whole, err := singletopic.New(singletopic.Options{})
	if err != nil {
		t.Fatal(err)
	}
	mixed, err := lda.New(lda.Options{})
	if err != nil {
		t.Fatal(err)
	}
	draw := func(f family.Family, k int) Training {
		p := topics(90, k)
		alpha := mat.NewDense(k, 1, nil)
		for j := range k {
			alpha.Set(j, 0, .3)
		}
		d, err := f.Sample(p.With(lda.Alpha, alpha), stream.New(1, "test/documents"), numtest.Scale(400, 600, 600), shape)
		if err != nil {
			t.Fatal(err)
		}
		return documentsOf(d.Rows)
	}
	for _, c := range []struct {
		name  string
		data  Training
		k     int
		mixed bool
		words string
	}{
		{"one topic", draw(whole, 1), 1, false, "not in which"},
		{"three of one each", draw(whole, 3), 3, false, "3 groups with a gap"},
		{"three that mix", draw(mixed, 3), 3, true, "Documents mix topics"},
	} {
		if testing.Short() && c.k == 1 {
			continue
		}
		out, err := Tree(t.Context(), c.data, Settings{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		v := out.Verdict
		if v == nil || v.Groups != c.k || out.K() != c.k || v.Mixed != c.mixed || !strings.Contains(v.Reason, c.words) {
			t.Errorf("%s: %d groups by %+v", c.name, out.K(), v)
		}
		if soft := out.Model.Spec.Model == Auto(c.data, false).Model; soft != c.mixed || (out.Tree == nil) != c.mixed {
			t.Errorf("%s: the model is %s", c.name, out.Model.Spec.Model)
		}
	}
}

// Few documents give an answer, and no empty topic.
func TestFewDocuments(t *testing.T) {
	f, err := singletopic.New(singletopic.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{2, 3, 9, 10, 14, 25} {
		d, err := f.Sample(topics(12, 2), stream.New(2, "test/documents"), n, family.Shape{Lengths: []int{1, 3, 30}})
		if err != nil {
			t.Fatal(err)
		}
		out, err := Tree(t.Context(), documentsOf(d.Rows), Settings{Seed: 1})
		if err != nil {
			t.Fatalf("%d documents: %v", n, err)
		}
		if out.Verdict == nil || out.K() != out.Verdict.Groups {
			t.Errorf("%d documents: %d groups by %+v", n, out.K(), out.Verdict)
		}
	}
}
