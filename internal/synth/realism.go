package synth

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/sparse"
)

// RealismOptions steers Compare. Zero values mean the defaults.
type RealismOptions struct {
	// Sample is the largest number of records of each side in the tests, which take
	// as many of one side as of the other; 0 means 1000. The mean discrepancy costs its square, the discriminator its
	// product with the square of the columns.
	Sample       int
	Permutations int // of the test of the mean discrepancy; 0 means 200
	Features     int // columns of the discriminator taken from single features; 0 means 40
	Pairs        int // and from products of two of the most frequent ones; 0 means 40
	Folds        int // of the discriminator's cross-validation; 0 means 5
	Seed         uint64
	Workers      int
}

// Realism tells how real synthetic records look ([T] conclusions): whether a
// test of two samples or a classifier can tell them from the real ones.
type Realism struct {
	// Discrepancy is the unbiased estimate of the squared maximum mean
	// discrepancy under a Gaussian kernel, about 0 for records of one law, and
	// P the share of random relabelings that give as much.
	Discrepancy float64 `json:"discrepancy"`
	P           float64 `json:"p"`
	// AUC is the area under the curve of a classifier on records it did not
	// see: .5 when it cannot tell, 1 when it always can. AUCError is the
	// standard error it would have if it could not.
	AUC      float64 `json:"auc"`
	AUCError float64 `json:"auc_error"`
	// Accuracy is the share of records that the classifier puts to their side; guessing
	// gives one half.
	Accuracy float64 `json:"accuracy"`
	Real     int     `json:"real"` // records compared
	Fake     int     `json:"fake"`
	// Copies is the share of the synthetic records, all of them, that equal a
	// real record which nobody shares: where the real ones are persons, these
	// may give somebody away. Expected is that share for real records: how
	// many of one half equal a unique record of the other half.
	Copies   float64 `json:"copies"`
	Expected float64 `json:"expected"`
	Sentence string  `json:"sentence"` // one plain sentence on likeness
	Privacy  string  `json:"privacy"`  // and one on copies
}

func (o RealismOptions) filled() (RealismOptions, error) {
	for _, v := range []*struct {
		at  *int
		def int
	}{{&o.Sample, 1000}, {&o.Permutations, 200}, {&o.Features, 40}, {&o.Pairs, 40}, {&o.Folds, 5}} {
		if *v.at < 0 {
			return o, fmt.Errorf("synth: a test of realism with a size of %d, want numbers >= 0", *v.at)
		}
		if *v.at == 0 {
			*v.at = v.def
		}
	}
	if o.Folds < 2 {
		return o, fmt.Errorf("synth: %d folds, want at least 2", o.Folds)
	}
	return o, nil
}

// LeastCompared is the number of records of each side below which neither test
// can say anything.
const LeastCompared = 20

// sharedFolds is the factor by which the area strays more than that of a given
// score, because the folds' regressions share records (measured on records of
// one law: 1.26 and 1.42).
const sharedFolds = 1.4

// Compare tests whether fake records look like real ones. Both sides are
// sampled by the seed where they are large.
func Compare(ctx context.Context, real, fake sparse.Rows, o RealismOptions) (*Realism, error) {
	o, err := o.filled()
	if err != nil {
		return nil, err
	}
	if real.Dim != fake.Dim {
		return nil, fmt.Errorf("synth: real records of %d features against synthetic ones of %d", real.Dim, fake.Dim)
	}
	if real.N() < LeastCompared || fake.N() < LeastCompared {
		return nil, fmt.Errorf("synth: %d real and %d synthetic records, want at least %d of each to compare them", real.N(), fake.N(), LeastCompared)
	}
	each := min(o.Sample, real.N(), fake.N()) // of unequal numbers a classifier that says the same of all is mostly right
	a, b := sampleRows(real, each, o.Seed, "real"), sampleRows(fake, each, o.Seed, "fake")
	r := &Realism{Real: a.N(), Fake: b.N()}
	pool := newPool(a, b)
	if r.Discrepancy, r.P, err = pool.discrepancy(ctx, o); err != nil {
		return nil, err
	}
	if r.AUC, r.Accuracy, err = pool.discriminate(ctx, o); err != nil {
		return nil, err
	}
	// Under no difference the area of a given score is a Mann-Whitney statistic.
	na, nb := float64(r.Real), float64(r.Fake)
	r.AUCError = sharedFolds * math.Sqrt((na+nb+1)/(12*na*nb))
	r.Copies = uniqueCopies(real, fake)
	half := real.N() / 2
	r.Expected = uniqueCopies(real.Slice(half, real.N()), real.Slice(0, half))
	r.Sentence, r.Privacy = r.words(), r.privacy()
	return r, nil
}

// sampleRows draws at most n rows without repetition, in their order.
func sampleRows(rows sparse.Rows, n int, seed uint64, side string) sparse.Rows {
	if rows.N() <= n {
		return rows
	}
	list := stream.New(seed, "synth/realism/"+side).Perm(rows.N())[:n]
	slices.Sort(list)
	return rows.Pick(list)
}

const (
	// alike and distinct bound the area under the curve, on top of two standard
	// errors: a classifier that is right in 55 of 100 pairs sees next to
	// nothing, one that is right in 75 sees plainly.
	alike, distinct = 0.55, 0.75
	// significant is the usual level.
	significant = 0.05
)

// words says how alike the records are.
func (r *Realism) words() string {
	words := fmt.Sprintf("shown a real and a synthetic record, a classifier picks the real one in %.0f of 100 cases, where guessing gives 50", 100*r.AUC)
	clear := r.AUC-2*r.AUCError > 0.5
	switch {
	case r.AUC <= alike && r.P > significant:
		return "The synthetic records look like the real ones: " + words + "."
	case r.AUC < distinct && (r.AUC <= alike || !clear):
		return "The synthetic records differ a little from the real ones: " + words + "."
	case r.AUC < distinct:
		return "The synthetic records can be told from the real ones by somebody who looks closely: " + words + "."
	}
	return "The synthetic records do not look like the real ones: " + words + "."
}

// privacy says how many synthetic records repeat a person.
func (r *Realism) privacy() string {
	if r.Copies == 0 {
		return "No synthetic record equals a real record that is the only one of its kind."
	}
	more := "no more often than real records do by chance"
	if r.Copies > 2*r.Expected {
		more = "more often than chance: look at them before you hand the records on"
	}
	return fmt.Sprintf("%.2g %% of the synthetic records equal a real record that is the only one of its kind, %s.", 100*r.Copies, more)
}
