package choose

import (
	"context"
	"math"

	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/spectral"
	"github.com/moiety-go/moiety/internal/stream"
)

// Spectrum tells which common patterns of the features stand out from chance:
// eigenvalues of their correlations, diagonal left out, against the largest
// that independent features would give (Marchenko-Pastur).
type Spectrum struct {
	Eigenvalues []float64 `json:"eigenvalues"` // the leading ones, falling
	Edge        float64   `json:"edge"`
	Above       int       `json:"above"`    // eigenvalues above the edge
	Features    int       `json:"features"` // that took part
}

const (
	// edgeSlack is the factor on the edge that makes up for finite numbers of
	// features and records (algorithms: rank).
	edgeSlack = 1.05
	// edgePasses and edgeTol end the search for eigenvalues; values short of
	// their limit only lower the bound.
	edgePasses = 12
	edgeTol    = 1e-3
)

// spectrum measures the correlations of the features; nil where the records
// have none that chance could be told from (sequences, fewer than two features
// that vary).
func spectrum(ctx context.Context, data fit.Training, words bool, most int, seed uint64) (*Spectrum, error) {
	if data.Sequences {
		return nil, nil
	}
	c, err := newCorrelations(ctx, data, words)
	if err != nil || c.active < 2 {
		return nil, err
	}
	d := data.Run.Dim()
	values, _, _, err := spectral.Leading(ctx, d, min(most+1, c.active), c.apply, spectral.LeadingOptions{
		Passes: edgePasses, Tol: edgeTol, Rand: stream.New(seed, "choose/edge"),
	})
	if err != nil {
		return nil, err
	}
	side := 1 + math.Sqrt(float64(c.active)/c.n)
	out := &Spectrum{Edge: edgeSlack * (side*side - 1), Features: c.active}
	for _, v := range values {
		v-- // the operator has ones on the diagonal
		out.Eigenvalues = append(out.Eigenvalues, v)
		if v > out.Edge {
			out.Above++
		}
	}
	return out, nil
}
