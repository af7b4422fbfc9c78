package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/moiety-go/moiety/internal/codes"
	"github.com/moiety-go/moiety/internal/explain"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/report"
)

// converters is the table format -> writer.
func converters() map[string]func(context.Context, *table) error {
	return map[string]func(context.Context, *table) error{
		"uci": writeUCI, "mtx": writeMTX, "svmlight": writeSVMlight,
		"jsonl": writeJSONL, "csv": writeCSV, "parquet": writeParquet,
	}
}

func (a *app) convertCommand() *cobra.Command {
	var r reading
	var e encoding
	var m machine
	var to string
	var out target
	known := slices.Sorted(maps.Keys(converters()))
	c := &cobra.Command{
		Use:   "convert DATA... --to FORMAT -o FILE",
		Short: "Write data in another format",
		Long: `Reads data and writes them in another format. Codes stay as they are written
unless --rollup or --system is given, words stay all unless --stopwords is.`,
		RunE: func(c *cobra.Command, args []string) error {
			if err := needData(c, args); err != nil {
				return err
			}
			if to == "" || out.path == "" {
				return misuse("write --to FORMAT and -o FILE; formats are %s", list(known))
			}
			if err := oneOf("to", to, known...); err != nil {
				return err
			}
			o := fit.Order{Args: args, Read: r.o, Now: time.Now}
			var err error
			if o.Encode, err = e.settings(); err != nil {
				return err
			}
			if o.Encode.Rollup == "" && o.Encode.System == "" {
				o.Encode.System, o.Encode.Counts = string(codes.None), true
			}
			if e.stopwords == "" {
				o.Encode.Stopwords = "none"
			}
			o.Encode.AllWords, o.Encode.KeepOrder, o.Encode.KeepUnused = true, true, true
			if err := m.apply(a, &o.Read, &o.Encode); err != nil {
				return err
			}
			return a.convert(c.Context(), o, to, out)
		},
	}
	c.Flags().StringVar(&to, "to", "", "format to write: "+list(known))
	complete(c, "to", known...)
	out.add(c, "file to write")
	r.add(c)
	e.add(c)
	m.add(c)
	return c
}

func (a *app) convert(ctx context.Context, o fit.Order, to string, out target) error {
	t := &table{app: a, to: out, form: convertForm(to), private: true, format: to, time: o.Read.Time}
	if err := t.check(); err != nil {
		return err
	}
	ctx = a.listening(ctx)
	p, err := fit.Prepare(ctx, o, "")
	if err != nil {
		return ofData(err)
	}
	defer p.Close()
	t.p = p
	if err := t.begin(ctx); err != nil {
		return fmt.Errorf("--to %s: %w", to, err)
	}
	defer t.abandon()
	if err := converters()[to](ctx, t); err != nil {
		return fmt.Errorf("--to %s: %w", to, err)
	}
	if err := t.finish(); err != nil {
		return err
	}
	gate := explain.NewGate(p.Health, o.SmallestCell(p.Health), false, p.Len())
	reading := gate.Reading(p.Reading)
	a.warn(reading.Warnings())
	if a.json {
		return a.document("convert", struct {
			Format       string       `json:"format"`
			Files        []string     `json:"files"`
			HoldsRecords bool         `json:"holds_records"`
			Ring         report.Ring  `json:"ring,omitempty"`
			Records      report.Count `json:"records"`
			Features     int          `json:"features" gate:"features"`
			Reading      fit.Reading  `json:"reading"`
		}{to, t.files, true, gate.Ring, gate.Size(p.Len()), p.Vocab().Len(), reading})
	}
	for _, note := range t.notes {
		a.say("%s", note)
	}
	for _, f := range t.files {
		a.say("wrote %s", f)
	}
	if gate.Ring != report.Open {
		a.say("%s", wrap("It holds the records themselves: it is readable by you alone and not for passing on.", 100, "  "))
	}
	return nil
}
