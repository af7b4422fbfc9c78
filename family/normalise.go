package family

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/simplex"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/moment"
)

// Means is Normalise for families whose centers are means above zero and whose
// moments come from moment.NewSampled: raw centers times what the source divided
// the features by. None is below that share of the feature's mean over all
// records: a zero would forbid the component to every record with the feature.
func Means(ctx context.Context, src moment.Source, raw mixture.Params, share float64) (mixture.Params, error) {
	mean, err := src.First(ctx)
	if err != nil {
		return raw, err
	}
	d, k := raw.Centers.Dims()
	if d != len(mean) || k != raw.K() {
		return raw, fmt.Errorf("%d×%d centers and %d weights for %d features", d, k, raw.K(), len(mean))
	}
	centers := mat.NewDense(d, k, nil)
	for h, m := range mean {
		scale := 1.0
		if s, ok := src.(*moment.Sampled); ok && s.Formula().Scale != nil {
			scale = s.Formula().Scale[h]
		}
		for j, v := range raw.Centers.RawRowView(h) {
			if !(v > share*m) || math.IsInf(v, 1) { // NaN too
				v = share * m
			}
			centers.Set(h, j, scale*v)
		}
	}
	return mixture.New(centers, simplex.Clip(make([]float64, k), raw.Weights)), nil
}
