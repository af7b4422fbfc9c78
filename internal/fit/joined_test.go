package fit_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/family/bernoulli"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/internal/synth"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/pass/passtest"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"
)

// journey is a flat fit with EM of records that sites hold: half of the records
// are sorted by group, so that every site has a mix of its own.
type journey struct {
	rows  sparse.Rows
	steps []int
	vocab *vocab.Vocab
	kind  record.Kind
	s     fit.Settings
}

const joinedRecords, joinedGroups = 12500, 3

// journeys has one for every model.
func journeys() map[string]journey {
	k := joinedGroups
	dense := func(d int, draw func(r *rand.Rand, h, z int) float64) sparse.Rows {
		r, rows := stream.New(7, "joined"), sparse.Rows{Dim: d}
		for i := range joinedRecords {
			z := groupOf(r, i)
			for h := range d {
				rows.Dense = append(rows.Dense, draw(r, h, z))
			}
		}
		return rows
	}
	chance := func(h, z int) float64 { return .15 + .7*float64((h*5+z*7+h*z)%11)/10 }
	coin := func(r *rand.Rand, h, z int) float64 {
		if r.Float64() < chance(h, z) {
			return 1
		}
		return 0
	}
	measured := func(r *rand.Rand, h, z int) float64 { return 4*chance(h, z) + .5*r.NormFloat64() }
	questions := columns(vocab.Categorical, 12, 3)
	both := &vocab.Vocab{Names: vocab.Numbered(14).Names, Columns: []vocab.Column{
		{Name: "codes", Kind: vocab.Presence, From: 0, To: 8}, {Name: "labs", Kind: vocab.Real, From: 8, To: 14},
	}}
	patients := synth.Patients(3, joinedRecords, 60, k, 8)
	counts := synth.PoissonMixture(3, joinedRecords, 40, k, 60)
	texts := synth.Corpus(4, joinedRecords, 120, k, false)
	sequences, steps := walks()
	bin := dense(14, func(r *rand.Rand, h, z int) float64 {
		return coin(r, h, z) + coin(r, h, z) + coin(r, h, z) + coin(r, h, z)
	})
	two := func(r *rand.Rand, h, z int) float64 {
		if h < 8 {
			return coin(r, h, z)
		}
		return measured(r, h, z)
	}
	views := []model.View{{Name: "codes", From: 0, To: 8, Spec: model.Spec{Model: "bernoulli"}}, {Name: "labs", From: 8, To: 14, Spec: model.Spec{Model: "gaussian"}}}
	all := map[string]journey{
		"bernoulli":    {rows: patients.Rows.Pick(byGroup(patients.Labels)), kind: record.Presence},
		"poisson":      {rows: counts.Rows.Pick(byGroup(counts.Labels)), kind: record.Counts},
		"single-topic": {rows: texts.Rows.Pick(byGroup(texts.Labels)), kind: record.Counts},
		"lda":          {rows: synth.Corpus(3, joinedRecords, 120, k, true).Rows, kind: record.Counts},
		"gaussian":     {rows: dense(8, measured), kind: record.Real, s: fit.Settings{Spec: model.Spec{Covariance: model.Spherical}}},
		"exponential":  {rows: dense(12, func(r *rand.Rand, h, z int) float64 { return chance(h, z) * r.ExpFloat64() }), kind: record.Real},
		"binomial":     {rows: bin, kind: record.Counts},
		"categorical":  {rows: survey(questions, chance), vocab: questions, kind: record.Categorical},
		"mixed":        {rows: dense(14, two), vocab: both, kind: record.Mixed},
		"multiview":    {rows: dense(14, two), vocab: both, kind: record.Mixed, s: fit.Settings{Spec: model.Spec{Views: views}}},
		"hmm":          {rows: sequences, steps: steps, kind: record.Presence},
	}
	for name, j := range all {
		j.s.K, j.s.Spec.Model = k, name
		if j.vocab == nil {
			j.vocab = vocab.Numbered(j.rows.Dim)
		}
		all[name] = j
	}
	return all
}

// groupOf draws the group of record i: by chance in the first half, sorted in
// the other.
func groupOf(r *rand.Rand, i int) int {
	if i < joinedRecords/2 {
		return r.IntN(joinedGroups)
	}
	return (i - joinedRecords/2) * joinedGroups / (joinedRecords - joinedRecords/2)
}

// byGroup sorts the second half of records by their groups.
func byGroup(labels []int) []int {
	list := make([]int, len(labels))
	for i := range list {
		list[i] = i
	}
	slices.SortStableFunc(list[len(list)/2:], func(a, b int) int { return labels[a] - labels[b] })
	return list
}

func columns(kind vocab.Kind, questions, levels int) *vocab.Vocab {
	v := vocab.Numbered(questions * levels)
	for q := range questions {
		v.Columns = append(v.Columns, vocab.Column{Name: fmt.Sprint("q", q), Kind: kind, From: q * levels, To: (q + 1) * levels})
	}
	return v
}

// survey has the answers to questions of three levels.
func survey(v *vocab.Vocab, chance func(h, z int) float64) sparse.Rows {
	r, b := stream.New(8, "answers"), sparse.NewBuilder(v.Len(), true)
	for i := range joinedRecords {
		z, row := groupOf(r, i), []uint32(nil)
		for q, c := range v.Columns {
			level := 2
			if u, p := r.Float64(), chance(q, z); u < p*.7 {
				level = 0
			} else if u < .8 {
				level = 1
			}
			row = append(row, uint32(c.From+level))
		}
		if err := b.Add(row, nil); err != nil {
			panic(err)
		}
	}
	return b.Rows()
}

// walks are sequences of five to nine symbols.
func walks() (sparse.Rows, []int) {
	r, b := stream.New(9, "walks"), sparse.NewBuilder(8, true)
	steps := []int{0}
	for i := range joinedRecords / 2 {
		state := groupOf(r, 2*i)
		for range 5 + i%5 {
			if r.Float64() < .2 {
				state = r.IntN(joinedGroups)
			}
			symbol := r.IntN(8)
			if r.Float64() < .7 {
				symbol = state*2 + r.IntN(3)
			}
			if err := b.Add([]uint32{uint32(symbol)}, nil); err != nil {
				panic(err)
			}
		}
		steps = append(steps, b.N())
	}
	return b.Rows(), steps
}

// uneven are the ends of 1, 3 and 10 sites: the last of ten is empty, and
// others are smaller than a block.
func uneven(n int) map[string][]int {
	out := map[string][]int{"1 site": {n}}
	for name, shares := range map[string][]int{"3 sites": {62, 30, 8}, "10 sites": {35, 20, 15, 10, 8, 5, 4, 2, 1, 0}} {
		at := 0
		for _, s := range shares {
			at += n * s / 100
			out[name] = append(out[name], at)
		}
		last := out[name]
		for i := range last {
			last[i] += n - at // the first site takes what is left
		}
	}
	return out
}

// sooner lowers the sizes from which on records are sampled and summed up in single
// precision, so that every journey goes every way at 12,500 records.
const sooner = 32

// TestJoined is the battery of joined runs: every model that says that it joins
// is fitted at 1, 3 and 10 uneven sites, and at each the parameters are those of
// one runner over all records, to 1e-9, with the same bits at all sites, and
// every record goes to the same group. Models that are not here do not join.
func TestJoined(t *testing.T) {
	all := journeys()
	for _, info := range model.Infos() {
		if _, ok := all[info.Name]; ok != info.Joins {
			t.Errorf("%s is in the battery: %v; says that it joins: %v", info.Name, ok, info.Joins)
		}
	}
	for name, j := range all {
		if testing.Short() && name != "bernoulli" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			j.s.Double = true
			j.check(t, 1e-9, 1e-6)
		})
		if name == "bernoulli" || name == "categorical" { // a start on some of the records
			t.Run(name+" sampled", func(t *testing.T) {
				j.s.Double, j.s.Sooner = true, sooner
				j.check(t, 1e-9, 1e-6)
			})
		}
		t.Run(name+" in single precision", func(t *testing.T) {
			j.s.Double, j.s.Sooner = false, sooner
			tol := 1e-5
			if name == "lda" {
				tol = 5e-5 // of α, and weights with it: its maximum is flat, centers are within 1e-6
			}
			j.check(t, tol, 1e-3)
		})
	}
}

func (j journey) data(run pass.Runner) fit.Training {
	return fit.Training{Run: run, Vocab: j.vocab, Kind: j.kind, Sequences: j.steps != nil, Fingerprint: "test"}
}

// check fits at one place and at several; parameters and probabilities may be off
// by so much.
func (j journey) check(t *testing.T, tol, sure float64) {
	local := pass.NewSequences(j.rows, j.steps, 2)
	want, err := fit.Flat(t.Context(), j.data(local), j.s)
	if err != nil {
		t.Fatal(err)
	}
	for name, ends := range uneven(local.Len()) {
		models := make([]mixture.Params, len(ends))
		err := passtest.SplitAt(j.rows, j.steps, ends, 1).Each(t.Context(), func(ctx context.Context, place int, r pass.Runner) error {
			first := r.Can().First
			if j.steps != nil {
				first = j.steps[first]
			}
			got, err := fit.Flat(ctx, j.data(r), j.s)
			if err != nil {
				return err
			}
			models[place] = got.Model.Params
			return samePlaced(got, want, first, sure)
		})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for place, p := range models {
			if far := farthest(p, want.Model.Params); !(far <= tol) {
				t.Errorf("%s, site %d: parameters are off by %g", name, place, far)
			}
			if far := farthest(p, models[0]); far != 0 {
				t.Errorf("%s, site %d: parameters are off by %g from those of site 0", name, place, far)
			}
		}
	}
}

// farthest returns the largest difference, relative to numbers above one.
func farthest(a, b mixture.Params) float64 {
	far, x, y := 0.0, a.Numbers(), b.Numbers()
	for i := range x {
		for j, v := range x[i] {
			if w := y[i][j]; v != w && !(math.IsNaN(v) && math.IsNaN(w)) {
				far = max(far, math.Abs(v-w)/max(1, math.Abs(w)))
			}
		}
	}
	return far
}

// samePlaced compares the groups of own records with those of the whole.
func samePlaced(got, want *fit.Outcome, first int, sure float64) error {
	for i, g := range got.Group {
		p, q := float64(got.Probability[i]), float64(want.Probability[first+i])
		if numtest.Off(p, q, sure) || g != want.Group[first+i] && q > .5+sure {
			return fmt.Errorf("row %d goes to group %d with %v, by the whole to %d with %v", first+i, g, p, want.Group[first+i], q)
		}
	}
	return nil
}

// stranger is a model that nobody has put through the battery.
type stranger struct{ bernoulli.Family }

func (s stranger) Info() family.Info {
	info := s.Family.Info()
	info.Name, info.Joins = "stranger", false
	return info
}

func TestStrangerDoesNotJoin(t *testing.T) {
	rows := synth.Patients(3, 300, 20, 2, 5).Rows
	fitted := func(places int) error {
		return passtest.Split(rows, nil, places, 1).Each(t.Context(), func(ctx context.Context, _ int, r pass.Runner) error {
			data := fit.Training{Run: r, Vocab: vocab.Numbered(rows.Dim), Kind: record.Presence}
			_, err := fit.Flat(ctx, data, fit.Settings{K: 2, Spec: model.Spec{Own: stranger{bernoulli.New(bernoulli.Options{})}}})
			return err
		})
	}
	if err := fitted(1); err != nil {
		t.Errorf("in one place: %v", err)
	}
	if err := fitted(2); err == nil || !strings.Contains(err.Error(), "stranger") {
		t.Errorf("at two places: %v", err)
	}
}
