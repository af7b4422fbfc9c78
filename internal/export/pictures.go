package export

import (
	"context"
	"fmt"

	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/show"
)

// PNGScale is the number of dots of a picture for each of its units: fit for
// print at twice the usual density.
const PNGScale = 2

// Picture is one picture of a run, made when it is wanted.
type Picture struct {
	Name string
	Draw func() (*show.Scene, error)
}

// Pictures lists the pictures of the run; some of them may turn out to be none
// (show.ErrNoPicture).
func (x *Source) Pictures(ctx context.Context) ([]Picture, error) {
	r := x.Report
	rec, err := x.Behind(ctx)
	if err != nil {
		return nil, err
	}
	var out []Picture
	add := func(name string, draw func() (*show.Scene, error)) { out = append(out, Picture{name, draw}) }
	if name := "tree"; len(r.Leaves) > 1 {
		if r.Shape != report.Tree {
			name = "groups"
		}
		add(name, func() (*show.Scene, error) { return show.Icicle(r), nil })
		add("map", func() (*show.Scene, error) { return show.TopicMap(r, 0) })
	}
	switch {
	case len(r.Leaves) == 1:
		add("population", func() (*show.Scene, error) { return show.Population(r, rec) })
	case r.Shape == report.States:
		add("strips", func() (*show.Scene, error) { return show.StateStrips(r, rec) })
		add("moves", func() (*show.Scene, error) { return show.StateMoves(r) })
	}
	add("heatmap", func() (*show.Scene, error) { return show.HeatMap(r, rec) })
	add("assignments", func() (*show.Scene, error) { return show.AssignmentAreas(r, rec) })
	for i, s := range show.TrendCharts(r) {
		add(fmt.Sprintf("trend-%d", i+1), func() (*show.Scene, error) { return s, nil })
	}
	for i := range r.Groups {
		g := &r.Groups[i]
		add("group-"+g.ID, func() (*show.Scene, error) { return show.DotPlot(r, g), nil })
	}
	return out, nil
}
