package verdict

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/moiety-go/moiety/internal/normals"
	"github.com/moiety-go/moiety/internal/stream"
)

// bagFits makes fits of one bag: the directions in which its records differ are
// found once.
type bagFits struct {
	*bag
	base []float64
	at   [][]float64 // of every way to scale: the places of the records
	dims int
	all  int // records of all places
	seed uint64
	name string
}

// mostDirections is the number of directions that k-means looks at.
const mostDirections = 32

func (b *bag) fits(base []float64, seed uint64, name string) *bagFits {
	f := &bagFits{bag: b, base: base, seed: seed, name: name}
	f.all = b.all()
	f.dims = min(mostDirections, b.cols, max(2, f.all/4))
	hows := []scaling{byRoots, byShares}
	if b.trials > 0 {
		hows = hows[:1]
	}
	f.at = make([][]float64, len(hows))
	b.places.each(len(hows), func(i int, own *strand) {
		f.at[i] = b.on(own).embedded(f.dims, hows[i], base, stream.New(seed, fmt.Sprintf("verdict/%s/directions/%d", name, hows[i])))
	})
	return f
}

const tryTurns = 6 // steps of EM after which starts are compared

// fit fits k groups and returns the shares of the records in them.
func (f *bagFits) fit(k int) (*bagMix, []float64) { return f.fitOn(k, f.places) }

// fitOn is fit on a strand of its own.
func (f *bagFits) fitOn(k int, own *strand) (*bagMix, []float64) {
	b := f.on(own)
	if k == 1 {
		return b.em(normals.Members(make([]int, f.n()), 1), 1, 1, f.base)
	}
	mixes, shares := make([]*bagMix, len(f.at)), make([][]float64, len(f.at))
	own.each(len(f.at), func(way int, own *strand) {
		mixes[way], shares[way] = f.on(own).em(f.start(k, way, own), k, tryTurns, f.base)
	})
	best := 0
	for way, m := range mixes {
		if m.loglik > mixes[best].loglik {
			best = way
		}
	}
	return b.em(shares[best], k, bagSteps, f.base)
}

// start cuts the records into k parts, in the leading directions of one way to scale them.
func (f *bagFits) start(k, way int, own *strand) []float64 {
	const tries = 2
	x, d := f.at[way], min(max(k, 2), f.dims)
	t := normals.Table{N: f.n(), D: d, X: make([]float64, 0, f.n()*d)}
	for i := range t.N {
		t.X = append(t.X, x[i*f.dims:][:d]...)
	}
	if own == nil {
		return normals.KMeans(t, k, tries, stream.New(f.seed, fmt.Sprintf("verdict/%s/start/%d/%d", f.name, k, way)))
	}
	return normals.Around(t, own.centers(t, nil, k))
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

	// Shares of the search in the work that is reported: of the fits, and up to the halves.
	fitShare, cutShare = .7, .85
)

// components returns the number of components that describes records kept aside
// best, and the log density of these under every number that was tried.
func (d *drawnBag) components(ctx context.Context, base []float64, s Settings) (int, map[int][]float64, error) {
	turns := 2
	if d.all() < fewPath {
		turns = pathParts
	}
	parts := d.places.partition(d.n(), pathParts, s.Seed, "verdict/path")
	fits, tests := make([]*bagFits, turns), make([]*bag, turns)
	err := d.places.beside(ctx, s.Workers, turns, func(i int, own *strand) error {
		train, test := d.except(parts, i)
		fits[i], tests[i] = train.on(own).fits(base, s.Seed, fmt.Sprintf("path%d", i)), test
		return nil
	})
	if err != nil {
		return 0, nil, err
	}
	scores, totals := map[int][]float64{}, map[int]float64{}
	best, worse := 0, 0
	sizes, top := pathSizes(fits[0].all), 0
	for at, k := range sizes {
		if scores[k] == nil {
			wave := sizes[at : at+1]
			if d.places != nil {
				wave = sizes[at:min(at+bagWave(k), len(sizes))]
			}
			density := make([][]float64, len(wave)*turns)
			err := d.places.beside(ctx, s.Workers, len(density), func(i int, own *strand) error {
				m, _ := fits[i%turns].fitOn(wave[i/turns], own)
				_, density[i] = m.shares(tests[i%turns])
				return nil
			})
			if err != nil {
				return 0, nil, err
			}
			whole := make([]float64, len(wave))
			for i, k := range wave {
				scores[k] = append([]float64{}, slices.Concat(density[i*turns:][:turns]...)...) // not nil without records
				whole[i] = sum(scores[k])
			}
			d.places.add(whole)
			for i, k := range wave {
				totals[k] = whole[i]
			}
		}
		if best == 0 || totals[k] > totals[best] {
			best, worse, top = k, 0, at
		} else if worse++; worse >= pathPatience {
			break
		}
		s.heard.climbed(sizes, at, top+pathPatience, fitShare)
	}
	return best, scores, nil
}

// bagWave is the number of sizes, from k on, that are fitted together over several places.
func bagWave(k int) int {
	if k == 1 {
		return 6
	}
	return pathPatience
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
	parts := b.places.partition(b.n(), pathParts, seed, "verdict/cross")
	for p := range parts {
		slices.Sort(parts[p])
	}
	b.places.each(len(parts), func(p int, own *strand) {
		var rest []int
		list := parts[p]
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
		m, _ := b.on(own).pick(rest).em(known, k, crossTurn, base)
		for at, v := range m.joint(b.pick(list)) {
			out[list[at/k]*k+at%k] = v
		}
	})
	return out
}
