package fit

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/decompose"
	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/assign"
	"github.com/moiety-go/moiety/internal/normals"
	"github.com/moiety-go/moiety/internal/progress"
	"github.com/moiety-go/moiety/internal/spectral"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/internal/suggest"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/warn"
)

// Methods that divide the records themselves, by a rule. The model starts from the parts: its
// centers are the means of a part, its weights their sizes. EM refines it, and the model then
// places records ([T] 6.3, "D-SIDIWO + EM"); without EM the rule does, in the fit and after it.
const (
	dsidiwo            = "d-sidiwo"
	spectralClustering = "spectral-clustering"
)

// dividers are the methods that divide records.
var dividers = []decompose.Named{
	{Name: dsidiwo, Paper: "[T] Alg. 5, §6.2", Words: "raw moments, no model: each record goes to the largest of k discriminants with --refine none; otherwise EM starts from these parts, and its model places the records ([T] 6.3)"},
	{Name: spectralClustering, Paper: "[T] Fig. 4.1 (SC-lin), von Luxburg 2007", Words: "k-means on the leading eigenvectors of the records' linear kernel; --refine none keeps its parts, EM starts from them"},
}

// Methods returns all methods of flat models, the default first.
func Methods() []decompose.Named { return append(decompose.Methods(), dividers...) }

// CheckMethod reports a method that there is not; "" is the default.
func CheckMethod(name string) error {
	if name == "" || divides(name) {
		return nil
	}
	if _, err := decompose.ByName(name); err == nil {
		return nil
	}
	var names []string
	for _, m := range Methods() {
		names = append(names, m.Name)
	}
	return fmt.Errorf("fit: unknown method %q%s; choose one of %s", name, suggest.Hint(name, names), strings.Join(names, ", "))
}

// Parts returns the part of every record as a dividing method gives it, before any
// model.
func Parts(ctx context.Context, run pass.Runner, s Settings) ([]int32, error) {
	if !divides(s.Method) {
		return nil, fmt.Errorf("fit: the method %s does not divide records", s.method())
	}
	p, err := s.divide(ctx, run)
	return p.labels, tooLittle(err)
}

func divides(method string) bool { return method == dsidiwo || method == spectralClustering }

// fromParts divides the records and learns one group from each part.
func fromParts(ctx context.Context, fam family.Family, run pass.Runner, s Settings) (*start, error) {
	f, ok := fam.(family.Grouped)
	switch {
	case !ok || fam.Info().Soft || fam.Info().Sequences:
		return nil, fmt.Errorf("fit: the method %s divides records into parts, which the model %s has not: choose another of them", s.Method, fam.Info().Name)
	case run.Can().Own != run.Len():
		return nil, fmt.Errorf("fit: the method %s needs all records in one place; choose another for records at several", s.Method)
	}
	if some, err := incomplete(ctx, run); err != nil || some {
		if err == nil {
			err = fmt.Errorf("fit: the method %s takes no records with missing values; choose another method", s.Method)
		}
		return nil, err
	}
	progress.Report(ctx, progress.Event{Step: "dividing", Unit: "groups", Total: int64(s.K)})
	parts, err := s.divide(ctx, run)
	if err != nil {
		return nil, tooLittle(err)
	}
	shape, err := alike(ctx, fam, run, s)
	if err != nil {
		return nil, err
	}
	step, err := f.HardStep(shape, parts.labels)
	if err != nil {
		return nil, err
	}
	stats, err := pass.RunOne(ctx, run, step)
	if err != nil {
		return nil, err
	}
	p, warnings, err := fam.MStep(stats, shape, s.Prior.Records())
	if err != nil {
		return nil, err
	}
	if parts.open && s.Refine == None {
		warnings = append(warnings, openRecords())
	}
	return &start{candidates: []mixture.Params{p}, raw: []mixture.Params{p}, rule: parts.rule, diagnostics: parts.diagnostics, warnings: warnings}, nil
}

// alike returns k groups that are all the same: what a partition is learned from.
func alike(ctx context.Context, fam family.Family, run pass.Runner, s Settings) (mixture.Params, error) {
	src, err := fam.Source(ctx, run, 1)
	if err != nil {
		return mixture.Params{}, tooLittle(err)
	}
	raw, err := decompose.Auto(ctx, src, 1, decompose.Options{Seed: s.Seed, SkipRows: true})
	if err != nil {
		return mixture.Params{}, tooLittle(err)
	}
	one, _, err := fam.Normalise(ctx, src, raw.Params)
	if err != nil {
		return mixture.Params{}, err
	}
	shape := fam.Reorder(one, make([]int, s.K))
	for j := range shape.Weights {
		shape.Weights[j] = 1 / float64(s.K)
	}
	return shape, nil
}

// divided are the parts of the records.
type divided struct {
	rule        *mixture.Rule
	labels      []int32 // of every record, by the rule
	open        bool    // the rule leaves some record open
	diagnostics decompose.Diagnostics
}

// openRecords warns of records that a rule says nothing of.
func openRecords() warn.Warning {
	return warn.New(warn.Caution, "open-records", "Ask for more groups: these records may be one of their own.",
		"Some records have none of the features that tell the groups apart: they lie in the largest by rule, with the same probability for each, not by evidence.")
}

func (s Settings) divide(ctx context.Context, run pass.Runner) (p divided, err error) {
	if s.Method == spectralClustering {
		p.diagnostics = decompose.Diagnostics{Feature: -1, Converged: true}
		p.rule, err = s.clustered(ctx, run)
	} else {
		p.rule, p.diagnostics, err = s.discriminated(ctx, run)
	}
	if err != nil {
		return p, err
	}
	sizes := make([]int, s.K)
	p.labels, err = placedBy(ctx, run, p.rule, func(sure bool, part int32) {
		if sure {
			sizes[part]++
		} else {
			p.open = true
		}
	})
	if err != nil {
		return p, err
	}
	order := make([]int, s.K)
	for j := range order {
		order[j] = j
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(sizes[b], sizes[a]) })
	p.rule = p.rule.Reorder(order) // the largest first: what the rule leaves open goes there
	p.labels, err = placedBy(ctx, run, p.rule, func(bool, int32) {})
	return p, err
}

// placedBy returns the part of every own record, the first of equals, and shows it and
// whether there was one alone.
func placedBy(ctx context.Context, run pass.Runner, rule *mixture.Rule, visit func(sure bool, part int32)) ([]int32, error) {
	labels, k := make([]int32, run.Can().Own), len(rule.Vectors)
	var mu sync.Mutex
	_, err := run.Own(ctx, func(b pass.Block) error {
		out := make([]float64, b.Rows.N()*k)
		rule.Place(b.Rows, out)
		mu.Lock()
		defer mu.Unlock()
		for i := range b.Rows.N() {
			j := assign.Best(out[i*k:][:k])
			labels[b.First+i] = int32(j)
			visit(out[i*k+j] == 1, int32(j))
		}
		return nil
	})
	return labels, err
}

// ruleOf returns the rule of the columns of a matrix (d×k).
func ruleOf(d *mat.Dense, absolute bool) *mixture.Rule {
	_, k := d.Dims()
	r := &mixture.Rule{Absolute: absolute}
	for j := range k {
		r.Vectors = append(r.Vectors, mat.Col(nil, j, d))
	}
	return r
}

const (
	// discriminantResidual is that of the leading subspace where a rule places records by
	// it: nothing mends what it is off by. discriminantPasses are the most scans for it.
	discriminantResidual = 1e-8
	discriminantPasses   = 60
)

// discriminated is D-SIDIWO into k parts: the rows d_1 … d_k of D = (E·O)† on raw
// moments, and every record to the largest |⟨d_j, x⟩| ([T] Alg. 5, eq. 6.11).
func (s Settings) discriminated(ctx context.Context, run pass.Runner) (*mixture.Rule, decompose.Diagnostics, error) {
	src := moment.NewSampled(run, moment.Formula{Law: moment.Raw()}, run.Can().Binary)
	o := s.options(run.Len())
	o.Residual, o.Passes = discriminantResidual, discriminantPasses
	w, err := decompose.Whiten(ctx, src, s.K, o)
	if err != nil {
		return nil, decompose.Diagnostics{}, err
	}
	rotation, separation, err := w.Rotation(ctx, src, o.AllSlices)
	if err != nil {
		return nil, decompose.Diagnostics{}, err
	}
	var d mat.Dense
	d.Mul(w.W, rotation)
	spectral.ClearUnmet(&d, w.Residual)
	return ruleOf(&d, true), decompose.Diagnostics{
		Spectrum: w.Eigen, Gap: w.Gap, Feature: -1, Separation: separation, Passes: w.Passes, Residual: w.Residual, Converged: true, Condition: 1,
	}, nil
}

// projected shows bᵀx of every own record.
func projected(ctx context.Context, run pass.Runner, b *mat.Dense, visit func(i int, z []float64)) error {
	_, l := b.Dims()
	_, err := run.Own(ctx, func(block pass.Block) error {
		z := make([]float64, block.Rows.N()*l)
		block.Rows.MulTo(z, b.RawMatrix().Data, l)
		for i := range block.Rows.N() {
			visit(block.First+i, z[i*l:][:l])
		}
		return nil
	})
	return err
}

const (
	clusterStarts = 10 // of k-means, as the papers' library has it
	clusterPasses = 12 // over the records, for the leading eigenvectors
	clusterExtra  = 6
)

// clustered is spectral clustering with a linear kernel: A = XXᵀ, the leading
// eigenvectors of D^-½AD^-½ over D^½, and k-means on the rows (von Luxburg 2007).
// The n×n kernel is never formed: its eigenvectors are those of XᵀD^-1X, d×d, seen
// by the records.
func (s Settings) clustered(ctx context.Context, run pass.Runner) (*mixture.Rule, error) {
	d, n := run.Dim(), run.Can().Own
	if s.K > min(d, n) {
		return nil, &decompose.ErrRank{Want: s.K, Got: min(d, n)}
	}
	total, err := pass.RunOne(ctx, run, kernelSum{d: d, l: 1})
	if err != nil {
		return nil, err
	}
	l := min(d, s.K+clusterExtra)
	b := mat.NewDense(d, l, nil)
	stream.Normals(stream.New(s.Seed, "fit/"+spectralClustering), b.RawMatrix().Data)
	q := spectral.Orth(b)
	var values []float64
	for range clusterPasses {
		_, l := q.Dims()
		state, err := pass.RunOne(ctx, run, kernelSum{d: d, l: l, total: total, b: q.RawMatrix().Data})
		if err != nil {
			return nil, err
		}
		y := mat.NewDense(d, l, state)
		var inner, turned mat.Dense
		inner.Mul(q.T(), y)
		var vectors *mat.Dense
		values, vectors = spectral.SymEig(&inner)
		turned.Mul(y, vectors)
		q = spectral.Orth(&turned)
	}
	if len(values) < s.K || !(values[s.K-1] > 1e-12*values[0]) {
		return nil, &decompose.ErrRank{Want: s.K, Got: rankOf(values)}
	}
	return s.nearest(ctx, run, q, values, total)
}

func rankOf(values []float64) int {
	k := 0
	for k < len(values) && values[k] > 1e-12*values[0] {
		k++
	}
	return k
}

// nearest embeds the records and divides them by k-means. The nearest center to z/g, for a
// record's coordinates z and its degree g, is that of the largest 2⟨c, z⟩ − g‖c‖², which is
// linear in the record.
func (s Settings) nearest(ctx context.Context, run pass.Runner, q *mat.Dense, values, total []float64) (*mixture.Rule, error) {
	d, n, k := run.Dim(), run.Can().Own, s.K
	b := mat.NewDense(d, k+1, nil)
	for h := range d {
		for a := range k {
			b.Set(h, a, q.At(h, a)/math.Sqrt(values[a]))
		}
		b.Set(h, k, total[h])
	}
	t := normals.Table{N: n, D: k, X: make([]float64, n*k)}
	err := projected(ctx, run, b, func(i int, z []float64) {
		if degree := z[k]; degree > 0 {
			for a, v := range z[:k] {
				t.X[i*k+a] = v / degree
			}
		}
	})
	if err != nil {
		return nil, err
	}
	centers, size := mat.NewDense(k+1, k, nil), make([]float64, k)
	for i, c := range normals.Nearest(t, k, clusterStarts, stream.New(s.Seed, "fit/"+spectralClustering+"/starts")) {
		size[c]++
		for a, v := range t.X[i*k:][:k] {
			centers.Set(a, c, centers.At(a, c)+2*v)
		}
	}
	for c, n := range size {
		square := 0.0
		for a := range k {
			v := centers.At(a, c) / math.Max(n, 1)
			centers.Set(a, c, v)
			square += v * v / 4
		}
		centers.Set(k, c, -square)
	}
	var vectors mat.Dense
	vectors.Mul(b, centers)
	return ruleOf(&vectors, false), nil
}

// kernelSum adds up Σ x·(xᵀB)/⟨x, total⟩ (d×l), or without b the total itself.
type kernelSum struct {
	d, l     int
	total, b []float64
}

func (s kernelSum) Len() int { return s.d * s.l }

func (s kernelSum) Add(state []float64, b pass.Block) error {
	n := b.Rows.N()
	z := make([]float64, n*s.l)
	if s.b == nil {
		for i := range z {
			z[i] = 1
		}
		b.Rows.AddTransMul(state, z, s.l)
		return nil
	}
	degree := make([]float64, n)
	b.Rows.MulTo(degree, s.total, 1)
	b.Rows.MulTo(z, s.b, s.l)
	for i, g := range degree {
		if g < 0 {
			return fmt.Errorf("fit: record %d: the method %s takes counts and presences, not measurements below zero; choose another method", b.First+i+1, spectralClustering)
		}
		for a := range s.l {
			if g > 0 {
				z[i*s.l+a] /= g
			} else {
				z[i*s.l+a] = 0
			}
		}
	}
	b.Rows.AddTransMul(state, z, s.l)
	return nil
}
