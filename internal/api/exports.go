package api

import (
	"archive/zip"
	"context"
	"errors"
	"io"
	"maps"
	"slices"

	"github.com/moiety-go/moiety/internal/export"
	"github.com/moiety-go/moiety/internal/phrases"
	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/show"
)

// ExportRequest asks for a run in a form that other programs read.
type ExportRequest struct {
	Run    string `json:"run"`
	Format string `json:"format"`
	Lambda string `json:"lambda"`
	Share  bool   `json:"share"` // fit to be shared: rounded, nothing that tells the data
	Title  string `json:"title"`
	Full   bool   `json:"full"` // PDF: a page for every node, all pictures
	// Language is that of the map of topics, which stands on a screen: "en" or "es"; what is
	// saved is English.
	Language string `json:"language"`
}

// Exported says what will be written.
type Exported struct {
	Name    string `json:"name"` // of the file
	Type    string `json:"type"` // media type
	Records bool   `json:"records"`
	Ring    report.Ring
	Write   func(w io.Writer) error `json:"-"`
	Close   func() error            `json:"-"`
}

// exported is one format.
type exported struct {
	ending, media string
	records       bool // holds single records
	write         func(ctx context.Context, x *export.Source, r ExportRequest, w io.Writer) error
}

func plain(write func(io.Writer, *report.Report) error) func(context.Context, *export.Source, ExportRequest, io.Writer) error {
	return func(_ context.Context, x *export.Source, _ ExportRequest, w io.Writer) error {
		return write(w, x.Report)
	}
}

// formats is the table of exports.
func formats() map[string]exported {
	return map[string]exported{
		"html": {".html", "text/html; charset=utf-8", false, wholeStory(show.WriteReportHTML)},
		"pdf":  {".pdf", "application/pdf", false, wholeStory(show.WriteReportPDF)},
		"csv":  {".zip", "application/zip", true, writeTables},
		"svg":  {"-svg.zip", "application/zip", false, pictures(".svg", show.WriteSVG)},
		"png": {"-png.zip", "application/zip", false, pictures(".png", func(w io.Writer, s *show.Scene) error {
			return show.WritePNG(w, s, export.PNGScale)
		})},
		"json": {".json", "application/json", false, plain(show.JSON)},
		"npz": {".npz", "application/octet-stream", false, func(_ context.Context, x *export.Source, _ ExportRequest, w io.Writer) error {
			return show.NPZ(w, x.Report, x.Columns(), nil)
		}},
		"ldavis": {"-map.html", "text/html; charset=utf-8", false, plain(show.WriteLDAvis)},
		"octis": {"-octis.json", "application/json", false, func(_ context.Context, x *export.Source, _ ExportRequest, w io.Writer) error {
			return show.OCTIS(w, x.Report, nil)
		}},
		"dot": {".dot", "text/plain; charset=utf-8", false, plain(show.DOT)},
		"omop-cohort": {"-cohort.csv", "text/csv; charset=utf-8", true, func(ctx context.Context, x *export.Source, _ ExportRequest, w io.Writer) error {
			return show.OMOPCohortCSV(ctx, w, x.Outcome.Placed(), x.Rows, x.Dates)
		}},
		"model": {".moiety", "application/octet-stream", false, nil}, // see Export
		"run":   {"-run.zip", "application/zip", true, nil},          // see Export
	}
}

// ExportFormats lists the formats.
func ExportFormats() []string { return slices.Sorted(maps.Keys(formats())) }

// Export opens a run for writing; the caller calls Write and then Close.
func (a *API) Export(ctx context.Context, r ExportRequest) (*Exported, error) {
	f, ok := formats()[r.Format]
	if !ok {
		return nil, refused("There is no format %q: choose one of %v.", r.Format, ExportFormats())
	}
	s, err := a.open(r.Run)
	if err != nil {
		return nil, err
	}
	out := &Exported{Name: r.Run + f.ending, Type: f.media, Records: f.records && !r.Share, Close: func() error { return nil }}
	if r.Format == "model" {
		m, err := s.run.Shared(ctx)
		if err != nil {
			return nil, err
		}
		out.Ring, out.Write = report.Shared, m.Write
		return out, nil
	}
	if r.Share && (r.Format == "omop-cohort" || r.Format == "run") {
		return nil, refused("This holds single records, and these are not shared.")
	}
	if r.Format == "run" {
		if s.run.Manifest.Health {
			out.Ring = report.Inside
		}
		out.Write = func(w io.Writer) error { return s.run.WriteZip(ctx, w) }
		return out, nil
	}
	settings, _, err := settingsFor(r.Lambda)
	if err != nil {
		return nil, err
	}
	settings.Share = r.Share
	switch l := phrases.Language(r.Language); {
	case !l.Known():
		return nil, refused("There are no words in the language %q: choose en or es.", r.Language)
	case l != "" && l != phrases.English && r.Format != "ldavis":
		return nil, refused("This is written in English only.")
	case l != phrases.English: // "" is left as it is
		settings.Language = r.Language
	}
	x, err := export.Open(ctx, s.run, settings)
	if err != nil {
		return nil, err
	}
	if r.Format == "omop-cohort" && x.Dates.Start == "" {
		return nil, errors.Join(refused("These data have no dates, and a cohort needs them: name the column of dates when you make the analysis."), x.Close())
	}
	out.Ring, out.Close = x.Report.Ring, x.Close
	out.Write = func(w io.Writer) error { return f.write(ctx, x, r, w) }
	return out, nil
}

// wholeStory writes the whole report.
func wholeStory(write func(io.Writer, *report.Report, show.Pages) error) func(context.Context, *export.Source, ExportRequest, io.Writer) error {
	return func(ctx context.Context, x *export.Source, r ExportRequest, w io.Writer) error {
		rec, err := x.Behind(ctx)
		if err != nil {
			return err
		}
		return write(w, x.Report, show.Pages{Records: &rec, Title: cleaned(r.Title), Full: r.Full})
	}
}

// writeTables writes all tables into an archive.
func writeTables(ctx context.Context, x *export.Source, _ ExportRequest, w io.Writer) error {
	return archived(ctx, w, append(x.Tables(ctx), x.About()...))
}

func pictures(ending string, write func(io.Writer, *show.Scene) error) func(context.Context, *export.Source, ExportRequest, io.Writer) error {
	return func(ctx context.Context, x *export.Source, _ ExportRequest, w io.Writer) error {
		list, err := x.Pictures(ctx)
		if err != nil {
			return err
		}
		var out []export.Output
		for _, p := range list {
			s, err := p.Draw()
			if errors.Is(err, show.ErrNoPicture) {
				continue
			}
			if err != nil {
				return err
			}
			out = append(out, export.Output{Name: p.Name + ending, Write: func(w io.Writer) error { return write(w, s) }})
		}
		return archived(ctx, w, append(out, x.About()...))
	}
}

// archived puts files into an archive.
func archived(ctx context.Context, w io.Writer, list []export.Output) error {
	z := zip.NewWriter(w)
	for _, o := range list {
		if err := ctx.Err(); err != nil {
			return err
		}
		f, err := z.Create(o.Name)
		if err != nil {
			return err
		}
		if err := o.Write(f); err != nil {
			return err
		}
	}
	return z.Close()
}

// PictureRequest names a picture of a run, as in the export of pictures.
type PictureRequest struct {
	Run  string `json:"run"`
	Name string `json:"name"`
	// Language is that of words: "en" or "es"; "" means "en".
	Language string `json:"language"`
}

// Picture is a drawing with its title, its sentence and its table.
type Picture struct {
	Name string `json:"name"`
	HTML string `json:"html"`
}

// Picture draws one picture of a run.
func (a *API) Picture(ctx context.Context, r PictureRequest) (*Picture, error) {
	s, t, err := a.explained(ctx, r.Run, "", r.Language)
	if err != nil {
		return nil, err
	}
	if html, ok, err := t.parts.Picture(r.Name); ok {
		return &Picture{r.Name, t.page(html)}, err
	}
	x, err := export.OpenExplained(ctx, s.run, t.report)
	if err != nil {
		return nil, err
	}
	defer x.Close()
	list, err := x.Pictures(ctx)
	if err != nil {
		return nil, err
	}
	for _, p := range list {
		if p.Name != r.Name {
			continue
		}
		scene, err := p.Draw()
		if err != nil {
			return nil, err
		}
		html, err := show.Figure(scene, t.report.Language)
		return &Picture{r.Name, t.page(html)}, err
	}
	return nil, unknown("There is no picture %q.", r.Name)
}
