// Package reference holds the methods that the product is compared with:
// k-means, PCA and k-means, bisecting k-means, PDDP, collapsed Gibbs sampling for
// LDA, three-view moments, EM from random starts.
//
// It takes rows and a number of groups and gives labels. The methods are honest
// and tuned, agree with the published implementations, and lie outside the path
// of users' fits: experiments and tests call them, fit never does. They are
// deterministic: randomness comes from named streams of Options.Seed, and the
// bits do not depend on the number of workers. It must not know what a row
// means, except where a method is a probability model.
package reference

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/sparse"
)

// Options steers the methods. Zero values mean the defaults.
type Options struct {
	Seed       uint64
	Starts     int     // random starts, the best kept; 0 means 10 (1 inside bisecting k-means)
	Iterations int     // Lloyd steps of a start at the most; 0 means 300
	Tol        float64 // squared movement of the centers that ends a start, as a share of the features' mean variance; 0 means 1e-4
	Workers    int     // 0 means all cores
}

const (
	defaultStarts     = 10
	defaultIterations = 300
	defaultTol        = 1e-4
)

func (o Options) filled() Options {
	if o.Starts <= 0 {
		o.Starts = defaultStarts
	}
	if o.Iterations <= 0 {
		o.Iterations = defaultIterations
	}
	if o.Tol == 0 {
		o.Tol = defaultTol
	}
	return o
}

// stream returns the random stream of that name in this package.
func (o Options) stream(name string, number int) *rand.Rand {
	return stream.New(o.Seed, fmt.Sprintf("reference/%s/%d", name, number))
}

// Result is a grouping of the rows.
type Result struct {
	Labels     []int      // group of each row, from 0
	Centers    *mat.Dense // k×d, row j the center of group j; nil where a method has none
	Objective  float64    // what the method makes small: for k-means the summed squared distances
	Iterations int        // of the start that was kept
}

// chunk is the number of rows that are worked on at once: it bounds memory and
// is part of the order of additions.
const chunk = 4096

// check reports rows that no method here can group.
func check(rows sparse.Rows, k int) error {
	if k < 1 || k > rows.N() {
		return fmt.Errorf("reference: %d groups of %d rows; ask for 1 to %d", k, rows.N(), rows.N())
	}
	for _, v := range rows.Dense {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("reference: a value is %v; fill in missing values first", v)
		}
	}
	for _, v := range rows.Value {
		if v != v {
			return fmt.Errorf("reference: a value is missing; fill in missing values first")
		}
	}
	return nil
}

// each calls f for chunks of rows, in order.
func each(ctx context.Context, rows sparse.Rows, f func(first int, part sparse.Rows)) error {
	for lo := 0; lo < rows.N(); lo += chunk {
		if err := ctx.Err(); err != nil {
			return err
		}
		f(lo, rows.Slice(lo, min(lo+chunk, rows.N())))
	}
	return ctx.Err()
}

// squares returns the squared length of every row.
func squares(rows sparse.Rows) []float64 {
	out := make([]float64, rows.N())
	for i := range out {
		if rows.IsDense() {
			for _, v := range rows.DenseRow(i) {
				out[i] += v * v
			}
			continue
		}
		index, value := rows.Row(i)
		if value == nil {
			out[i] = float64(len(index))
			continue
		}
		for _, v := range value {
			out[i] += float64(v) * float64(v)
		}
	}
	return out
}

// addRow adds row i to dst.
func addRow(dst []float64, rows sparse.Rows, i int) {
	if rows.IsDense() {
		for h, v := range rows.DenseRow(i) {
			dst[h] += v
		}
		return
	}
	index, value := rows.Row(i)
	if value == nil {
		for _, h := range index {
			dst[h]++
		}
		return
	}
	for e, h := range index {
		dst[h] += float64(value[e])
	}
}

// mean returns the mean row.
func mean(rows sparse.Rows) []float64 {
	out := make([]float64, rows.Dim)
	for i := range rows.N() {
		addRow(out, rows, i)
	}
	for h := range out {
		out[h] /= float64(max(rows.N(), 1))
	}
	return out
}
