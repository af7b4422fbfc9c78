package fit

import (
	"context"
	"math"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/assign"
	"github.com/moiety-go/moiety/internal/refine"
	"github.com/moiety-go/moiety/internal/verdict"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/warn"
)

// offChance is by how much the spread of totals inside groups may be off what independent
// features give before a random intercept is tried: a tenth. Of groups alone it was off by
// .002 to .10 (27 draws), of groups with amounts by .18 at the least, to either side: groups
// that are slices of an amount have hardly any spread left. Where nothing is to be found it
// costs time, and no more.
const offChance = .1

// mostBeside is the number of groups up to which a random intercept is asked about. The path
// to k groups takes time as k² does: of 20,000 patients with 696 codes 1.6 CPU seconds for 12
// groups, 2.6 for 16, 8 for 32, where the fit itself takes half a second.
const mostBeside = 12

// totals adds up over records how far the number of their features lies from what their group
// has, in squares over the variance where features are independent inside groups. Of answers,
// the places of the answers are added up: 0 is the first of a question, 1 the last.
type totals struct {
	group      []int32 // of every own record
	k          int
	question   []int     // of every feature; nil for presences
	weight     []float64 // of every feature
	mean, vary []float64 // of every question and group; of presences, of every group
}

func newTotals(p mixture.Params, group []int32, questions [][2]int) *totals {
	d, k := p.Centers.Dims()
	t := &totals{group: group, k: k, weight: make([]float64, d)}
	if questions == nil {
		t.mean, t.vary = make([]float64, k), make([]float64, k)
		for h := range d {
			t.weight[h] = 1
			for j, v := range p.Centers.RawRowView(h) {
				t.mean[j] += v
				t.vary[j] += v * (1 - v)
			}
		}
		return t
	}
	t.question, t.mean, t.vary = make([]int, d), make([]float64, len(questions)*k), make([]float64, len(questions)*k)
	for q, at := range questions {
		mean, vary := t.mean[q*k:][:k], t.vary[q*k:][:k]
		for h := at[0]; h < at[1]; h++ {
			w := float64(h-at[0]) / math.Max(float64(at[1]-at[0]-1), 1)
			t.question[h], t.weight[h] = q, w
			for j, v := range p.Centers.RawRowView(h) {
				mean[j] += v * w
				vary[j] += v * w * w
			}
		}
		for j, m := range mean {
			vary[j] -= m * m
		}
	}
	return t
}

// Len is that of the state: the sum of squares, and how many records it is of.
func (t *totals) Len() int { return 2 }

// Add implements pass.Sum.
func (t *totals) Add(state []float64, b pass.Block) error {
	for i := range b.Rows.N() {
		g := int(t.group[b.First+i])
		index, _ := b.Rows.Row(i)
		off, vary := 0.0, 0.0
		if t.question == nil {
			off, vary = float64(len(index))-t.mean[g], t.vary[g]
		} else {
			for _, h := range index {
				q := t.question[h]
				off += t.weight[h] - t.mean[q*t.k+g]
				vary += t.vary[q*t.k+g]
			}
		}
		if vary > 0 {
			state[0] += off * off / vary
			state[1]++
		}
	}
	return nil
}

// besideAmounts returns groups of presences and answers beside a random intercept, where the
// totals of the groups of a mixture say that there may be one, and the verdict's own
// explanation with it describes records kept aside clearly better; otherwise the mixture.
func (s Settings) besideAmounts(ctx context.Context, fam family.Family, st *start, done *refine.Result, data Training) (*refine.Result, error) {
	questions, ok := s.discrete(data)
	if !ok || data.Sequences || s.K < 2 || s.K > mostBeside || !data.Run.Can().Binary || s.Refine == None || s.Prior < 0 || s.method() != "auto" {
		return done, nil
	}
	some, err := s.enough(ctx, data)
	if err != nil {
		return nil, err
	}
	a, err := assign.All(ctx, fam, done.Params, some.Run)
	if err != nil {
		return nil, err
	}
	sums, err := pass.RunOne(ctx, some.Run, newTotals(done.Params, a.Group, questions))
	if err != nil || math.Abs(sums[0]-sums[1]) <= offChance*sums[1] {
		return done, err
	}
	if data.open {
		st.warnings = append(st.warnings, notOpenly())
		return done, nil
	}
	found, err := verdict.Told(ctx, data.Run, questions, s.K, verdict.Settings{Seed: s.Seed, Workers: s.Workers})
	if err != nil || found == nil {
		return done, err
	}
	labels, err := placedIn(ctx, some, found)
	if err != nil {
		return nil, err
	}
	p, err := partitioned(ctx, fam, some, s, nil, s.K, labels)
	st.warnings = append(st.warnings, amountsFound(data, questions))
	return &refine.Result{Params: p}, err
}

// enough are as many of the records as a start is found on.
func (s Settings) enough(ctx context.Context, data Training) (Training, error) {
	can := data.Run.Can()
	step := data.Run.Len() / max(can.Size(startRecords), can.Size(groupRecords)*s.K)
	if step < 2 {
		return data, nil
	}
	some, err := pass.Sample(ctx, data.Run, step)
	return data.of(some), err
}

// amountsFound says beside what groups were told apart.
func amountsFound(data Training, questions [][2]int) warn.Warning {
	in := "in how they tend to answer any question"
	if questions == nil {
		features := wordsOf(data).Features
		if features == "" {
			features = "features"
		}
		in = "in how many " + features + " they have"
	}
	return warn.New(warn.Note, "amounts", "", "Inside the groups they differ by degree: %s.", in)
}
