package verdict

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/internal/stream"
)

// bagFits makes fits of one bag: the directions in which its records differ are
// found once.
type bagFits struct {
	*bag
	base   []float64
	places [][]float64
	dims   int
	seed   uint64
	name   string
}

// mostDirections is the number of directions that k-means looks at.
const mostDirections = 32

func (b *bag) fits(base []float64, seed uint64, name string) *bagFits {
	f := &bagFits{bag: b, base: base, seed: seed, name: name}
	f.dims = min(mostDirections, b.cols, max(2, b.n()/4))
	hows := []scaling{byRoots, byShares}
	if b.trials > 0 {
		hows = hows[:1]
	}
	for _, how := range hows {
		f.places = append(f.places, b.embedded(f.dims, how, base, stream.New(seed, fmt.Sprintf("verdict/%s/directions/%d", name, how))))
	}
	return f
}

const tryTurns = 6 // steps of EM after which starts are compared

// at fits k groups and returns the shares of the records in them.
func (f *bagFits) at(k int) (*bagMix, []float64) {
	if k == 1 {
		return f.em(hard(make([]int, f.n()), 1), 1, 1, f.base)
	}
	var best *bagMix
	var share []float64
	for way, x := range f.places {
		r := stream.New(f.seed, fmt.Sprintf("verdict/%s/start/%d/%d", f.name, k, way))
		labels := kmeans(x, f.dims, min(max(k, 2), f.dims), k, r)
		if m, s := f.em(hard(labels, k), k, tryTurns, f.base); best == nil || m.loglik > best.loglik {
			best, share = m, s
		}
	}
	return f.em(share, k, bagSteps, f.base)
}

// pathSizes are the numbers of components that are tried.
func pathSizes(n int) []int {
	sizes := []int{1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 40, 48, 64, 80, 100}
	at, _ := slices.BinarySearch(sizes, max(2, n/8)+1)
	return sizes[:at]
}

// nextSize is the number that is tried after k.
func nextSize(k int) int {
	for _, s := range pathSizes(math.MaxInt) {
		if s > k {
			return s
		}
	}
	return k
}

const (
	pathParts    = 4    // a quarter of the records is kept aside
	fewPath      = 1000 // records below which every quarter is, above which two are
	pathPatience = 2

	// Shares of the search in the work that is told: of the fits, and up to the halves.
	fitShare, cutShare = .7, .85
)

// components returns the number of components that describes records kept aside
// best, and the log density of these under every number that was tried.
func (d *drawnBag) components(ctx context.Context, base []float64, s Settings) (int, map[int][]float64, error) {
	turns := 2
	if d.n() < fewPath {
		turns = pathParts
	}
	parts := dealt(d.n(), pathParts, s.Seed, "verdict/path")
	fits, tests := make([]*bagFits, turns), make([]*bag, turns)
	err := par.Do(ctx, par.Workers(s.Workers), turns, func(i int) error {
		train, test := d.except(parts, i)
		fits[i], tests[i] = train.fits(base, s.Seed, fmt.Sprintf("path%d", i)), test
		return nil
	})
	if err != nil {
		return 0, nil, err
	}
	scores := map[int][]float64{}
	best, worse := 0, 0
	sizes, top := pathSizes(fits[0].n()), 0
	for at, k := range sizes {
		density := make([][]float64, turns)
		err := par.Do(ctx, par.Workers(s.Workers), turns, func(i int) error {
			m, _ := fits[i].at(k)
			_, density[i] = m.shares(tests[i])
			return nil
		})
		if err != nil {
			return 0, nil, err
		}
		scores[k] = slices.Concat(density...)
		if best == 0 || sum(scores[k]) > sum(scores[best]) {
			best, worse, top = k, 0, at
		} else if worse++; worse >= pathPatience {
			break
		}
		s.heard.climbed(sizes, at, top+pathPatience, fitShare)
	}
	return best, scores, nil
}

func sum(x []float64) float64 {
	s := 0.0
	for _, v := range x {
		s += v
	}
	return s
}

// crossed returns log(weight·density) of every record under fits that did not see
// it, begun from the shares of a fit of all, so that components keep their
// numbers.
func (b *bag) crossed(share []float64, k int, base []float64, seed uint64) []float64 {
	out := make([]float64, b.n()*k)
	parts := dealt(b.n(), pathParts, seed, "verdict/cross")
	for p := range parts {
		slices.Sort(parts[p])
	}
	for p, list := range parts {
		var rest []int
		for q, other := range parts {
			if q != p {
				rest = append(rest, other...)
			}
		}
		slices.Sort(rest)
		known := make([]float64, 0, len(rest)*k)
		for _, i := range rest {
			known = append(known, share[i*k:][:k]...)
		}
		m, _ := b.pick(rest).em(known, k, crossTurn, base)
		for at, v := range m.joint(b.pick(list)) {
			out[list[at/k]*k+at%k] = v
		}
	}
	return out
}
