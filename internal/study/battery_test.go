package study_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/internal/exchange"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/read"
	"github.com/moiety-go/moiety/internal/refine"
	"github.com/moiety-go/moiety/internal/run"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/internal/study"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// crowd are records of one kind, in a table or in lines of text, and the models that they
// are fitted with; "" is the one that is taken when none is named.
type crowd struct {
	format string
	head   string
	line   func(r *rand.Rand, i, group int) string
	models []string
	set    func(*run.Order)
	groups int  // 2 where it is 0
	times  int  // 27 records each; 0 is few. Totals of few presences and answers spread by chance
	rounds bool // many, too many to carry in a quick test
	costly bool // for the long form alone
}

// kinds is the number of groups.
func (c crowd) kinds() int { return max(c.groups, 2) }

// crowds has records for every model of groups.
func crowds() map[string]crowd {
	poisson := func(r *rand.Rand, mean float64) int {
		k, p := 0, r.Float64()
		for ; p > math.Exp(-mean); k++ {
			p *= r.Float64()
		}
		return k
	}
	columns := func(d int) string {
		head := "c0"
		for h := range d - 1 {
			head += fmt.Sprintf(",c%d", h+1)
		}
		return head + "\n"
	}
	cells := func(d int, cell func(r *rand.Rand, h, z int) string) func(*rand.Rand, int, int) string {
		return func(r *rand.Rand, _, z int) string {
			list := make([]string, d)
			for h := range list {
				list[h] = cell(r, h, z)
			}
			return strings.Join(list, ",") + "\n"
		}
	}
	coin := func(r *rand.Rand, h, z int) int {
		if r.Float64() < .15+.7*float64((h+z)%2) {
			return 1
		}
		return 0
	}
	measured := func(r *rand.Rand, h, z int) string {
		return fmt.Sprintf("%.4f", 3*float64((h+z)%2)+r.NormFloat64())
	}
	words := func(share func(r *rand.Rand, z int) float64) func(*rand.Rand, int, int) string {
		return func(r *rand.Rand, _, z int) string {
			var list []string
			of := share(r, z)
			for range 30 {
				word := 'a' + r.IntN(12)
				if r.Float64() < of {
					word += 8
				}
				list = append(list, fmt.Sprintf("word%c", word))
			}
			return strings.Join(list, " ") + "\n"
		}
	}
	holed := func(share float64) func(r *rand.Rand, h, z int) string {
		return func(r *rand.Rand, h, z int) string {
			if v := measured(r, h, z); r.Float64() >= share {
				return v
			}
			return ""
		}
	}
	scattered := func(r *rand.Rand, h, z int) string { // their variance is many times their mean
		return fmt.Sprint(poisson(r, (2+8*float64((h+z)%2))*r.ExpFloat64()))
	}
	counts := func(r *rand.Rand, h, z int) string { return fmt.Sprint(poisson(r, 1+4*float64((h+z)%2))) }
	// Records that differ in an amount besides, the same in all columns.
	graded := func(d, answers int) func(*rand.Rand, int, int) string {
		return func(r *rand.Rand, _, z int) string {
			amount, list := 1.5*r.NormFloat64(), make([]string, d)
			for h := range list {
				at := amount + 2.4*float64((h/(1+z/2)+z)%2) - 1.2
				list[h] = fmt.Sprint(math.Round(float64(answers-1) / (1 + math.Exp(-at-r.NormFloat64()))))
			}
			return strings.Join(list, ",") + "\n"
		}
	}
	// Groups of groups: the moments tell two of four apart.
	nested := func(r *rand.Rand, h, z int) string {
		p := .1 + .6*float64((h+z/2)%2)
		if h/2%4 == z {
			p += .25
		}
		if r.Float64() < p {
			return "1"
		}
		return "0"
	}
	views := func(o *run.Order) {
		if o.Fit.Spec.Model == "multiview" {
			o.Views = []string{"c[0-3]", "c[4-7]"}
		}
	}
	return map[string]crowd{
		"presences":           {times: 20, format: "binary", head: columns(8), line: cells(8, func(r *rand.Rand, h, z int) string { return fmt.Sprint(coin(r, h, z)) }), models: []string{"", "bernoulli"}},
		"presences by degree": {groups: 4, times: 20, rounds: true, format: "binary", head: columns(24), line: graded(24, 2), models: []string{""}},
		"answers by degree":   {groups: 3, times: 30, rounds: true, costly: true, format: "categorical", head: columns(12), line: graded(12, 4), models: []string{""}},
		"nested presences":    {groups: 4, times: 10, rounds: true, format: "binary", head: columns(16), line: cells(16, nested), models: []string{""}},
		"one way alone":       {groups: 4, times: 10, format: "binary", head: columns(16), line: cells(16, nested), models: []string{""}, set: func(o *run.Order) { o.Fit.Method = "svtd" }},
		"counts":              {rounds: true, format: "counts", head: columns(6), line: cells(6, counts), models: []string{"", "poisson", "single-topic", "lda"}},
		"texts":               {rounds: true, format: "lines", line: words(func(_ *rand.Rand, z int) float64 { return float64(z) }), models: []string{"", "single-topic", "lda"}},
		"mixed texts":         {rounds: true, format: "lines", line: words(func(r *rand.Rand, _ int) float64 { return r.Float64() }), models: []string{""}},
		"measurements":        {format: "real", head: columns(4), line: cells(4, measured), models: []string{"", "gaussian"}},
		"scattered counts":    {rounds: true, format: "counts", head: columns(8), line: cells(8, scattered), models: []string{""}},
		"few holes":           {format: "mixed", head: columns(4), line: cells(4, holed(.02)), models: []string{"", "gaussian"}},
		"many holes":          {format: "real", head: columns(4), line: cells(4, holed(.2)), models: []string{"gaussian"}},
		"holes, no model":     {rounds: true, costly: true, format: "real", head: columns(4), line: cells(4, holed(.2)), models: []string{""}},
		"waits":               {format: "real", head: columns(6), line: cells(6, func(r *rand.Rand, h, z int) string { return fmt.Sprintf("%.4f", r.ExpFloat64()*float64(1+5*((h+z)%2))) }), models: []string{"exponential"}},
		"answers":             {times: 20, format: "categorical", head: columns(6), line: cells(6, func(r *rand.Rand, h, z int) string { return fmt.Sprintf("a%d", coin(r, h, z)+coin(r, h, z)) }), models: []string{"", "categorical"}},
		"genotypes":           {format: "genotypes", head: columns(10), line: cells(10, func(r *rand.Rand, h, z int) string { return fmt.Sprint(coin(r, h, z) + coin(r, h, z)) }), models: []string{"", "binomial"}},
		"columns": {rounds: true, format: "mixed", head: columns(8), models: []string{"", "mixed", "multiview"}, set: views, line: cells(8, func(r *rand.Rand, h, z int) string {
			if h < 4 {
				return fmt.Sprint(coin(r, h, z))
			}
			return measured(r, h, z)
		})},
		"sequences": {format: "sequences", head: "id,time,state\n", models: []string{"", "hmm"}, line: func(r *rand.Rand, i, z int) string {
			text := ""
			for step := range 8 {
				if r.Float64() < .2 {
					z = 1 - z
				}
				text += fmt.Sprintf("p%d,%d,%c\n", i, step, 'a'+2*z+r.IntN(3))
			}
			return text
		}},
	}
}

// write writes the records of three sites, the groups of which are mixed otherwise at each,
// and all of them in one file, in the order of the sites.
func (c crowd) write(t *testing.T, dir string, sizes ...int) (sites []string, pooled string) {
	t.Helper()
	r, all, ending := stream.New(5, "crowd"), c.head, ".csv"
	if c.head == "" {
		ending = ".txt"
	}
	for s, n := range sizes {
		text := ""
		for i := range n {
			z := (i + r.IntN(2)*s) % c.kinds()
			text += c.line(r, 1000*s+i, z)
		}
		name := filepath.Join(dir, fmt.Sprint("site", s, ending))
		write(t, name, c.head+text)
		sites, all = append(sites, name), all+text
	}
	pooled = filepath.Join(dir, "pooled"+ending)
	write(t, pooled, all)
	return sites, pooled
}

// order is that of a flat fit.
func (c crowd) order(name string, double bool) (run.Order, read.Options) {
	o := order(c.kinds(), false)
	o.Fit.Spec.Model, o.Fit.Double = name, double
	o.Encode.MinDF = dataset.Amount{Count: 1}
	if c.set != nil {
		c.set(&o)
	}
	var as read.Options
	as.Format = c.format
	return o, as
}

// mostByHand is the number of rounds that people are asked to carry, at the most.
const mostByHand = 500

// way does the fit of an order over several files, and returns the model.
type way func(t *testing.T, dir string, files []string, o run.Order, as read.Options) *model.Model

// ways has every way that docs/federated.md offers.
func ways() map[string]way {
	return map[string]way{"wait": waiting, "hand": carried, "moments": summed}
}

func closed(t *testing.T, h *study.Home) *model.Model {
	t.Helper()
	m, err := h.Close(t.Context(), run.Order{})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	return m.Outcome.Model
}

func waiting(t *testing.T, dir string, files []string, o run.Order, as read.Options) *model.Model {
	t.Helper()
	h := whole(t, dir, begin(t, dir, len(files), false, o), files, as)[0]
	log, err := h.Log()
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("with wait: %d rounds", len(log))
	return closed(t, h)
}

func carried(t *testing.T, dir string, files []string, o run.Order, as read.Options) *model.Model {
	t.Helper()
	f := begin(t, dir, len(files), false, o)
	homes := make([]*study.Home, len(files))
	for i, file := range files {
		var err error
		homes[i], err = study.Join(t.Context(), study.Joining{
			Home: filepath.Join(dir, fmt.Sprint("home", i)), Where: f.Dir, Name: fmt.Sprint("site", i), Order: run.Order{Order: fit.Order{Args: []string{file}, Read: as}},
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for round := range mostByHand {
		if _, err := f.Round(run.Check); err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		done := 0
		for _, h := range homes {
			step, err := h.Round(t.Context(), run.Order{}, false)
			if err != nil {
				t.Fatalf("%s, round %d: %v", h.Name, round, err)
			}
			if step.Done {
				done++
			}
		}
		if done == len(homes) {
			t.Logf("by hand: %d rounds", round)
			return closed(t, homes[0])
		}
	}
	t.Fatalf("not done after %d rounds", mostByHand)
	return nil
}

func summed(t *testing.T, dir string, files []string, o run.Order, as read.Options) *model.Model {
	t.Helper()
	all := filepath.Join(dir, "all.mom")
	with := ""
	for round := range mostByHand {
		var list []exchange.Named
		for i, file := range files {
			p := run.Part{Order: o, Site: fmt.Sprint("site", i), Key: filepath.Join(dir, fmt.Sprint("key", i)), With: with}
			p.Order.Args, p.Order.Read = []string{file}, as
			f, leaving, err := run.Sums(t.Context(), p)
			if err != nil {
				t.Fatalf("site %d, round %d: %v", i, round, err)
			}
			if leaving.NewKey != nil {
				write(t, p.Key, string(leaving.NewKey))
			}
			list = append(list, exchange.Named{Name: p.Site, File: f})
		}
		f, err := exchange.Merge(list)
		if err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		data, err := f.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		write(t, all, string(data))
		with = all
		totals := o
		totals.Totals = []string{all}
		err = run.Ready(t.Context(), totals)
		if errors.Is(err, run.ErrCarry) {
			continue
		}
		if err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		t.Logf("moments: %d rounds", round)
		totals.Out = filepath.Join(dir, "run")
		r, err := run.Make(t.Context(), totals)
		if err != nil {
			t.Fatal(err)
		}
		return r.Outcome.Model
	}
	t.Fatalf("not done after %d rounds", mostByHand)
	return nil
}

// logLikelihood is that of records under a model, the features of which may stand in another
// order.
func logLikelihood(t *testing.T, m *model.Model, d *dataset.Dataset) float64 {
	t.Helper()
	if d.Vocab.Len() != m.Vocab.Len() {
		t.Fatalf("%d features, want %d", m.Vocab.Len(), d.Vocab.Len())
	}
	rows := sparse.Rows{Dim: d.Rows.Dim, Dense: make([]float64, d.Rows.N()*d.Rows.Dim)}
	for h, name := range d.Vocab.Names {
		to := slices.Index(m.Vocab.Names, name)
		if to < 0 {
			t.Fatalf("the feature %q is not in %q", name, m.Vocab.Names)
		}
		for i := range d.Rows.N() {
			d.Rows.Each(i, func(g int, x float64) {
				if g == h {
					rows.Dense[i*rows.Dim+to] = x
				}
			})
		}
	}
	fam, err := m.Family()
	if err != nil {
		t.Fatal(err)
	}
	r, err := refine.Steps(t.Context(), fam, pass.NewSequences(rows, d.Steps, 1), m.Params, 0, refine.Options{Exact: true})
	if err != nil {
		t.Fatal(err)
	}
	return r.LogLikelihood
}

// TestBattery is the battery of studies: records of every kind, with the model named and
// not, go every way that docs/federated.md offers, and each gives the model of one machine
// with all records, which describes them as well to 1e-9 where sums are in double precision,
// and to 1e-6 else. What takes more than a hundred rounds goes by hand in the long form; groups
// beside degrees, and groups of groups, are looked for by the verdict and by a tree.
func TestBattery(t *testing.T) {
	long := numtest.Scale(0, 0, 1) > 0
	for name, c := range crowds() {
		dir := t.TempDir()
		n := numtest.Scale(1, 2, 8)
		if c.times > 0 {
			n = c.times
		}
		files, all := c.write(t, dir, 12*n, 9*n, 6*n)
		for at, model := range c.models {
			if !long && c.costly || testing.Short() && (at > 0 || c.rounds && c.times > 0) {
				continue
			}
			for _, double := range []bool{true, false} {
				if !double && !long {
					continue
				}
				t.Run(fmt.Sprintf("%s, model %q, double %v", name, model, double), func(t *testing.T) {
					c.compare(t, files, all, model, double, long)
				})
			}
		}
	}
}

func (c crowd) compare(t *testing.T, files []string, all, name string, double, long bool) {
	o, as := c.order(name, double)
	one := o
	one.Args, one.Read = []string{all}, as
	pooled, err := fit.Do(t.Context(), one.Order)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { pooled.Close() })
	want := pooled.Outcome.Model
	likely := logLikelihood(t, want, pooled.Set.(*dataset.Dataset))
	tol := 1e-6
	if double {
		tol = 1e-9
	}
	for how, do := range ways() {
		if !long && (how == "moments" && testing.Short() || how != "wait" && c.rounds && (name == "" || name == "lda")) {
			continue
		}
		t.Run(how, func(t *testing.T) {
			t.Parallel() // most of their time goes into waiting for files
			got := do(t, t.TempDir(), files, o, as)
			if got.Spec.Model != want.Spec.Model || got.Spec.Covariance != want.Spec.Covariance {
				t.Fatalf("the model is %s %s, on one machine %s %s", got.Spec.Model, got.Spec.Covariance, want.Spec.Model, want.Spec.Covariance)
			}
			if far := math.Abs(logLikelihood(t, got, pooled.Set.(*dataset.Dataset))-likely) / math.Abs(likely); !(far <= tol) {
				t.Errorf("the log-likelihood is off by %g of %g", far, likely)
			}
		})
	}
}
