package fit_test

import (
	"testing"

	"github.com/moiety-go/moiety/internal/agree"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"
)

// birds draws three species of which either sex has a size of its own, as penguins have:
// length and depth of the bill, length of the flipper, mass; and beside these the island
// where they live and their sex.
func birds(seed uint64) (fit.Training, []int) {
	laws := []struct {
		n, species int
		mean, sd   [4]float64
	}{
		{73, 0, [4]float64{40.4, 19.1, 192, 4043}, [4]float64{2.3, 1, 6.6, 347}},
		{73, 0, [4]float64{37.3, 17.6, 188, 3369}, [4]float64{2, .9, 5.6, 269}},
		{34, 1, [4]float64{51.1, 19.3, 200, 3939}, [4]float64{1.6, .8, 6, 362}},
		{34, 1, [4]float64{46.6, 17.6, 192, 3527}, [4]float64{3.1, .8, 5.8, 285}},
		{61, 2, [4]float64{49.5, 15.7, 222, 5485}, [4]float64{2.7, .74, 5.7, 313}},
		{58, 2, [4]float64{45.6, 14.2, 213, 4680}, [4]float64{2, .54, 3.9, 282}},
	}
	islands := [][]float64{{.29, .37, .34}, {0, 1, 0}, {1, 0, 0}} // of every species
	r, rows := stream.New(seed, "test/birds"), sparse.Rows{Dim: 8}
	var labels []int
	for sex, l := range laws {
		for range l.n {
			size := r.NormFloat64()
			for h := range l.mean {
				rows.Dense = append(rows.Dense, l.mean[h]+l.sd[h]*(.6*size+.8*r.NormFloat64()))
			}
			u, beside := r.Float64(), make([]float64, 4)
			for i, p := range islands[l.species] {
				if u -= p; u < 0 {
					beside[i] = 1
					break
				}
			}
			beside[3] = float64(sex % 2)
			rows.Dense = append(rows.Dense, beside...)
			labels = append(labels, l.species)
		}
	}
	data := dataOf(rows, record.Mixed, 1)
	data.Vocab = &vocab.Vocab{Names: vocab.Numbered(8).Names, Columns: []vocab.Column{
		{Name: "sizes", Kind: vocab.Real, From: 0, To: 4}, {Name: "island", Kind: vocab.Categorical, From: 4, To: 7}, {Name: "sex", Kind: vocab.Presence, From: 7, To: 8},
	}}
	return data, labels
}

// Told the number that columns of several kinds show by themselves, a fit takes the groups
// that they show: the likeliest mixture of three tells males from females (ARI .55 to .59).
func TestToldWhatColumnsShow(t *testing.T) {
	for seed := range uint64(4) {
		data, truth := birds(seed)
		told, err := fit.Flat(t.Context(), data, fit.Settings{K: 3, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		shown, err := fit.Tree(t.Context(), data, fit.Settings{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		a, _ := agree.ARI(labels(told), truth)
		b, _ := agree.ARI(labels(shown), truth)
		t.Logf("seed %d: told %.3f, not told %.3f (%d groups)", seed, a, b, shown.K())
		if shown.K() == 3 && a < b-.02 {
			t.Errorf("seed %d: ARI %.3f where 3 groups are told, %.3f where they are not", seed, a, b)
		}
	}
}
