package mixed

import (
	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/moment"
)

// Coordinates returns p as the source sees it: shifted and scaled.
func Coordinates(src moment.Source, p mixture.Params) mixture.Params {
	s := src.(source)
	centers := mat.DenseCopyOf(p.Centers)
	for h, f := range s.Scale {
		row := centers.RawRowView(h)
		for j := range row {
			row[j] = (row[j] - s.Shift[h]) / f
		}
	}
	return mixture.New(centers, p.Weights)
}
