package fit

import (
	"context"
	"reflect"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/numtest"
	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/family/lda"
	"github.com/moiety-go/moiety/internal/family/singletopic"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/pass/passtest"
	"github.com/moiety-go/moiety/vocab"
)

// drawnTopics are n records of three topics, each of one of them or mixing all.
func drawnTopics(t *testing.T, mixes bool, n int) (Training, mixture.Params) {
	t.Helper()
	var f family.Family
	var err error
	if f, err = singletopic.New(singletopic.Options{}); mixes {
		f, err = lda.New(lda.Options{})
	}
	if err != nil {
		t.Fatal(err)
	}
	p := topics(60, 3).With(lda.Alpha, mat.NewDense(3, 1, []float64{.4, .4, .4}))
	d, err := f.Sample(p, stream.New(1, "test/mixing"), n, family.Shape{Lengths: []int{60, 80, 100}})
	if err != nil {
		t.Fatal(err)
	}
	return documentsOf(d.Rows), p
}

// A number of groups that is asked for leaves it to the evidence whether records
// mix them; what is asked for by name stays, and few records choose nothing.
func TestEvidenceSaysWhetherRecordsMix(t *testing.T) {
	for _, mixes := range []bool{false, true} {
		for _, system := range []string{vocab.Text, ""} {
			data, _ := drawnTopics(t, mixes, 400)
			data.Vocab.System = system
			want, other := "single-topic", "lda"
			if mixes {
				want, other = other, want
			}
			out, err := Flat(t.Context(), data, Settings{K: 3, Seed: 1})
			if err != nil {
				t.Fatal(err)
			}
			c := out.Model.Provenance.Choice
			if out.Model.Spec.Model != want || c == nil || c.Model != want || c.Over != other || !strings.Contains(c.Reason, "--model "+other) {
				t.Errorf("mixes %v, %q: %s by %+v", mixes, system, out.Model.Spec.Model, c)
			}
			if mixes && c != nil && !(c.Nats > 3*c.Error && c.Error > 0) {
				t.Errorf("%q: mixing is chosen for %g ± %g nats", system, c.Nats, c.Error)
			}
			named, err := Flat(t.Context(), data, Settings{K: 3, Seed: 1, Spec: model.Spec{Model: other}})
			if err != nil {
				t.Fatal(err)
			}
			if named.Model.Spec.Model != other || named.Model.Provenance.Choice != nil {
				t.Errorf("%s asked for: %s, %+v", other, named.Model.Spec.Model, named.Model.Provenance.Choice)
			}
		}
	}
	data, _ := drawnTopics(t, false, 400)
	out, err := Flat(t.Context(), data, Settings{K: 3, Seed: 1, Spec: model.Spec{Alpha0: 1}})
	if err != nil {
		t.Fatal(err)
	}
	if out.Model.Spec.Model != "lda" || out.Model.Provenance.Choice != nil {
		t.Errorf("a setting of lda: %s, %+v", out.Model.Spec.Model, out.Model.Provenance.Choice)
	}
	few := data.Run.Can().Rows.Slice(0, 11)
	if out, err = Flat(t.Context(), documentsOf(few), Settings{K: 3, Seed: 1}); err != nil {
		t.Fatal(err)
	}
	if out.Model.Provenance.Choice != nil {
		t.Errorf("11 records chose %+v", out.Model.Provenance.Choice)
	}
}

// Few and short documents of one topic each are not said to mix them: the words of
// both explanations are smoothed alike.
func TestShortDocumentsAreOfOneTopic(t *testing.T) {
	f, err := singletopic.New(singletopic.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p := topics(40, 3) // three words in ten are common to all, the others are of one topic
	for h := range 40 {
		for j := range 3 {
			v := 0.0
			switch {
			case h < 10:
				v = .03
			case (h-10)/10 == j:
				v = .07
			}
			p.Centers.Set(h, j, v)
		}
	}
	for _, c := range []struct {
		n       int
		lengths []int
	}{{60, []int{8}}, {100, []int{12, 18}}, {200, []int{30}}, {400, []int{8}}} {
		for seed := range uint64(numtest.Scale(1, 3, 3)) {
			d, err := f.Sample(p, stream.New(seed, "test/short"), c.n, family.Shape{Lengths: c.lengths})
			if err != nil {
				t.Fatal(err)
			}
			out, err := Flat(t.Context(), documentsOf(d.Rows), Settings{K: 3, Seed: 1})
			if err != nil {
				t.Fatal(err)
			}
			if x := out.Model.Provenance.Choice; x == nil || x.Model != "single-topic" {
				t.Errorf("%d documents of %v words, seed %d: %+v", c.n, c.lengths, seed, x)
			}
		}
	}
}

// The choice is the same for any number of workers.
func TestMixingForAnyWorkers(t *testing.T) {
	var first *Outcome
	for _, workers := range numtest.Workers() {
		data, _ := drawnTopics(t, true, 400)
		data.Run = pass.NewLocal(*data.Run.Can().Rows, workers)
		out, err := Flat(t.Context(), data, Settings{K: 3, Seed: 1, Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = out
		}
		if !reflect.DeepEqual(out.Model.Provenance.Choice, first.Model.Provenance.Choice) || !reflect.DeepEqual(out.Group, first.Group) {
			t.Errorf("%d workers: %+v, one: %+v", workers, out.Model.Provenance.Choice, first.Model.Provenance.Choice)
		}
	}
}

// Whether documents mix topics is judged by sums: several places, one of them empty, say what
// one says, and learn the same.
func TestMixingAtPlaces(t *testing.T) {
	for _, mixes := range []bool{false, true} {
		data, _ := drawnTopics(t, mixes, 200)
		for _, system := range []string{vocab.Text, ""} {
			data.Vocab.System = system
			want, err := Flat(t.Context(), data, Settings{K: 3, Seed: 1, Double: true})
			if err != nil {
				t.Fatal(err)
			}
			rows := *data.Run.Can().Rows
			err = passtest.SplitAt(rows, nil, []int{90, 90, 150, 200}, 1).Each(t.Context(), func(ctx context.Context, place int, r pass.Runner) error {
				got, err := Flat(ctx, data.of(r), Settings{K: 3, Seed: 1})
				if err != nil {
					return err
				}
				if c, w := got.Model.Provenance.Choice, want.Model.Provenance.Choice; w == nil || !reflect.DeepEqual(c, w) {
					t.Errorf("mixes %v, %q, place %d: %+v, one machine %+v", mixes, system, place, c, w)
				}
				numtest.Slices(t, "centers", got.Model.Params.Centers.RawMatrix().Data, want.Model.Params.Centers.RawMatrix().Data, 1e-9)
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
}
