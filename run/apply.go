package run

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/encode"
	"github.com/moiety-go/moiety/read"
	"github.com/moiety-go/moiety/record"
)

// Apply reads new data and encodes them as those of the run were; what was
// wrong with them goes to p.
func (r *Run) Apply(ctx context.Context, args []string, o read.Options, p *record.Problems) (d *dataset.Dataset, met *encode.Applied, err error) {
	src, err := read.Open(ctx, args, o, p)
	if err != nil {
		return nil, nil, err
	}
	dir, err := os.MkdirTemp(o.TempDir, "moiety-apply-")
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	path := filepath.Join(dir, rowsFile)
	met, err = r.applyTo(ctx, src, o.Workers, path)
	if err != nil {
		return nil, nil, err
	}
	f, err := dataset.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	d, err = f.Load()
	return d, met, err
}

// applyTo writes the encoded records to a file.
func (r *Run) applyTo(ctx context.Context, src record.Source, workers int, path string) (*encode.Applied, error) {
	var w *dataset.Writer
	defer func() {
		if w != nil {
			w.Abort()
		}
	}()
	met, err := encode.Apply(ctx, src, r.Manifest.Plan, r.Outcome.Model.Vocab, workers, func(_ int, d *dataset.Dataset) (err error) {
		if w == nil {
			if w, err = dataset.NewWriter(path, dataset.HeaderOf(d)); err != nil {
				return err
			}
		}
		return w.Append(d)
	})
	if err != nil {
		return nil, err
	}
	if w == nil {
		return nil, ErrNothing
	}
	return met, w.Close()
}
