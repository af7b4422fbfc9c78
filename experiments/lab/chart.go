package lab

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/moiety-go/moiety/show"
)

type chartsKey struct{}

// WithCharts asks for pictures of the experiments in a folder.
func WithCharts(ctx context.Context, dir string) context.Context {
	return context.WithValue(ctx, chartsKey{}, dir)
}

// Draw writes a chart as name.svg into the folder of charts, if one was asked
// for.
func Draw(ctx context.Context, name string, scene *show.Scene) error {
	dir, ok := ctx.Value(chartsKey{}).(string)
	if !ok || dir == "" {
		return nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	f, err := os.Create(filepath.Join(dir, name+".svg"))
	if err != nil {
		return err
	}
	if err := show.WriteSVG(f, scene); err != nil {
		f.Close()
		return fmt.Errorf("chart %s: %w", name, err)
	}
	return f.Close()
}

// Bars returns the means of series with two standard errors either side.
func Bars(name string, all []Series) show.Bars {
	b := show.Bars{Name: name}
	for _, s := range all {
		b.Value = append(b.Value, s.Mean())
		b.Low, b.High = append(b.Low, s.Mean()-2*s.Error()), append(b.High, s.Mean()+2*s.Error())
	}
	return b
}
