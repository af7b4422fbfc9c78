package decompose

import (
	"math/rand/v2"

	"github.com/moiety-go/moiety/internal/stream"
)

// Options steers the methods. The zero value works.
type Options struct {
	// Seed is the seed of all random streams of this package.
	Seed uint64

	// Extra is the number of columns of the whitening basis beyond k; 0 means
	// 10, or what fills vectors, 6 at the least.
	Extra int
	// Passes is the largest number of applications of M2 while its leading
	// subspace is sought; 0 means 4. It does not bind sources that know M2
	// whole.
	Passes int
	// Residual is that of the k leading eigenpairs of M2, as a share of
	// the k-th eigenvalue, at which the subspace counts as found; 0 means
	// 0.01: sampling errors are larger by far.
	Residual float64
	// Fewer lets a decomposition return fewer components than asked for, with
	// a warning, where M2 has fewer positive eigenvalues. Otherwise that is an
	// ErrRank.
	Fewer bool
	// LeastWeight is the least weight of a component before weights are
	// normalised; 0 means 1e-6. With n records 0.2/n is a good choice.
	LeastWeight float64

	// SkipRows saves Auto the scan that reads the centers from the slices of
	// M3; there are then fewer alternatives.
	SkipRows bool
	// BestOnly saves Auto everything but its best guess: no second rotation,
	// no other readings of the centers.
	BestOnly bool
	// AllSlices makes SIDIWO minimise the objective of the papers: the sum of
	// norms over all d slices of M3 as they are, instead of squares over their
	// projections on the leading subspace. Slower, one scan more.
	AllSlices bool
	// RemoveFeature makes SVTD whiten slice r without feature r, in both the
	// slice and E ([S] Alg. 2).
	RemoveFeature bool
	// Direct makes ALS work on M3 itself, without whitening; for at most
	// DirectDim features.
	Direct bool
	// Starts is the number of random starts of iterative methods (per component
	// for TPM); 0 means 25 for TPM, 5 for ALS.
	Starts int
	// Iterations is the number of iterations of each start of TPM (0 means 20,
	// and as many again from the best one) and the largest number of those of
	// ALS (0 means 500).
	Iterations int
	// Directions is the number of random contractions of the random-projections
	// method; 0 means 2k, at least 10.
	Directions int
}

// DirectDim is the largest number of features for which M3 is ever formed.
const DirectDim = 60

const (
	defaultExtra       = 10
	leastExtra         = 6 // where columns come in steps
	defaultPasses      = 4
	defaultResidual    = 0.01
	defaultLeastWeight = 1e-6
)

func (o Options) residual() float64 {
	if o.Residual <= 0 {
		return defaultResidual
	}
	return o.Residual
}

func (o Options) leastWeight() float64 {
	if o.LeastWeight <= 0 {
		return defaultLeastWeight
	}
	return o.LeastWeight
}

// stream returns the random stream of that name in this package.
func (o Options) stream(name string) *rand.Rand {
	return stream.New(o.Seed, "decompose/"+name)
}

func orDefault(v, def int) int {
	if v <= 0 {
		return def
	}
	return v
}
