package main

import (
	"context"
	"errors"
	"io"
	"path/filepath"

	"github.com/moiety-go/moiety/internal/explain"
	"github.com/moiety-go/moiety/show"
)

// pngScale is the number of dots of a picture for each of its units: fit for
// print at twice the usual density.
const pngScale = 2

// picture is one picture of a run, made when it is wanted.
type picture struct {
	name string
	draw func() (*show.Scene, error)
}

// pictures writes every picture that can be made of the run into a folder.
func (x *exporting) pictures(ctx context.Context, format string, write func(io.Writer, *show.Scene) error) error {
	rec, err := x.behind(ctx)
	if err != nil {
		return err
	}
	for _, p := range x.gallery(rec) {
		if err := ctx.Err(); err != nil {
			return err
		}
		s, err := p.draw()
		if errors.Is(err, show.ErrNoPicture) {
			x.notes = append(x.notes, p.name+": "+rooms.ReplaceAllString(err.Error(), "$1"))
			continue
		}
		if err != nil {
			return err
		}
		path := filepath.Join(x.to.path, p.name+"."+format)
		if err := x.file(ctx, path, show.FormOf(format), "", func(w io.Writer) error { return write(w, s) }); err != nil {
			return err
		}
	}
	if err := x.forget("*."+format, show.FormOf(format)); err != nil {
		return err
	}
	return x.about(ctx)
}

// behind returns the rows behind the report, which stay on disk.
func (x *exporting) behind(ctx context.Context) (show.Records, error) {
	rec := show.Records{Rows: show.RowsOf(ctx, x.rows), Group: x.outcome.Group, Probability: x.outcome.Probability}
	var err error
	if x.report.Shape == explain.States {
		rec.Steps, err = show.StepsOf(ctx, x.rows)
	}
	return rec, err
}

// gallery lists the pictures of the run.
func (x *exporting) gallery(rec show.Records) []picture {
	var out []picture
	if name := "tree"; len(x.report.Leaves) > 1 {
		if x.report.Shape != explain.Tree {
			name = "groups"
		}
		out = append(out, picture{name, func() (*show.Scene, error) { return show.Icicle(x.report), nil }})
	}
	if len(x.report.Leaves) > 1 {
		out = append(out, picture{"map", func() (*show.Scene, error) { return show.TopicMap(x.report, 0) }})
	}
	switch {
	case len(x.report.Leaves) == 1:
		out = append(out, picture{"population", func() (*show.Scene, error) { return show.Population(x.report, rec) }})
	case x.report.Shape == explain.States:
		out = append(out,
			picture{"strips", func() (*show.Scene, error) { return show.StateStrips(x.report, rec) }},
			picture{"moves", func() (*show.Scene, error) { return show.StateMoves(x.report) }})
	}
	out = append(out,
		picture{"heatmap", func() (*show.Scene, error) { return show.HeatMap(x.report, rec) }},
		picture{"assignments", func() (*show.Scene, error) { return show.AssignmentAreas(x.report, rec) }})
	for i := range x.report.Groups {
		g := &x.report.Groups[i]
		out = append(out, picture{"group-" + g.ID, func() (*show.Scene, error) {
			return show.DotPlot(x.report, g), nil
		}})
	}
	return out
}
