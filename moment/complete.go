package moment

import (
	"context"
	"math"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/kernel"
	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/internal/spectral"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/warn"
)

// CompleteOptions steers Complete. The zero value works.
type CompleteOptions struct {
	// Blocks lists runs of features [from, to) that are never multiplied with
	// each other: the levels of one question, a code and its parents. Features
	// in no block stand alone. Nil means that all do.
	Blocks [][2]int
	// TripleOnly says that only the products of a feature with itself twice
	// are unknown: M2 is complete, and of M3 the entries (h,h,h) are missing.
	TripleOnly bool
	Updates    int     // of the diagonal, at the most; 0 chooses
	Tol        float64 // relative change at which updates end; 0 chooses
}

// Completed is a Source whose entries inside a block, which records cannot
// show without bias, are filled in by the rank-k model that fits the others:
// those of M2 by HeteroPCA, those of M3 inside the k×k×k core. It never forms
// a d×d×d array.
type Completed struct {
	src    Source
	k      int
	blocks [][2]int // nil: every feature alone
	triple bool
	tol    float64 // relative change at which updates of the third moment end

	u      *mat.Dense // d×k eigenvectors of the completed M2
	eigen  []float64  // their values, falling; beyond k where known
	diag   []float64  // the completed diagonal, features alone
	inner  []*mat.Dense
	e, w   *mat.Dense // d×k: M2 ≈ EEᵀ, WᵀE = I
	core   *Cube      // M3(W,W,W), completed
	t0     *Cube      // before completion
	own    *mat.Dense // d×rank: row h is T(e_h,e_h,·), once asked for; see ownPairs
	warned []warn.Warning
}

// Defaults of CompleteOptions.
const (
	mostUpdates     = 500  // with M2 in memory, where an update costs no pass
	mostScans       = 25   // where every update is a pass over the data, or has many directions
	updateTol       = 1e-3 // relative change of the filled-in entries, in memory
	scanTol         = 1e-3 // the same where updates are passes: far below sampling noise
	extraColumns    = 5
	manySteps       = 8
	mostCoreUpdates = 200
	coreTol         = 1e-4 // relative change of the core; with a tolerance asked for, a hundredth of that
)

// Complete fills in the missing entries of a source of distinct products for a
// model of k components.
func Complete(ctx context.Context, src Source, k int, o CompleteOptions) (*Completed, error) {
	c := &Completed{src: src, k: min(k, src.Dim()), blocks: o.Blocks, triple: o.TripleOnly, u: new(mat.Dense)}
	if err := c.fillSecond(ctx, o); err != nil {
		return nil, err
	}
	c.tol = coreTol
	if o.Tol > 0 {
		c.tol = o.Tol / 100
	}
	if Scans(c, k) { // nobody may ask for the core
		return c, nil
	}
	if err := c.fillCore(ctx); err != nil {
		return nil, err
	}
	return c, nil
}

// Dim returns the number of features.
func (c *Completed) Dim() int { return c.src.Dim() }

// First returns M1.
func (c *Completed) First(ctx context.Context) ([]float64, error) { return c.src.First(ctx) }

// GivesRows implements RowSource: not where whole blocks are missing.
func (c *Completed) GivesRows() bool {
	src, ok := c.src.(RowSource)
	return ok && src.GivesRows() && len(c.blocks) == 0
}

// Warnings tells what the completion could not do as asked.
func (c *Completed) Warnings() []warn.Warning { return c.warned }

// Base returns the source of distinct products behind c.
func (c *Completed) Base() Source { return c.src }

// Whitening returns the whitening W and the factor E of the completed M2 for
// the rank k it was completed for, and the leading eigenvalues; ok is false
// for another rank.
func (c *Completed) Whitening(_ context.Context, k int) (w, e *mat.Dense, eigen []float64, ok bool) {
	return c.w, c.e, c.eigen, c.serves(k)
}

// fillSecond runs HeteroPCA with a rising rank: 1, k/2, k (the deflation of
// Zhou and Chen 2023 against ill-conditioning). One block-power step with a
// Rayleigh-Ritz step is one update.
func (c *Completed) fillSecond(ctx context.Context, o CompleteOptions) error {
	d := c.Dim()
	full, err := c.inMemory(ctx)
	if err != nil {
		return err
	}
	apply, whole := c.observed(full), full != nil
	defer func() { giveSquare(full) }()
	updates, tol := o.Updates, o.Tol
	if updates == 0 {
		updates = mostScans
		if whole && c.k <= MostCubed {
			updates = mostUpdates
		}
	}
	if tol == 0 {
		tol = scanTol
		if whole {
			tol = updateTol
		}
	}
	c.clearInner()
	q := spectral.Orth(spectral.Random(stream.New(0, "moment/complete"), d, min(d, c.k+extraColumns)))
	left, alone := updates, c.alone()
	var kept []int // features that are left: see narrow
	for stage, rank := range ranks(c.k) {
		last := stage == len(ranks(c.k))-1
		for left > 0 {
			left--
			y, err := apply(ctx, q)
			if err != nil {
				return err
			}
			c.addInner(y, q)
			var small mat.Dense
			spectral.MulTrans(&small, q, y)
			values, vectors := spectral.SymEig(&small)
			change := c.update(q, values, vectors, rank, alone)
			if kept == nil && whole && !c.triple && len(c.blocks) == 0 {
				kept = present(full)
				if y = c.narrow(y, kept); len(c.diag) < d {
					all := full
					full = narrowed(all, kept)
					giveSquare(all)
					apply, alone = c.observed(full), alone[:len(kept)]
				}
			}
			q = spectral.OrthIn(q, y)
			for range c.steps(whole) - 1 {
				if y, err = apply(ctx, q); err != nil {
					return err
				}
				c.addInner(y, q)
				q = spectral.OrthIn(q, y)
			}
			if c.triple {
				if c.moved(values) < tol {
					left = 0
				}
				continue
			}
			if change < tol || (!last && change < earlyStage) {
				break
			}
		}
	}
	c.widen(kept)
	if err := c.factor(); err != nil {
		return err
	}
	if s, ok := c.src.(*Sampled); ok && whole && s.f.Pairs && !c.serves(c.k) && full.RawMatrix().Rows == d {
		s.pairs, full = full, nil // who whitens for k will ask for it
	}
	return nil
}

// steps is the number of power steps of an update. The eigenpairs of many directions cost
// more than a product with an M2 that is in memory, and take more steps to settle.
func (c *Completed) steps(whole bool) int {
	if whole && c.k > MostCubed {
		return manySteps
	}
	return 1
}

// serves reports whether the whitening is one for k components.
func (c *Completed) serves(k int) bool {
	_, rank := c.w.Dims()
	return k == rank
}

// earlyStage is the change at which a lower rank has served its purpose.
const earlyStage = 0.05

func ranks(k int) []int {
	switch {
	case k <= 1:
		return []int{k}
	case k == 2:
		return []int{1, 2}
	default:
		return []int{1, (k + 1) / 2, k}
	}
}

// inMemory returns the observed part of M2 where it is in memory, else nil. It is the caller's.
func (c *Completed) inMemory(ctx context.Context) (*mat.Dense, error) {
	if s, ok := c.src.(*Sampled); ok && s.f.Pairs {
		return s.pairMatrix(ctx)
	}
	s, ok := c.src.(Unbounded)
	if !ok {
		return nil, nil
	}
	m2, err := s.Matrix(ctx)
	if m2 == nil || err != nil {
		return nil, err
	}
	return symmetric(m2), nil
}

// observed returns the operator of the observed part of M2, which is in memory or nil.
func (c *Completed) observed(full *mat.Dense) spectral.Apply {
	if full == nil {
		return func(ctx context.Context, b *mat.Dense) (*mat.Dense, error) {
			p, err := c.src.Project(ctx, b, Second)
			if err != nil {
				return nil, err
			}
			return p.Second, nil
		}
	}
	var y *mat.Dense // one for all updates: each ends with a basis of its own
	return func(ctx context.Context, b *mat.Dense) (_ *mat.Dense, err error) {
		y, err = product(ctx, Workers(c.src), y, full, b)
		return y, err
	}
}

// product returns A·B for a d×d matrix A, in the memory of y where that has the shape.
func product(ctx context.Context, workers int, y, a, b *mat.Dense) (*mat.Dense, error) {
	d, l := b.Dims()
	if y == nil || y.RawMatrix().Cols != l {
		y = mat.NewDense(d, l, nil)
	}
	to, from, by := y.RawMatrix().Data, a.RawMatrix().Data, b.RawMatrix().Data
	return y, par.Blocks(ctx, workers, d, productRows, func(_, lo, hi int) error {
		kernel.DenseMul(to[lo*l:hi*l], from[lo*d:hi*d], d, by, l)
		return nil
	})
}

// productRows is the number of rows of a product that are worth a core of their own.
const productRows = 128

// symmetric returns a symmetric matrix with both of its halves.
func symmetric(m *mat.SymDense) *mat.Dense {
	d, raw := m.SymmetricDim(), m.RawSymmetric()
	whole := takeSquare(d)
	out := whole.RawMatrix().Data
	for h := range d {
		row := raw.Data[h*raw.Stride:][h:d]
		copy(out[h*d+h:], row)
		for m, v := range row {
			out[(h+m)*d+h] = v
		}
	}
	return whole
}

// squareMemory keeps the memory of square matrices from one completion to the next: a tree makes
// many, and cleared anew they take as long as they are used.
var squareMemory sync.Pool // of *[]float64

// takeSquare returns a d×d matrix with anything in it.
func takeSquare(d int) *mat.Dense {
	if x, ok := squareMemory.Get().(*[]float64); ok && cap(*x) >= d*d {
		return mat.NewDense(d, d, (*x)[:d*d])
	}
	return mat.NewDense(d, d, nil)
}

// giveSquare takes the memory of a matrix that nobody needs any more, nil for none.
func giveSquare(m *mat.Dense) {
	if m != nil {
		x := m.RawMatrix().Data
		squareMemory.Put(&x)
	}
}

// present returns the features that go together with any other. Where records are a part
// of all, as those of one leaf, half of the features may be in none of them: they have no
// part in any product, and after a first step none in the basis either.
func present(full *mat.Dense) []int {
	d, _ := full.Dims()
	out := make([]int, 0, d)
	for h := range d {
		for _, v := range full.RawRowView(h) {
			if v != 0 {
				out = append(out, h)
				break
			}
		}
	}
	return out
}

// narrow leaves the listed features of a product and of the diagonal, unless these are all, or
// fewer than its columns.
func (c *Completed) narrow(y *mat.Dense, kept []int) *mat.Dense {
	d, l := y.Dims()
	if len(kept) == d || len(kept) < l {
		return y
	}
	out := mat.NewDense(len(kept), l, nil)
	for i, h := range kept {
		copy(out.RawRowView(i), y.RawRowView(h))
		c.diag[i] = c.diag[h]
	}
	c.diag = c.diag[:len(kept)]
	return out
}

// narrowed returns the listed rows and columns.
func narrowed(full *mat.Dense, kept []int) *mat.Dense {
	out := takeSquare(len(kept))
	for i, h := range kept {
		row, from := out.RawRowView(i), full.RawRowView(h)
		for j, m := range kept {
			row[j] = from[m]
		}
	}
	return out
}

// widen gives features that were left out their place again.
func (c *Completed) widen(kept []int) {
	d, n := c.Dim(), len(c.diag)
	if n == d {
		return
	}
	_, l := c.u.Dims()
	u, diag := mat.NewDense(d, l, nil), make([]float64, d)
	for i, h := range kept {
		copy(u.RawRowView(h), c.u.RawRowView(i))
		diag[h] = c.diag[i]
	}
	c.u, c.diag = u, diag
}

func (c *Completed) clearInner() {
	c.diag = make([]float64, c.Dim())
	c.inner = make([]*mat.Dense, len(c.blocks))
	for i, b := range c.blocks {
		c.inner[i] = mat.NewDense(b[1]-b[0], b[1]-b[0], nil)
	}
}

// addInner adds the filled-in entries of M2 times b to y.
func (c *Completed) addInner(y, b *mat.Dense) {
	if c.triple {
		return
	}
	_, l := b.Dims()
	for h, v := range c.diag {
		if v != 0 {
			addScaled(y.RawRowView(h), v, b.RawRowView(h))
		}
	}
	for i, blk := range c.blocks {
		var part mat.Dense
		part.Mul(c.inner[i], b.Slice(blk[0], blk[1], 0, l))
		out := y.Slice(blk[0], blk[1], 0, l).(*mat.Dense)
		out.Add(out, &part)
	}
}

// update sets the leading eigenpairs and fills the missing entries from those
// of the given rank; it returns the largest change of a filled-in diagonal
// entry relative to the largest of them. The features of alone stand in no block.
func (c *Completed) update(q *mat.Dense, values []float64, vectors *mat.Dense, rank int, alone []int) float64 {
	l := len(values)
	rank = min(rank, l)
	keep := min(c.k, l)
	c.eigen = values
	if rows, columns := c.u.Dims(); rows != q.RawMatrix().Rows || columns != keep {
		c.u = new(mat.Dense)
	}
	u := c.u
	spectral.Mul(u, q, vectors.Slice(0, l, 0, keep).(*mat.Dense))
	change, largest := 0.0, 0.0
	note := func(old, now float64) {
		change = math.Max(change, math.Abs(now-old))
		largest = math.Max(largest, math.Abs(now))
	}
	for i, blk := range c.blocks {
		for h := blk[0]; h < blk[1]; h++ {
			for m := blk[0]; m < blk[1]; m++ {
				v := lowRank(u, values, rank, h, m)
				if h == m {
					note(c.inner[i].At(h-blk[0], h-blk[0]), v)
				}
				c.inner[i].Set(h-blk[0], m-blk[0], v)
			}
		}
	}
	for _, h := range alone {
		v := lowRank(u, values, rank, h, h)
		note(c.diag[h], v)
		c.diag[h] = v
	}
	if largest == 0 {
		return 0
	}
	return change / largest
}

func lowRank(u *mat.Dense, values []float64, rank, h, m int) float64 {
	s := 0.0
	uh, um := u.RawRowView(h), u.RawRowView(m)
	for a := range min(rank, len(uh)) {
		s += math.Max(values[a], 0) * uh[a] * um[a]
	}
	return s
}

// moved tells how far the leading values are from the ones seen before: the
// stop rule where M2 needs no completion.
func (c *Completed) moved(values []float64) float64 {
	change := 0.0
	for a := range min(c.k, len(values), len(c.diag)) {
		change = math.Max(change, math.Abs(values[a]-c.diag[a]))
		c.diag[a] = values[a]
	}
	return change / math.Max(math.Abs(values[0]), math.SmallestNonzeroFloat64)
}

// factor sets E and W from the positive leading eigenpairs.
func (c *Completed) factor() error {
	d := c.Dim()
	rank := 0
	floor := math.Max(c.eigen[0], 0) * 1e-12
	for rank < min(c.k, len(c.eigen)) && c.eigen[rank] > floor {
		rank++
	}
	if rank == 0 {
		return &ErrTooFew{"no two features of the records go together more often than by chance"}
	}
	c.e, c.w = mat.NewDense(d, rank, nil), mat.NewDense(d, rank, nil)
	for a := range rank {
		root := math.Sqrt(c.eigen[a])
		for h := range d {
			v := c.u.At(h, a)
			c.e.Set(h, a, v*root)
			c.w.Set(h, a, v/root)
		}
	}
	if c.triple {
		c.diag = make([]float64, d)
	}
	return nil
}
