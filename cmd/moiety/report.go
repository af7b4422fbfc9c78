package main

import (
	"context"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/moiety-go/moiety/internal/outfile"
	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/show"
)

func (a *app) reportCommand() *cobra.Command {
	x := a.exporting()
	var pages show.Pages
	lambda, n, share := 0.6, 0, false
	var three []string
	c := &cobra.Command{
		Use:   "report RUN -o FILE.html|FILE.pdf",
		Short: "Write the whole story of a run: one page, or a document to print",
		Args:  argsBetween(1, 1, "RUN -o FILE.html|FILE.pdf"),
		RunE: func(c *cobra.Command, args []string) error {
			write, ok := reporters()[strings.ToLower(filepath.Ext(x.to.path))]
			switch {
			case x.to.path == "":
				return misuse("say where: add -o report.html, or -o report.pdf to print")
			case !ok:
				return misuse("-o %s: name a file that ends in .html or .pdf", x.to.path)
			}
			if err := x.machine.begin(a); err != nil {
				return err
			}
			s, err := explanation(lambda, n)
			if err != nil {
				return err
			}
			s.Share, s.ThreeStep = share, three
			return a.report(c.Context(), args[0], s, x, pages, write)
		},
	}
	x.to.add(c, "file to write, .html or .pdf")
	addShare(c, &share)
	addThreeStep(c, &three)
	c.Flags().StringVar(&pages.Title, "title", "", "title of the report")
	c.Flags().BoolVar(&pages.Full, "full", false, "of a PDF file: a page for every node of a tree, all pictures, the glossary")
	c.Flags().Float64Var(&lambda, "lambda", lambda, "weight of frequency against distinctness, 0 to 1")
	c.Flags().IntVarP(&n, "number", "n", 0, "features of each list (20)")
	x.machine.addMemory(c)
	return c
}

// reporters is the table ending -> writer.
func reporters() map[string]func(io.Writer, *report.Report, show.Pages) error {
	return map[string]func(io.Writer, *report.Report, show.Pages) error{
		".html": show.WriteReportHTML, ".pdf": show.WriteReportPDF,
	}
}

func (a *app) report(ctx context.Context, path string, s report.Settings, x *exporting, pages show.Pages,
	write func(io.Writer, *report.Report, show.Pages) error,
) error {
	if err := a.writeReport(ctx, path, s, x, pages, write); err != nil {
		return err
	}
	if a.json {
		return a.document("report", struct {
			Run  string      `json:"run"`
			Out  string      `json:"out"`
			Ring report.Ring `json:"ring,omitempty"`
		}{path, x.to.path, x.Report.Ring})
	}
	a.say("wrote %s", x.to.path)
	a.sayRing(x.Report.RingWords())
	return nil
}

// writeReport writes the report of a run, and says nothing.
func (a *app) writeReport(ctx context.Context, path string, s report.Settings, x *exporting, pages show.Pages,
	write func(io.Writer, *report.Report, show.Pages) error,
) error {
	form := formOf("report" + strings.ToLower(filepath.Ext(x.to.path)))
	if err := outfile.Check(x.to.path, form, x.to.force); err != nil {
		return err
	}
	r, err := a.openRun(path)
	if err != nil {
		return err
	}
	if err := x.open(a.listening(ctx), r, s); err != nil {
		return err
	}
	defer x.Close()
	rec, err := x.Behind(ctx)
	if err != nil {
		return err
	}
	defer x.staged.Abandon()
	pages.Records = &rec
	err = x.file(ctx, x.to.path, form, "", func(w io.Writer) error { return write(w, x.Report, pages) })
	if err != nil {
		return err
	}
	return x.commit()
}
