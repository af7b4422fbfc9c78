package fit_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/synth"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/pass/passtest"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"
)

// TestPlaces: whole fits of records that lie at three places give every place
// the model, and its own records the groups, of all records in one. The numbers
// are such that the sketch of documents and the thinning of presences draw a
// sample, which must be of all records.
func TestPlaces(t *testing.T) {
	for name, c := range map[string]struct {
		rows sparse.Rows
		kind record.Kind
		s    fit.Settings
	}{
		"documents": {
			rows: synth.Corpus(3, numtest.Scale(5000, 9000, 9000), 300, 4, true).Rows, kind: record.Counts,
			s: fit.Settings{K: 4, Spec: model.Spec{Model: "lda"}},
		},
		"documents of one topic": {
			rows: synth.Corpus(4, 9000, 300, 4, false).Rows, kind: record.Counts,
			s: fit.Settings{K: 4, Spec: model.Spec{Model: "single-topic"}},
		},
		"presences": {
			rows: synth.Patients(3, numtest.Scale(13_000, many, many), 40, 4, 8).Rows, kind: record.Presence,
			s: fit.Settings{K: 4, Spec: model.Spec{Model: "bernoulli"}},
		},
	} {
		if testing.Short() && name == "documents of one topic" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			c.s.Double = true
			want, err := fit.Flat(t.Context(), dataOf(c.rows, c.kind, 2), c.s)
			if err != nil {
				t.Fatal(err)
			}
			err = passtest.Split(c.rows, nil, 3, 2).Each(t.Context(), func(ctx context.Context, place int, r pass.Runner) error {
				can := r.Can()
				got, err := fit.Flat(ctx, fit.Training{Run: r, Vocab: vocab.Numbered(c.rows.Dim), Kind: c.kind, Fingerprint: "test"}, c.s)
				if err != nil {
					return err
				}
				return sameOutcome(got, want, can.First)
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
}

// TestTreeOfPlaces: a tree that is split over the records of one place is not given
// out as one of all.
func TestTreeOfPlaces(t *testing.T) {
	rows := synth.Patients(3, 300, 20, 2, 5).Rows
	err := passtest.Split(rows, nil, 3, 1).Each(t.Context(), func(ctx context.Context, _ int, r pass.Runner) error {
		data := fit.Training{Run: r, Memory: 1 << 20, Vocab: vocab.Numbered(rows.Dim), Kind: record.Presence}
		_, err := fit.Tree(ctx, data, fit.Settings{Tree: fit.TreeShape{Splitter: "sidiwo"}})
		return err
	})
	if err == nil || !strings.Contains(err.Error(), "several") {
		t.Errorf("a tree over three places: %v", err)
	}
}

// sameOutcome compares an outcome with that of the whole, whose record first is
// its first.
func sameOutcome(got, want *fit.Outcome, first int) error {
	const tol = 1e-6 // of EM that ends at a relative gain of 1e-6 or less
	d, k := want.Model.Params.Centers.Dims()
	for h := range d {
		for j := range k {
			x, y := got.Model.Params.Centers.At(h, j), want.Model.Params.Centers.At(h, j)
			if !(math.Abs(x-y) <= tol) {
				return fmt.Errorf("record %d on: center %d, feature %d is %v, want %v", first, j, h, x, y)
			}
		}
	}
	for i, g := range got.Group {
		if q := want.Group[first+i]; g != q && numtest.Off(float64(got.Probability[i]-want.Probability[first+i]), 0, tol) {
			return fmt.Errorf("record %d goes to group %d, want %d", first+i, g, q)
		}
	}
	return nil
}
