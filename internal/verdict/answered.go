package verdict

import (
	"context"
	"math"
	"slices"

	"github.com/moiety-go/moiety/internal/normals"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"
)

// Flags and answers by themselves. Where heaps are looked for among all columns, the
// levels of a question are spread over a line on which groups that differ in their
// answers may lie in one place: a survey of many questions and a column of ages would
// show nothing. Groups that some columns show are there, whatever the others say; so
// where heaps show no groups, or are not sure, the questions are judged alone, by the
// rule of answers. Where groups differ a little in both, neither way has all of the
// evidence: numbers that are no more than the questions are then judged among them, a
// quarter of the records each.

// leastQuestions are those from which on they are judged by themselves.
const leastQuestions = 4

// mostQuestions bounds the pairs of them that are looked at; of more, some are judged,
// spread evenly over all.
const mostQuestions = 400

// answered are the flags and answers of columns of several kinds, coded as answers: of a
// flag no and yes.
type answered struct {
	questions []vocab.Column              // flags and numbers one by one
	at        [][2]int                    // features of each
	quarter   map[int]func(v float64) int // of numbers, by their feature; nil without numbers
	dim       int
}

// newAnswered lists the questions; numbers are among them where their quarters are known.
func newAnswered(columns []vocab.Column, quarter map[int]func(v float64) int) *answered {
	a := &answered{quarter: quarter}
	add := func(c vocab.Column, levels int) {
		a.questions = append(a.questions, c)
		a.at = append(a.at, [2]int{a.dim, a.dim + levels})
		a.dim += levels
	}
	for _, c := range columns {
		switch c.Kind {
		case vocab.Categorical:
			add(c, c.To-c.From)
		case vocab.Presence:
			for h := c.From; h < c.To; h++ {
				add(vocab.Column{Kind: c.Kind, From: h, To: h + 1}, 2)
			}
		default:
			for h := c.From; h < c.To; h++ {
				if quarter[h] != nil {
					add(vocab.Column{Kind: c.Kind, From: h, To: h + 1}, quarters)
				}
			}
		}
	}
	if n := len(a.at); n > mostQuestions {
		for q := range mostQuestions {
			a.questions[q], a.at[q] = a.questions[q*n/mostQuestions], a.at[q*n/mostQuestions]
		}
		a.questions, a.at = a.questions[:mostQuestions], a.at[:mostQuestions]
	}
	return a
}

// answers are the features of a record; what is missing is not answered.
func (a *answered) answers(row []float64) []uint32 {
	var out []uint32
	for q, c := range a.questions {
		if v := row[c.From]; c.Kind != vocab.Categorical && v != v {
			continue
		}
		level := slices.IndexFunc(row[c.From:c.To], func(v float64) bool { return v > 0 })
		switch c.Kind {
		case vocab.Categorical:
		case vocab.Presence:
			level++ // −1 is no
		default:
			level = a.quarter[c.From](row[c.From])
		}
		if level >= 0 {
			out = append(out, uint32(a.at[q][0]+level))
		}
	}
	return out
}

// different are the questions without those that say what another one says. Two or three
// that go together are one thing asked again; more of them are what groups are.
func (a *answered) different(rows [][]uint32, places *strand) [][2]int {
	level := make([][]int, len(a.at)) // of every question and record, or −1
	for q := range level {
		level[q] = slices.Repeat([]int{-1}, len(rows))
	}
	of := a.questionOf()
	for i, r := range rows {
		for _, f := range r {
			q := of[f]
			level[q][i] = int(f) - a.at[q][0]
		}
	}
	var pairs []crossing
	var counts []float64 // of all tables, for one sum over all places
	for q := range a.at {
		for p := range q {
			c := crossing{p, q, a.at[p][1] - a.at[p][0], a.at[q][1] - a.at[q][0]}
			pairs, counts = append(pairs, c), append(counts, c.counted(level)...)
		}
	}
	places.add(counts)
	first, size := make([]int, len(a.at)), make([]int, len(a.at)) // of those that go together
	for q := range first {
		first[q] = q
	}
	for _, c := range pairs {
		table := counts[:c.rows*c.cols]
		counts = counts[len(table):]
		if from, to := max(first[c.p], first[c.q]), min(first[c.p], first[c.q]); from != to && c.association(table) > sameThing {
			for i, f := range first {
				if f == from {
					first[i] = to
				}
			}
		}
	}
	for _, f := range first {
		size[f]++
	}
	var out [][2]int
	for q, at := range a.at {
		if first[q] == q || size[first[q]] >= leastQuestions {
			out = append(out, at)
		}
	}
	return out
}

// crossing is a table of the answers to two questions.
type crossing struct{ p, q, rows, cols int }

// counted is the table: how many records gave both answers.
func (c crossing) counted(level [][]int) []float64 {
	table := make([]float64, c.rows*c.cols)
	for i, l := range level[c.p] {
		if m := level[c.q][i]; l >= 0 && m >= 0 {
			table[l*c.cols+m]++
		}
	}
	return table
}

// association of two questions is Cramér's V, from 0 to 1.
func (c crossing) association(table []float64) float64 {
	down, right := make([]float64, c.cols), make([]float64, c.rows)
	for i, v := range table {
		right[i/c.cols] += v
		down[i%c.cols] += v
	}
	square := 0.0
	for l, r := range right {
		for m, d := range down {
			if r > 0 && d > 0 {
				v := table[l*c.cols+m]
				square += v * v / (r * d)
			}
		}
	}
	given := func(list []float64) (k float64) {
		for _, v := range list {
			if v > 0 {
				k++
			}
		}
		return k
	}
	k := min(given(right), given(down))
	if k < 2 {
		return 0
	}
	return math.Sqrt(max(square-1, 0) / (k - 1))
}

// orAnswered returns what flags and answers claim, by themselves or together with numbers,
// where they are sure of their groups, or claim more of them. Groups beside an amount that are
// not sure stay out: yes-sayers with an attitude look like two of them. It reports whether all
// columns were heard as answers.
func (v *Verdict) orAnswered(ctx context.Context, all normals.Table, record []int, columns []vocab.Column, s Settings, places *strand) (_ *Verdict, heard bool, err error) {
	alone := newAnswered(columns, nil)
	other, err := alone.verdict(ctx, all, record, s, places)
	if err != nil || other == nil {
		return v, false, err
	}
	if other.Groups > 1 && (other.Sure || other.claimsMore(v)) {
		v, other = other, v
	}
	most := other.Groups
	joint := newAnswered(columns, quarterly(all, columns, places))
	if numbers := len(joint.at) - len(alone.at); v.Sure && v.Groups > 1 || numbers == 0 || numbers > len(alone.at) {
		return v.upTo(most, s), false, nil
	}
	if other, err = joint.verdict(ctx, all, record, s, places); err != nil {
		return nil, false, err
	}
	switch {
	case other.claimsMore(v) && joint.carried(other.Found, all, places) >= carriedByAnswers:
		v, other = other, v
		most = max(most, other.Groups)
	case v.Sure:
		most = max(most, other.Range[1])
	default:
		most = max(most, other.Groups)
	}
	return v.upTo(most, s), true, nil
}

// carriedByAnswers is the share of flags and answers in what columns say of groups, from
// which on groups of all columns are no correlation of numbers.
const carriedByAnswers = .5

// claimsMore reports more groups than another verdict, and not only beside an amount.
func (v *Verdict) claimsMore(o *Verdict) bool {
	return v.Groups > o.Groups && v.Continuum != amount.word()
}

// upTo says that more groups can be defended, where there are.
func (v *Verdict) upTo(most int, s Settings) *Verdict {
	if most > v.Groups {
		v.alsoDefended(most, s)
	}
	return v
}

// carried is the share of flags and answers in what the columns say of groups: what numbers
// have in common inside a group looks like groups of quarters.
func (a *answered) carried(f *Found, all normals.Table, places *strand) float64 {
	rows := sparse.Rows{Dim: a.dim, Ptr: make([]int, 1, all.N+1)}
	for i := range all.N {
		rows.Index = append(rows.Index, a.answers(all.Row(i))...)
		rows.Ptr = append(rows.Ptr, len(rows.Index))
	}
	group := make([]int32, all.N)
	f.by.(answeredPlacer).by.place(pass.Block{Rows: rows}, group)
	level := make([][]int, len(a.at)+1)
	for q := range level {
		level[q] = slices.Repeat([]int{-1}, all.N)
	}
	of := a.questionOf()
	for i := range all.N {
		for _, j := range rows.Index[rows.Ptr[i]:rows.Ptr[i+1]] {
			level[of[j]][i] = int(j) - a.at[of[j]][0]
		}
		level[len(a.at)][i] = int(group[i])
	}
	var counts []float64
	crossings := make([]crossing, len(a.at))
	for q, at := range a.at {
		crossings[q] = crossing{q, len(a.at), at[1] - at[0], f.groups}
		counts = append(counts, crossings[q].counted(level)...)
	}
	places.add(counts)
	sum, questions := 0.0, 0.0
	for q, c := range crossings {
		v := c.association(counts[:c.rows*c.cols])
		counts = counts[c.rows*c.cols:]
		sum += v * v
		if _, number := a.quarter[a.questions[q].From]; !number {
			questions += v * v
		}
	}
	return questions / (sum + math.SmallestNonzeroFloat64)
}

// questionOf is the question of every feature.
func (a *answered) questionOf() []int {
	of := make([]int, a.dim)
	for q, at := range a.at {
		for f := at[0]; f < at[1]; f++ {
			of[f] = q
		}
	}
	return of
}

// quarterly are the quarters of the values of all columns of numbers.
func quarterly(all normals.Table, columns []vocab.Column, places *strand) map[int]func(v float64) int {
	var at []int
	var numbers [][]float64
	table := columnsOf(all)
	for _, c := range columns {
		if c.Kind == vocab.Categorical || c.Kind == vocab.Presence {
			continue
		}
		for h := c.From; h < c.To; h++ {
			at, numbers = append(at, h), append(numbers, table[h])
		}
	}
	out := map[int]func(v float64) int{}
	for j, of := range places.quarterings(numbers) {
		if of != nil {
			out[at[j]] = of
		}
	}
	return out
}

// verdict judges the questions; nil where there are too few.
func (a *answered) verdict(ctx context.Context, all normals.Table, record []int, s Settings, places *strand) (*Verdict, error) {
	rows := make([][]uint32, all.N)
	for i := range rows {
		rows[i] = a.answers(all.Row(i))
	}
	d := coded(rows, a.dim, a.different(rows, places), places)
	if len(d.lay.items) < leastQuestions || d.n < leastRecords {
		return nil, nil
	}
	d.record = record
	v, err := d.verdict(ctx, s)
	if err == nil && v.Found != nil {
		v.Found.by = answeredPlacer{a, v.Found.by}
	}
	return v, err
}

// answeredPlacer places records by their flags and answers.
type answeredPlacer struct {
	of *answered
	by placer
}

func (p answeredPlacer) place(b pass.Block, group []int32) {
	rows := sparse.Rows{Dim: p.of.dim, Ptr: make([]int, 1, b.Rows.N()+1)}
	row := make([]float64, b.Rows.Dim)
	for i := range b.Rows.N() {
		unpack(row, b.Rows, i)
		rows.Index = append(rows.Index, p.of.answers(row)...)
		rows.Ptr = append(rows.Ptr, len(rows.Index))
	}
	p.by.place(pass.Block{Rows: rows, First: b.First}, group)
}
