package show

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/moiety-go/moiety/report"
)

// Numbers of the LDAvis page.
const (
	ldavisTerms = 30   // bars, R
	ldavisStep  = 0.01 // of λ
)

// LDAvis is the data of a page of topics under the field names of LDAvis
// (Sievert and Shirley 2014), which other tools read. For features that are not
// words, occurrences are records that have the feature.
type LDAvis struct {
	Generator  string       `json:"generator"`
	MdsDat     LDAvisMap    `json:"mdsDat"`
	Tinfo      LDAvisTerms  `json:"tinfo"`
	TokenTable LDAvisTokens `json:"token.table"`
	R          int          `json:"R"`
	LambdaStep float64      `json:"lambda.step"`
	PlotOpts   LDAvisPlot   `json:"plot.opts"`
	TopicOrder []int        `json:"topic.order"`

	groups []int // of every topic: its number among the groups of the report, from 0
}

// LDAvisMap places the topics in the plane; Freq is their share in per cent.
type LDAvisMap struct {
	X       []float64 `json:"x"`
	Y       []float64 `json:"y"`
	Topics  []int     `json:"topics"`
	Cluster []int     `json:"cluster"`
	Freq    []float64 `json:"Freq"`
}

// LDAvisTerms are the terms that any λ may show: of category "Default" the most
// salient of all, of category "Topic1" those of topic 1.
type LDAvisTerms struct {
	Term     []string  `json:"Term"`
	Category []string  `json:"Category"`
	Freq     []float64 `json:"Freq"`
	Total    []float64 `json:"Total"`
	Loglift  []float64 `json:"loglift"`
	Logprob  []float64 `json:"logprob"`
}

// LDAvisTokens tell which share of a term's occurrences lies in which topic.
type LDAvisTokens struct {
	Topic []int     `json:"Topic"`
	Term  []string  `json:"Term"`
	Freq  []float64 `json:"Freq"`
}

// LDAvisPlot names the axes of the map.
type LDAvisPlot struct {
	XLab string `json:"xlab"`
	YLab string `json:"ylab"`
}

// NewLDAvis gathers the data of the page. Groups and numbers that are withheld in
// the report are not there; topics are numbered without them.
func NewLDAvis(r *report.Report) (*LDAvis, error) {
	b := newLDAvisBuilder(r)
	if len(b.features) == 0 || len(b.topics) == 0 {
		return nil, fmt.Errorf("show: no features with frequencies for a page of topics: %w", ErrNoPicture)
	}
	v := &LDAvis{Generator: markLDAvis, R: min(ldavisTerms, len(b.features)), LambdaStep: ldavisStep, groups: b.topics, PlotOpts: LDAvisPlot{"PC1", "PC2"}}
	v.MdsDat = b.places()
	b.salient(v)
	for t, j := range b.topics {
		b.topic(v, j, t+1)
		v.TopicOrder = append(v.TopicOrder, t+1)
	}
	b.tokens(v)
	return v, nil
}

type ldavisBuilder struct {
	r        *report.Report
	topics   []int       // groups whose sizes may be reported
	weights  []float64   // of every group: its share of all occurrences
	features []int       // that take part
	names    []string    // of every feature, each once
	total    []float64   // occurrences of every feature
	overall  []float64   // the same as shares of what they are counted in
	freq     [][]float64 // groups×features: occurrences, NaN where withheld
	used     []bool      // features that some list names
}

func newLDAvisBuilder(r *report.Report) *ldavisBuilder {
	d := len(r.Table.Of)
	b := &ldavisBuilder{r: r, names: uniqueNames(r), total: make([]float64, d), overall: make([]float64, d), used: make([]bool, d)}
	shares := r.Table.Weights
	if r.Table.Words != nil {
		shares = r.Table.Words // of words, where features are words
	}
	for j := range r.Leaves {
		w, open := shares[j].Value()
		if b.weights = append(b.weights, w); open {
			b.topics = append(b.topics, j)
		}
		row := make([]float64, d)
		for f, of := range r.Table.Of {
			row[f] = math.NaN()
			if p, ok := r.Table.Centers[j][f].Value(); ok && open {
				row[f] = p * w * occurrences(r, of)
			}
			if row[f] < float64(r.Limit) {
				row[f] = math.NaN() // the model's number of too few
			}
		}
		b.freq = append(b.freq, row)
	}
	for f, of := range r.Table.Of {
		if of != report.Value && b.count(f, of) && b.total[f] >= float64(r.Limit) {
			b.features = append(b.features, f)
		}
	}
	return b
}

// count sets the occurrences of a feature in all: the sum of those in the topics,
// so that no topic has more than there are and the parts add up; the counted
// number only where a part of it is withheld. It is false where there are none.
func (b *ldavisBuilder) count(f int, of report.Of) bool {
	overall, known := b.r.Table.Overall[f].Value()
	if !known || overall <= 0 {
		return false
	}
	sum, whole := 0.0, true
	for j := range b.freq {
		if v := b.freq[j][f]; math.IsNaN(v) {
			whole = false
		} else {
			sum += v
		}
	}
	all := occurrences(b.r, of)
	b.total[f] = max(overall*all, sum)
	if whole {
		b.total[f] = sum
	}
	b.overall[f] = b.total[f] / all
	return b.total[f] > 0
}

// occurrences returns how many things the shares of the whole are of: words, or
// records.
func occurrences(r *report.Report, of report.Of) float64 {
	n, _ := r.Data.Rows.Value()
	if of == report.OfWords {
		return float64(n) * r.Data.Entries.Or(1)
	}
	return float64(n)
}

// uniqueNames returns the titles of the features, with the name before those
// that two features share: terms are keys of the page.
func uniqueNames(r *report.Report) []string {
	count := make(map[string]int)
	out := make([]string, len(r.Table.Titles))
	for f, title := range r.Table.Titles {
		out[f] = cleanLine(title)
		count[out[f]]++
	}
	seen := make(map[string]bool)
	for f := range out {
		if count[out[f]] > 1 || out[f] == "" {
			out[f] = cleanLine(r.Table.Names[f] + " " + out[f])
		}
		for base, i := out[f], 2; seen[out[f]]; i++ {
			out[f] = fmt.Sprintf("%s (%d)", base, i)
		}
		seen[out[f]] = true
	}
	return out
}

// places puts the topics on the map.
func (b *ldavisBuilder) places() LDAvisMap {
	x, y := classicalScaling(groupDistances(b.r))
	m := LDAvisMap{X: []float64{}, Y: []float64{}, Topics: []int{}, Cluster: []int{}, Freq: []float64{}}
	for t, j := range b.topics {
		m.X, m.Y = append(m.X, round(x[j], 1e6)), append(m.Y, round(y[j], 1e6))
		m.Topics, m.Cluster = append(m.Topics, t+1), append(m.Cluster, 1)
		m.Freq = append(m.Freq, round(100*b.weights[j], 1e4))
	}
	return m
}

func round(x, places float64) float64 { return math.Round(x*places) / places }

// salient adds the features that tell topics apart best: frequency times how far
// the topics of its occurrences are from the usual ones (Chuang, Manning and
// Heer 2012).
func (b *ldavisBuilder) salient(v *LDAvis) {
	saliency := make([]float64, len(b.total))
	for _, f := range b.features {
		for _, j := range b.topics {
			w := b.weights[j]
			if p := b.freq[j][f] / b.total[f]; p > 0 && w > 0 {
				saliency[f] += b.total[f] * p * math.Log(p/w)
			}
		}
	}
	list := slices.Clone(b.features)
	slices.SortStableFunc(list, func(x, y int) int { return cmp.Compare(saliency[y], saliency[x]) })
	for i, f := range list[:v.R] {
		// LDAvis keeps the order of this list in the two logarithms.
		rank := float64(v.R - i)
		b.add(v, f, "Default", b.total[f], rank, rank)
	}
}

func (b *ldavisBuilder) add(v *LDAvis, f int, category string, freq, loglift, logprob float64) {
	b.used[f] = true
	t := &v.Tinfo
	t.Term, t.Category = append(t.Term, b.names[f]), append(t.Category, category)
	t.Freq, t.Total = append(t.Freq, round(freq, 1e2)), append(t.Total, round(b.total[f], 1e2))
	t.Loglift, t.Logprob = append(t.Loglift, round(loglift, 1e4)), append(t.Logprob, round(logprob, 1e4))
}

// topic adds the features that are among the R most relevant of a topic for some
// λ.
func (b *ldavisBuilder) topic(v *LDAvis, j, number int) {
	lift, prob := make([]float64, len(b.total)), make([]float64, len(b.total))
	var open []int
	for _, f := range b.features {
		p := b.r.Table.Centers[j][f].Or(0)
		if p > 0 && !math.IsNaN(b.freq[j][f]) {
			prob[f], lift[f] = math.Log(p), math.Log(p/b.overall[f])
			open = append(open, f)
		}
	}
	chosen := make([]bool, len(b.total))
	for step := range int(1/ldavisStep) + 1 {
		lambda := float64(step) * ldavisStep
		for _, f := range largest(open, v.R, func(f int) float64 { return lambda*prob[f] + (1-lambda)*lift[f] }) {
			chosen[f] = true
		}
	}
	for _, f := range open {
		if chosen[f] {
			b.add(v, f, fmt.Sprintf("Topic%d", number), b.freq[j][f], lift[f], prob[f])
		}
	}
}

// largest returns the n things of largest score, in one walk.
func largest(list []int, n int, score func(int) float64) []int {
	best := make([]int, 0, n+1)
	for _, f := range list {
		s := score(f)
		if len(best) == n && s <= score(best[n-1]) {
			continue
		}
		at := len(best)
		for at > 0 && score(best[at-1]) < s {
			at--
		}
		best = slices.Insert(best, at, f)
		best = best[:min(len(best), n)]
	}
	return best
}

// tokens tells where the occurrences of the listed features are.
func (b *ldavisBuilder) tokens(v *LDAvis) {
	v.TokenTable = LDAvisTokens{Topic: []int{}, Term: []string{}, Freq: []float64{}}
	for _, f := range b.features {
		if !b.used[f] {
			continue
		}
		for topic, j := range b.topics {
			if p := round(b.freq[j][f]/b.total[f], 1e4); p > 0 {
				t := &v.TokenTable
				t.Topic, t.Term, t.Freq = append(t.Topic, topic+1), append(t.Term, b.names[f]), append(t.Freq, p)
			}
		}
	}
}
