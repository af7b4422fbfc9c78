package tree

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/kernel"
	"github.com/moiety-go/moiety/internal/par"
)

// listed are some of the presences that a tree grows over, by their numbers:
// they are looked at where they stand, without a copy.
type listed struct {
	rows    *kernel.Presences
	list    []int32 // nil: all
	n       int
	workers int
}

// listedBlock records are looked at by one worker.
const listedBlock = 8192

// each hands runs of places to f, on all cores.
func (l *listed) each(ctx context.Context, f func(i, lo, n int) error) error {
	return par.Do(ctx, l.workers, l.blocks(), func(i int) error {
		lo := i * listedBlock
		return f(i, lo, min(listedBlock, l.n-lo))
	})
}

func (l *listed) blocks() int { return (l.n + listedBlock - 1) / listedBlock }

// project sets z to vᵀx for every record x.
func (l *listed) project(ctx context.Context, z, v []float64) error {
	return l.each(ctx, func(_, lo, n int) error {
		l.rows.Sums(z[lo:lo+n], v, l.list, lo, n)
		return nil
	})
}

// powers sets z to vᵀx and returns the sums of the first three powers of
// vᵀx − shift.
func (l *listed) powers(ctx context.Context, z, v []float64, shift float64) (sums [3]float64, err error) {
	parts := make([][3]float64, l.blocks())
	err = l.each(ctx, func(i, lo, n int) error {
		z := z[lo : lo+n]
		l.rows.Sums(z, v, l.list, lo, n)
		for _, x := range z {
			x -= shift
			parts[i][0] += x
			parts[i][1] += x * x
			parts[i][2] += x * x * x
		}
		return nil
	})
	for _, p := range parts {
		for a, v := range p {
			sums[a] += v
		}
	}
	return sums, err
}

// core sets z to Bᵀx for every record, b of two columns, in single precision,
// and returns Σ z⊗z⊗z, packed.
func (l *listed) core(ctx context.Context, z []float32, b *mat.Dense) ([]float64, error) {
	raw := b.RawMatrix().Data
	w := make([]float32, len(raw))
	for i, v := range raw {
		w[i] = float32(v)
	}
	parts := make([][4]float64, l.blocks())
	err := l.each(ctx, func(i, lo, n int) error {
		z := z[2*lo:][:2*n]
		l.rows.Sums2(z, w, l.list, lo, n)
		var xxx, xxy, xyy, yyy float64
		for ; len(z) >= 2; z = z[2:] {
			x, y := float64(z[0]), float64(z[1])
			xx, yy := x*x, y*y
			xxx += xx * x
			xxy += xx * y
			xyy += x * yy
			yyy += yy * y
		}
		parts[i] = [4]float64{xxx, xxy, xyy, yyy}
		return nil
	})
	sum := make([]float64, 4)
	for _, p := range parts {
		for a, v := range p {
			sum[a] += v
		}
	}
	return sum, err
}

// count returns the number of records of a side that have each of d features.
func (l *listed) count(ctx context.Context, labels sides, side uint8, d int) ([]float64, error) {
	parts := make([][]int32, l.blocks())
	err := l.each(ctx, func(i, lo, n int) error {
		var list [listedBlock]int32
		found := 0
		for at, is := range labels[lo : lo+n] { // without a jump: sides come in any order
			list[found] = l.at(lo + at)
			found += int(1 ^ is ^ side)
		}
		parts[i] = make([]int32, d)
		l.rows.Count(parts[i], list[:found], 0, found)
		return nil
	})
	return added(parts, d), err
}

// added returns the sums of lists of d counts.
func added(parts [][]int32, d int) []float64 {
	out := make([]float64, d)
	for _, p := range parts {
		for h, c := range p {
			out[h] += float64(c)
		}
	}
	return out
}

// countLeaves sets sums to the number of records of each leaf that have each
// feature.
func (l *listed) countLeaves(ctx context.Context, sums [][]float64, leaf []int32) error {
	d := len(sums[0])
	parts := make([][]int32, min(par.Workers(l.workers), l.blocks()))
	err := par.Do(ctx, l.workers, len(parts), func(i int) error {
		parts[i] = make([]int32, len(sums)*d)
		for block := i; block < l.blocks(); block += len(parts) {
			lo := block * listedBlock
			l.countBlock(parts[i], d, leaf, lo, min(lo+listedBlock, l.n))
		}
		return nil
	})
	for j := range sums {
		clear(sums[j])
		for _, p := range parts {
			for h, c := range p[j*d : (j+1)*d] {
				sums[j][h] += float64(c)
			}
		}
	}
	return err
}

// countBlock adds the records from lo to hi to the counts (leaves×d), a leaf at
// a time.
func (l *listed) countBlock(counts []int32, d int, leaf []int32, lo, hi int) {
	ends := make([]int, len(counts)/d+1) // of each leaf's records in the list, once they stand there
	for _, j := range leaf[lo:hi] {
		ends[j+1]++
	}
	for j := range len(ends) - 1 {
		ends[j+1] += ends[j]
	}
	var list [listedBlock]int32
	for i, j := range leaf[lo:hi] {
		list[ends[j]] = l.at(lo + i)
		ends[j]++
	}
	first := 0
	for j := range len(ends) - 1 {
		l.rows.Count(counts[j*d:(j+1)*d], list[:], first, ends[j]-first)
		first = ends[j]
	}
}

// at returns the number of the record at a place.
func (l *listed) at(i int) int32 {
	if l.list == nil {
		return int32(i)
	}
	return l.list[i]
}

// pairs counts the pairs of features, in tables from the tablePool.
func (l *listed) pairs(ctx context.Context, tables *tablePool, d int) (*pairCounts, error) {
	workers := max(1, min(par.Workers(l.workers), l.n/pairRecords))
	parts := make([]*pairCounts, workers)
	err := par.Do(ctx, l.workers, workers, func(i int) error {
		parts[i] = tables.take(d)
		parts[i].Clear()
		lo := l.n * i / workers
		parts[i].Add(l.rows, l.list, lo, l.n*(i+1)/workers-lo)
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, p := range parts[1:] {
		parts[0].Join(p)
		tables.give(p)
	}
	return parts[0], nil
}

// pairRecords is the number of records that are worth a table of pairs for each
// worker.
const pairRecords = 16 * 1024

// sidesOf places records whose projections on a whitened plane are known: a
// record goes to the side of the larger modulus of what the rotation makes of
// them. Where single precision may decide, careful does.
func (g *grower) sidesOf(ctx context.Context, l *listed, z []float32, rotation, plane *mat.Dense, careful *Rule) (sides, error) {
	out := sides(g.labels.take(l.n))
	r := rotation.RawMatrix()
	a0, a1, b0, b1 := r.Data[0], r.Data[r.Stride], r.Data[1], r.Data[r.Stride+1]
	near := singleTie * mat.Max(absolute(plane))
	nearest := near * g.longest * g.longest // for any record
	err := l.each(ctx, func(_, lo, n int) error {
		var ties []int
		for i := range n {
			x, y := float64(z[2*(lo+i)]), float64(z[2*(lo+i)+1])
			less := math.Abs(x*a0+y*a1) - math.Abs(x*b0+y*b1)
			out[lo+i] = uint8(math.Float64bits(less) >> 63) // 1 where the second is larger
			if math.Abs(less) > nearest {
				continue
			}
			if entries := g.entries(int(l.at(lo + i))); !(math.Abs(less) > near*entries*entries) {
				ties = append(ties, lo+i)
			}
		}
		return g.settleTies(l, ties, out, careful.block)
	})
	return out, err
}

// singleTie is how far a sum of two numbers in single precision may be off, for
// each two entries and the largest of what is added: four rounding errors.
const singleTie = 4.0 / (1 << 24)

func absolute(m *mat.Dense) *mat.Dense {
	var out mat.Dense
	out.Apply(func(_, _ int, v float64) float64 { return math.Abs(v) }, m)
	return &out
}

// entries returns the number of entries of a record, and two.
func (g *grower) entries(r int) float64 { return float64(g.rows.Ptr[r+1] - g.rows.Ptr[r] + 2) }
