package main

import (
	"context"
	"errors"
	"io"
	"path/filepath"

	"github.com/moiety-go/moiety/show"
)

// pictures writes every picture that can be made of the run into a folder.
func (x *exporting) pictures(ctx context.Context, format string, write func(io.Writer, *show.Scene) error) error {
	list, err := x.Pictures(ctx)
	if err != nil {
		return err
	}
	for _, p := range list {
		if err := ctx.Err(); err != nil {
			return err
		}
		s, err := p.Draw()
		if errors.Is(err, show.ErrNoPicture) {
			x.notes = append(x.notes, p.Name+": "+inFlags(err.Error()))
			continue
		}
		if err != nil {
			return err
		}
		path := filepath.Join(x.to.path, p.Name+"."+format)
		if err := x.file(ctx, path, formOf(format), "", func(w io.Writer) error { return write(w, s) }); err != nil {
			return err
		}
	}
	if err := x.forget("*."+format, formOf(format)); err != nil {
		return err
	}
	return x.about(ctx)
}
